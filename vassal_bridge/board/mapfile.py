"""The file of a module's map, ``map.toml``: its sheet, its terrain by hex and hexside, its railroads.

The audit judges by it and our own modules are drawn from it, so both read it here. Its format: ``modules/README.md``.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise
from pathlib import Path
from typing import Literal

from pydantic import BaseModel, ConfigDict, Field

from vassal_bridge.board.hexes import Hex, HexNumbering, Hexside, hexside
from vassal_bridge.board.terrain import Terrain
from vassal_bridge.errors import ProfileError
from vassal_bridge.tomlfile import read_toml, refusal

__all__ = ["MapFile", "RailLine", "RailLink", "Sheet", "read_map_file", "terrain_of"]

_RAIL = "rail"


class _Part(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True)


class Sheet(_Part):
    """The numbering of one map sheet.

    Rows run east-west and count from the north, positions in a row count from the east; even rows lie half a hex
    farther west. A number beyond these is no hex of the sheet.
    """

    letter: str
    rows: int
    odd_row: int
    even_row: int
    edges: tuple[Literal["north", "east", "south", "west"], ...] = ()

    def hexes(self) -> Iterator[tuple[int, int]]:
        """Yield row and position of each hex, row by row."""
        for row in range(1, self.rows + 1):
            for position in range(1, self._last(row) + 1):
                yield row, position

    def name(self, row: int, position: int) -> str:
        """Return the printed number of a hex."""
        return f"{self.letter}{row:02d}{position:02d}"

    def place(self, name: str) -> tuple[int, int]:
        """Return row and position of a hex by its printed number.

        Raises:
            ValueError: No hex of this sheet has the number.
        """
        digits = name.removeprefix(self.letter)
        if len(digits) == 4 and digits.isascii() and digits.isdigit():
            row, position = int(digits[:2]), int(digits[2:])
            if 1 <= row <= self.rows and 1 <= position <= self._last(row):
                return row, position
        raise ValueError(f"{name} is no hex of sheet {self.letter}")

    def are_neighbours(self, first: str, second: str) -> bool:
        """Tell whether two hexes share a hexside; by doubled positions, two apart in a row and one between rows."""
        (row, position), (other_row, other_position) = self.place(first), self.place(second)
        apart = abs(2 * position + (row % 2 == 0) - 2 * other_position - (other_row % 2 == 0))
        return (abs(row - other_row), apart) in {(0, 2), (1, 1)}

    def _last(self, row: int) -> int:
        return self.odd_row if row % 2 else self.even_row


class RailLine(_Part):
    """A line of hexes, each joined to the next by track."""

    name: str = ""
    path: tuple[str, ...] = Field(min_length=2)


class RailLink(_Part):
    """Two hexes joined for rail movement only, at a price in rail points; not drawn."""

    start: str = Field(alias="from")
    to: str
    points: int


class MapFile(_Part):
    """``map.toml``; hexes by their printed numbers, hexsides as two hexes with a bar between."""

    format: Literal[1]
    complete: bool
    sheet: Sheet
    hexes: dict[str, tuple[str, ...]] = Field(default_factory=dict)
    hexsides: dict[str, tuple[str, ...]] = Field(default_factory=dict)
    rail: tuple[RailLine, ...] = ()
    rail_link: tuple[RailLink, ...] = ()
    names: dict[str, str] = Field(default_factory=dict)


def read_map_file(path: Path) -> MapFile:
    """Read a map file and hold every number in it against the sheet.

    Raises:
        ProfileError: The file has faults: an unknown key, a hex that is not on the sheet, a hexside or a piece of track
            between hexes that are no neighbours. All of them are listed.
    """
    file = read_toml(path, MapFile)
    if problems := [*_strange_hexes(file), *_strange_hexsides(file)]:
        raise refusal(path, problems)
    return file


def _strange_hexes(file: MapFile) -> Iterator[str]:
    listed = [(f"hexes.{tag}", name) for tag, names in file.hexes.items() for name in names]
    listed += [(f"rail.{number}", name) for number, line in enumerate(file.rail) for name in line.path]
    listed += [
        (f"rail_link.{number}", name) for number, link in enumerate(file.rail_link) for name in (link.start, link.to)
    ]
    listed += [("names", name) for name in file.names]
    for where, name in listed:
        try:
            file.sheet.place(name)
        except ValueError as error:
            yield f"{where}: {error}"


def _strange_hexsides(file: MapFile) -> Iterator[str]:
    for feature, sides in file.hexsides.items():
        for side in sides:
            ends = side.split("|")
            if len(ends) != 2:
                yield f"hexsides.{feature}: {side} is no hexside; write two hexes and a bar between them"
            else:
                yield from _strange_pair(file.sheet, ends[0], ends[1], f"hexsides.{feature}", is_told=True)
    for number, line in enumerate(file.rail):
        for first, second in pairwise(line.path):
            yield from _strange_pair(file.sheet, first, second, f"rail.{number}", is_told=False)


def _strange_pair(sheet: Sheet, first: str, second: str, where: str, *, is_told: bool) -> Iterator[str]:
    """Yield what is wrong with two hexes that must be neighbours; hexes off the sheet if nobody else tells of them."""
    try:
        if not sheet.are_neighbours(first, second):
            yield f"{where}: {first}|{second} are no neighbours"
    except ValueError as error:
        if is_told:
            yield f"{where}: {error}"


def terrain_of(file: MapFile, numbering: HexNumbering) -> Terrain:
    """Return the terrain that a map file states, its hexes by the game's numbering.

    A hex on a railroad gets the tag ``rail``. Leaves out the names of places and the edges of the sheet.

    Raises:
        ProfileError: The game numbers its hexes otherwise than the sheet.
    """
    tags: dict[Hex, set[str]] = {}
    for tag, names in file.hexes.items():
        for name in names:
            tags.setdefault(_hex(name, numbering), set()).add(tag)
    features: dict[Hexside, set[str]] = {}
    for feature, sides in file.hexsides.items():
        for side in sides:
            first, second = side.split("|")
            features.setdefault(_hexside(first, second, numbering), set()).add(feature)
    tracks: set[Hexside] = set()
    for line in file.rail:
        for name in line.path:
            tags.setdefault(_hex(name, numbering), set()).add(_RAIL)
        tracks.update(_hexside(first, second, numbering) for first, second in pairwise(line.path))
    return Terrain(
        tags={at: frozenset(words) for at, words in tags.items()},
        features={side: frozenset(words) for side, words in features.items()},
        tracks=frozenset(tracks),
        links={_hexside(link.start, link.to, numbering): link.points for link in file.rail_link},
        is_complete=file.complete,
        lines={file.sheet.letter: (1, file.sheet.rows)},
    )


def _hexside(first: str, second: str, numbering: HexNumbering) -> Hexside:
    return hexside(_hex(first, numbering), _hex(second, numbering))


def _hex(name: str, numbering: HexNumbering) -> Hex:
    found = numbering.parse(name)
    if found is None:
        raise ProfileError(f"{name} is no hex of the game")
    return found
