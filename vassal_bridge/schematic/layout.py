"""Where the hexes of a sheet lie on its board, in pixels, as the engine's hex grid places them.

The grid is "sideways": its columns are the printed rows, and its odd columns (printed even rows) are shifted to the
right by half a hex. The engine counts from the left, the sheets from the right, so the numbering descends; the engine
then counts from the number of hexes that fit into the *width of the board* (``HexGridNumbering.getMaxColumns``), and
the board must be neither too narrow nor too wide for that. ``Layout`` keeps both sides of this together.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

from vassal_bridge.board.mapfile import Sheet

__all__ = ["Layout"]

_MARGIN = 12
_HEADER = 84


@dataclass(frozen=True, slots=True, kw_only=True)
class Layout:
    """Pixels of one sheet; x grows to the right, y down.

    Attributes:
        sheet: The numbering.
        hex_width: Distance between the centres of neighbours in a row; even.
    """

    sheet: Sheet
    hex_width: int

    @property
    def row_height(self) -> float:
        """Distance between the centres of neighbouring rows."""
        return self.hex_width * math.sqrt(3) / 2

    @property
    def radius(self) -> float:
        """Distance from the centre of a hex to its corners."""
        return self.hex_width / math.sqrt(3)

    @property
    def first_x(self) -> int:
        """Centre of the leftmost hex of an odd row."""
        return self.hex_width // 2 + _MARGIN

    @property
    def first_y(self) -> int:
        """Centres of row 1."""
        return math.ceil(self.radius) + _HEADER

    @property
    def width(self) -> int:
        """Width of the board."""
        return self.hex_width * self.sheet.odd_row + 2 * _MARGIN

    @property
    def height(self) -> int:
        """Height of the board."""
        return math.ceil(self.first_y + (self.sheet.rows - 1) * self.row_height + self.radius) + _MARGIN

    @property
    def number_offset(self) -> int:
        """What the engine must add to its descending position to get the printed one."""
        fitting = math.floor(self.width / self.hex_width + 0.5)
        return self.sheet.odd_row - fitting

    def centre(self, row: int, position: int) -> tuple[int, int]:
        """Return the pixel to which the engine snaps a counter in the hex."""
        if row % 2:
            x = self.first_x + self.hex_width * (self.sheet.odd_row - position)
        else:
            x = self.first_x + self.hex_width * (self.sheet.even_row - position) + self.hex_width // 2
        return x, math.trunc(self.first_y + (row - 1) * self.row_height)

    def corners(self, row: int, position: int) -> list[tuple[float, float]]:
        """Return the six corners of a hex, clockwise from the top."""
        x, _ = self.centre(row, position)
        y = self.first_y + (row - 1) * self.row_height
        angles = [math.radians(60 * step - 90) for step in range(6)]
        return [(x + self.radius * math.cos(angle), y + self.radius * math.sin(angle)) for angle in angles]

    def side(self, first: str, second: str) -> list[tuple[float, float]]:
        """Return the two corners that two neighbouring hexes share.

        Raises:
            ValueError: They are no neighbours.
        """
        there = self.corners(*self.sheet.place(second))
        shared = [
            corner
            for corner in self.corners(*self.sheet.place(first))
            if any(math.dist(corner, other) < self.hex_width / 10 for other in there)
        ]
        if len(shared) != 2:
            raise ValueError(f"{first} and {second} are no neighbours")
        return shared
