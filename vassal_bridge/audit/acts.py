"""Turn the net changes of a segment into acts that rules can judge.

Whose act a change is follows from the unit's side, the phase, and whether a die was thrown in it: a unit of the phasing
side that changes its hex in a movement phase moves; after a combat roll a unit that was attacked retreats, one that
attacked advances into or beside a hex that was vacated, or retreats (see :mod:`vassal_bridge.audit.fights`). A unit put
into the box of the dead is lost, one that comes from the box of reinforcements enters. What fits nothing stays
unexplained.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import groupby
from typing import NamedTuple

from vassal_bridge.audit.events import MarkerSet
from vassal_bridge.audit.fights import Fights
from vassal_bridge.audit.journeys import Change
from vassal_bridge.audit.segments import Seal, Segment
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
from vassal_bridge.board.hexes import Hex
from vassal_bridge.board.state import GameState
from vassal_bridge.board.units import Box, Place, Side, Unit, UnitId

__all__ = ["GONE", "Correction", "Staging", "acts_of"]

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


def acts_of(state: GameState, segment: Segment, changes: Mapping[UnitId, Change], *, fights: Fights) -> list[Action]:
    """Return the acts of a segment, in the order in which they were finished.

    What a combat result does to the side that was attacked comes first: players drag an attacker into the hex before
    they drag the defender out of it, and lay markers when they think of them.

    Args:
        state: The game when the segment began, its phase set.
        segment: What happened in it.
        changes: The net of that, by unit.
        fights: Those of the phase, with the segment's own.
    """
    reader = _Reader(state, fights, _lost_in(state, changes), goes_on=segment.seal is Seal.ROLL)
    dated = [each for unit, change in changes.items() for each in reader.read(unit, change)]
    dated += list(_markers(segment.events))
    after_roll = segment.roll is not None
    dated.sort(key=lambda each: (after_roll and not _is_result(each.act, state), each.step))
    return list(_grouped(each.act for each in dated))


def _is_result(act: Action, state: GameState) -> bool:
    """Tell whether an act is what a combat result does to the units that were attacked."""
    match act:
        case Retreat(units=units) | Remove(units=units) | MarkerChange(units=units, is_added=True) if units:
            return state.units[units[0]].side != state.phasing
        case Flip(unit=unit):
            return state.units[unit].side != state.phasing
        case _:
            return False


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
    def __init__(self, state: GameState, fights: Fights, lost: frozenset[tuple[Side, Hex]], *, goes_on: bool) -> None:
        self._state = state
        self._fights = fights
        self._lost = lost
        self._goes_on = goes_on
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
            yield self._arrival(key, after, before.at, after.at, step)
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
        fights = self._fights
        is_fight = self._kind in (PhaseKind.MOVEMENT, PhaseKind.COMBAT) and fights.has_rolled
        if self._kind is PhaseKind.MOVEMENT and is_phasing:
            return Move(step=step, units=units, path=path, kind=MoveKind.UNDECLARED)
        if is_fight and fights.is_advance(before.at, end, self._state.game.enemy(before.side)):
            return Advance(step=step, units=units, path=path)
        if is_fight and not is_phasing and fights.is_retreat_of_defender(before.at, end):
            return Retreat(step=step, units=units, path=path)
        if is_fight and self._goes_on and is_phasing and fights.is_retreat_of_attacker(key, before.at, end):
            return Retreat(step=step, units=units, path=path)
        return Unexplained(step=step, units=units, path=path, by=before.side)

    def _appearance(self, unit: Unit, step: int) -> Action:
        if not isinstance(unit.at, Hex):
            return Staging(step=step, unit=unit, is_explained=unit.at is not None)
        role = "substitute" if (unit.side, unit.at) in self._lost else ""
        return PlaceUnit(step=step, unit=unit, role=role)

    def _arrival(self, key: UnitId, unit: Unit, box: Place, end: Hex, step: int) -> Action:
        if box in _ENTRY_BOXES and self._kind is PhaseKind.MOVEMENT and unit.side == self._state.phasing:
            # Where it came on is not known: where it first touched the map it may only have been laid down.
            return Enter(step=step, units=(key,), at=end)
        role = "substitute" if (unit.side, end) in self._lost else ""
        return PlaceUnit(step=step, unit=unit, role=role)


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
