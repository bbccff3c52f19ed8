"""What players do, in the game's terms.

One frozen class per kind of act. An act is judged against the state before it, then applied, legal or not.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum

from vassal_bridge.board.game import PhaseId
from vassal_bridge.board.hexes import Hex
from vassal_bridge.board.knowledge import UNKNOWN, Unknown
from vassal_bridge.board.units import Box, Factors, Place, Side, Unit, UnitId

__all__ = [
    "Action",
    "Advance",
    "Attack",
    "Claim",
    "EndOfPhase",
    "Enter",
    "Flip",
    "Force",
    "ForcePart",
    "Lose",
    "MarkerChange",
    "Move",
    "MoveKind",
    "Overrun",
    "Path",
    "PhaseChange",
    "PlaceUnit",
    "Query",
    "Remove",
    "Result",
    "Retreat",
    "Roll",
    "StateCheck",
    "Stay",
    "TurnChange",
    "Unexplained",
]


@dataclass(frozen=True, slots=True, kw_only=True)
class Path:
    """Where a unit went.

    Attributes:
        points: Places known to lie on the way, in order, the start first and the end last.
        is_complete: True if every hex of the way is among the points; False if there may be others between.
    """

    points: tuple[Place, ...]
    is_complete: bool = False

    @property
    def start(self) -> Place:
        """Where it began."""
        return self.points[0]

    @property
    def end(self) -> Place:
        """Where it ended."""
        return self.points[-1]


class MoveKind(StrEnum):
    """How a unit moves in a movement phase; UNDECLARED where a record shows the journey and nobody said its kind."""

    UNDECLARED = "undeclared"
    ORDINARY = "move"
    RAIL = "rail"
    WITHDRAWAL = "wd"


@dataclass(frozen=True, slots=True, kw_only=True)
class Action:
    """Any act; ``step`` is its step in the log, None in a case."""

    step: int | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Move(Action):
    """The net journey of units in a movement phase."""

    units: tuple[UnitId, ...]
    path: Path
    kind: MoveKind = MoveKind.ORDINARY


@dataclass(frozen=True, slots=True, kw_only=True)
class Retreat(Action):
    """Units retreat after combat.

    Attributes:
        units: Those that retreat.
        path: Their way.
        hexes: How far the result tells them to go; None if that is not known.
    """

    units: tuple[UnitId, ...]
    path: Path
    hexes: int | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Advance(Action):
    """Units advance after combat."""

    units: tuple[UnitId, ...]
    path: Path


@dataclass(frozen=True, slots=True, kw_only=True)
class Enter(Action):
    """Units come onto the map at a hex."""

    units: tuple[UnitId, ...]
    at: Hex


@dataclass(frozen=True, slots=True, kw_only=True)
class PlaceUnit(Action):
    """A counter appears at a place, outside any journey.

    Attributes:
        unit: The unit as it stands then; it may replace one of the same id.
        role: ``reinforcement``, ``substitute``, or empty where the record does not say.
    """

    unit: Unit
    role: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Remove(Action):
    """Units leave the map to a box."""

    units: tuple[UnitId, ...]
    to: Box


@dataclass(frozen=True, slots=True, kw_only=True)
class Flip(Action):
    """A unit shows another face, or other status words."""

    unit: UnitId
    factors: Factors
    flags: frozenset[str] | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Lose(Action):
    """A player announces a loss of steps; the counters follow in acts of their own."""

    unit: UnitId
    steps: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Stay(Action):
    """Units do not move, retreat or advance although they might have to."""

    units: tuple[UnitId, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class MarkerChange(Action):
    """A marker is added to or taken from hexes or units."""

    kind: str
    is_added: bool
    hexes: tuple[Hex, ...] = ()
    units: tuple[UnitId, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class ForcePart:
    """One attacking unit.

    Attributes:
        headquarters: Headquarters that lend it their strength.
        is_certain: False if the unit may have taken part, or not.
    """

    unit: UnitId
    headquarters: tuple[UnitId, ...] = ()
    is_certain: bool = True


Force = tuple[ForcePart, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Attack(Action):
    """An attack is declared.

    Attributes:
        label: Name within the record (``1`` of ``#1``).
        force: The attackers; UNKNOWN if an attack was made and nobody declared by whom.
        targets: Defending units.
        target_hexes: Their hexes.
        claims: Numbers that the player stated: ``att``, ``def`` in strength points, ``odds`` as a column (``2:1``).
        air: Air points spent on it.
        is_by_hex: The attackers were named by their hexes only, so that whether a headquarters there lends its
            strength is open.
    """

    force: Force | Unknown
    targets: tuple[UnitId, ...]
    target_hexes: tuple[Hex, ...]
    label: str = ""
    claims: Mapping[str, str] = field(default_factory=dict)
    air: int = 0
    is_by_hex: bool = False

    @property
    def attackers(self) -> tuple[UnitId, ...]:
        """The declared attackers that certainly took part, without headquarters that lend strength."""
        return () if self.force is UNKNOWN else tuple(part.unit for part in self.force if part.is_certain)


@dataclass(frozen=True, slots=True, kw_only=True)
class Overrun(Action):
    """An overrun is made in a movement phase, from a hex if that is stated."""

    force: Force | Unknown
    targets: tuple[UnitId, ...]
    target_hexes: tuple[Hex, ...]
    launch: Hex | None = None
    label: str = ""
    claims: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True, slots=True, kw_only=True)
class Roll(Action):
    """A die is thrown, for declared attacks or for something else; ``die`` None if the number is not known."""

    labels: tuple[str, ...] = ()
    die: int | None = None
    purpose: str = "combat"


@dataclass(frozen=True, slots=True, kw_only=True)
class Result(Action):
    """A combat result is announced (``D1``, ``D1/A1``)."""

    text: str
    label: str = ""
    on_hexes: tuple[Hex, ...] = ()
    on_units: tuple[UnitId, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class PhaseChange(Action):
    """The old phase ends, with everything due by then, and another begins."""

    phase: PhaseId
    is_inferred: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class TurnChange(Action):
    """The game-turn changes."""

    turn: str


@dataclass(frozen=True, slots=True, kw_only=True)
class EndOfPhase(Action):
    """The phase ends: everything due by its end is checked."""


@dataclass(frozen=True, slots=True, kw_only=True)
class StateCheck(Action):
    """Nothing is done: the position is checked as it stands."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Query:
    """A question about the position with an answer, ours or a player's.

    Attributes:
        verb: What is asked, in the words of the case notation: ``zoc``, ``supply``, ``stack``, ``reach``, ``att`` ...
        arguments: What it is asked of, by name; hexes, units, sides or words.
        answer: The answer stated.
    """

    verb: str
    arguments: Mapping[str, object]
    answer: object


@dataclass(frozen=True, slots=True, kw_only=True)
class Claim(Action):
    """A player states something that can be right or wrong."""

    query: Query


@dataclass(frozen=True, slots=True, kw_only=True)
class Unexplained(Action):
    """A change on the board that fits no act; counted, not accused. ``by`` is the side of the unit."""

    units: tuple[UnitId, ...]
    path: Path
    by: Side | None = None
