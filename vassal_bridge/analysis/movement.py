"""Movement: what a hex costs, what a unit may spend, and where it can go.

Costs and allowances are movement points, as fractions. Zones of control stop a unit: it may end its move in an enemy
zone, not pass through one.
"""

from __future__ import annotations

import heapq
from collections.abc import Iterator
from dataclasses import dataclass, replace
from itertools import pairwise

from vassal_bridge.analysis.ground import Points, Step, ground_of
from vassal_bridge.analysis.worlds import Mistake, World
from vassal_bridge.analysis.zoc import in_enemy_zoc
from vassal_bridge.board.hexes import Hex, distance, neighbours
from vassal_bridge.board.knowledge import Reason
from vassal_bridge.board.units import Side, Unit

__all__ = [
    "Reach",
    "allowance",
    "at_phase_start",
    "can_enter",
    "cheapest",
    "could_go_by_rail",
    "entry_cost",
    "is_enemy_held",
    "is_on_map",
    "is_toward_lower",
    "path_cost",
]


def entry_cost(world: World, a: Hex, b: Hex, *, mobility: str, side: Side, helps: bool | None = None) -> Points | None:
    """Return what it costs to go from one hex into the next, in movement points; None if that is prohibited.

    ``helps`` is given (True) where cheap is good for the act and every question may be put that way.
    Leaves out who stands there, zones of control, and interdiction markers.
    """
    step = ground_of(world.state).step(a, b)
    # Along a friendly railroad all terrain is clear; that hexside surcharges vanish too is the reading in use.
    if step.is_known:
        if step.has_track and world.controls(side, b, helps=helps):
            return step.clear[mobility]
        return step.costs[mobility, side]
    return _doubtful_cost(world, step, a, mobility=mobility, side=side, helps=helps)


def _doubtful_cost(world: World, step: Step, a: Hex, *, mobility: str, side: Side, helps: bool | None) -> Points | None:
    hurts = None if helps is None else not helps
    effects, b = world.state.game.terrain, step.to
    stated = world.state.terrain.costs.get(b)
    ground: Points | None = stated if stated is not None else _ground_cost(world, b, mobility, hurts=hurts)
    if ground is None:
        return None
    if world.has_track(a, b, helps=helps) and world.controls(side, b, helps=helps):
        return effects.entry["clear"][mobility]
    for feature, costs in effects.crossing.items():
        if world.has_feature(a, b, feature, helps=hurts):
            if side not in costs:
                return None
            ground += costs[side]
    return ground


def _ground_cost(world: World, at: Hex, mobility: str, *, hurts: bool | None) -> Points | None:
    cost: Points = world.state.game.terrain.entry["clear"][mobility]
    for tag, costs in world.state.game.terrain.entry.items():
        if tag != "clear" and world.has_tag(at, tag, helps=hurts):
            if mobility not in costs:
                return None
            cost = max(cost, costs[mobility])
    return cost


def can_enter(world: World, unit: Unit, at: Hex, *, helps: bool | None = None) -> bool:
    """Tell whether a unit can stand in a hex at all: it is on the map and its terrain is open to the unit."""
    if not is_on_map(world, at):
        return False
    hurts = None if helps is None else not helps
    return _ground_cost(world, at, world.mobility(unit), hurts=hurts) is not None


def is_on_map(world: World, at: Hex) -> bool:
    """Tell whether a hex lies on the map as far as it is in use."""
    return ground_of(world.state).is_on_map(at)


