"""Retreats after combat: the way they take."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, replace

from vassal_bridge.analysis.retreat import Obstacle, is_vacant, obstacles, shortest_paths, vacant_ways
from vassal_bridge.analysis.stacking import count, limit_of
from vassal_bridge.analysis.worlds import Ruling, World
from vassal_bridge.analysis.zoc import controllers
from vassal_bridge.board.actions import Attack, Result, Retreat, Roll, Stay
from vassal_bridge.board.hexes import Hex, distance
from vassal_bridge.board.knowledge import Reason
from vassal_bridge.board.state import GameState
from vassal_bridge.board.units import Unit
from vassal_bridge.checks.deciding import outcome_of
from vassal_bridge.rulebook.check import NoParams, When, check
from vassal_bridge.rulebook.outcome import Outcome, Verdict

__all__ = ["RetreatPath", "VacantFirst", "retreat_distance", "retreat_path", "retreat_vacant_first"]

Way = tuple[Hex, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class RetreatPath:
    """Parameters of ``retreat-path``: the ``obstacle`` that the rule is about (``zone``, ``closed``, ``stacking``)."""

    obstacle: Obstacle


@check("retreat-path", params=RetreatPath, when={When.RETREAT})
def retreat_path(state: GameState, params: RetreatPath) -> Iterator[Outcome]:
    """Hold every hex of a retreat against one kind of obstacle.

    If only the ends are known, all shortest ways are tried: the retreat is legal if one of them has no obstacle of any
    kind, else the way with the fewest kinds of obstacles says which rules are broken.
    Violation: so in every world. Unknown: a hexside, the terrain or a masked counter decides.
    Leaves out: ways longer than the shortest, since a retreat must end at its full distance; whether a unit that stays
    had to lose steps for it.
    """
    if isinstance(state.act, Stay):
        yield Outcome(verdict=Verdict.LEGAL, units=state.act.units)
    for before, unit, act in _retreats(state):
        ways = _ways(act)
        if ways:
            yield _judge_path(before, unit, ways, params.obstacle)


def _retreats(state: GameState) -> Iterator[tuple[GameState, Unit, Retreat]]:
    """Yield each unit that retreats, with the state in which those before it have already gone."""
    act = state.act
    if not isinstance(act, Retreat):
        return
    for each in act.units:
        unit = state.units[each]
        yield state, unit, act
        state = state.with_units(replace(unit, at=act.path.end))


def _ways(act: Retreat) -> tuple[Way, ...]:
    """Return the ways that the retreat may have taken; none if it left the map."""
    points = tuple(point for point in act.path.points if isinstance(point, Hex))
    if len(points) < 2 or len(points) != len(act.path.points):
        return ()
    return (points,) if act.path.is_complete else tuple(shortest_paths(points[0], points[-1]))


def _judge_path(state: GameState, unit: Unit, ways: tuple[Way, ...], obstacle: Obstacle) -> Outcome:
    def judge(world: World) -> Ruling:
        barred = [list(obstacles(world, unit, way)) for way in ways]
        fewest = min(barred, key=lambda each: len({kind for kind, _ in each}))
        for kind, at in fewest:
            if kind is obstacle:
                return _describe(world, unit, kind, at)
        return Ruling(is_legal=True)

    return outcome_of(state, judge, hexes=dict.fromkeys([ways[0][0], ways[0][-1]]), units=[unit.id])


def _describe(world: World, unit: Unit, obstacle: Obstacle, at: Hex) -> Ruling:
    name, where = unit.label, world.name(at)
    match obstacle:
        case Obstacle.ZONE:
            keepers = [keeper.label for keeper in controllers(world, at, unit.side)]
            return Ruling(
                is_legal=False,
                message=f"{name} retreated into {where}, an empty hex in the zone of control of {', '.join(keepers)}",
                facts={"zone_hex": where, "zone_of": keepers},
            )
        case Obstacle.STACKING:
            company = [*world.state.units_at(at, unit.side)]
            stack = [*(other for other in company if other.id != unit.id), unit]
            total, limit = count(world, stack), limit_of(world, stack)
            return Ruling(
                is_legal=False,
                message=f"{name} retreated into {where}, which then holds {total} units, limit {limit}",
                facts={"stack_hex": where, "units": total, "limit": limit},
            )
        case Obstacle.CLOSED:
            return Ruling(
                is_legal=False,
                message=f"{name} retreated into {where}: an enemy unit, terrain or a hexside bars the way",
                facts={"closed_hex": where},
            )


# --- Vacant hexes first ----------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True, kw_only=True)
class VacantFirst:
    """Parameters of ``retreat-vacant-first``: the ambiguity (``reading``) over which hexes must be vacant."""

    reading: str


@check("retreat-vacant-first", params=VacantFirst, when={When.RETREAT})
def retreat_vacant_first(state: GameState, params: VacantFirst) -> Iterator[Outcome]:
    """Ask for a way over hexes without friendly units, if there is an open one of the same length.

    Units that retreat from one hex together are not in each other's way: they may stay together.
    Violation: every way that the retreat may have taken meets a friendly unit, and an open vacant way exists in every
    world. Suspicious: only the last hex is vacant, which another reading allows. Unknown: a fact decides whether the
    vacant way is open.
    """
    for before, unit, act in _retreats(state):
        ways = _ways(act)
        length = _required(state, unit, act) or (distance(ways[0][0], ways[0][-1]) if ways else None)
        if ways and length:
            yield _judge_vacant(_without_company(before, unit, act), unit, ways, length, params.reading)


def _without_company(state: GameState, unit: Unit, act: Retreat) -> GameState:
    """Return the state without the units that retreated from the same hex after the same roll."""
    company = [each for each in act.units if each != unit.id]
    for past in state.acts_of_phase():
        if isinstance(past, Roll):
            break
        if isinstance(past, Retreat) and past.path.start == act.path.start:
            company += [each for each in past.units if each != unit.id]
    return state.with_units(*(replace(state.units[each], at=None) for each in company))


def _judge_vacant(state: GameState, unit: Unit, ways: tuple[Way, ...], length: int, reading: str) -> Outcome:
    def ruling(world: World, *, last_only: bool) -> Ruling:
        for way in ways:
            if all(is_vacant(world, at, unit) for at in (way[-1:] if last_only else way[1:])):
                return Ruling(is_legal=True)
        better = next(vacant_ways(world, unit, ways[0][0], length), None)
        if better is None:
            return Ruling(is_legal=True)
        vacant = "-".join(world.name(at) for at in better[1:])
        return Ruling(
            is_legal=False,
            message=f"{unit.label} retreated through friendly units although {vacant} was vacant and open",
            facts={"vacant_way": vacant},
        )

    return outcome_of(
        state,
        lambda world: ruling(world, last_only=False),
        hexes=dict.fromkeys([ways[0][0], ways[0][-1]]),
        units=[unit.id],
        lenient=lambda world: ruling(world, last_only=True),
        reading=reading,
    )


# --- Full distance ---------------------------------------------------------------------------------------------------


@check("retreat-distance", params=NoParams, when={When.RETREAT})
def retreat_distance(state: GameState, params: NoParams) -> Iterator[Outcome]:
    """Ask a retreat to end as many hexes from its start as the combat result says.

    Unknown: the result was not announced and its table cell is not known.
    """
    del params
    for _, unit, act in _retreats(state):
        ways = _ways(act)
        if not ways:
            continue
        start, end = ways[0][0], ways[0][-1]
        required, gone = _required(state, unit, act), distance(start, end)
        names = state.game.numbering.names(dict.fromkeys([start, end]))
        if required is None or gone is None:
            yield Outcome(
                verdict=Verdict.UNKNOWN,
                message=f"how far {unit.label} had to retreat is not known",
                hexes=names,
                units=(unit.id,),
                because=(Reason.TABLE if gone is not None else Reason.MAP_JOIN,),
                facts={"gone": gone, "would_decide": [f"combat result that {names[0]} suffered"]},
            )
        elif gone == required:
            yield Outcome(verdict=Verdict.LEGAL, hexes=names, units=(unit.id,))
        else:
            yield Outcome(
                verdict=Verdict.VIOLATION,
                message=f"{unit.label} ended {gone} hexes from {names[0]}, the result says {required}",
                hexes=names,
                units=(unit.id,),
                facts={"gone": gone, "required": required},
            )


def _required(state: GameState, unit: Unit, retreat: Retreat) -> int | None:
    """Return the hexes that the latest announced result tells the unit to retreat; None if none was announced."""
    if retreat.hexes is not None:
        return retreat.hexes
    for act in state.acts_of_phase():
        if isinstance(act, Result):
            return _hexes_for(state, unit, act)
    return None


def _hexes_for(state: GameState, unit: Unit, result: Result) -> int | None:
    letter = "A" if unit.side == state.phasing else "D"
    if not _concerns(state, unit, result):
        return None
    found = re.search(rf"(?:^|/){letter}(\d)", result.text)
    return int(found[1]) if found else None


def _concerns(state: GameState, unit: Unit, result: Result) -> bool:
    if unit.side == state.phasing:
        return True
    hexes, units = set(result.on_hexes), set(result.on_units)
    for past in state.past:
        if result.label and isinstance(past.action, Attack) and past.action.label == result.label:
            hexes |= set(past.action.target_hexes)
    return unit.id in units or unit.at in hexes or not (hexes or units)
