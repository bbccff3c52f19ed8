"""Supply: Lines of Supply, Lines of Communications, and the sources at their far end.

A line is a path of hexes. It never enters a hex with an enemy unit, nor one in an enemy zone of control unless a
friendly unit stands there. A Line of Supply pays movement points and has a longest length; a Line of Communications
counts hexes, up to the rating of the headquarters at its end.

Every question here is put with the answer that helps the unit, so that a map of which little is known costs two
traces and not thousands (see :mod:`vassal_bridge.analysis.worlds`).
"""

from __future__ import annotations

import heapq
from collections import deque
from collections.abc import Callable, Iterator

from vassal_bridge.analysis.ground import Points, Step, ground_of
from vassal_bridge.analysis.movement import entry_cost, is_enemy_held
from vassal_bridge.analysis.worlds import Mistake, Unanswerable, World
from vassal_bridge.analysis.zoc import in_enemy_zoc, is_friendly_held
from vassal_bridge.board.hexes import Hex, distance, neighbours
from vassal_bridge.board.knowledge import Reason
from vassal_bridge.board.units import Flag, Side, Unit

__all__ = ["communications_length", "headquarters_in_reach", "is_source", "is_supplied", "line_cost"]


def is_supplied(world: World, unit: Unit) -> bool:
    """Tell whether a unit is in supply at this moment.

    Air units that show that they spent points may have supplied units that need no headquarters. Leaves out how many
    and how far away, and the grace of a unit in its phase of entry.
    """
    if not world.state.traces_supply:
        return Flag.OUT_OF_SUPPLY not in unit.flags
    if unit.type.is_masked:
        raise Unanswerable(world.unit_fact(Reason.MASKED, unit))
    fact = world.unit_fact(Reason.SUPPLY_SOURCE, unit, "supply of {}")
    if world.settle_monotone(fact, lambda lean: _is_traced(lean, unit)):
        return True
    return _may_be_supplied_by_air(world, unit) and world.settle(
        world.unit_fact(Reason.SUPPLY_SOURCE, unit, "supply of {} by air")
    )


def _may_be_supplied_by_air(world: World, unit: Unit) -> bool:
    if unit.type.nation in world.state.game.supply.through_headquarters or unit.hex is None:
        return False
    return any(each.has_spent_air for each in world.state.on_map(unit.side))


def _is_traced(world: World, unit: Unit) -> bool:
    if unit.hex is None or _is_barred(world, unit.hex):
        return False
    rules = world.state.game.supply
    is_headquarters = unit.type.unit_class == rules.headquarters_class
    if unit.type.nation not in rules.through_headquarters or is_headquarters:
        return _reaches_source(world, unit)
    if world.believes(Mistake.DIRECT_TRACE) and _reaches_source(world, unit):
        return True
    return any(
        world.believes(Mistake.HEADQUARTERS_UNSUPPLIED) or _is_traced(world, headquarters)
        for headquarters in headquarters_in_reach(world, unit)
    )


def _reaches_source(world: World, unit: Unit) -> bool:
    rules = world.state.game.supply
    is_headquarters = unit.type.unit_class == rules.headquarters_class
    unlimited = Mistake.HEADQUARTERS_LINE if is_headquarters else Mistake.LINE_LENGTH
    longest = None if world.believes(unlimited) else rules.line[unit.side]
    return line_cost(world, unit, longest=longest) is not None


# --- Line of Supply --------------------------------------------------------------------------------------------------


def line_cost(world: World, unit: Unit, *, longest: int | None = None) -> Points | None:
    """Return the cost of the cheapest Line of Supply to a source, in movement points; None if there is none.

    The hexes entered are paid, the source's included, the unit's own not.
    """
    start = unit.hex
    if start is None:
        return None
    ground, mobility, side = ground_of(world.state), world.state.game.supply.line_mobility, unit.side
    settled: set[Hex] = set()
    heap: list[tuple[Points, Hex]] = [(0, start)]
    while heap:
        cost, at = heapq.heappop(heap)
        if at in settled:
            continue
        settled.add(at)
        if is_source(world, at, unit):
            return cost
        for step in ground.steps(at):
            if step.to in settled or not step.is_on_map or not _admits_line(world, at, step, side):
                continue
            points = entry_cost(world, at, step.to, mobility=mobility, side=side, helps=True)
            if points is not None and (longest is None or cost + points <= longest):
                heapq.heappush(heap, (cost + points, step.to))
    return None


def _admits_line(world: World, a: Hex, step: Step, side: Side) -> bool:
    if step.bars_supply if step.is_known else _is_barred(world, step.to):
        return False
    return _is_passable(world, a, step, side)


def _is_barred(world: World, at: Hex) -> bool:
    return any(world.has_tag(at, tag, helps=False) for tag in sorted(world.state.game.supply.barred_tags))


