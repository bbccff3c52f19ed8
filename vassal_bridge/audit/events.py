"""What happened in a log, in the game's terms but not yet as acts: the hand's work, step by step.

An event is the net effect of one step on one unit, marker or clock. Steps that were undone have left none.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from vassal_bridge.board.hexes import Hex
from vassal_bridge.board.state import Marker
from vassal_bridge.board.units import Place, Unit, UnitId
from vassal_bridge.profiles import Clock

__all__ = [
    "Altered",
    "Appeared",
    "Clocked",
    "Event",
    "LogRecord",
    "MarkerSet",
    "Position",
    "Relocated",
    "Said",
    "Threw",
    "Vanished",
]


@dataclass(frozen=True, slots=True, kw_only=True)
class Event:
    """Anything that happened in a step."""

    step: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Appeared(Event):
    """A counter that was not there before."""

    unit: Unit


@dataclass(frozen=True, slots=True, kw_only=True)
class Vanished(Event):
    """A counter was deleted."""

    unit: UnitId


@dataclass(frozen=True, slots=True, kw_only=True)
class Relocated(Event):
    """A unit is elsewhere; None is a place that the profile does not know."""

    unit: UnitId
    at: Place | None


@dataclass(frozen=True, slots=True, kw_only=True)
class Altered(Event):
    """A unit's face, status or readability changed; only where the two differ is anything said."""

    before: Unit
    after: Unit


@dataclass(frozen=True, slots=True, kw_only=True)
class MarkerSet(Event):
    """A marker was laid on a hex or taken from it."""

    kind: str
    at: Hex
    is_added: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class Clocked(Event):
    """The turn tracker was advanced, or turned back."""

    clock: Clock


@dataclass(frozen=True, slots=True, kw_only=True)
class Said(Event):
    """A player typed something."""

    words: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Threw(Event):
    """A die was thrown.

    Attributes:
        use: What the button is for, in the words of the case notation; None if the profile does not say.
        die: The number; None if it cannot be read.
    """

    button: str
    use: str | None
    die: int | None


@dataclass(frozen=True, slots=True, kw_only=True)
class Position:
    """What a saved game holds.

    Attributes:
        units: On the map, in boxes and at places not known.
        markers: On hexes.
        clock: Turn and phase.
        is_opening: True if the tracker stands where the module starts it, before the first movement phase.
    """

    units: Mapping[UnitId, Unit] = field(default_factory=dict)
    markers: frozenset[Marker] = frozenset()
    clock: Clock = field(default_factory=Clock)
    is_opening: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class LogRecord:
    """One log or save, read through a profile.

    Attributes:
        log: The file's name, without folders.
        start, end: The position before the first step, and after the last one.
        events: In the order of the log.
        steps: Number of its steps.
        undone_rolls: Dice thrown and undone, which are nothing to the rules.
        unread: Kind (``pieces``, ``places``, ...) -> name -> how often it was met and not understood.
        damage: What is wrong with the record itself.
    """

    log: str
    start: Position
    end: Position
    events: tuple[Event, ...] = ()
    steps: int = 0
    undone_rolls: tuple[Threw, ...] = ()
    unread: Mapping[str, Mapping[str, int]] = field(default_factory=dict)
    damage: str | None = None
