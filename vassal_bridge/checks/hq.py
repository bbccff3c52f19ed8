"""Headquarters: who needs one to attack."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from vassal_bridge.analysis.supply import headquarters_in_reach
from vassal_bridge.analysis.worlds import Ruling, World
from vassal_bridge.board.actions import Attack
from vassal_bridge.board.hexes import Hex, adjacent, distance
from vassal_bridge.board.knowledge import UNKNOWN, Reason
from vassal_bridge.board.state import GameState
from vassal_bridge.board.units import Unit, UnitType
from vassal_bridge.checks.deciding import outcome_of
from vassal_bridge.rulebook.check import When, check
from vassal_bridge.rulebook.outcome import Outcome, Verdict

__all__ = ["AttackNeedsHq", "attack_needs_hq"]


@dataclass(frozen=True, slots=True, kw_only=True)
class AttackNeedsHq:
    """Parameters of ``attack-needs-hq``.

    Attributes:
        nations: Nationalities that attack only with a headquarters of their own in reach.
        reading: The ambiguity over whether reach is plain distance or a traced line.
    """

    nations: tuple[str, ...]
    reading: str


@check("attack-needs-hq", params=AttackNeedsHq, when={When.ATTACK})
def attack_needs_hq(state: GameState, params: AttackNeedsHq) -> Iterator[Outcome]:
    """Ask every attacker of certain nations for a working headquarters of its nation within its rating, in hexes.

    Reach is traced like a Line of Communications; the headquarters need not be in supply itself.
    Violation: no such headquarters even at plain distance. Suspicious: one is near enough, but every line to it is cut.
    Unknown: a masked counter, an unread rating or the map decides, or nobody declared who attacked and some of those
    who may have attacked had one in reach. Undeclared, it is a violation only if none of them had.
    """
    act = state.act
    if not isinstance(act, Attack):
        return
    if act.force is UNKNOWN:
        yield from _judge_candidates(state, act, _candidates(state, act), params)
        return
    certain = [state.units[part.unit] for part in act.force if part.is_certain]
    doubtful = [state.units[part.unit] for part in act.force if not part.is_certain]
    for unit in certain:
        yield _judge_attacker(state, unit, params)
    if doubtful and not certain:
        yield from _judge_candidates(state, act, doubtful, params)
    for unit in doubtful if certain else ():
        yield _in_doubt(_judge_attacker(state, unit, params), unit)


def _in_doubt(outcome: Outcome, unit: Unit) -> Outcome:
    """Return the outcome for a unit that may have taken part in an attack which others made in any case."""
    if outcome.verdict is not Verdict.VIOLATION:
        return outcome
    return replace(
        outcome,
        verdict=Verdict.UNKNOWN,
        because=(Reason.ATTACKERS,),
        reading=None,
        facts={**outcome.facts, "would_decide": [f"whether {unit.label} attacked"]},
    )


def _judge_attacker(state: GameState, unit: Unit, params: AttackNeedsHq) -> Outcome:
    """Judge one unit; a masked one as each kind of unit that it can be, since it attacks."""
    if not unit.type.is_masked:
        return _judge_known(state, unit, params)
    outcomes = []
    for each in _representatives(state, unit):
        known = replace(unit, type=each)
        outcomes.append(_judge_known(state.with_units(known), known, params))
    if len({outcome.verdict for outcome in outcomes}) == 1:
        return outcomes[0]
    return Outcome(
        verdict=Verdict.UNKNOWN,
        message=f"{unit.label} is masked; whether it needed a headquarters to attack is not known",
        units=(unit.id,),
        because=(Reason.MASKED,),
        facts={"would_decide": [f"unit {unit.label}"]},
    )


def _representatives(state: GameState, unit: Unit) -> Iterator[UnitType]:
    """Yield one type of each nation whose unit a masked counter can be if it attacks."""
    headquarters = state.game.supply.headquarters_class
    fighters = [each for each in state.game.unit_types.values() if each.is_combat and not each.is_masked]
    own = [each for each in fighters if each.side == unit.side and each.unit_class != headquarters]
    yield from {each.nation: each for each in own}.values()


def _judge_known(state: GameState, unit: Unit, params: AttackNeedsHq) -> Outcome:
    if unit.type.nation not in params.nations:
        return Outcome(verdict=Verdict.LEGAL, units=(unit.id,))

    def traced(world: World) -> Ruling:
        if next(headquarters_in_reach(world, unit), None) is not None:
            return Ruling(is_legal=True)
        nearest = _nearest(world, unit)
        where = f"; the nearest is {nearest}" if nearest else ""
        nation = state.game.nations.get(str(unit.type.nation), unit.type.nation)
        return Ruling(
            is_legal=False,
            message=f"{unit.label} attacked without a {nation} headquarters in reach{where}",
            facts={"nearest": nearest},
        )

    def plain(world: World) -> Ruling:
        return Ruling(is_legal=any(_is_near(unit, each) for each in _headquarters(world, unit)))

    hexes = [unit.hex] if unit.hex is not None else []
    return outcome_of(state, traced, hexes=hexes, units=[unit.id], lenient=plain, reading=params.reading)


def _headquarters(world: World, unit: Unit) -> Iterator[Unit]:
    wanted = world.state.game.supply.headquarters_class
    for other in world.state.on_map(unit.side):
        is_headquarters = other.type.unit_class == wanted and other.type.nation == unit.type.nation
        if is_headquarters and not other.is_disrupted:
            yield other


def _is_near(unit: Unit, headquarters: Unit) -> bool:
    away, rating = _distance(unit, headquarters), headquarters.factors.leadership
    return away is None or not isinstance(rating, int) or away <= rating


def _distance(unit: Unit, other: Unit) -> int | None:
    return None if unit.hex is None or other.hex is None else distance(unit.hex, other.hex)


def _nearest(world: World, unit: Unit) -> str | None:
    known = [(away, other) for other in _headquarters(world, unit) if (away := _distance(unit, other)) is not None]
    if not known:
        return None
    away, other = min(known, key=lambda each: (each[0], each[1].id))
    at = world.name(other.hex) if other.hex is not None else "?"
    return f"{other.label} in {at}, {away} hexes away, rating {other.factors.leadership}"


def _candidates(state: GameState, act: Attack) -> list[Unit]:
    if state.phasing is None:
        return []
    return [unit for unit in state.on_map(state.phasing) if _may_attack(unit, act.target_hexes)]


def _judge_candidates(
    state: GameState, act: Attack, candidates: Sequence[Unit], params: AttackNeedsHq
) -> Iterator[Outcome]:
    """Judge an attack of which it is only known that at least one of the candidates made it."""
    if not candidates:
        return
    hexes = list(act.target_hexes)
    names = state.game.numbering.names(hexes)
    outcomes = [_judge_attacker(state, unit, params) for unit in candidates]
    broken = [each for each in outcomes if each.verdict is Verdict.VIOLATION and each.reading is None]
    units = tuple(unit.id for unit in candidates)
    if len(broken) == len(candidates):
        listed = ", ".join(unit.label for unit in candidates)
        yield Outcome(
            verdict=Verdict.VIOLATION,
            message=f"none that can have attacked {', '.join(names)} ({listed}) had a headquarters in reach",
            hexes=names,
            units=units,
            facts={"candidates": len(candidates)},
        )
    elif all(each.verdict is Verdict.LEGAL for each in outcomes):
        yield Outcome(verdict=Verdict.LEGAL, hexes=names, units=units)
    else:
        yield Outcome(
            verdict=Verdict.UNKNOWN,
            message=f"who attacked {', '.join(names)} was not declared, and only some had a headquarters in reach",
            hexes=names,
            units=units,
            because=(Reason.ATTACKERS,),
            facts={"would_decide": [f"attackers of {', '.join(names)}"]},
        )


def _may_attack(unit: Unit, targets: tuple[Hex, ...]) -> bool:
    if unit.hex is None or not unit.type.is_combat:
        return False
    return all(adjacent(unit.hex, target) for target in targets) and unit.factors.attack != 0