def _is_passable(world: World, a: Hex, step: Step, side: Side) -> bool:
    """Tell whether a line of either kind may go from one hex into the next."""
    b = step.to
    if step.is_known:
        if step.bars_lines or (step.needs_own_city and not any(_is_own_city(world, at, side) for at in (a, b))):
            return False
    elif _may_be_barred(world, a, b, side):
        return False
    return not is_enemy_held(world, b, side, helps=False) and not (
        in_enemy_zoc(world, b, side, helps=False) and not is_friendly_held(world, b, side, helps=True)
    )


def _may_be_barred(world: World, a: Hex, b: Hex, side: Side) -> bool:
    rules = world.state.game.supply
    if any(world.has_feature(a, b, feature, helps=False) for feature in sorted(rules.barred_features)):
        return True
    needs_city = any(world.has_feature(a, b, feature, helps=False) for feature in sorted(rules.crossed_at_own_city))
    return needs_city and not any(_is_own_city(world, at, side) for at in (a, b))


def _is_own_city(world: World, at: Hex, side: Side) -> bool:
    return _is_city(world, at) and world.controls(side, at, helps=True)


def _is_city(world: World, at: Hex) -> bool:
    ground = ground_of(world.state)
    if ground.is_city(at) or ground.is_known(at):
        return ground.is_city(at)
    return any(world.has_tag(at, tag, helps=True) for tag in sorted(world.state.game.supply.city_tags))


# --- Line of Communications ------------------------------------------------------------------------------------------


def headquarters_in_reach(world: World, unit: Unit) -> Iterator[Unit]:
    """Yield the working headquarters of a unit's nation within whose rating, in hexes, it stands.

    A headquarters works unless it is disrupted; whether it is in supply itself is another question.
    """
    rules = world.state.game.supply
    doubtful: list[Unit] = []
    for other in world.state.on_map(unit.side):
        if other.is_disrupted or not (other.type.is_masked or other.type.unit_class == rules.headquarters_class):
            continue
        if other.type.nation not in (unit.type.nation, None) and not world.believes(Mistake.OTHER_NATION):
            continue
        rating = other.factors.leadership
        if not isinstance(rating, int):
            doubtful.append(other)
            continue
        within = None if world.believes(Mistake.RADIUS_IGNORED) else rating
        if within is not None and _is_farther(unit, other, within):
            continue
        if communications_length(world, unit, other, longest=within) is not None:
            yield other
    # One of these might do it, if it is a headquarters and its rating is high enough.
    for other in doubtful:
        raise Unanswerable(world.unit_fact(Reason.MASKED if other.type.is_masked else Reason.IDENTITY, other))


def _is_farther(unit: Unit, other: Unit, hexes: int) -> bool:
    away = distance(unit.hex, other.hex) if unit.hex is not None and other.hex is not None else None
    return away is not None and away > hexes


def communications_length(world: World, unit: Unit, headquarters: Unit, *, longest: int | None = None) -> int | None:
    """Return the length of the shortest Line of Communications, in hexes; None if there is none.

    It may pass mountain hexes, unlike a Line of Supply; rivers cost it nothing.
    """
    start, end = unit.hex, headquarters.hex
    if start is None or end is None:
        return None
    return _fewest_hexes(world, start, end, unit.side, longest)


def _fewest_hexes(world: World, start: Hex, end: Hex, side: Side, longest: int | None) -> int | None:
    ground = ground_of(world.state)
    lengths = {start: 0}
    queue = deque([start])
    while queue:
        at = queue.popleft()
        if at == end:
            return lengths[at]
        if longest is not None and lengths[at] + (distance(at, end) or 0) > longest:
            continue
        for step in ground.steps(at):
            if step.to in lengths or not step.is_on_map:
                continue
            is_closed = step.is_closed if step.is_known else not _is_enterable(world, step.to)
            if not is_closed and _is_passable(world, at, step, side):
                lengths[step.to] = lengths[at] + 1
                queue.append(step.to)
    return None


def _is_enterable(world: World, at: Hex) -> bool:
    """Tell whether any unit at all could stand in a hex."""
    entry = world.state.game.terrain.entry
    closed = [tag for tag, costs in entry.items() if not costs]
    return not any(world.has_tag(at, tag, helps=False) for tag in closed)


# --- Sources ---------------------------------------------------------------------------------------------------------


def is_source(world: World, at: Hex, unit: Unit) -> bool:
    """Tell whether a hex is a supply source for a unit."""
    state = world.state
    if state.sources is not None:
        return bool(state.sources.get(at, frozenset()) & {unit.side, str(unit.type.nation)})
    side, rules = unit.side, state.game.supply
    if _is_marked_truck(world, at, side):
        return True
    if not (_is_city(world, at) or _is_rail(world, at)):
        return False
    if side in rules.rail_edge_sides:
        return _is_water_city(world, at, side) or _is_joined_to_edge(world, at, side)
    if world.believes(Mistake.CAPTURED_IS_SOURCE) and world.controls(side, at):
        return True
    return _is_behind(world, at, side) or _is_cleared_to_rear(world, at, side)


