"""``profile.toml`` as it stands on disk (``modules/README.md``).

This is the TOML edge: everything is checked here, all faults at once, and turned into typed values by the other modules
of this package.
"""

from __future__ import annotations

import re
from typing import Annotated, Literal

from pydantic import AfterValidator, BaseModel, ConfigDict, Field, model_validator

__all__ = [
    "MapPart",
    "MarkersPart",
    "ModulePart",
    "PhasesPart",
    "ProfileFile",
    "Source",
    "UnitsPart",
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
    except (re.error, OverflowError, RecursionError) as error:
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
    dice: dict[str, str] = Field(default_factory=dict)
