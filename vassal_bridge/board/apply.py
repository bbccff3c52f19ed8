"""Carry out an act on the state, whether it was legal or not."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

from vassal_bridge.board.actions import (
    Action,
    Advance,
    Enter,
    Flip,
    MarkerChange,
    Move,
    PhaseChange,
    PlaceUnit,
    Remove,
    Retreat,
    TurnChange,
    Unexplained,
)
from vassal_bridge.board.hexes import Hex
from vassal_bridge.board.state import GameState, Marker, Past
from vassal_bridge.board.units import Flag, Place, UnitId

__all__ = ["apply", "remember"]


def apply(state: GameState, action: Action) -> GameState:
    """Return the state after an act, the act remembered in its past.

    Leaves out what an act only announces: a result, a roll, a loss changes no unit; the counters follow in acts of
    their own.
    """
    return remember(_change(state, action), action, before=state)


def remember(state: GameState, action: Action, *, before: GameState | None = None) -> GameState:
    """Return the state with an act added to its past, without carrying it out."""
    origin = before or state
    past = Past(action=action, phase=origin.phase, turn=origin.turn)
    return replace(state, past=(*state.past, past), act=None)


def _change(state: GameState, action: Action) -> GameState:
    match action:
        case Move() | Advance() | Unexplained():
            return _relocate(state, action.units, action.path.end)
        case Retreat():
            return _flag(_relocate(state, action.units, action.path.end), action.units, Flag.FLED)
        case Enter():
            return _relocate(state, action.units, action.at)
        case Remove():
            return _relocate(state, action.units, action.to)
        case PlaceUnit():
            return state.with_units(action.unit)
        case Flip():
            unit = state.units[action.unit]
            flags = unit.flags if action.flags is None else action.flags
            return state.with_units(replace(unit, factors=action.factors, flags=flags))
        case MarkerChange():
            return _mark(state, action)
        case PhaseChange():
            return _begin_phase(state, action)
        case TurnChange():
            return replace(state, turn=action.turn, control_at_start=state.control)
        case _:
            return state


def _relocate(state: GameState, units: Iterable[UnitId], to: Place) -> GameState:
    moved = [replace(state.units[unit], at=to) for unit in units]
    after = state.with_units(*moved)
    fighters = [unit for unit in moved if unit.type.is_combat]
    if not isinstance(to, Hex) or not fighters:
        return after
    side = fighters[0].side
    # Units take control of what they enter (trucks and air units do not); hexes passed on an unknown way are not known.
    # The whole map states who controls its rail and city hexes; elsewhere control means nothing.
    if state.control.get(to) == side or not (state.is_fragment or to in state.control):
        return after
    return replace(after, control={**state.control, to: side}, last_passed={**state.last_passed, to: side})


def _flag(state: GameState, units: Iterable[UnitId], flag: str) -> GameState:
    return state.with_units(*(replace(state.units[unit], flags=state.units[unit].flags | {flag}) for unit in units))


# Where a marker and the flag of the unit that bears it go by different words of the case notation.
_FLAG_OF_MARKER = {"disrupted": Flag.DISRUPTED}


def _mark(state: GameState, action: MarkerChange) -> GameState:
    changed = [state.units[unit] for unit in action.units]
    if changed:
        word = _FLAG_OF_MARKER.get(action.kind, action.kind)
        flags = [unit.flags | {word} if action.is_added else unit.flags - {word} for unit in changed]
        return state.with_units(*(replace(unit, flags=each) for unit, each in zip(changed, flags, strict=True)))
    markers = {Marker(kind=action.kind, hex=at) for at in action.hexes}
    return replace(state, markers=state.markers | markers if action.is_added else state.markers - markers)


# What a unit did is forgotten when the phase is over in which it matters.
_PHASE_FLAGS = frozenset({Flag.FLED, Flag.ATTACKED})


def _begin_phase(state: GameState, action: PhaseChange) -> GameState:
    units = {
        key: replace(unit, flags=unit.flags - _PHASE_FLAGS, spent=0)
        if unit.flags & _PHASE_FLAGS or unit.spent
        else unit
        for key, unit in state.units.items()
    }
    return replace(
        state,
        phase=state.game.phases[action.phase],
        units=units,
        phase_start=units,
        control_at_phase_start=state.control,
        phase_memo={},
    )
