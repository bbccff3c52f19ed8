"""What the walk keeps of the past, and what it takes back."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

from vassal_bridge.audit.acts import Correction, Staging
from vassal_bridge.board.actions import Action, Advance, Enter, Move, PlaceUnit, Remove, Retreat, Unexplained
from vassal_bridge.board.game import Game
from vassal_bridge.board.hexes import Hex
from vassal_bridge.board.state import GameState, Marker, Past
from vassal_bridge.board.units import Flag, Side, Unit, UnitId
from vassal_bridge.profiles import Clock
from vassal_bridge.rulebook.check import When

__all__ = [
    "MEMORIES",
    "cleared_hexes",
    "ends_passed",
    "forgetting",
    "is_forward",
    "is_unlike",
    "last_side",
    "moved_by",
    "taken_back",
]


def moved_by(act: Action) -> tuple[UnitId, ...]:
    """Return the units that an act brings to another place."""
    match act:
        case Move() | Retreat() | Advance() | Enter() | Remove() | Unexplained() | Correction():
            return act.units
        case Staging(unit=unit) | PlaceUnit(unit=unit):
            return (unit.id,)
        case _:
            return ()


def taken_back(state: GameState, correction: Correction) -> GameState:
    """Return the state with units put back; their moves of this phase never happened."""
    units = set(correction.units)
    phase = state.phase.id if state.phase else None
    past = tuple(
        kept
        for each in state.past
        if (kept := _without(each, units if _is_of(each, phase, state.turn) else frozenset())) is not None
    )
    back = [replace(state.units[unit], at=correction.to) for unit in correction.units]
    back = [replace(unit, flags=unit.flags - {Flag.FLED}) for unit in back]
    return replace(state.with_units(*back), past=past)


def _is_of(past: Past, phase: str | None, turn: str | None) -> bool:
    return past.turn == turn and (past.phase.id if past.phase else None) == phase


def _without(past: Past, units: Iterable[UnitId]) -> Past | None:
    act = past.action
    if not units or not isinstance(act, Move | Retreat | Advance) or not set(units) & set(act.units):
        return past
    rest = tuple(unit for unit in act.units if unit not in units)
    return replace(past, action=replace(act, units=rest)) if rest else None


def forgetting(state: GameState) -> GameState:
    """Return the state without what was done before the turn that ends now: no rule looks further back."""
    return replace(state, past=tuple(past for past in state.past if past.turn == state.turn))


def cleared_hexes(markers: Iterable[Marker]) -> frozenset[Hex]:
    """Return the rail hexes that bear a marker of being cleared."""
    return frozenset(marker.hex for marker in markers if marker.kind == "cleared")


def is_unlike(known: Unit, read: Unit) -> bool:
    """Tell whether a counter differs from what the steps so far made of it; what no counter shows is left out."""
    shown = known.flags & read.flags
    return (
        known.at != read.at
        or known.factors != read.factors
        or known.type != read.type
        or bool(read.flags - shown)
        or bool((known.flags - shown) - MEMORIES)
    )


# What a unit did is kept as a flag that no counter shows.
MEMORIES = frozenset(set(Flag) - {Flag.DISRUPTED, Flag.OUT_OF_SUPPLY})


def ends_passed(game: Game, before: Clock, after: Clock) -> tuple[When, ...]:
    """Return the occasions that a phase change is: end of the phase, and of the player-turn and turn if they end too.

    A tracker that was turned back ends nothing.
    """
    if before.phase is None or not is_forward(game, before, after):
        return ()
    ends = [When.PHASE_END]
    side = game.phases[before.phase].side
    next_side = game.phases[after.phase].side if after.phase else None
    if side is not None and next_side != side:
        ends.append(When.PLAYER_TURN_END)
    if before.turn != after.turn:
        ends.append(When.GAME_TURN_END)
    return tuple(ends)


def last_side(game: Game) -> Side | None:
    """Return the side whose player-turn is the last of a turn."""
    return next((phase.side for phase in reversed(list(game.phases.values())) if phase.side is not None), None)


def is_forward(game: Game, before: Clock, after: Clock) -> bool:
    """Tell whether a turn tracker was advanced, not turned back."""
    if before.turn != after.turn:
        return before.turn is None or after.turn is None or _later(before.turn, after.turn)
    order = list(game.phases)
    return after.phase is None or before.phase is None or order.index(after.phase) > order.index(before.phase)


def _later(before: str, after: str) -> bool:
    # Turns are numbers in most games, and dates that sort as they are written in the others.
    if before.isdecimal() and after.isdecimal() and max(len(before), len(after)) < 10:
        return int(after) > int(before)
    return after > before
