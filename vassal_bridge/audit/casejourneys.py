"""The moves of a unit in a phase are one journey: what a case tells in several moves is judged as a whole."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from vassal_bridge.board.actions import Action, Advance, Enter, Move, MoveKind, Overrun, Path, PlaceUnit, Retreat
from vassal_bridge.board.knowledge import UNKNOWN
from vassal_bridge.board.state import GameState
from vassal_bridge.board.units import UnitId

__all__ = ["journeys_of"]


def journeys_of(action: Action, state: GameState) -> Iterator[Action]:
    """Yield the acts to judge for an act: a move is joined to the unit's earlier moves of this phase.

    Units of a stack that came by different ways are judged one by one. An overrun or any other change of place ends a
    journey, and movement by rail is never part of one.
    """
    if not isinstance(action, Move) or action.kind is MoveKind.RAIL:
        yield action
        return
    ways: dict[Path, list[UnitId]] = {}
    for unit in action.units:
        ways.setdefault(_whole_way(unit, action, state), []).append(unit)
    for path, units in ways.items():
        yield replace(action, units=tuple(units), path=path)


def _whole_way(unit: UnitId, move: Move, state: GameState) -> Path:
    path = move.path
    for past in reversed(state.past):
        if past.phase != state.phase or past.turn != state.turn:
            break
        earlier = past.action
        if isinstance(earlier, Move) and unit in earlier.units:
            if earlier.kind is not move.kind or earlier.path.end != path.start:
                break
            points = (*earlier.path.points, *path.points[1:])
            path = Path(points=points, is_complete=earlier.path.is_complete and path.is_complete)
        elif _is_about(earlier, unit):
            break
    return path


def _is_about(action: Action, unit: UnitId) -> bool:
    match action:
        case Advance(units=units) | Retreat(units=units) | Enter(units=units):
            return unit in units
        case PlaceUnit(unit=placed):
            return placed.id == unit
        case Overrun(force=force):
            return force is UNKNOWN or any(part.unit == unit for part in force)
        case _:
            return False
