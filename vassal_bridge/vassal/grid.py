"""The grids of a board: squares, regions, zones; hexes have a file of their own.

A grid turns a point in board pixels into the name of a place and back. Grids inside a zone reckon from the board's
corner too, not from the zone's. ``name`` and ``point`` do what the engine does, rounding included; ``places``
yields points to try where a true inverse of ``name`` is wanted.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from itertools import product
from math import floor
from typing import Protocol

from vassal_bridge.vassal.formats import fill, is_expression, split_format
from vassal_bridge.vassal.geometry import (
    Point,
    Size,
    UnknownNameError,
    bounding_size,
    contains,
    interior_points,
    java_round,
    mean_point,
)
from vassal_bridge.vassal.hexgrid import SPREAD, HexGrid, HexSnapping
from vassal_bridge.vassal.numbering import Numbering

__all__ = [
    "Grid",
    "HexGrid",
    "HexSnapping",
    "Region",
    "RegionGrid",
    "SquareGrid",
    "UnknownGrid",
    "Zone",
    "ZonedGrid",
]


class Grid(Protocol):
    """What every grid can do; all points are board pixels."""

    def within(self, container: Size | None) -> Grid:
        """Return the same grid in a container of another size."""

    def name(self, x: int, y: int) -> str | None:
        """Name the place of a point as the engine does; ``None`` if it has no name there.

        Raises:
            UnknownNameError: There may be a name, but something that decides it is not known.
        """

    def point(self, name: str) -> Point | None:
        """Find the point that the engine means by a name; ``None`` for what it calls bad coordinates."""

    def places(self, name: str) -> Iterator[Point]:
        """Yield points that may bear a name, the likeliest first; whether they do must be asked."""

    def snap(self, x: int, y: int, *, rule: HexSnapping = HexSnapping.POLYGONS) -> Point:
        """Find where a piece dropped at a point comes to rest."""


@dataclass(frozen=True, slots=True, kw_only=True)
class SquareGrid:
    """A grid of rectangles (``VASSAL.build.module.map.boardPicker.board.SquareGrid``).

    Attributes:
        x0: Centre of cell (0, 0), pixels from the left.
        y0: The same from the top.
        dx: Width of a cell, pixels.
        dy: Height of a cell, pixels.
        is_snapping: Pieces snap to cells.
        edges_legal: Pieces may snap to the middle of an edge.
        corners_legal: Pieces may snap to corners.
        snap_scale: Number of snap points from centre to border; 0 for the centre only.
        numbering: How cells are named; without it they have no name.
        container: Size of the board or zone that bears the grid, where it is known.
    """

    x0: int = 24
    y0: int = 24
    dx: float = 48.0
    dy: float = 48.0
    is_snapping: bool = True
    edges_legal: bool = False
    corners_legal: bool = False
    snap_scale: int = 0
    numbering: Numbering | None = None
    container: Size | None = None

    def within(self, container: Size | None) -> SquareGrid:
        """Return the same grid in a container of another size."""
        return replace(self, container=container)

    def name(self, x: int, y: int) -> str | None:
        """Name the cell of a point; ``None`` without numbering (``SquareGridNumbering.locationName``).

        Raises:
            UnknownNameError: Counts descend and the size of the container is not known.
        """
        numbering = self.numbering
        return None if numbering is None else numbering.text(*self._descend(numbering, *self.raw(x, y)))

    def point(self, name: str) -> Point | None:
        """Find the point that the engine means by a name, ``None`` for "bad coordinates"."""
        numbering = self.numbering
        reading = next(numbering.read(name), None) if numbering else None
        if numbering is None or reading is None:
            return None
        return self._centre(*self._descend(numbering, *reading))

    def places(self, name: str) -> Iterator[Point]:
        """Yield points of the cells that a name can mean, the centre of each first."""
        numbering = self.numbering
        if numbering is None:
            return
        for reading in numbering.read(name):
            x, y = self._centre(*self._descend(numbering, *reading))
            yield (x, y)
            across, down = int(self.dx * SPREAD), int(self.dy * SPREAD)
            # Rows are rounded towards zero, so those above row 0 lie a whole cell higher than their centre says.
            yield from product((x - across, x, x + across), (y - down, y, y + down, y - int(self.dy)))

    def raw(self, x: int, y: int) -> tuple[int, int]:
        """Find the raw column and row of a point; the engine rounds columns down, but rows towards zero."""
        return floor((x - self.x0) / self.dx + 0.5), int((y - self.y0) / self.dy + 0.5)

    def snap(self, x: int, y: int, *, rule: HexSnapping = HexSnapping.POLYGONS) -> Point:
        """Find where a piece dropped at a point comes to rest (``SquareGrid.snapTo``); ``rule`` is for hexes."""
        if not self.is_snapping:
            return (x, y)
        across, down = (x - self.x0) / self.dx, (y - self.y0) / self.dy
        if not (self.edges_legal or self.corners_legal):
            column, row = java_round(across), java_round(down)
            return (
                _snap_centre(x, self.x0, column, self.dx, self.snap_scale),
                _snap_centre(y, self.y0, row, self.dy, self.snap_scale),
            )
        # Counted in half cells: even numbers are centres, odd ones edges.
        half_column, half_row = java_round(2 * across), java_round(2 * down)
        if not self.edges_legal:
            half_column = 1 + 2 * java_round(across - 0.5) if half_row % 2 else 2 * java_round(across)
        elif not self.corners_legal and (half_row % 2 or half_column % 2 == 0):
            half_column = 2 * java_round(across)
        return (self.x0 + java_round(half_column * self.dx / 2), self.y0 + java_round(half_row * self.dy / 2))

    def _centre(self, column: int, row: int) -> Point:
        return (int(column * self.dx + self.x0), int(row * self.dy + self.y0))

    def _descend(self, numbering: Numbering, column: int, row: int) -> tuple[int, int]:
        """Count from the far edge where the numbering says so; its own inverse."""
        if not (numbering.columns_descend or numbering.rows_descend):
            return column, row
        if self.container is None:
            raise UnknownNameError
        width, height = self.container
        return (
            int(width / self.dx + 0.5) - column if numbering.columns_descend else column,
            int(height / self.dy + 0.5) - row if numbering.rows_descend else row,
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class Region:
    """A named point of an irregular grid, in board pixels."""

    name: str
    x: int
    y: int


@dataclass(frozen=True, slots=True, kw_only=True)
class RegionGrid:
    """An irregular grid: every point belongs to the nearest region (``RegionGrid``).

    Which of several regions at the same distance wins is left open by the engine; here it is the first.
    """

    regions: tuple[Region, ...] = ()
    is_snapping: bool = True

    def within(self, container: Size | None) -> RegionGrid:
        """Return the grid itself: regions do not depend on a size."""
        return self

    def name(self, x: int, y: int) -> str | None:
        """Name the nearest region; ``None`` if the grid has none (``RegionGrid.locationName``)."""
        region = self._nearest(x, y)
        return region.name if region else None

    def point(self, name: str) -> Point | None:
        """Find the region of that name."""
        return next(((region.x, region.y) for region in self._distinct() if region.name == name), None)

    def places(self, name: str) -> Iterator[Point]:
        """Yield the region of that name, if there is one."""
        place = self.point(name)
        if place is not None:
            yield place

    def snap(self, x: int, y: int, *, rule: HexSnapping = HexSnapping.POLYGONS) -> Point:
        """Find where a piece dropped at a point comes to rest; ``rule`` is for hexes."""
        region = self._nearest(x, y) if self.is_snapping else None
        return (region.x, region.y) if region else (x, y)

    def _nearest(self, x: int, y: int) -> Region | None:
        regions = self._distinct()
        return min(regions, key=lambda region: (region.x - x) ** 2 + (region.y - y) ** 2, default=None)

    def _distinct(self) -> tuple[Region, ...]:
        # Of two regions at one point the later one replaces the earlier.
        at: Mapping[Point, Region] = {(region.x, region.y): region for region in self.regions}
        return self.regions if len(at) == len(self.regions) else tuple(at.values())


@dataclass(frozen=True, slots=True, kw_only=True)
class Zone:
    """A part of a board with a name and, possibly, a grid of its own (``mapgrid.Zone``).

    Attributes:
        name: The zone's name.
        location_format: Format with the words name, gridLocation.
        path: Corners of its polygon, board pixels.
        grid: Its own grid, in a container of the polygon's bounding size.
        uses_parent_grid: It takes the background grid of the board instead.
    """

    name: str
    location_format: str = "$name$"
    path: tuple[Point, ...] = ()
    grid: Grid | None = None
    uses_parent_grid: bool = False

    def __post_init__(self) -> None:
        """Give the zone's grid the size that its descending counts start from."""
        if self.grid is not None:
            object.__setattr__(self, "grid", self.grid.within(bounding_size(self.path)))

    def has(self, x: int, y: int) -> bool:
        """Tell whether a point lies in the zone."""
        return contains(self.path, x, y)


