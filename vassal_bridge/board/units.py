"""Units and their counters' printed factors.

A unit is a counter that fights, moves or supplies. Markers are none (see :mod:`vassal_bridge.board.state`).
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from typing import NewType

from vassal_bridge.board.hexes import Hex
from vassal_bridge.board.knowledge import UNKNOWN, Unknown

__all__ = ["Box", "Factors", "Flag", "Place", "Side", "Unit", "UnitId", "UnitType", "parse_factors"]

UnitId = NewType("UnitId", str)
Side = NewType("Side", str)
Box = NewType("Box", str)  # a place off the map, beginning with "@": "@dead"
Place = Hex | Box


@dataclass(frozen=True, slots=True, kw_only=True)
class UnitType:
    """A kind of unit, from the rule set's ``units.toml``.

    Attributes:
        code: Dotted code, nation first (``ger.inf``); ``<side>.any`` is a masked counter, of which only the side shows.
        side: The faction.
        nation: Nationality in the game's words; None for a masked counter.
        unit_class: Class in the game's words (``infantry``, ``hq``, ``truck``); None for a masked counter.
        mobility: Movement class, a row of the terrain effects; None for a masked counter.
        steps: Number of steps when whole; None if the source does not say.
        faces: Printed factors in order of step loss.
        is_untried: Shows an untried side, without strength, until its first combat.
        is_stacking: Counts against the stacking limit.
        is_combat: Fights: exerts zones, blocks enemies. False for trucks and air units.
    """

    code: str
    side: Side
    nation: str | None = None
    unit_class: str | None = None
    mobility: str | None = None
    steps: int | None = None
    faces: tuple[str, ...] = ()
    is_untried: bool = False
    is_stacking: bool = True
    is_combat: bool = True

    @property
    def is_masked(self) -> bool:
        """True if only the side is known."""
        return self.unit_class is None


@dataclass(frozen=True, slots=True, kw_only=True)
class Factors:
    """What one face of a counter prints; a number that the face does not show is UNKNOWN, one it cannot have is None.

    Attributes:
        text: As printed: ``9-9``, ``8-9-8``, ``U-8``, ``L3-12``, ``A1``.
        attack: Attack or combat factor.
        defense: Defense or combat factor.
        movement: Movement allowance in movement points.
        leadership: Rating of a headquarters.
    """

    text: str
    attack: int | Unknown | None = None
    defense: int | Unknown | None = None
    movement: int | Unknown | None = None
    leadership: int | Unknown | None = None


_FORMS = {
    r"(?P<both>\d+)-(?P<movement>\d+)": "combat-movement",
    r"(?P<attack>\d+)-(?P<defense>\d+)-(?P<movement>\d+)": "attack-defense-movement",
    r"U-(?P<movement>\d+)": "untried side",
    r"L(?P<leadership>\d+)-(?P<movement>\d+)": "headquarters",
    r"A\d": "air points spent",
}


def parse_factors(text: str) -> Factors:
    """Read printed factors; ``-`` or any text of no known form gives UNKNOWN numbers."""
    for form in _FORMS:
        if match := re.fullmatch(form, text):
            numbers = {name: int(value) for name, value in match.groupdict().items()}
            if "both" in numbers:
                numbers["attack"] = numbers["defense"] = numbers.pop("both")
            if text.startswith("U-"):
                return Factors(text=text, attack=UNKNOWN, defense=UNKNOWN, movement=numbers["movement"])
            return Factors(
                text=text,
                attack=numbers.get("attack"),
                defense=numbers.get("defense"),
                movement=numbers.get("movement"),
                leadership=numbers.get("leadership"),
            )
    return Factors(text=text, attack=UNKNOWN, defense=UNKNOWN, movement=UNKNOWN, leadership=UNKNOWN)


class Flag(StrEnum):
    """Status words of a unit that the code itself knows; a rule set may have more."""

    DISRUPTED = "dis"
    OUT_OF_SUPPLY = "oos"
    ATTACKED = "attacked"
    FLED = "fled"
    WITHDREW = "wd"
    RAILED = "railed"
    HIT = "hit"
    """Disrupted by an overrun of this turn, whatever marker it bears."""
    PERHAPS_HIT = "perhaps-hit"
    """Perhaps disrupted by an overrun of this turn."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Unit:
    """One unit, where it is and in what state.

    Attributes:
        id: Identity within the game: the piece id in an audit, the short name in a case.
        type: Its kind.
        name: What players call it: the designation or counter name.
        at: A hex, a box off the map, or None where its place is not known.
        factors: Of the face that is up.
        division: Parent formation; None if it belongs to none, UNKNOWN if that is not known.
        flags: Status words of the game: ``dis`` disrupted, ``oos`` stated to be out of supply, ``fled`` retreated into
            its hex earlier in this phase.
        spent: Movement points spent earlier in this phase, where stated.
        attributes: What a case states about it besides, by the words of the notation.
    """

    id: UnitId
    type: UnitType
    at: Place | None
    factors: Factors
    name: str = ""
    division: str | Unknown | None = None
    flags: frozenset[str] = frozenset()
    spent: int = 0
    attributes: Mapping[str, str] = field(default_factory=dict)

    @property
    def label(self) -> str:
        """What messages call it: its name, or its id where nobody named it."""
        return self.name or str(self.id)

    @property
    def side(self) -> Side:
        """The faction, which even a masked counter shows."""
        return self.type.side

    @property
    def hex(self) -> Hex | None:
        """The hex, None if the unit is off the map or nobody knows where."""
        return self.at if isinstance(self.at, Hex) else None

    @property
    def has_spent_air(self) -> bool:
        """True if the unit shows that it has spent air points in this turn."""
        return re.fullmatch(r"A[1-9]", self.factors.text) is not None

    @property
    def is_disrupted(self) -> bool:
        """True if the unit bears a disruption marker."""
        return Flag.DISRUPTED in self.flags
