"""The net of what was done to each unit in a segment: where it began, where it ended, what its counter shows."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from itertools import pairwise

from vassal_bridge.audit.events import Altered, Appeared, Event, Relocated, Vanished
from vassal_bridge.board.hexes import Hex, adjacent
from vassal_bridge.board.units import Factors, Place, Unit, UnitId

__all__ = ["Change", "net_changes"]


@dataclass(slots=True)
class Change:
    """What a segment did to one unit.

    Attributes:
        before: The unit at the segment's start; None if it was not there.
        after: The unit at its end; None if its counter is gone.
        moved_at: Step of its last leg, None if it never moved.
        altered_at: Step in which its face or status last changed, None if it never did.
        rests: Places where it rested, in order, where it started first and where it ended left out; hints, no proof
            of a path.
    """

    before: Unit | None
    after: Unit | None
    moved_at: int | None = None
    altered_at: int | None = None
    rests: list[Place | None] = field(default_factory=list)

    @property
    def has_moved(self) -> bool:
        """True if it stands elsewhere than before; a unit put back has not moved."""
        return self.before is None or self.after is None or self.before.at != self.after.at

    @property
    def trail(self) -> tuple[Hex, ...] | None:
        """The hexes that it was dragged over one by one; None if it was dragged over longer distances."""
        places = [*self.rests, self.after.at if self.after else None]
        hexes = [place for place in places if isinstance(place, Hex)]
        if len(hexes) < len(places) or any(a != b and not adjacent(a, b) for a, b in pairwise(hexes)):
            return None
        return tuple(hexes)

    @property
    def factors(self) -> Factors | None:
        """The face it shows now, None if that is the one it showed before."""
        if self.before is None or self.after is None or self.before.factors == self.after.factors:
            return None
        return self.after.factors


def net_changes(units: Mapping[UnitId, Unit], events: Iterable[Event]) -> Mapping[UnitId, Change]:
    """Net the events of a segment, by unit, in the order in which units were first touched.

    Args:
        units: The units as they stood when the segment began.
        events: What happened then.
    """
    changes: dict[UnitId, Change] = {}
    for event in events:
        for unit, at in _touched(event):
            change = changes.get(unit)
            if change is None:
                before = units.get(unit)
                change = changes[unit] = Change(before=before, after=before)
            _add(change, event, at)
    return changes


def _touched(event: Event) -> Iterator[tuple[UnitId, Place | None]]:
    match event:
        case Relocated():
            yield event.unit, event.at
        case Appeared():
            yield event.unit.id, event.unit.at
        case Vanished():
            yield event.unit, None
        case Altered():
            yield event.after.id, event.after.at


def _add(change: Change, event: Event, at: Place | None) -> None:
    match event:
        case Relocated() if change.after is not None:
            change.rests.append(change.after.at)
            change.after = replace(change.after, at=at)
            change.moved_at = event.step
        case Appeared():
            change.after = event.unit
            change.moved_at = event.step
        case Vanished():
            change.after = None
            change.moved_at = event.step
        case Altered() if change.after is not None:
            change.after = _altered(change.after, event)
            change.altered_at = event.step


def _altered(unit: Unit, event: Altered) -> Unit:
    """Apply only what the step changed: the rest of the counter may have been changed by a step that was undone."""
    before, after = event.before, event.after
    flags = (unit.flags | (after.flags - before.flags)) - (before.flags - after.flags)
    if before.type != after.type or before.name != after.name or before.division != after.division:
        # The counter was turned up, or masked: another reading altogether, not another face.
        return replace(after, at=unit.at, flags=flags)
    return replace(unit, factors=after.factors if after.factors != before.factors else unit.factors, flags=flags)
