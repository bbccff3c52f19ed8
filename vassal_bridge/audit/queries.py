"""Answer the queries of cases with the engine's own analysis.

An answer is worked out in one world (:mod:`vassal_bridge.analysis.worlds`) and compared in every world that fits what
the case leaves open: it is ``unknown`` where the worlds differ.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import cast

from vassal_bridge.analysis import questions
from vassal_bridge.analysis.movement import cheapest, path_cost
from vassal_bridge.analysis.retreat import exits
from vassal_bridge.analysis.stacking import count
from vassal_bridge.analysis.supply import communications_length, line_cost
from vassal_bridge.analysis.worlds import Ruling, Unanswerable, World, decide
from vassal_bridge.analysis.zoc import covers
from vassal_bridge.audit.arithmetic import answer_by_arithmetic, is_arithmetic
from vassal_bridge.board.actions import Overrun, Path, Query
from vassal_bridge.board.hexes import Hex, distance, neighbours
from vassal_bridge.board.knowledge import UNKNOWN
from vassal_bridge.board.state import GameState
from vassal_bridge.board.units import Side, Unit, UnitId
from vassal_bridge.rulebook.words import Vocabulary

__all__ = ["Comparison", "Unanswered", "check_label", "compare"]


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
    check_label(state, query)
    if is_arithmetic(query):
        return Comparison(query=query, found=answer_by_arithmetic(query, vocabulary, state))
    found = questions.answer if questions.is_answered(query) else _ANSWERS.get(query.verb)
    if found is None:
        raise Unanswered(f"the query `{query.verb}` is not answered yet")
    return Comparison(query=query, found=_found(state, query, found))


def check_label(state: GameState, query: Query) -> None:
    """Make sure that the attack asked about was declared.

    Raises:
        Unanswered: There is no attack of that label.
    """
    label = query.arguments.get("label")
    if label is not None and questions.labelled_attack(World(state), str(label)) is None:
        raise Unanswered(f"no attack #{label} was declared")


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


# --- Answers beside those that players may claim ---------------------------------------------------------------------


def _zone(world: World, query: Query) -> object:
    """Return the whole zone of control of a side or unit."""
    of = str(query.arguments["of"])
    units = [world.state.units[UnitId(of)]] if UnitId(of) in world.state.units else world.state.on_map(Side(of))
    return frozenset(at for unit in units if unit.hex for at in neighbours(unit.hex) if covers(world, unit, at))


def _supply_cost(world: World, query: Query) -> object:
    return line_cost(world, _unit(world, query))


def _communications(world: World, query: Query) -> object:
    return communications_length(world, _unit(world, query), _unit(world, query, "hq"))


def _stack_count(world: World, query: Query) -> object:
    return count(world, world.state.units_at(_hex(query), Side(str(query.arguments["side"]))))


# --- Numbers of moves ------------------------------------------------------------------------------------------------


def _path_cost(world: World, query: Query) -> object:
    """Return what the dearest unit of a stack pays for a path of which every hex is known."""
    path = cast("Path", query.arguments["path"])
    hexes = tuple(point for point in path.points if isinstance(point, Hex))
    costs = [path_cost(world, unit, _paid(world, unit, hexes)) for unit in _units(world, query)]
    return max(cost for cost in costs if cost is not None) if None not in costs else None


def _paid(world: World, unit: Unit, hexes: tuple[Hex, ...]) -> tuple[Hex, ...]:
    """Return the part of a path that costs points: the entry of a hex won by an overrun of this phase is free."""
    acts = [past.action for past in world.state.past if past.phase == world.state.phase]
    won = {at for act in acts if isinstance(act, Overrun) and _took_part(act, unit) for at in act.target_hexes}
    return hexes[1:] if hexes[1] in won else hexes


def _took_part(overrun: Overrun, unit: Unit) -> bool:
    return overrun.force is not UNKNOWN and any(part.unit == unit.id for part in overrun.force)


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


def _exits(world: World, query: Query) -> object:
    return exits(world, _unit(world, query))


_ANSWERS: Mapping[str, Answer] = {
    "exits": _exits,
    "least-cost": _least_cost,
    "loc": _communications,
    "path-cost": _path_cost,
    "stack-count": _stack_count,
    "supply-cost": _supply_cost,
    "way": _way,
    "zone": _zone,
}