@dataclass(frozen=True, slots=True, kw_only=True)
class ZonedGrid:
    """Zones, the first that holds a point wins, over a background grid (``ZonedGrid``)."""

    zones: tuple[Zone, ...] = ()
    background: Grid | None = None

    def within(self, container: Size | None) -> ZonedGrid:
        """Return the same zones, with the background grid in a container of another size."""
        return self if self.background is None else replace(self, background=self.background.within(container))

    def zone_at(self, x: int, y: int) -> Zone | None:
        """Find the zone of a point."""
        return next((zone for zone in self.zones if zone.has(x, y)), None)

    def name(self, x: int, y: int) -> str | None:
        """Name a point by its zone's format, else by the background grid.

        Raises:
            UnknownNameError: As the grids do; also where the format is an expression.
        """
        zone = self.zone_at(x, y)
        if zone is None:
            return self.background.name(x, y) if self.background else None
        if is_expression(zone.location_format):
            raise UnknownNameError
        grid = self.grid_of(zone)
        values = {"name": zone.name, "gridLocation": ""}
        if grid is not None and "$gridLocation$" in zone.location_format:
            values["gridLocation"] = grid.name(x, y) or ""
        return fill(zone.location_format, values)

    def point(self, name: str) -> Point | None:
        """Find the point that the engine means by a name: zones in order, then the background grid."""
        for zone in self.zones:
            place = self._point_in(zone, name)
            if place is not None and zone.has(*place):
                return place
        return self.background.point(name) if self.background else None

    def places(self, name: str) -> Iterator[Point]:
        """Yield points that may bear a name: of the zones whose format it fits, then of the background grid."""
        for zone in self.zones:
            grid = self.grid_of(zone)
            matched, location = _match_zone(zone, name, has_grid=grid is not None)
            if not matched:
                continue
            if location is not None and grid is not None:
                yield from grid.places(location)
            else:
                yield mean_point(zone.path)
            # A place may reach into the zone only with its rim, or be covered in part by a zone before.
            yield from interior_points(zone.path)
        if self.background is not None:
            yield from self.background.places(name)

    def region(self, name: str) -> Point | None:
        """Find a region of that bare name in any zone, whatever the zone's format (at-start stacks may use it)."""
        for zone in self.zones:
            grid = self.grid_of(zone)
            place = grid.point(name) if isinstance(grid, RegionGrid) else None
            if place is not None and zone.has(*place):
                return place
        return None

    def snap(self, x: int, y: int, *, rule: HexSnapping = HexSnapping.POLYGONS) -> Point:
        """Find where a piece dropped at a point comes to rest; a zone without a grid leaves it where it is."""
        zone = self.zone_at(x, y)
        grid = self.background if zone is None else self.grid_of(zone)
        return (x, y) if grid is None else grid.snap(x, y, rule=rule)

    def grid_of(self, zone: Zone) -> Grid | None:
        """Find the grid that a zone names its places with."""
        return self.background if zone.uses_parent_grid else zone.grid

    def _point_in(self, zone: Zone, name: str) -> Point | None:
        """Read a name by a zone's format, as ``Zone.getLocation`` does."""
        grid = self.grid_of(zone)
        matched, location = _match_zone(zone, name, has_grid=grid is not None)
        if not matched:
            return None
        if location is not None and grid is not None:
            return grid.point(location)
        return mean_point(zone.path)


