"""Turn the net changes of a segment into acts that rules can judge.

Whose act a change is follows from the unit's side, the phase, and whether a die was thrown in it: a unit of the phasing
side that changes its hex in a movement phase moves; after a combat roll a unit of the other side retreats, and one of
the phasing side advances into or beside a hex that was vacated, or retreats where none was. A unit put into the box of
the dead is lost, one that comes from the box of reinforcements enters. What fits nothing is unexplained.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import groupby
from typing import NamedTuple

from vassal_bridge.audit.events import MarkerSet
from vassal_bridge.audit.journeys import Change
from vassal_bridge.audit.segments import Segment
from vassal_bridge.board.actions import (
    Action,
    Advance,
    Enter,
    Flip,
    MarkerChange,
    Move,
    MoveKind,
    Path,
    PlaceUnit,
    Remove,
    Retreat,
    Unexplained,
)
from vassal_bridge.board.game import PhaseKind
from vassal_bridge.board.hexes import Hex, adjacent
from vassal_bridge.board.state import GameState
from vassal_bridge.board.units import Box, Place, Side, Unit, UnitId

__all__ = ["GONE", "Correction", "Staging", "acts_of", "vacated"]

# Where a counter is that was deleted.
GONE = Box("@gone")
_ENTRY_BOXES = frozenset({"@reinf"})


@dataclass(frozen=True, slots=True, kw_only=True)
class Correction(Action):
    """A unit is put back where it stood when the phase began, after a roll or the end of a log sealed its move."""

    units: tuple[UnitId, ...]
    to: Place


@dataclass(frozen=True, slots=True, kw_only=True)
class Staging(Action):
    """A counter changes in a way that no rule asks about: from box to box, turned up, or to a place not known.

    Attributes:
        unit: The unit afterwards.
        is_explained: False if the place is not known, so that nobody can say what was done.
    """

    unit: Unit
    is_explained: bool = True


class _Dated(NamedTuple):
    step: int
    act: Action


def acts_of(
    state: GameState, segment: Segment, changes: Mapping[UnitId, Change], *, has_rolled: bool
) -> Iterator[Action]:
    """Yield the acts of a segment, in the order in which they were finished.

    Args:
        state: The game when the segment began, its phase set.
        segment: What happened in it.
        changes: The net of that, by unit.
        has_rolled: Whether a combat die was thrown earlier in the phase, or begins this segment.
    """
    reader = _Reader(state, has_rolled, vacated(state, changes), _lost_in(state, changes))
    dated = [each for unit, change in changes.items() for each in reader.read(unit, change)]
    dated += list(_markers(segment.events))
    dated.sort(key=lambda each: each.step)
    yield from _grouped(each.act for each in dated)


def vacated(state: GameState, changes: Mapping[UnitId, Change]) -> frozenset[Hex]:
    """Return the hexes that combat units of the side that is not phasing held before the changes and no longer hold."""
    enemies = [unit for unit in state.on_map() if unit.side != state.phasing and unit.type.is_combat]
    left: set[Hex] = set()
    still: set[Hex] = set()
    for unit in enemies:
        change = changes.get(unit.id)
        after = unit if change is None else change.after
        assert unit.hex is not None
        if after is None or after.at != unit.at:
            left.add(unit.hex)
        if after is not None and after.hex is not None:
            still.add(after.hex)
    return frozenset(left - still)


def _lost_in(state: GameState, changes: Mapping[UnitId, Change]) -> frozenset[tuple[Side, Hex]]:
    """Return where units of which side disappeared: a counter that appears there then is their substitute."""
    return frozenset(
        (change.before.side, change.before.hex)
        for change in changes.values()
        if change.before is not None
        and change.before.hex is not None
        and (change.after is None or not isinstance(change.after.at, Hex))
    )


class _Reader:
    def __init__(
        self, state: GameState, has_rolled: bool, freed: frozenset[Hex], lost: frozenset[tuple[Side, Hex]]
    ) -> None:
        self._state = state
        self._has_rolled = has_rolled
        self._freed = freed
        self._lost = lost
        self._kind = state.phase.kind if state.phase else None

    def read(self, key: UnitId, change: Change) -> Iterator[_Dated]:
        before, after = change.before, change.after
        if before is None and after is None:
            return
        if change.has_moved and change.moved_at is not None:
            for act in self._journey(key, change, change.moved_at):
                yield _Dated(act.step or change.moved_at, act)
        if before is None or after is None or change.altered_at is None:
            return
        step = change.altered_at
        if before.type != after.type or before.name != after.name or before.division != after.division:
            yield _Dated(step, Staging(step=step, unit=after))
            return
        if change.factors is not None:
            yield _Dated(step, Flip(step=step, unit=key, factors=change.factors))
        for flag in sorted(after.flags ^ before.flags):
            kind = _MARKER_OF_FLAG.get(flag, flag)
            yield _Dated(step, MarkerChange(step=step, kind=kind, is_added=flag in after.flags, units=(key,)))

    def _journey(self, key: UnitId, change: Change, step: int) -> Iterator[Action]:
        before, after = change.before, change.after
        if after is None:
            yield Remove(step=step, units=(key,), to=GONE)
        elif before is None:
            yield self._appearance(after, step)
        elif isinstance(before.at, Hex) and isinstance(after.at, Hex):
            yield self._march(key, before, after.at, step)
        elif isinstance(before.at, Hex) and isinstance(after.at, str):
            yield Remove(step=step, units=(key,), to=after.at)
        elif isinstance(after.at, Hex) and before.at is not None:
            yield from self._arrival(key, change, before.at, after.at, step)
        else:
            is_known = after.at is not None and before.at is not None
            yield Staging(step=step, unit=after, is_explained=is_known)

    def _march(self, key: UnitId, before: Unit, end: Hex, step: int) -> Action:
        assert isinstance(before.at, Hex)
        units, path = (key,), Path(points=(before.at, end))
        is_phasing = before.side == self._state.phasing
        first = self._state.phase_start.get(key)
        if first is not None and first.at == end:
            return Correction(step=step, units=units, to=end)
        match self._kind:
            case PhaseKind.MOVEMENT if is_phasing:
                return Move(step=step, units=units, path=path, kind=MoveKind.UNDECLARED)
            case PhaseKind.MOVEMENT | PhaseKind.COMBAT if self._has_rolled and not is_phasing:
                return Retreat(step=step, units=units, path=path)
            case PhaseKind.COMBAT if self._has_rolled and self._is_won(end):
                return Advance(step=step, units=units, path=path)
            case PhaseKind.COMBAT if self._has_rolled and not self._freed:
                return Retreat(step=step, units=units, path=path)
            case _:
                return Unexplained(step=step, units=units, path=path, by=before.side)

    def _is_won(self, end: Hex) -> bool:
        return any(end == hex_ or adjacent(end, hex_) for hex_ in self._freed)

    def _appearance(self, unit: Unit, step: int) -> Action:
        if not isinstance(unit.at, Hex):
            return Staging(step=step, unit=unit, is_explained=unit.at is not None)
        role = "substitute" if (unit.side, unit.at) in self._lost else ""
        return PlaceUnit(step=step, unit=unit, role=role)

    def _arrival(self, key: UnitId, change: Change, box: Place, end: Hex, step: int) -> Iterator[Action]:
        assert change.after is not None
        unit = change.after
        if box in _ENTRY_BOXES and self._kind is PhaseKind.MOVEMENT and unit.side == self._state.phasing:
            # Where it first touched the map is where it came on, as far as anybody can tell.
            first = next((place for place in change.rests if isinstance(place, Hex)), end)
            yield Enter(step=step, units=(key,), at=first)
            if first != end:
                yield Move(step=step, units=(key,), path=Path(points=(first, end)), kind=MoveKind.UNDECLARED)
            return
        role = "substitute" if (unit.side, end) in self._lost else ""
        yield PlaceUnit(step=step, unit=unit, role=role)


# Status words of units that the game calls by another name when they are laid on or taken off as markers.
_MARKER_OF_FLAG = {"dis": "disrupted"}


def _markers(events: Sequence[object]) -> Iterator[_Dated]:
    net: dict[tuple[str, Hex], list[MarkerSet]] = {}
    for event in events:
        if isinstance(event, MarkerSet):
            net.setdefault((event.kind, event.at), []).append(event)
    for (kind, at), laid in net.items():
        # Laid and taken off again is nothing; the last one tells how it ended, the first one how it began.
        if laid[0].is_added == laid[-1].is_added:
            last = laid[-1]
            yield _Dated(last.step, MarkerChange(step=last.step, kind=kind, is_added=last.is_added, hexes=(at,)))


def _grouped(acts: Iterator[Action]) -> Iterator[Action]:
    """Join units that went the same way in the same step: a stack moves as one."""
    for _, run in groupby(acts, key=_way):
        same = list(run)
        first = same[0]
        if len(same) == 1 or not isinstance(first, Move | Retreat | Advance):
            yield from same
            continue
        units = tuple(unit for act in same if isinstance(act, Move | Retreat | Advance) for unit in act.units)
        yield replace(first, units=units)


def _way(act: Action) -> object:
    if isinstance(act, Move | Retreat | Advance):
        return (type(act), act.step, act.path)
    return id(act)
