"""What a schematic module is made of, as its ``module.toml`` and ``map.toml`` say it.

The files are written by hand, so every fault is named with its key, and an unknown key is a fault: it would be a typing
error that silently changes what is built.
"""

from __future__ import annotations

import tomllib
from collections.abc import Iterator
from pathlib import Path
from typing import Annotated, Literal, TypeVar

from pydantic import BaseModel, BeforeValidator, ConfigDict, Field, ValidationError

from vassal_bridge.errors import ProfileError

__all__ = [
    "Definition",
    "DiceButton",
    "Group",
    "MarkerCounter",
    "Sheet",
    "Terrain",
    "TurnTrack",
    "Unit",
    "read_definition",
]


class _Entry(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid")


class Sheet(_Entry):
    """The numbering of one map sheet.

    Rows run east-west and count from the north, positions in a row count from the east; even rows lie half a hex
    farther west and hold one hex less.
    """

    letter: str
    rows: int
    odd_row: int
    even_row: int
    edges: tuple[str, ...] = ()

    def hexes(self) -> Iterator[tuple[int, int]]:
        """Yield row and position of each hex, row by row."""
        for row in range(1, self.rows + 1):
            for position in range(1, (self.odd_row if row % 2 else self.even_row) + 1):
                yield row, position

    def name(self, row: int, position: int) -> str:
        """Return the printed name of a hex."""
        return f"{self.letter}{row:02d}{position:02d}"

    def place(self, name: str) -> tuple[int, int]:
        """Return row and position of a hex by its printed name.

        Raises:
            ValueError: No hex of this sheet has the name.
        """
        digits = name.removeprefix(self.letter)
        if len(digits) == 4 and digits.isdecimal():
            row, position = int(digits[:2]), int(digits[2:])
            if 1 <= row <= self.rows and 1 <= position <= (self.odd_row if row % 2 else self.even_row):
                return row, position
        raise ValueError(f"{name} is no hex of sheet {self.letter}")


class RailLine(_Entry):
    """A line of hexes, each joined to the next by track."""

    name: str
    path: tuple[str, ...]


class RailLink(_Entry):
    """Two hexes joined for rail movement only, at a price in rail points; not drawn."""

    from_: str = Field(alias="from")
    to: str
    points: int


class Terrain(_Entry):
    """``map.toml``; its keys are explained in modules/README.md."""

    format: Literal[1]
    complete: bool
    sheet: Sheet
    hexes: dict[str, tuple[str, ...]]
    hexsides: dict[str, tuple[str, ...]]
    rail: tuple[RailLine, ...] = ()
    rail_link: tuple[RailLink, ...] = ()
    names: dict[str, str] = {}


class Board(_Entry):
    """How the map is drawn; ``hex_width`` in pixels from hex centre to hex centre along a row."""

    map: str
    hex_width: int
    title: str
    remarks: tuple[str, ...]


class Boxes(_Entry):
    """A second map of named boxes for what is not on the first."""

    map: str
    names: tuple[str, ...]


class TurnTrack(_Entry):
    """A tracker that counts turns, each with the same list of phases."""

    tracker: str
    turn_level: str
    phase_level: str
    last: int
    phases: tuple[str, ...]


class DiceButton(_Entry):
    """One die; ``key`` is the letter that rolls it together with Alt."""

    name: str
    sides: int
    key: str


class PlayingSide(_Entry):
    """A side that a player can take; ``code`` is its word in the case notation, where it has counters."""

    name: str
    code: str = ""


class MarkerCounter(_Entry):
    """A counter that is no unit."""

    name: str
    colour: str


class Unit(_Entry):
    """One counter; without faces it has those of its group."""

    name: str
    division: str = ""
    faces: tuple[str, ...] = ()


def _as_unit(value: object) -> object:
    return {"name": value} if isinstance(value, str) else value


class Group(_Entry):
    """Counters of one type; ``type`` is its code in the rule set, faces are in the case notation, in order of loss."""

    title: str
    side: str
    type: str
    symbol: str
    size: str = ""
    colour: str
    faces: tuple[str, ...] = ()
    units: tuple[Annotated[Unit, BeforeValidator(_as_unit)], ...]

    def faces_of(self, unit: Unit) -> tuple[str, ...]:
        """Return the faces of a unit of the group."""
        return unit.faces or self.faces


class _ModuleFile(_Entry):
    format: Literal[1]
    name: str
    version: str
    description: str
    board: Board
    boxes: Boxes
    turn: TurnTrack
    dice: tuple[DiceButton, ...]
    side: tuple[PlayingSide, ...]
    marker: tuple[MarkerCounter, ...] = ()
    group: tuple[Group, ...]


class Definition(_ModuleFile):
    """Everything that ``make-module`` needs to know of one module."""

    terrain: Terrain

    def side_code(self, name: str) -> str:
        """Return the case notation's word for a side."""
        return next(side.code for side in self.side if side.name == name)


def read_definition(folder: Path) -> Definition:
    """Read and check the two files of a module.

    Raises:
        ProfileError: A file is missing, no TOML, or has faults; all faults of a file are listed.
    """
    module_file, map_file = folder / "module.toml", folder / "map.toml"
    module = _read(module_file, _ModuleFile)
    terrain = _read(map_file, Terrain)
    problems = [*_unknown_sides(module), *_nameless_faces(module), *_doubled_names(module)]
    if problems:
        raise ProfileError("the module has faults", file=str(module_file), problems=tuple(problems))
    if problems := _strange_hexes(terrain):
        raise ProfileError("the map has faults", file=str(map_file), problems=tuple(problems))
    return Definition(**dict(module), terrain=terrain)


_Model = TypeVar("_Model", bound=_Entry)


def _read(file: Path, model: type[_Model]) -> _Model:
    try:
        data = tomllib.loads(file.read_text("utf-8"))
        return model.model_validate(data)
    except FileNotFoundError:
        raise ProfileError("there is no such file", file=str(file)) from None
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise ProfileError(f"no TOML: {error}", file=str(file)) from None
    except ValidationError as error:
        problems = tuple(f"{'.'.join(map(str, fault['loc']))}: {fault['msg']}" for fault in error.errors())
        raise ProfileError("the file has faults", file=str(file), problems=problems) from None


def _unknown_sides(module: _ModuleFile) -> list[str]:
    known = {side.name for side in module.side if side.code}
    return [
        f"group {group.title}: no side {group.side} with a code" for group in module.group if group.side not in known
    ]


def _nameless_faces(module: _ModuleFile) -> list[str]:
    return [
        f"group {group.title}: {unit.name} has no faces"
        for group in module.group
        for unit in group.units
        if not group.faces_of(unit)
    ]


def _doubled_names(module: _ModuleFile) -> list[str]:
    names = [unit.name for group in module.group for unit in group.units] + [marker.name for marker in module.marker]
    return [f"two counters are named {name}" for name in sorted({name for name in names if names.count(name) > 1})]


def _strange_hexes(terrain: Terrain) -> list[str]:
    named = [(f"hexes.{tag}", name) for tag, names in terrain.hexes.items() for name in names]
    named += [
        (f"hexsides.{kind}", name)
        for kind, sides in terrain.hexsides.items()
        for side in sides
        for name in side.split("|")
    ]
    named += [(f"rail {line.name}", name) for line in terrain.rail for name in line.path]
    named += [("rail_link", name) for link in terrain.rail_link for name in (link.from_, link.to)]
    named += [("names", name) for name in terrain.names]
    problems = []
    for where, name in named:
        try:
            terrain.sheet.place(name)
        except ValueError as error:
            problems.append(f"{where}: {error}")
    return problems
