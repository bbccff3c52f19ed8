"""Answer the queries of cases with the engine's own analysis.

An answer is worked out in one world (:mod:`vassal_bridge.analysis.worlds`) and compared in every world that fits what
the case leaves open: it is ``unknown`` where the worlds differ.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import cast

from vassal_bridge.analysis.movement import cheapest, path_cost
from vassal_bridge.analysis.retreat import exits
from vassal_bridge.analysis.stacking import count, is_within_limit
from vassal_bridge.analysis.strength import attack_strength, defense_strength, odds_column
from vassal_bridge.analysis.supply import communications_length, is_supplied, line_cost
from vassal_bridge.analysis.worlds import Ruling, Unanswerable, World, decide
from vassal_bridge.analysis.zoc import covers
from vassal_bridge.audit.arithmetic import answer_by_arithmetic, is_arithmetic
from vassal_bridge.board.actions import Attack, Overrun, Path, Query
from vassal_bridge.board.hexes import Hex, distance, neighbours
from vassal_bridge.board.state import GameState
from vassal_bridge.board.units import Side, Unit, UnitId
from vassal_bridge.rulebook.words import Vocabulary

__all__ = ["Comparison", "Unanswered", "compare"]


class Unanswered(Exception):  # noqa: N818 - a signal to the runner, not an error
    """The engine has no answer to such a query yet; the text says which."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Comparison:
    """A stated answer beside the engine's; ``found`` is "unknown" where worlds differ."""

    query: Query
    found: object

    @property
    def is_right(self) -> bool:
        """True if the two are the same."""
        return self.found == self.query.answer

    def __str__(self) -> str:
        return f"{self.query.verb}: {_shown(self.found)} instead of {_shown(self.query.answer)}"


def compare(state: GameState, query: Query, vocabulary: Vocabulary) -> Comparison:
    """Compare the answer that a query states with the engine's.

    Raises:
        Unanswered: The engine cannot answer such a query yet.
    """
    if is_arithmetic(query):
        return Comparison(query=query, found=answer_by_arithmetic(query, vocabulary, state))
    if query.verb not in _ANSWERS:
        raise Unanswered(f"the query `{query.verb}` is not answered yet")
    return Comparison(query=query, found=_found(state, query, _ANSWERS[query.verb]))


Answer = Callable[[World, Query], object]


def _found(state: GameState, query: Query, answer: Answer) -> object:
    try:
        first = answer(World(state), query)
    except Unanswerable:
        return "unknown"
    decision = decide(state, lambda world: Ruling(is_legal=answer(world, query) == first))
    return first if decision.is_legal else "unknown"


def _shown(answer: object) -> str:
    if isinstance(answer, frozenset):
        return f"{len(answer)} hexes"
    return "none" if answer is None else str(answer)


def _unit(world: World, query: Query, key: str = "unit") -> Unit:
    return world.state.units[UnitId(str(query.arguments[key]))]


def _hex(query: Query, key: str = "hex") -> Hex:
    return cast("Hex", query.arguments[key])


def _hexes(query: Query, key: str = "hexes") -> tuple[Hex, ...]:
    return cast("tuple[Hex, ...]", query.arguments[key])


# --- Zones, supply, stacking -----------------------------------------------------------------------------------------


def _zoc(world: World, query: Query) -> object:
    """Return ``covers`` or ``spares`` where that holds of all hexes asked, else ``some``; or the whole zone."""
    of = str(query.arguments["of"])
    units = [world.state.units[UnitId(of)]] if UnitId(of) in world.state.units else world.state.on_map(Side(of))
    zones = list(units)
    if "hexes" not in query.arguments:
        return frozenset(at for unit in zones for at in _around(unit) if covers(world, unit, at))
    asked = _hexes(query)
    covered = [at for at in asked if any(covers(world, unit, at) for unit in zones)]
    return "covers" if len(covered) == len(asked) else "some" if covered else "spares"


def _around(unit: Unit) -> tuple[Hex, ...]:
    return () if unit.hex is None else tuple(neighbours(unit.hex))


def _supply(world: World, query: Query) -> object:
    return "in" if is_supplied(world, _unit(world, query)) else "out"


def _supply_cost(world: World, query: Query) -> object:
    return line_cost(world, _unit(world, query))


def _communications(world: World, query: Query) -> object:
    return communications_length(world, _unit(world, query), _unit(world, query, "hq"))


def _stack(world: World, query: Query) -> object:
    units = world.state.units_at(_hex(query), Side(str(query.arguments["side"])))
    return "ok" if is_within_limit(world, units) else "over"


def _stack_count(world: World, query: Query) -> object:
    return count(world, world.state.units_at(_hex(query), Side(str(query.arguments["side"]))))


# --- Numbers of moves ------------------------------------------------------------------------------------------------


def _path_cost(world: World, query: Query) -> object:
    """Return what the dearest unit of a stack pays for a path of which every hex is known."""
    path = cast("Path", query.arguments["path"])
    hexes = tuple(point for point in path.points if isinstance(point, Hex))
    costs = [path_cost(world, unit, hexes) for unit in _units(world, query)]
    return max(cost for cost in costs if cost is not None) if None not in costs else None


def _least_cost(world: World, query: Query) -> object:
    path = cast("Path", query.arguments["path"])
    start, end = cast("Hex", path.start), cast("Hex", path.end)
    ways = [cheapest(world, unit, start, end) for unit in _units(world, query)]
    return max(way.cost for way in ways if way is not None) if None not in ways else None


def _units(world: World, query: Query) -> Iterator[Unit]:
    return (world.state.units[unit] for unit in cast("tuple[UnitId, ...]", query.arguments["units"]))


def _way(world: World, query: Query) -> object:
    """Return how many hexes a retreat went: along its hexes, or at least if only its ends are known."""
    path = cast("Path", query.arguments["path"])
    if path.is_complete:
        return len(path.points) - 1
    return distance(cast("Hex", path.start), cast("Hex", path.end))


# --- Strengths and retreats ------------------------------------------------------------------------------------------


def _attack_strength(world: World, query: Query) -> object:
    return attack_strength(world, _attack(world, query)).points


def _defense_strength(world: World, query: Query) -> object:
    return defense_strength(world, _attack(world, query)).points


def _odds(world: World, query: Query) -> object:
    attack = _attack(world, query)
    return odds_column(world, attack_strength(world, attack).points, defense_strength(world, attack).points)


def _attack(world: World, query: Query) -> Attack | Overrun:
    """Return the attack asked about: the one at hand, or the last one declared under a label."""
    if at_hand := query.arguments.get("attack"):
        return cast("Attack | Overrun", at_hand)
    label = query.arguments.get("label", query.arguments.get("of"))
    for past in reversed(world.state.past):
        if isinstance(past.action, Attack | Overrun) and past.action.label == label:
            return past.action
    raise Unanswered(f"no attack #{label} was declared")


def _exits(world: World, query: Query) -> object:
    return exits(world, _unit(world, query))


_ANSWERS: Mapping[str, Answer] = {
    "zoc": _zoc,
    "supply": _supply,
    "supply-cost": _supply_cost,
    "loc": _communications,
    "stack": _stack,
    "stack-count": _stack_count,
    "path-cost": _path_cost,
    "way": _way,
    "att": _attack_strength,
    "def": _defense_strength,
    "odds": _odds,
    "exits": _exits,
    "least-cost": _least_cost,
}
