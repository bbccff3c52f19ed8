"""The terrain of a module's map, from ``map.toml``."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from pathlib import Path

from vassal_bridge.board.hexes import Hex, HexNumbering, Hexside, adjacent, hexside
from vassal_bridge.board.terrain import Terrain
from vassal_bridge.errors import ProfileError
from vassal_bridge.profiles.model import MapFile, SheetPart, read_toml

__all__ = ["read_terrain"]

_RAIL = "rail"


def read_terrain(path: Path, numbering: HexNumbering) -> Terrain:
    """Read a map file as terrain, its hexes by the game's numbering.

    A hex on a railroad gets the tag ``rail``. Leaves out the names of places and the edges of the sheet.

    Raises:
        ProfileError: The file has faults: an unknown key, a hex that is not on the sheet, a hexside or a piece of
            track between hexes that are no neighbours. All of them are listed.
    """
    file = read_toml(path, MapFile)
    reader = _Reader(file.sheet, numbering)
    tags: dict[Hex, set[str]] = {}
    for tag, names in file.hexes.items():
        for at in reader.hexes(names, f"hexes.{tag}"):
            tags.setdefault(at, set()).add(tag)
    features: dict[Hexside, set[str]] = {}
    for feature, sides in file.hexsides.items():
        for side in reader.sides(sides, f"hexsides.{feature}"):
            features.setdefault(side, set()).add(feature)
    tracks: set[Hexside] = set()
    for number, line in enumerate(file.rail):
        for at in reader.hexes(line.path, f"rail.{number}"):
            tags.setdefault(at, set()).add(_RAIL)
        pairs = (f"{a}|{b}" for a, b in zip(line.path, line.path[1:], strict=False))
        tracks.update(reader.sides(pairs, f"rail.{number}"))
    links: dict[Hexside, int] = {}
    for number, link in enumerate(file.rail_link):
        ends = list(reader.hexes((link.start, link.to), f"rail_link.{number}"))
        if len(ends) == 2:
            links[hexside(ends[0], ends[1])] = link.points
    list(reader.hexes(file.names, "names"))
    if reader.problems:
        first, count = reader.problems[0], len(reader.problems)
        message = first if count == 1 else f"{count} faults, the first: {first}"
        raise ProfileError(message, file=path.name, problems=tuple(reader.problems))
    return Terrain(
        tags={at: frozenset(words) for at, words in tags.items()},
        features={side: frozenset(words) for side, words in features.items()},
        tracks=frozenset(tracks),
        links=links,
        is_complete=file.complete,
        lines={file.sheet.letter: (1, file.sheet.rows)},
    )


class _Reader:
    """Turns printed numbers into hexes and collects those that are none."""

    def __init__(self, sheet: SheetPart, numbering: HexNumbering) -> None:
        self.problems: list[str] = []
        self._sheet = sheet
        self._numbering = numbering

    def hexes(self, names: Iterable[str], place: str) -> Iterator[Hex]:
        for name in names:
            at = self._numbering.parse(name)
            if at is None or not self._is_on_sheet(at):
                self.problems.append(f"{place}: {name} is no hex of the map")
            else:
                yield at

    def sides(self, names: Iterable[str], place: str) -> Iterator[Hexside]:
        for name in names:
            ends = name.split("|")
            pair = list(self.hexes(ends, place))
            if len(pair) == len(ends) == 2:
                if adjacent(pair[0], pair[1]):
                    yield hexside(pair[0], pair[1])
                else:
                    self.problems.append(f"{place}: {name} are no neighbours")
            elif len(ends) != 2:
                self.problems.append(f"{place}: {name} is no hexside; write two hexes and a bar between them")

    def _is_on_sheet(self, at: Hex) -> bool:
        sheet = self._sheet
        return at.sheet == sheet.letter and 1 <= at.r <= sheet.rows