def allowance(world: World, unit: Unit, *, is_supplied: bool) -> int:
    """Return what a unit may spend in this phase, in movement points, less what it has spent."""
    printed = world.number(unit.factors.movement, world.unit_fact(Reason.IDENTITY, unit))
    strength = world.state.game.strength
    if not is_supplied and not world.believes(Mistake.NOT_HALVED):
        printed = max(printed // strength.unsupplied_divisor, strength.minimum)
    return printed - unit.spent


@dataclass(frozen=True, slots=True, kw_only=True)
class Reach:
    """The cheapest way to a hex.

    Attributes:
        cost: In movement points.
        path: The hexes, start and end included.
    """

    cost: Points
    path: tuple[Hex, ...]


def cheapest(
    world: World, unit: Unit, start: Hex, end: Hex, *, limit: Points | None = None, honours_zones: bool = True
) -> Reach | None:
    """Return the cheapest way of a unit from one hex to another, None if there is none within the limit.

    With ``honours_zones`` no hex between the two is in an enemy zone of control. Questions are put with the answer
    that helps the unit.
    """
    ground = ground_of(world.state)
    mobility, side = world.mobility(unit), unit.side
    least = _least_cost(world, mobility)
    came: dict[Hex, Hex] = {}
    # What is left is at least the distance at the least cost of a hex: the search keeps to the straight way if it can.
    ahead = _far(start, end) * least
    heap: list[tuple[Points, Points, Hex, Hex]] = [(ahead, 0, start, start)]
    while heap:
        _, spent, at, before = heapq.heappop(heap)
        if at in came:
            continue
        came[at] = before
        if at == end:
            return Reach(cost=-spent, path=tuple(reversed(list(_back(came, end)))))
        if honours_zones and at != start and in_enemy_zoc(world, at, side, helps=False):
            continue
        for step in ground.steps(at):
            beside = step.to
            if beside in came or not step.is_on_map or is_enemy_held(world, beside, side, helps=False):
                continue
            cost = entry_cost(world, at, beside, mobility=mobility, side=side, helps=True)
            if cost is None:
                continue
            total = cost - spent
            least_total = total + _far(beside, end) * least
            if limit is None or least_total <= limit:
                heapq.heappush(heap, (least_total, -total, beside, at))
    return None


def _least_cost(world: World, mobility: str) -> Points:
    """Return the least that entering any hex can cost."""
    if world.state.terrain.costs:
        return 0
    costs = [entry[mobility] for entry in world.state.game.terrain.entry.values() if mobility in entry]
    return min(costs).__floor__()


def _far(a: Hex, b: Hex) -> int:
    # Between sheets nothing is known of the distance, so nothing is gained by it.
    return distance(a, b) or 0


def _back(came: dict[Hex, Hex], at: Hex) -> Iterator[Hex]:
    yield at
    while came[at] != at:
        at = came[at]
        yield at


def is_enemy_held(world: World, at: Hex, side: Side, *, helps: bool | None = None) -> bool:
    """Tell whether an enemy combat unit stands in a hex; trucks and air units alone do not hold it."""
    units = world.state.by_hex().get(at, ())
    return any(unit.side != side and world.is_combat(unit, helps=helps) for unit in units)


def path_cost(world: World, unit: Unit, path: tuple[Hex, ...]) -> Points | None:
    """Return what a path costs, in movement points; None if a step of it is prohibited or not to a neighbour."""
    total: Points = 0
    mobility = world.mobility(unit)
    for a, b in pairwise(path):
        if distance(a, b) != 1:
            return None
        step = entry_cost(world, a, b, mobility=mobility, side=unit.side)
        if step is None:
            return None
        total += step
    return total


def could_go_by_rail(world: World, unit: Unit, start: Hex, end: Hex) -> bool:
    """Tell whether rail movement from one hex to another is at all conceivable.

    Generous on purpose: control, cost and capacity are not looked at, only that track, a city or a special link leads
    there and that no enemy unit or zone lies on it.
    """
    seen, queue = {start}, [start]
    if in_enemy_zoc(world, start, unit.side):
        return False
    while queue:
        at = queue.pop()
        if at == end:
            return True
        linked = [b if a == at else a for a, b in world.state.terrain.links if at in (a, b)]
        for beside in (*neighbours(at), *linked):
            if beside in seen or not (
                beside in linked or world.has_track(at, beside) or _is_in_one_city(world, at, beside)
            ):
                continue
            seen.add(beside)
            if not is_enemy_held(world, beside, unit.side) and not in_enemy_zoc(world, beside, unit.side):
                queue.append(beside)
    return False


def _is_in_one_city(world: World, a: Hex, b: Hex) -> bool:
    ground = ground_of(world.state)
    return ground.is_city(a) and ground.is_city(b)


def is_toward_lower(start: Hex, end: Hex) -> bool:
    """Tell whether a way of steps toward lower positions only leads from one hex to another.

    Such steps are those along the line and the two diagonal ones: doubled position falls by two or by one.
    """
    if start.sheet != end.sheet or start == end:
        return False
    doubled = (2 * end.q + end.r) - (2 * start.q + start.r)
    return doubled <= -abs(end.r - start.r)


def at_phase_start(world: World) -> World:
    """Return the right world of the position at the start of the phase, for questions that are settled then."""
    state = world.state
    if not state.phase_start:
        return world
    start = state.phase_memo.get("state")
    if start is None:
        control = state.control if state.control_at_phase_start is None else state.control_at_phase_start
        start = state.phase_memo["state"] = replace(state, units=state.phase_start, control=control, act=None)
    return World(start, mistake=world.mistake)
