"""The hex grid of the engine: names, places and snapping, with the engine's rounding.

A *raw* hex is (column, row) as the geometry counts: hex (0, 0) has its centre at the origin, odd columns lie half a hex
lower. Names come from it through descending counts, stagger and offsets. A sideways grid is the same with x and y
swapped on the way in and out, so its columns run across the picture. All points are board pixels, also for a grid that
lies in a zone; the *container* (board, or the zone's bounding box) only matters where counts descend.

Names go by vertical bands, so a point in the pointed ends of a hex bears the name of the neighbour (``getRawColumn``).
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from enum import StrEnum
from functools import lru_cache
from itertools import product
from math import floor, sqrt
from struct import pack, unpack

from vassal_bridge.vassal.geometry import Point, Size, UnknownNameError, contains, java_round
from vassal_bridge.vassal.numbering import Numbering

__all__ = ["DEFAULT_DX", "HexGrid", "HexSnapping", "regular_dx"]

DEFAULT_DX = sqrt(3.0) / 2.0 * 64.0
"""Column distance of a grid that states neither distance, in pixels."""

SPREAD = 0.4
"""How far from its centre other points of a cell are tried, in cells."""

_TRIED_AFTER = {
    0: ((-1, -1), (-1, 0), (1, -1), (1, 0)),
    1: ((-1, 0), (-1, 1), (1, 0), (1, 1)),
}
"""Neighbours, by parity of the column, whose hex may hold a point that the band puts into this one."""


class HexSnapping(StrEnum):
    """How the engine finds the hex that a dropped piece belongs to."""

    BANDS = "bands"
    """By vertical bands, like names: up to 3.6."""
    POLYGONS = "polygons"
    """By the drawn hex: since 3.7."""


@dataclass(frozen=True, slots=True, kw_only=True)
class HexGrid:
    """A grid of hexes (``VASSAL.build.module.map.boardPicker.board.HexGrid``).

    Attributes:
        x0: Centre of raw hex (0, 0), pixels; of a sideways grid the distance from the top.
        y0: The same, down; of a sideways grid the distance from the left.
        dx: Distance between neighbouring columns, pixels.
        dy: Distance between neighbouring hexes of a column, pixels.
        is_sideways: Columns run across the picture.
        is_snapping: Pieces snap to hexes.
        edges_legal: Pieces may snap to hexsides.
        corners_legal: Pieces may snap to corners.
        snap_scale: Number of snap points from centre to border; 0 for the centre only.
        numbering: How hexes are named; without it they have no name.
        container: Size of the board or zone that bears the grid, where it is known.
    """

    x0: int = 0
    y0: int = 32
    dx: float = DEFAULT_DX
    dy: float = 64.0
    is_sideways: bool = False
    is_snapping: bool = True
    edges_legal: bool = False
    corners_legal: bool = False
    snap_scale: int = 0
    numbering: Numbering | None = None
    container: Size | None = None

    def within(self, container: Size | None) -> HexGrid:
        """Return the same grid in a container of another size."""
        return replace(self, container=container)

    def name(self, x: int, y: int) -> str | None:
        """Name the hex of a point; ``None`` without numbering (``HexGridNumbering.locationName``).

        Raises:
            UnknownNameError: Counts descend and the size of the container is not known.
        """
        numbering = self.numbering
        if numbering is None:
            return None
        return numbering.text(*self._label_values(numbering, *self.raw(x, y)))

    def point(self, name: str) -> Point | None:
        """Find the point that the engine means by a name, ``None`` for "bad coordinates".

        Not always the inverse of ``name``: with columns that descend from an odd maximum the engine is one hex off
        (``HexGridNumbering.getCenterPoint``). Use it for what the engine places: at-start stacks, sends.
        """
        numbering = self.numbering
        reading = next(numbering.read(name), None) if numbering else None
        if numbering is None or reading is None:
            return None
        column, row = reading
        if numbering.is_staggered and column % 2:
            row -= _stagger(self, numbering)
        column, row = self._descend(numbering, column, row)
        # The engine drops the fraction before it adds the origin; centre() does it after.
        place = (int(column * self.dx) + self.x0, int(row * self.dy + self.dy / 2 * (column % 2)) + self.y0)
        return self._turn(*place)

    def places(self, name: str) -> Iterator[Point]:
        """Yield points of the hexes that a name can mean, the centre of each first."""
        numbering = self.numbering
        if numbering is None:
            return
        for column, row in numbering.read(name):
            raw = self._raw_of(numbering, column, row)
            centre = self.centre(*raw)
            yield centre
            across, down = self._turn(*(int(length * SPREAD) for length in (self.dx, self.dy)))
            for x, y in product((-across, 0, across), (-down, 0, down)):
                if self.raw(centre[0] + x, centre[1] + y) == raw:
                    yield (centre[0] + x, centre[1] + y)

    def raw(self, x: int, y: int) -> tuple[int, int]:
        """Find the raw column and row of a point, by bands (``getRawColumn``, ``getRawRow``)."""
        x, y = self._turn(x, y)
        column = floor((x - self.x0) / self.dx + 0.5)
        drop = self.dy / 2 if column % 2 else 0.0
        return column, java_round((y - self.y0 - drop) / self.dy)

    def centre(self, column: int, row: int) -> Point:
        """Find the centre of a raw hex, in pixels."""
        return self._turn(*self._centre(column, row))

    def snap(self, x: int, y: int, *, rule: HexSnapping = HexSnapping.POLYGONS) -> Point:
        """Find where a piece dropped at a point comes to rest (``HexGrid.snapTo``)."""
        if not self.is_snapping:
            return (x, y)
        at = self._turn(x, y)
        centre = self._hex_at(*at, rule=rule)
        if not (self.edges_legal or self.corners_legal):
            return self._turn(*centre)
        targets = []
        if self.corners_legal:
            targets.append(self._nearer(at, self._vertex(*at), rule))
        if self.edges_legal:
            targets.append(self._nearer(at, self._side(*at), rule))
        target = min(targets, key=lambda candidate: _squared(at, candidate))
        return self._turn(*(centre if _squared(centre, target) <= 2 else target))

    def _turn(self, x: int, y: int) -> Point:
        return (y, x) if self.is_sideways else (x, y)

    def _centre(self, column: int, row: int) -> Point:
        drop = int(self.dy / 2) if column % 2 else 0
        return (int(self.dx * column + self.x0), int(self.dy * row + drop + self.y0))

    def _label_values(self, numbering: Numbering, raw_column: int, raw_row: int) -> tuple[int, int]:
        column, row = self._descend(numbering, raw_column, raw_row)
        if numbering.is_staggered and raw_column % 2:
            row += _stagger(self, numbering)
        if numbering.is_oblique:
            row = row + int(column / 2) if numbering.is_staggered else row - int(column / 2) + 1
        return column, row

    def _raw_of(self, numbering: Numbering, column: int, row: int) -> tuple[int, int]:
        """Undo ``_label_values``."""
        if numbering.is_oblique:
            row = row - int(column / 2) if numbering.is_staggered else row + int(column / 2) - 1
        raw_column, _ = self._descend(numbering, column, row)
        if numbering.is_staggered and raw_column % 2:
            row -= _stagger(self, numbering)
        return self._descend(numbering, column, row)

    def _descend(self, numbering: Numbering, column: int, row: int) -> tuple[int, int]:
        """Count from the far edge where the numbering says so; its own inverse."""
        columns_turn, rows_turn = numbering.columns_descend, numbering.rows_descend
        if not (columns_turn or rows_turn):
            return column, row
        if self.container is None:
            raise UnknownNameError
        width, height = self.container
        # Width by dy and height by dx is the engine's way, for either orientation.
        last_column, last_row = floor(width / self.dy + 0.5), floor(height / self.dx + 0.5)
        if self.is_sideways:
            return last_row - column if rows_turn else column, last_column - row if columns_turn else row
        return last_column - column if columns_turn else column, last_row - row if rows_turn else row

    def _hex_at(self, x: int, y: int, *, rule: HexSnapping = HexSnapping.POLYGONS) -> Point:
        """Find the snap point of the hex that holds a point, both unturned (``HexGrid.hexPoint``)."""
        column = floor((x - self.x0 + self.dx / 2) / self.dx)
        row = floor((y - self.y0 + (0 if column % 2 else self.dy / 2)) / self.dy)
        centre = self._centre(column, row)
        if rule is HexSnapping.POLYGONS and not contains(_outline(*centre, self.dx, self.dy), x, y):
            for columns, rows in _TRIED_AFTER[column % 2]:
                candidate = self._centre(column + columns, row + rows)
                if contains(_outline(*candidate, self.dx, self.dy), x, y):
                    centre = candidate
                    break
        if self.snap_scale > 0:
            return (
                centre[0] + _step(x - centre[0], self.dx, self.snap_scale),
                centre[1] + _step(y - centre[1], self.dy, self.snap_scale),
            )
        return centre

    def _nearer(self, at: Point, target: Point, rule: HexSnapping) -> Point:
        """Prefer the snap point inside the hex over a border, where the grid has such points."""
        if self.snap_scale <= 0:
            return target
        inner = self._hex_at(*at, rule=rule)
        return inner if _manhattan(at, inner) <= _manhattan(at, target) else target

    def _side(self, x: int, y: int) -> Point:
        dx, dy = self.dx, self.dy
        column = floor((x - self.x0 + dx / 4) * 2 / dx)
        side_x = int(dx / 2 * column + self.x0)
        if column % 2 == 0:
            return (side_x, int(dy / 2 * floor((y - self.y0 + dy / 4) * 2 / dy) + self.y0))
        return (side_x, int(dy / 2 * floor((y - self.y0) * 2 / dy) + int(dy / 4) + self.y0))

    def _vertex(self, x: int, y: int) -> Point:
        dx, dy = self.dx, self.dy
        row = floor((y - self.y0 + dy / 4) * 2 / dy)
        vertex_y = int(dy / 2 * row + self.y0)
        if row % 2 == 0:
            return (int(2 * dx / 3 * int(floor(x - self.x0 + dx / 3) * 3 / (2 * dx)) + self.x0), vertex_y)
        column = int(floor(x - self.x0 + dx / 3 + dx / 3) * 3 / (2 * dx))
        return (int(2 * dx / 3 * column - int(dx / 3) + self.x0), vertex_y)


def regular_dx(dx: float | None, dy: float) -> float:
    """Complete the column distance: one that is absent, or the default to the last bit, follows from ``dy``."""
    if dx is None or dx == DEFAULT_DX:
        return sqrt(3.0) / 2.0 * dy
    return dx


def _stagger(grid: HexGrid, numbering: Numbering) -> int:
    descends = numbering.columns_descend if grid.is_sideways else numbering.rows_descend
    return -1 if descends else 1


def _squared(one: Point, other: Point) -> int:
    return (one[0] - other[0]) ** 2 + (one[1] - other[1]) ** 2


def _manhattan(one: Point, other: Point) -> int:
    return abs(one[0] - other[0]) + abs(one[1] - other[1])


def _step(delta: int, distance: float, scale: int) -> int:
    """Move a distance from the centre to the nearest of the snap points between centre and border."""
    steps = max(min(java_round(delta / (0.5 * distance / scale)), scale - 1), 1 - scale)
    return java_round(steps * 0.5 * distance / scale)


@lru_cache(maxsize=4096)
def _outline(x: int, y: int, dx: float, dy: float) -> tuple[Point, ...]:
    """Draw the hex around a centre in whole pixels (``getSingleHexShape``, which reckons in single precision)."""
    wide, high = _single(dx), _single(dy)
    r = _single(_single(2.0 * wide) / 3.0)
    half_r, half_high = _single(0.5 * r), _single(0.5 * high)
    left, inner_left = _single(x - r), _single(x - half_r)
    inner_right, right = _single(x + half_r), _single(x + r)
    top, bottom = _single(y - half_high), _single(y + half_high)
    return (
        (java_round(left), y),
        (java_round(inner_left), java_round(top)),
        (java_round(inner_right) + 1, java_round(top)),
        (java_round(right) + 1, y),
        (java_round(inner_right) + 1, java_round(bottom) + 1),
        (java_round(inner_left), java_round(bottom) + 1),
    )


def _single(value: float) -> float:
    rounded: float = unpack("f", pack("f", value))[0]
    return rounded
