"""The two files of a module folder as they stand on disk: ``profile.toml`` and ``map.toml`` (``modules/README.md``).

They are the TOML edge: everything is checked here, all faults at once, and turned into typed values by the other
modules of this package.
"""

from __future__ import annotations

import re
import tomllib
from pathlib import Path
from typing import Annotated, Any, Literal, TypeVar

from pydantic import AfterValidator, BaseModel, ConfigDict, Field, ValidationError, model_validator

from vassal_bridge.errors import ProfileError

__all__ = [
    "DicePart",
    "MapFile",
    "MapPart",
    "ModulePart",
    "PhasesPart",
    "ProfileFile",
    "SheetPart",
    "Source",
    "UnitsPart",
    "read_toml",
]


class _Part(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True)


class Source(_Part):
    """Where a value is read from a counter: a marker trait or dynamic property, or a layer; exactly one of the two."""

    mark: str | None = None
    layer: str | None = None

    @model_validator(mode="after")
    def _names_one(self) -> Source:
        if (self.mark is None) == (self.layer is None):
            raise ValueError("name either a mark or a layer")
        return self


class ModulePart(_Part):
    """The VASSAL modules that the profile fits; ``versions`` are shell patterns."""

    name: str
    versions: tuple[str, ...] = ("*",)


def _has_hex_group(text: str) -> str:
    try:
        groups = re.compile(text).groupindex
    except re.error as error:
        raise ValueError(f"is no regular expression: {error}") from None
    if "hex" not in groups:
        raise ValueError("has no group named hex")
    return text


class MapPart(_Part):
    """What the locations of one VASSAL map are: hexes of the game map, or boxes off it."""

    name: str
    kind: Literal["board", "boxes"]
    hex: Annotated[str, AfterValidator(_has_hex_group)] | None = None
    boxes: dict[str, Annotated[str, Field(pattern="^@")]] = Field(default_factory=dict)

    @model_validator(mode="after")
    def _fits_its_kind(self) -> MapPart:
        if self.kind == "board" and self.hex is None:
            raise ValueError("a board needs hex")
        if self.kind == "boxes" and (self.hex is not None or not self.boxes):
            raise ValueError("boxes need a table boxes and no hex")
        return self


class UnitsPart(_Part):
    """How a counter is read as a unit."""

    type: Source
    side: Source | None = None
    name: Source | None = None
    division: Source | None = None
    faces: Source | None = None
    step: Source | None = None
    flags: dict[str, Source] = Field(default_factory=dict)


class MarkersPart(_Part):
    """How a counter is read as a marker."""

    kind: Source
    kinds: dict[str, str]


class PhasesPart(_Part):
    """How the turn tracker is read."""

    tracker: str
    turn: str
    phase: str
    names: dict[str, str]


DicePart = dict[str, str]


class ProfileFile(_Part):
    """``profile.toml``."""

    format: Literal[1]
    game: str
    map: str
    module: ModulePart
    maps: tuple[MapPart, ...]
    sides: dict[str, str] = Field(default_factory=dict)
    units: UnitsPart
    markers: MarkersPart | None = None
    phases: PhasesPart | None = None
    dice: DicePart = Field(default_factory=dict)


class SheetPart(_Part):
    """One map sheet; numbers beyond these are no hexes of the map."""

    letter: str
    rows: int
    odd_row: int
    even_row: int
    edges: tuple[Literal["north", "east", "south", "west"], ...] = ()


class RailPart(_Part):
    """A line of hexes, each joined to the next by track."""

    name: str = ""
    path: tuple[str, ...] = Field(min_length=2)


class LinkPart(_Part):
    """Two hexes joined for rail movement only, at a price in rail points."""

    start: str = Field(alias="from")
    to: str
    points: int


class MapFile(_Part):
    """``map.toml``."""

    format: Literal[1]
    complete: bool
    sheet: SheetPart
    hexes: dict[str, tuple[str, ...]] = Field(default_factory=dict)
    hexsides: dict[str, tuple[str, ...]] = Field(default_factory=dict)
    rail: tuple[RailPart, ...] = ()
    rail_link: tuple[LinkPart, ...] = ()
    names: dict[str, str] = Field(default_factory=dict)


Parsed = TypeVar("Parsed", bound=BaseModel)


def read_toml(path: Path, model: type[Parsed]) -> Parsed:
    """Read and validate a TOML file.

    Raises:
        ProfileError: The file is missing, no TOML, or has faults; ``problems`` lists every one of them.
    """
    try:
        values: dict[str, Any] = tomllib.loads(path.read_text(encoding="utf-8"))
        return model.model_validate(values)
    except OSError as error:
        raise ProfileError(f"cannot be read: {error.strerror}", file=path.name) from None
    except UnicodeDecodeError as error:
        raise ProfileError("is not UTF-8", file=path.name, place=f"byte {error.start}") from None
    except tomllib.TOMLDecodeError as error:
        raise ProfileError(f"is no TOML: {error}", file=path.name) from None
    except ValidationError as error:
        problems = tuple(_fault(each["loc"], each["msg"]) for each in error.errors())
        raise ProfileError(_summary(problems), file=path.name, problems=problems) from None


def _fault(where: tuple[int | str, ...], message: str) -> str:
    return f"{'.'.join(str(part) for part in where)}: {message.removeprefix('Value error, ')}"


def _summary(problems: tuple[str, ...]) -> str:
    return problems[0] if len(problems) == 1 else f"{len(problems)} faults, the first: {problems[0]}"
