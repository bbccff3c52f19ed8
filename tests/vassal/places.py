"""Where a name leads back to: what a map layout asks of its grids."""

from __future__ import annotations

from vassal_bridge.vassal.geometry import Point
from vassal_bridge.vassal.grid import Grid


def locate(grid: Grid, name: str) -> Point | None:
    """Return the first point tried for a name that bears it."""
    return next((place for place in grid.places(name) if grid.name(*place) == name), None)
