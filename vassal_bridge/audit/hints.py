"""What an act shows beyond itself: a move that must have been a withdrawal, a strength that combat brought to light."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace

from vassal_bridge.analysis.movement import cheapest, is_toward_lower
from vassal_bridge.analysis.worlds import World
from vassal_bridge.analysis.zoc import in_enemy_zoc
from vassal_bridge.audit.journeys import Change
from vassal_bridge.board.actions import Move, Overrun
from vassal_bridge.board.hexes import Hex
from vassal_bridge.board.knowledge import UNKNOWN
from vassal_bridge.board.state import GameState
from vassal_bridge.board.units import Flag, Side, Unit, UnitId

__all__ = ["after_turn_of", "disrupted", "revealed", "undisrupted", "withdrawn"]


def withdrawn(before: GameState, move: Move) -> Iterator[UnitId]:
    """Yield the units of a move that can only have been a withdrawal, if it was legal at all.

    They began in an enemy zone of control, or had to pass one, and went toward lower positions, in a phase that allows
    a withdrawal. That they had overrun somebody is not looked at: without a zone of its own such a unit gets nobody
    accused.
    """
    start, end = move.path.start, move.path.end
    if before.phase is None or "withdrawal" not in before.phase.allows:
        return
    if not isinstance(start, Hex) or not isinstance(end, Hex) or not is_toward_lower(start, end):
        return
    world = World(before)
    for key in move.units:
        unit = before.units[key]
        if unit.type.is_combat and (in_enemy_zoc(world, start, unit.side) or _must_pass_zones(world, unit, start, end)):
            yield key


def _must_pass_zones(world: World, unit: Unit, start: Hex, end: Hex) -> bool:
    movement = unit.factors.movement
    if not isinstance(movement, int) or unit.type.is_masked:
        return False
    return cheapest(world, unit, start, end, limit=movement) is None


def disrupted(state: GameState, overrun: Overrun, changes: Mapping[UnitId, Change]) -> Iterator[Unit]:
    """Yield the targets of an overrun as units that it disrupted, or may have disrupted.

    Whoever loses steps or retreats is disrupted at once, with everybody in the hex, whenever the marker is laid. Where
    nothing is seen of a result it may still be owed.
    """
    if Flag.DISRUPTED not in state.game.zoc.silent_flags:
        return
    for at in overrun.target_hexes:
        targets = [unit for unit in state.units_at(at) if unit.id in overrun.targets]
        suffered = any(
            change.has_moved or change.factors is not None
            for unit in targets
            if (change := changes.get(unit.id)) is not None
        )
        for unit in targets:
            # That an undeclared roll was an overrun of these is only what it looks like.
            is_certain = suffered and overrun.force is not UNKNOWN
            yield replace(unit, flags=unit.flags | {Flag.HIT if is_certain else Flag.PERHAPS_HIT})


def undisrupted(state: GameState, units: Iterable[UnitId]) -> GameState:
    """Return the state with units whose marker was taken off."""
    known = [state.units[unit] for unit in units]
    return state.with_units(*(replace(unit, flags=unit.flags - {Flag.HIT, Flag.PERHAPS_HIT}) for unit in known))


def after_turn_of(state: GameState, side: Side | None) -> GameState:
    """Return the state when a side's player-turn is over.

    Who withdrew in it has a zone of control again, and so have its own units that had been overrun before.
    """
    gone = {Flag.WITHDREW, Flag.HIT, Flag.PERHAPS_HIT}
    units = [
        replace(unit, flags=unit.flags - (gone if unit.side == side else {Flag.WITHDREW}))
        for unit in state.units.values()
        if unit.flags & gone
    ]
    return state.with_units(*units) if units else state


def revealed(state: GameState, changes: Mapping[UnitId, Change]) -> Iterator[Unit]:
    """Yield units with what they turned out to have, or to have spent, in the combat for which a die was thrown.

    Players turn untried counters over before the roll or after it, and so with air units. A ground unit of more than
    one step is left out: it may have lost a step as well.
    """
    for key, change in changes.items():
        unit, after = state.units.get(key), change.after
        if unit is None or after is None:
            continue
        if after.has_spent_air and not unit.has_spent_air:
            yield replace(unit, factors=after.factors)
        if not unit.type.is_untried or unit.type.steps != 1:
            continue
        if unit.factors.attack is UNKNOWN and after.factors.attack is not UNKNOWN:
            yield replace(unit, factors=after.factors)