@dataclass(frozen=True, slots=True, kw_only=True)
class UnknownGrid:
    """A grid that cannot be reckoned with: a class of a module's own, or impossible measures."""

    class_name: str

    def within(self, container: Size | None) -> UnknownGrid:
        """Return the grid itself."""
        return self

    def name(self, x: int, y: int) -> str | None:
        """Say that the name is not known.

        Raises:
            UnknownNameError: Always.
        """
        raise UnknownNameError

    def point(self, name: str) -> Point | None:
        """Find nothing."""
        return None

    def places(self, name: str) -> Iterator[Point]:
        """Yield nothing."""
        return iter(())

    def snap(self, x: int, y: int, *, rule: HexSnapping = HexSnapping.POLYGONS) -> Point:
        """Leave the point where it is."""
        return (x, y)


def _snap_centre(at: int, origin: int, cell: int, size: float, scale: int) -> int:
    centre = java_round(cell * size)
    if scale <= 0:
        return origin + centre
    steps = max(min(java_round((at - origin - centre) / (0.5 * size / scale)), scale - 1), 1 - scale)
    return origin + java_round(cell * size + java_round(steps * 0.5 * size / scale))


def _match_zone(zone: Zone, name: str, *, has_grid: bool) -> tuple[bool, str | None]:
    """Match a name against a zone's format; says whether it fits, and the part that names a place of the grid.

    ``Zone.getLocation`` makes a pattern of the format; words other than name and gridLocation match nothing.
    """
    before, after, seen = "", "", False
    for part, is_word in split_format(zone.location_format):
        if is_word and part == "gridLocation" and has_grid and not seen:
            seen = True
            continue
        text = part if not is_word else zone.name if part == "name" else ""
        before, after = (before, after + text) if seen else (before + text, after)
    if not seen:
        return before != "" and name == before, None
    if len(name) < len(before) + len(after) or not (name.startswith(before) and name.endswith(after)):
        return False, None
    return True, name[len(before) : len(name) - len(after)]