def _is_rail(world: World, at: Hex) -> bool:
    ground = ground_of(world.state)
    if ground.is_rail(at) or ground.is_known(at):
        return ground.is_rail(at)
    return world.has_tag(at, world.state.game.supply.rail_tag, helps=True)


def _is_marked_truck(world: World, at: Hex, side: Side) -> bool:
    rules = world.state.game.supply
    if not any(unit.type.unit_class == rules.marker_class for unit in world.state.units_at(at, side)):
        return False
    if world.believes(Mistake.ANY_TRUCK):
        return True
    return any(marker.kind == rules.marker and marker.hex == at for marker in world.state.markers)


def _is_water_city(world: World, at: Hex, side: Side) -> bool:
    if not _is_city(world, at):
        return False
    if not (world.controls(side, at, helps=True) or world.believes(Mistake.WATER_CITY_LOST)):
        return False
    return _touches_water(world, at)


def _touches_water(world: World, at: Hex) -> bool:
    water = world.state.game.supply.water_feature
    return any(world.has_feature(at, beside, water, helps=True) for beside in neighbours(at))


def _is_joined_to_edge(world: World, at: Hex, side: Side) -> bool:
    """Tell whether own rail hexes lead from a hex to the map edge or to the great river."""
    if world.believes(Mistake.CHAIN_IGNORED):
        return _is_own_rail(world, at, side)
    joined = _joined_for_certain(world, at, side)
    if joined is not None:
        return joined
    return _rail_search(
        world,
        at,
        passes=lambda each: _is_own_rail(world, each, side),
        goal=lambda each: _is_outlet(world, each) and _is_own_rail(world, each, side),
    )


def _joined_for_certain(world: World, at: Hex, side: Side) -> bool | None:
    """Return the answer if no unknown fact touches it, remembered until control changes; None if one does."""
    state = world.state
    basis = (state.control, state.control_at_start, state.cleared)
    kept = state.phase_memo.get("joined")
    if kept is None or any(old is not new for old, new in zip(kept[0], basis, strict=True)):
        kept = state.phase_memo["joined"] = (basis, {})
    answers: dict[tuple[Hex, Side], bool | None] = kept[1]
    if (at, side) not in answers:
        sure = World(state)
        found = _rail_search(
            sure,
            at,
            passes=lambda each: _is_own_rail(sure, each, side),
            goal=lambda each: _is_outlet(sure, each) and _is_own_rail(sure, each, side),
        )
        answers[at, side] = None if sure.trail else found
    return answers[at, side]


def _is_own_rail(world: World, at: Hex, side: Side) -> bool:
    if at in world.state.cleared:
        return False
    return world.controls(side, at, helps=True) and world.controls(side, at, at_start=True, helps=True)


def _is_outlet(world: World, at: Hex) -> bool:
    return ground_of(world.state).is_at_edge(at) or _touches_water(world, at)


def _is_behind(world: World, at: Hex, side: Side) -> bool:
    tag = world.state.game.supply.behind_tag.get(side)
    if tag is None or not world.has_tag(at, tag, helps=True):
        return False
    return not is_enemy_held(world, at, side, helps=False) and world.controls(side, at, helps=True)


def _is_cleared_to_rear(world: World, at: Hex, side: Side) -> bool:
    if side not in world.state.game.supply.cleared_sides or at not in world.state.cleared:
        return False
    if world.believes(Mistake.CLEARED_CUT_OFF):
        return True
    return _rail_search(
        world,
        at,
        passes=lambda each: each in world.state.cleared and _is_open_to(world, each, side),
        goal=lambda each: (_is_city(world, each) or _is_rail(world, each)) and _is_behind(world, each, side),
    )


def _is_open_to(world: World, at: Hex, side: Side) -> bool:
    if is_enemy_held(world, at, side, helps=False):
        return False
    return is_friendly_held(world, at, side, helps=True) or not in_enemy_zoc(world, at, side, helps=False)


def _rail_search(world: World, start: Hex, *, passes: Callable[[Hex], bool], goal: Callable[[Hex], bool]) -> bool:
    if not passes(start):
        return False
    seen, queue = {start}, deque([start])
    while queue:
        at = queue.popleft()
        if goal(at):
            return True
        for beside in _joined(world, at):
            if beside in seen:
                continue
            seen.add(beside)
            if goal(beside):
                return True
            if passes(beside):
                queue.append(beside)
    return False


def _joined(world: World, at: Hex) -> Iterator[Hex]:
    """Yield the hexes joined by track, and the neighbouring hexes of the same city."""
    for beside in neighbours(at):
        if world.has_track(at, beside, helps=True) or (_is_city(world, at) and _is_city(world, beside)):
            yield beside
