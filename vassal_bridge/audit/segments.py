"""Cut the events of a log where something seals what was done before: combat rolls, phase changes, the log's end.

What is put right within a segment never happened for the rules. A phase change alone seals nothing: only the act after
it does, so that turning the tracker on and back again to mend something is no change of phase.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from enum import StrEnum

from vassal_bridge.audit.declarations import read_declaration
from vassal_bridge.audit.events import Clocked, Event, LogRecord, Said, Threw
from vassal_bridge.profiles import Clock

__all__ = ["Seal", "Segment", "cut"]

# What dice that decide combats are for; other rolls (weather, arrival, directives) end no movement.
_COMBAT_USES = frozenset({"combat", "overrun"})


class Seal(StrEnum):
    """What ends a segment."""

    ROLL = "roll"
    PHASE = "phase"
    LOG_END = "log-end"


@dataclass(frozen=True, slots=True, kw_only=True)
class Segment:
    """A stretch of a log in one phase.

    Attributes:
        log: The file's name.
        clock: Turn and phase of the tracker.
        roll: The combat roll that it begins with; None for the first one of a phase or log.
        events: What happened after that roll.
        seal: What ends it.
        until: The step of the seal.
        then: Turn and phase afterwards, where a phase change ends it.
    """

    log: str
    clock: Clock
    roll: Threw | None
    events: tuple[Event, ...]
    seal: Seal
    until: int
    then: Clock | None = None


def cut(record: LogRecord) -> Iterator[Segment]:
    """Yield the segments of a log, in order; the last one ends with the log."""
    clock, pending = record.start.clock, record.start.clock
    changed_at = 0
    roll: Threw | None = None
    events: list[Event] = []

    def close(seal: Seal, until: int, then: Clock | None = None) -> Segment:
        segment = Segment(
            log=record.log, clock=clock, roll=roll, events=tuple(events), seal=seal, until=until, then=then
        )
        events.clear()
        return segment

    for event in record.events:
        if isinstance(event, Clocked):
            if pending == clock:  # phases that nothing happens in follow; this one ended here
                changed_at = event.step
            pending = _advance(pending, event.clock)
            continue
        if pending != clock and _is_act(event):
            yield close(Seal.PHASE, changed_at, pending)
            clock, roll = pending, None
        if isinstance(event, Threw) and event.use in _COMBAT_USES:
            yield close(Seal.ROLL, event.step)
            roll = event
        else:
            events.append(event)
    if pending != clock:
        yield close(Seal.PHASE, changed_at, pending)
        clock, roll = pending, None
    yield close(Seal.LOG_END, record.steps)


def _advance(clock: Clock, shown: Clock) -> Clock:
    # A tracker that moves to a phase which the profile does not name leaves the turn readable.
    return replace(shown, turn=shown.turn or clock.turn)


def _is_act(event: Event) -> bool:
    return not isinstance(event, Said) or read_declaration(event.words) is not None
