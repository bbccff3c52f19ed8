"""How the engine writes the column and row of a cell: ``0508``, ``E8``, ``8.05``, ``-0113``."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from enum import StrEnum
from functools import lru_cache
from itertools import islice
from string import ascii_uppercase

from vassal_bridge.vassal.formats import UnknownWord, fill, split_format
from vassal_bridge.vassal.geometry import UnknownNameError

__all__ = ["Axis", "LabelKind", "Numbering"]

MAX_READINGS = 64
"""How many ways to cut a name into column and row are tried."""

MAX_LABELS = 4
"""Most labels that a format may hold for its names to be read."""

MAX_LETTERS = 1000
"""Longest label in letters; where the engine would write a longer one, the name counts as not known."""


class Axis(StrEnum):
    """Which label stands first in a grid location."""

    HORIZONTAL = "H"
    """The column's."""
    VERTICAL = "V"
    """The row's."""


class LabelKind(StrEnum):
    """Letters or digits."""

    NUMERIC = "N"
    ALPHABETIC = "A"


@dataclass(frozen=True, slots=True, kw_only=True)
class Numbering:
    """Numbering of a hex or square grid (``RegularGridNumbering`` and its three subclasses).

    Attributes:
        first: Whose label comes first.
        separator: Text between the labels.
        column_kind: Letters or digits for columns.
        row_kind: Letters or digits for rows.
        column_leading: Least number of digits of a column label, less one.
        row_leading: Least number of digits of a row label, less one.
        column_offset: Label of column 0.
        row_offset: Label of row 0.
        columns_descend: Columns count down from the right-hand edge.
        rows_descend: Rows count down from the bottom edge.
        is_staggered: Every other column of a hex grid starts half a hex higher, so its rows count one more.
        is_oblique: Rows run aslant (engine 3.8 and later, hex grids only).
        location_format: Format with the words gridLocation, row, column.
    """

    first: Axis = Axis.HORIZONTAL
    separator: str = ""
    column_kind: LabelKind = LabelKind.NUMERIC
    row_kind: LabelKind = LabelKind.NUMERIC
    column_leading: int = 1
    row_leading: int = 1
    column_offset: int = 1
    row_offset: int = 1
    columns_descend: bool = False
    rows_descend: bool = False
    is_staggered: bool = True
    is_oblique: bool = False
    location_format: str = "$gridLocation$"

    def text(self, column: int, row: int) -> str:
        """Write the name of a cell; column and row count from 0, before the offsets are added."""
        column_label = _label(column + self.column_offset, self.column_kind, self.column_leading)
        row_label = _label(row + self.row_offset, self.row_kind, self.row_leading)
        if self.first is Axis.HORIZONTAL:
            location = column_label + self.separator + row_label
        else:
            location = row_label + self.separator + column_label
        if self.location_format == "$gridLocation$":
            return location
        values = {"gridLocation": location, "row": row_label, "column": column_label}
        return fill(self.location_format, values, unknown=UnknownWord.DROPPED)

    def read(self, name: str) -> Iterator[tuple[int, int]]:
        """Yield the columns and rows (from 0) that a name can mean, the engine's own reading first.

        More than one reading exists where no separator parts the labels: 1121 may be column 11 or column 112.
        """
        fields = _fields(self)
        if sum(field in (_COLUMN, _ROW) for field in fields) <= MAX_LABELS:
            for column, row in islice(_readings(self, fields, name, None, None), MAX_READINGS):
                yield column - self.column_offset, row - self.row_offset


_COLUMN, _ROW = "$column", "$row"


@lru_cache(maxsize=256)
def _fields(numbering: Numbering) -> tuple[str, ...]:
    """Spell out the format as literals and the two labels; empty where it does not hold both."""
    order = (_COLUMN, numbering.separator, _ROW)
    fields: list[str] = []
    for part, is_word in split_format(numbering.location_format):
        if not is_word:
            fields.append(part)
        elif part == "gridLocation":
            fields.extend(order if numbering.first is Axis.HORIZONTAL else reversed(order))
        elif part in ("row", "column"):
            fields.append("$" + part)
    fields = [field for field in fields if field]
    return tuple(fields) if {_COLUMN, _ROW} <= set(fields) else ()


def _readings(
    numbering: Numbering, fields: tuple[str, ...], rest: str, column: int | None, row: int | None
) -> Iterator[tuple[int, int]]:
    if not fields:
        if not rest and column is not None and row is not None:
            yield column, row
        return
    field, later = fields[0], fields[1:]
    if field not in (_COLUMN, _ROW):
        if rest.startswith(field):
            yield from _readings(numbering, later, rest[len(field) :], column, row)
        return
    is_column = field == _COLUMN
    kind = numbering.column_kind if is_column else numbering.row_kind
    leading = numbering.column_leading if is_column else numbering.row_leading
    # Longest first, like the greedy pattern that the engine builds.
    for length in range(len(rest), 0, -1):
        value = _value(rest[:length], kind, leading)
        if value is not None:
            yield from _readings(
                numbering, later, rest[length:], value if is_column else column, row if is_column else value
            )


def _label(value: int, kind: LabelKind, leading: int) -> str:
    sign = "-" if value < 0 else ""
    value = abs(value)
    if kind is LabelKind.ALPHABETIC:
        if value > MAX_LETTERS * 26:
            raise UnknownNameError
        return sign + ascii_uppercase[value % 26] * (value // 26 + 1)
    digits = str(value)
    return sign + digits.zfill(leading + 1)


def _value(text: str, kind: LabelKind, leading: int) -> int | None:
    sign, body = (-1, text[1:]) if text.startswith("-") else (1, text)
    if kind is LabelKind.ALPHABETIC:
        if not body or body[0] not in ascii_uppercase or body.strip(body[0]):
            return None
        return sign * (26 * (len(body) - 1) + ascii_uppercase.index(body[0]))
    if not (body.isascii() and body.isdigit()) or not leading < len(body) <= 18:
        return None
    return sign * int(body)
