"""What a schematic module is made of, as its ``module.toml`` and ``map.toml`` say it.

The files are written by hand, so every fault is named with its key, and an unknown key is a fault: it would be a typing
error that silently changes what is built.
"""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Literal

from pydantic import BaseModel, BeforeValidator, ConfigDict

from vassal_bridge.board.mapfile import MapFile, read_map_file
from vassal_bridge.tomlfile import read_toml, refusal

__all__ = [
    "Board",
    "Boxes",
    "Definition",
    "DiceButton",
    "Group",
    "MarkerCounter",
    "PlayingSide",
    "Stroke",
    "TurnTrack",
    "Unit",
    "read_definition",
]


class _Entry(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid")


class Stroke(_Entry):
    """How a hexside is drawn; ``width`` in pixels."""

    colour: str
    width: int


class Board(_Entry):
    """How the map is drawn; of what lies on one spot the last entry of a table is seen.

    Attributes:
        map: Name of the map window.
        hex_width: Pixels from hex centre to hex centre along a row.
        title: Written above the hexes.
        remarks: Written below the title, a line each.
        fill: Tag -> colour of the hex.
        city: Tag -> colour of the built-up square in the hex.
        water: Class of hexsides -> how it is drawn.
        line: Tag of hexes that a dashed line joins in the order in which they are listed.
    """

    map: str
    hex_width: int
    title: str
    remarks: tuple[str, ...]
    fill: dict[str, str] = {}
    city: dict[str, str] = {}
    water: dict[str, Stroke] = {}
    line: str = ""


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
    """A counter that is no unit; ``face`` is what it says, a line each, where that is not the words of its name."""

    name: str
    colour: str
    face: tuple[str, ...] = ()


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

    terrain: MapFile


def read_definition(folder: Path) -> Definition:
    """Read and check the two files of a module.

    Raises:
        ProfileError: A file is missing, no TOML, or has faults; all faults of a file are listed.
    """
    module_file = folder / "module.toml"
    module = read_toml(module_file, _ModuleFile)
    terrain = read_map_file(folder / "map.toml")
    if problems := [*_unknown_sides(module), *_faceless_units(module), *_doubled_names(module)]:
        raise refusal(module_file, problems)
    return Definition(**dict(module), terrain=terrain)


def _unknown_sides(module: _ModuleFile) -> list[str]:
    known = {side.name for side in module.side if side.code}
    return [
        f"group {group.title}: no side {group.side} with a code" for group in module.group if group.side not in known
    ]


def _faceless_units(module: _ModuleFile) -> list[str]:
    return [
        f"group {group.title}: {unit.name} has no faces"
        for group in module.group
        for unit in group.units
        if not group.faces_of(unit)
    ]


def _doubled_names(module: _ModuleFile) -> list[str]:
    names = [unit.name for group in module.group for unit in group.units] + [marker.name for marker in module.marker]
    return [f"two counters are named {name}" for name in sorted({name for name in names if names.count(name) > 1})]
