"""Zones of control in movement: a unit stops when it enters one, and does not leave one."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise

from vassal_bridge.analysis.ground import Points
from vassal_bridge.analysis.movement import (
    allowance,
    at_phase_start,
    cheapest,
    could_go_by_rail,
    is_enemy_held,
    is_on_map,
    is_toward_lower,
)
from vassal_bridge.analysis.supply import is_supplied
from vassal_bridge.analysis.worlds import Fact, Ruling, World
from vassal_bridge.analysis.zoc import controllers, in_enemy_zoc
from vassal_bridge.board.actions import (
    Action,
    Advance,
    Move,
    MoveKind,
    Overrun,
    Path,
    Remove,
    Result,
    Retreat,
    Roll,
)
from vassal_bridge.board.hexes import Hex, adjacent, distance
from vassal_bridge.board.knowledge import UNKNOWN, Reason
from vassal_bridge.board.state import GameState
from vassal_bridge.board.units import Side, Unit
from vassal_bridge.checks.deciding import outcome_of
from vassal_bridge.rulebook.check import When, check
from vassal_bridge.rulebook.outcome import Outcome

__all__ = ["ZoneParams", "zoc_leave", "zoc_stop"]

# In hexes. No result of the games known so far sends an attacker farther back.
_LONGEST_RETREAT = 3


@dataclass(frozen=True, slots=True, kw_only=True)
class ZoneParams:
    """Parameters of ``zoc-leave`` and ``zoc-stop``.

    ``withdrawing_side`` may ignore zones in a move that leads toward lower positions only, where the phase allows a
    withdrawal; empty if no side may.
    """

    withdrawing_side: str


@check("zoc-leave", params=ZoneParams, when={When.MOVE})
def zoc_leave(state: GameState, params: ZoneParams) -> Iterator[Outcome]:
    """Forbid a unit to leave an enemy zone of control in ordinary movement.

    The zones are those of the moment: an enemy that was disrupted or removed earlier in the phase has none.
    Violation: the unit began the move in an enemy zone whatever is unknown, and neither an overrun nor a withdrawal
    can have taken it away. Unknown: a hexside or masked counter decides whether there was a zone, or the unit may
    have overrun a hex that an enemy left in this phase. Leaves out: whether a withdrawal was otherwise allowed.
    """
    for unit, path in _journeys(state):
        start = path.points[0]
        if any(at != start for at in path.points):
            yield _judge_leaving(state, params, unit, path)


@check("zoc-stop", params=ZoneParams, when={When.MOVE})
def zoc_stop(state: GameState, params: ZoneParams) -> Iterator[Outcome]:
    """Make a unit stop in the first hex of an enemy zone of control that it enters.

    A known way is looked at hex by hex. If only some points of it are known, a violation needs that every way within
    the unit's movement allowance runs through an enemy zone, while there is one that disregards zones.
    Unknown: a hexside, a masked counter or the unit's supply decides, or the journey may have gone by rail.
    Leaves out: units that began in an enemy zone (``zoc-leave``), and moves that no unit could pay for.
    """
    for unit, path in _journeys(state):
        if len(path.points) > 1:
            yield from _judge_passing(state, params, unit, path)


@dataclass(frozen=True, slots=True)
class _Hexes:
    points: tuple[Hex, ...]
    is_complete: bool


def _journeys(state: GameState) -> Iterator[tuple[Unit, _Hexes]]:
    """Yield the journeys of the move being judged that lie on the map and are not made by rail."""
    act = state.act
    if not isinstance(act, Move) or act.kind is MoveKind.RAIL:
        return
    hexes = _on_map(act.path)
    if hexes is None:
        return
    for each in act.units:
        unit = state.units[each]
        if unit.type.is_combat:
            yield unit, hexes


def _on_map(path: Path) -> _Hexes | None:
    points = tuple(point for point in path.points if isinstance(point, Hex))
    return _Hexes(points, path.is_complete) if len(points) == len(path.points) else None


# --- Leaving ---------------------------------------------------------------------------------------------------------


def _judge_leaving(state: GameState, params: ZoneParams, unit: Unit, path: _Hexes) -> Outcome:
    start = path.points[0]

    def judge(world: World) -> Ruling:
        if _may_withdraw(state, params, unit, path):
            return Ruling(is_legal=True)
        keepers = list(controllers(world, start, unit.side))
        if not keepers or _overran(world, unit, path):
            return Ruling(is_legal=True)
        return Ruling(
            is_legal=False,
            message=(
                f"{unit.label} left {world.name(start)} although it lies in the zone of control of "
                f"{_keepers(world, keepers)}"
            ),
            facts={"zone_of": [keeper.label for keeper in keepers]},
        )

    return outcome_of(state, judge, hexes=[start, path.points[-1]], units=[unit.id])


def _may_withdraw(state: GameState, params: ZoneParams, unit: Unit, path: _Hexes) -> bool:
    """Tell whether a journey is a declared withdrawal, or can be an undeclared one: steps in the one direction only.

    Which way a declared one may go is the business of other rules.
    """
    act, phase = state.act, state.phase
    if not isinstance(act, Move) or act.kind is MoveKind.ORDINARY or unit.side != params.withdrawing_side:
        return False
    if phase is not None and "withdrawal" not in phase.allows:
        return False
    if act.kind is MoveKind.WITHDRAWAL:
        return True
    places = [at for number, at in enumerate(path.points) if number == 0 or at != path.points[number - 1]]
    return all(is_toward_lower(a, b) for a, b in pairwise(places))


def _overran(world: World, unit: Unit, path: _Hexes) -> bool:
    """Tell whether an overrun of this phase took the unit away: forward over its target, or back after it failed.

    A way that goes on beyond the target is a move of its own from there. Nobody announces results, so whoever overran
    may have had to retreat, and where nobody declared the overrun everybody beside its target may have made it.
    """
    state, start = world.state, path.points[0]
    into = next(at for at in path.points if at != start)
    recent = list(state.acts_of_phase())
    for number, act in enumerate(recent):
        if _moves(act, unit):
            break
        if isinstance(act, Overrun) and _took_part(act, unit):
            beside = [at for at in act.target_hexes if adjacent(start, at)]
            names = ", ".join(world.name(at) for at in act.target_hexes) or "a hex that is not known"
            if into in act.target_hexes or any(_may_go_on(world, unit, at) for at in beside):
                return act.force is not UNKNOWN or world.settle(Fact(Reason.ATTACKERS, f"overrun of {names}"))
            if _may_be_repelled(state.act, recent[:number], start, path.points[-1]):
                kind = Reason.ATTACKERS if act.force is UNKNOWN else Reason.TABLE
                return world.settle(Fact(kind, f"result of the overrun of {names}"))
    rolled = any(isinstance(act, Roll) for act in recent)
    if rolled and _was_enemy_held(state, into, unit.side) and any(isinstance(act, Retreat | Remove) for act in recent):
        return world.settle(Fact(Reason.ATTACKERS, f"overrun of {world.name(into)}"))
    return False


def _moves(act: Action, unit: Unit) -> bool:
    return isinstance(act, Move | Retreat | Advance) and unit.id in act.units


def _took_part(overrun: Overrun, unit: Unit) -> bool:
    if isinstance(overrun.force, tuple):
        return any(part.unit == unit.id for part in overrun.force)
    at = unit.hex
    return not overrun.target_hexes or (at is not None and any(adjacent(at, each) for each in overrun.target_hexes))


def _may_go_on(world: World, unit: Unit, won: Hex) -> bool:
    return not is_enemy_held(world, won, unit.side) and not in_enemy_zoc(world, won, unit.side)


def _may_be_repelled(move: Action | None, since: Sequence[Action], start: Hex, end: Hex) -> bool:
    """Tell whether a result may have sent the unit back so far: none was announced, or one that does."""
    if not isinstance(move, Move) or move.kind is not MoveKind.UNDECLARED:
        return False
    announced = next((act.text for act in since if isinstance(act, Result)), None)
    away = distance(start, end)
    if away is None or away > _LONGEST_RETREAT:
        return False
    return announced is None or re.search(r"A\d", announced) is not None


def _was_enemy_held(state: GameState, at: Hex, side: Side) -> bool:
    return any(unit.at == at and unit.side != side for unit in state.phase_start.values())


# --- Passing ---------------------------------------------------------------------------------------------------------


def _judge_passing(state: GameState, params: ZoneParams, unit: Unit, path: _Hexes) -> Iterator[Outcome]:
    def judge(world: World) -> Ruling:
        if _may_withdraw(state, params, unit, path):
            return Ruling(is_legal=True)
        for at in _between(path):
            keepers = list(controllers(world, at, unit.side))
            if keepers:
                return Ruling(
                    is_legal=False,
                    message=(
                        f"{unit.label} went on from {world.name(at)} although it lies in the zone of control of "
                        f"{_keepers(world, keepers)}"
                    ),
                    facts={"zone_hex": world.name(at), "zone_of": [keeper.label for keeper in keepers]},
                )
        return Ruling(is_legal=True) if path.is_complete else _judge_search(world, unit, path)

    yield outcome_of(state, judge, hexes=dict.fromkeys([path.points[0], path.points[-1]]), units=[unit.id])


def _between(path: _Hexes) -> list[Hex]:
    """Return the known hexes that the unit entered and left again."""
    end = len(path.points) - 1
    return [
        at
        for number, at in enumerate(path.points)
        if 0 < number < end and at != path.points[0] and at != path.points[number + 1]
    ]


def _judge_search(world: World, unit: Unit, path: _Hexes) -> Ruling:
    start, end = path.points[0], path.points[-1]
    # A unit that began in an enemy zone is the business of the rule on leaving; here the zones ahead are judged.
    if in_enemy_zoc(world, start, unit.side) or _is_one_hex(world, path):
        return Ruling(is_legal=True)
    # Supply is costly to trace, and seldom matters: not if half the allowance is enough, nor if the whole is not.
    if _gets_there(world, unit, path, allowance(world, unit, is_supplied=False), honours_zones=True):
        return Ruling(is_legal=True)
    if not _gets_there(world, unit, path, allowance(world, unit, is_supplied=True), honours_zones=False):
        # Not the zones keep the unit from getting there.
        return Ruling(is_legal=True)
    limit = allowance(world, unit, is_supplied=is_supplied(at_phase_start(world), unit))
    if _gets_there(world, unit, path, limit, honours_zones=True):
        return Ruling(is_legal=True)
    if not _gets_there(world, unit, path, limit, honours_zones=False) or _may_have_gone_by_rail(world, unit, path):
        return Ruling(is_legal=True)
    return Ruling(
        is_legal=False,
        message=(
            f"every way of {unit.label} from {world.name(start)} to {world.name(end)} within "
            f"{limit} movement points runs through an enemy zone of control"
        ),
        facts={"allowance": limit},
    )


def _may_have_gone_by_rail(world: World, unit: Unit, path: _Hexes) -> bool:
    act, phase = world.state.act, world.state.phase
    if not isinstance(act, Move) or act.kind is not MoveKind.UNDECLARED or (phase and "rail" not in phase.allows):
        return False
    by_rail = all(could_go_by_rail(world, unit, a, b) for a, b in pairwise(path.points))
    return by_rail and world.settle(Fact(Reason.PATH, f"{unit.label} went by rail"))


def _gets_there(world: World, unit: Unit, path: _Hexes, limit: int, *, honours_zones: bool) -> bool:
    zones = "" if honours_zones else " disregarding zones"
    ends = f"{world.name(path.points[0])} to {world.name(path.points[-1])}"
    fact = world.unit_fact(Reason.PATH, unit, f"way of {{}} from {ends} within {limit} points{zones}")
    return world.settle_monotone(
        fact, lambda lean: _cost(lean, unit, path, limit, honours_zones=honours_zones) is not None
    )


def _is_one_hex(world: World, path: _Hexes) -> bool:
    places = list(dict.fromkeys(path.points))
    return len(places) == 1 or (len(places) == 2 and adjacent(*places) and is_on_map(world, places[1]))


def _cost(world: World, unit: Unit, path: _Hexes, limit: int, *, honours_zones: bool) -> Points | None:
    total: Points = 0
    for a, b in pairwise(path.points):
        found = cheapest(world, unit, a, b, limit=limit - total, honours_zones=honours_zones)
        if found is None:
            return None
        total += found.cost
    return total


def _keepers(world: World, keepers: list[Unit]) -> str:
    return ", ".join(f"{keeper.label} in {world.name(keeper.hex)}" for keeper in keepers if keeper.hex is not None)
