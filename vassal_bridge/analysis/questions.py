"""Answer questions about a position in one world: what players claim, and what cases ask.

A question is a :class:`~vassal_bridge.board.actions.Query`; an answer is the word or number that its verb has in the
case notation (``in``, ``covers``, ``2:1``, 16).
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from itertools import chain

from vassal_bridge.analysis.stacking import is_within_limit
from vassal_bridge.analysis.strength import attack_strength, defense_strength, odds_column
from vassal_bridge.analysis.supply import is_supplied
from vassal_bridge.analysis.worlds import Mistake, World
from vassal_bridge.analysis.zoc import covers
from vassal_bridge.board.actions import Attack, Overrun, Query
from vassal_bridge.board.hexes import Hex
from vassal_bridge.board.units import Side, UnitId

__all__ = ["MISTAKES", "answer", "is_answered", "labelled_attack"]


def is_answered(query: Query) -> bool:
    """Tell whether there is an answer to such a question."""
    return query.verb in _ANSWERS


def answer(world: World, query: Query) -> object:
    """Return the answer in this world.

    Raises:
        Unanswerable: It rests on a number that nothing bounds.
    """
    return _ANSWERS[query.verb](world, query)


def labelled_attack(world: World, label: str) -> Attack | Overrun | None:
    """Return the attack last declared under a label, the act being judged included; None if there is none."""
    state = world.state
    for act in chain([state.act], (past.action for past in reversed(state.past))):
        if isinstance(act, Attack | Overrun) and act.label == label:
            return act
    return None


def _attack(world: World, query: Query) -> Attack | Overrun:
    found = labelled_attack(world, str(query.arguments["label"]))
    if found is None:
        raise KeyError(f"no attack #{query.arguments['label']} was declared")
    return found


def _attack_points(world: World, query: Query) -> object:
    return attack_strength(world, _attack(world, query)).points


def _defense_points(world: World, query: Query) -> object:
    return defense_strength(world, _attack(world, query)).points


def _odds(world: World, query: Query) -> object:
    attack = _attack(world, query)
    return odds_column(world, attack_strength(world, attack).points, defense_strength(world, attack).points)


def _allowed(world: World, query: Query) -> object:
    # Hopeless attacks are allowed; only a side without any strength cannot attack.
    return "yes" if attack_strength(world, _attack(world, query)).points > 0 else "no"


def _supply(world: World, query: Query) -> object:
    return "in" if is_supplied(world, world.state.units[UnitId(str(query.arguments["unit"]))]) else "out"


def _zoc(world: World, query: Query) -> object:
    of = str(query.arguments["of"])
    units = [world.state.units[UnitId(of)]] if UnitId(of) in world.state.units else list(world.state.on_map(Side(of)))
    hexes = query.arguments["hexes"]
    assert isinstance(hexes, tuple)
    covered = [at for at in hexes if any(covers(world, unit, at) for unit in units)]
    return "covers" if len(covered) == len(hexes) else "some" if covered else "spares"


def _stack(world: World, query: Query) -> object:
    at = query.arguments["hex"]
    assert isinstance(at, Hex)
    units = world.state.units_at(at, Side(str(query.arguments["side"])))
    return "ok" if is_within_limit(world, units) else "over"


_ANSWERS: Mapping[str, Callable[[World, Query], object]] = {
    "allowed": _allowed,
    "att": _attack_points,
    "def": _defense_points,
    "odds": _odds,
    "stack": _stack,
    "supply": _supply,
    "zoc": _zoc,
}

_STRENGTH = (
    Mistake.HALVED_AS_ONE,
    Mistake.ALL_MUST_ATTACK,
    Mistake.NOT_HALVED,
    Mistake.HALVED_UP,
    Mistake.NO_MINIMUM,
    Mistake.TERRAIN_IGNORED,
    Mistake.SCATTERED_DIVISION,
    Mistake.LOST_REGIMENT,
    Mistake.ANY_DIVISION,
)

# What can explain a wrong answer to such a question, the likeliest first: another reading of the rules, a rule
# forgotten, a rule made up.
MISTAKES: Mapping[str, tuple[Mistake, ...]] = {
    "allowed": (Mistake.NO_MINIMUM,),
    "att": _STRENGTH,
    "def": _STRENGTH,
    "odds": _STRENGTH,
    "stack": (Mistake.REGIMENTS_COUNT, Mistake.EVERYTHING_COUNTS),
    "supply": (
        Mistake.ZONE_CANCELS,
        Mistake.CHAIN_IGNORED,
        Mistake.WATER_CITY_LOST,
        Mistake.CAPTURED_IS_SOURCE,
        Mistake.CLEARED_CUT_OFF,
        Mistake.ANY_TRUCK,
        Mistake.RADIUS_IGNORED,
        Mistake.HEADQUARTERS_UNSUPPLIED,
        Mistake.DIRECT_TRACE,
        Mistake.OTHER_NATION,
        Mistake.HEADQUARTERS_LINE,
        Mistake.LINE_LENGTH,
    ),
    "zoc": (Mistake.MOUNTAIN_ZONE, Mistake.RIVER_ZONE, Mistake.SILENT_ZONE),
}
