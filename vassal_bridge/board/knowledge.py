"""What is not known, and why.

An unknown fact is ``UNKNOWN``, never zero, never an empty text: zero is a number that somebody stated.
"""

from __future__ import annotations

from enum import Enum, StrEnum
from typing import Final, Literal

__all__ = ["UNKNOWN", "Reason", "Unknown"]


class Unknown(Enum):
    """The type of :data:`UNKNOWN`, so that type checkers can tell it from a value."""

    UNKNOWN = "unknown"

    def __repr__(self) -> str:
        return "UNKNOWN"


UNKNOWN: Final[Literal[Unknown.UNKNOWN]] = Unknown.UNKNOWN


class Reason(StrEnum):
    """Why a verdict is unknown: the closed list."""

    TERRAIN = "terrain"
    MAP_JOIN = "map-join"
    IDENTITY = "identity"
    STRENGTH = "strength"
    MASKED = "masked"
    PATH = "path"
    ATTACKERS = "attackers"
    PHASE = "phase"
    AUTHOR = "author"
    HISTORY = "history"
    CONTROL = "control"
    SUPPLY_SOURCE = "supply-source"
    WEATHER = "weather"
    TABLE = "table"
    READING = "reading"
    OFF_PROFILE = "off-profile"
    REPLAY = "replay"
