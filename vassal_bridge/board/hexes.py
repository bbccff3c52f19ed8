"""Hexes, hexsides, and the printed numbers that players call them by.

A hex is an axial coordinate on one sheet of the map. Printed numbers come in many schemes; here they are a line and a
position on it, where every second line lies half a hex further, or each line a fixed number of halves (oblique
numbering). Two hexes of one line differ by two in the doubled position, two of neighbouring lines by one.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Literal, NamedTuple, NewType

__all__ = ["Hex", "HexId", "HexNumbering", "Hexside", "adjacent", "distance", "hexside", "neighbours"]

HexId = NewType("HexId", str)


class Hex(NamedTuple):
    """A hex in axial coordinates: ``r`` is its line, ``q`` runs along it; ``sheet`` is the map sheet's letter."""

    q: int
    r: int
    sheet: str = ""


_DIRECTIONS = ((1, 0), (0, 1), (-1, 1), (-1, 0), (0, -1), (1, -1))


@lru_cache(maxsize=1 << 16)
def neighbours(of: Hex) -> tuple[Hex, ...]:
    """Return the six hexes around a hex on an endless sheet; what lies beyond the map's edge is the map's to say."""
    q, r, sheet = of
    return tuple(Hex(q + dq, r + dr, sheet) for dq, dr in _DIRECTIONS)


def distance(a: Hex, b: Hex) -> int | None:
    """Return the distance in hexes, or None between sheets, since how two sheets join is not known here."""
    if a.sheet != b.sheet:
        return None
    dq, dr = a.q - b.q, a.r - b.r
    return (abs(dq) + abs(dr) + abs(dq + dr)) // 2


def adjacent(a: Hex, b: Hex) -> bool:
    """Tell whether two hexes share a hexside."""
    return distance(a, b) == 1


class Hexside(NamedTuple):
    """The side between two neighbouring hexes, in sorted order; make it with :func:`hexside`."""

    first: Hex
    second: Hex


def hexside(a: Hex, b: Hex) -> Hexside:
    """Return the hexside between two hexes, the same in either order."""
    return Hexside(a, b) if a < b else Hexside(b, a)


@dataclass(frozen=True, slots=True, kw_only=True)
class HexNumbering:
    """How hexes are numbered in print.

    Attributes:
        pattern: Regular expression with the groups ``line`` and ``position``, and ``sheet`` where there are sheets.
        form: How a number is written, a format string over ``sheet``, ``line`` and ``position``. Lines that the
            pattern reads as letters (A to Z, then AA, BB and so on) are numbered from 0 inside.
        shift: The lines that lie half a hex further along the count, ``odd`` or ``even``; or the odd number of halves
            that each line lies further than the one before (oblique numbering).
        last: Last position on ``odd`` and on ``even`` lines, where the source states them.
        lettered: Lines are written as letters.
    """

    pattern: str
    form: str
    shift: Literal["odd", "even"] | int
    last: Mapping[Literal["odd", "even"], int] = field(default_factory=dict)
    lettered: bool = False
    _names: dict[Hex, HexId] = field(default_factory=dict, init=False, compare=False, repr=False)

    def parse(self, text: str) -> Hex | None:
        """Return the hex of a printed number, None if it is none of this map."""
        match = re.fullmatch(self.pattern, text)
        if match is None:
            return None
        groups = match.groupdict()
        line = _letters_to_line(groups["line"]) if self.lettered else int(groups["line"])
        position = int(groups["position"])
        if position > self.last.get("odd" if line % 2 else "even", position):
            return None
        return Hex((2 * position + self._offset(line) - line) // 2, line, groups.get("sheet") or "")

    def name(self, of: Hex) -> HexId:
        """Return the printed number of a hex, also of one beyond the map's edge."""
        known = self._names.get(of)
        if known is None:
            known = self._names[of] = self._name(of)
        return known

    def _name(self, of: Hex) -> HexId:
        # Doubled position and line keep one parity over the whole map: odd if the even lines are the shifted ones.
        doubled = 2 * of.q + of.r + (self.shift == "even")
        position = (doubled - self._offset(of.r)) // 2
        line = _line_to_letters(of.r) if self.lettered else of.r
        return HexId(self.form.format(sheet=of.sheet, line=line, position=position))

    def names(self, hexes: Iterable[Hex]) -> tuple[HexId, ...]:
        """Return the printed numbers of several hexes, in the order given."""
        return tuple(self.name(each) for each in hexes)

    def is_printed(self, of: Hex) -> bool:
        """Tell whether the hex has a number in the printed scheme, so that it may lie on the map."""
        return self.parse(self.name(of)) == of

    def _offset(self, line: int) -> int:
        if isinstance(self.shift, int):
            return self.shift * line
        return int((line % 2 == 1) == (self.shift == "odd"))


def _letters_to_line(letters: str) -> int:
    return 26 * (len(letters) - 1) + ord(letters[0]) - ord("A")


def _line_to_letters(line: int) -> str:
    return chr(ord("A") + line % 26) * (line // 26 + 1)
