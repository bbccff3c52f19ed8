"""Retreats after combat: which ways are open to a unit, and what bars the others."""

from __future__ import annotations

import itertools
from collections.abc import Iterator
from enum import StrEnum

from vassal_bridge.analysis.movement import can_enter, is_enemy_held
from vassal_bridge.analysis.stacking import is_within_limit
from vassal_bridge.analysis.worlds import World
from vassal_bridge.analysis.zoc import in_enemy_zoc, is_friendly_held
from vassal_bridge.board.hexes import Hex, adjacent, distance, neighbours
from vassal_bridge.board.units import Unit

__all__ = ["Obstacle", "barred_at", "exits", "is_vacant", "obstacles", "shortest_paths", "vacant_ways"]


class Obstacle(StrEnum):
    """What bars a hex to a retreating unit."""

    ZONE = "zone"
    CLOSED = "closed"
    STACKING = "stacking"


def barred_at(world: World, unit: Unit, a: Hex, b: Hex) -> Iterator[Obstacle]:
    """Yield what bars the step of a retreating unit from one hex into the next.

    ZONE: an enemy zone of control over a hex without a friendly unit. CLOSED: enemy units, terrain that the unit cannot
    enter, a hexside that no retreat crosses. STACKING: the limit would be broken there.
    """
    if is_enemy_held(world, b, unit.side) or not can_enter(world, unit, b) or _is_closed_side(world, a, b):
        yield Obstacle.CLOSED
    if in_enemy_zoc(world, b, unit.side) and not is_friendly_held(world, b, unit.side, besides=unit):
        yield Obstacle.ZONE
    company = [other for other in world.state.units_at(b, unit.side) if other.id != unit.id]
    if not is_within_limit(world, [*company, unit]):
        yield Obstacle.STACKING


def _is_closed_side(world: World, a: Hex, b: Hex) -> bool:
    if not adjacent(a, b):
        return True
    crossing = world.state.game.terrain.crossing
    closed = world.state.game.zoc.blocked_by | {feature for feature, costs in crossing.items() if not costs}
    return any(world.has_feature(a, b, feature) for feature in sorted(closed))


def obstacles(world: World, unit: Unit, path: tuple[Hex, ...]) -> Iterator[tuple[Obstacle, Hex]]:
    """Yield what bars a retreat along a path, with the hex, in the order of the path."""
    for a, b in itertools.pairwise(path):
        for obstacle in barred_at(world, unit, a, b):
            yield obstacle, b


def shortest_paths(start: Hex, end: Hex) -> Iterator[tuple[Hex, ...]]:
    """Yield the shortest paths between two hexes, start and end included; none between sheets."""
    if start == end:
        yield (start,)
        return
    length = distance(start, end)
    if length is None:
        return
    for beside in neighbours(start):
        if distance(beside, end) == length - 1:
            for rest in shortest_paths(beside, end):
                yield (start, *rest)


def vacant_ways(world: World, unit: Unit, start: Hex, hexes: int) -> Iterator[tuple[Hex, ...]]:
    """Yield the open retreats of a number of hexes, ending at that distance, over hexes without friendly units."""
    yield from _extend(world, unit, (start,), hexes)


def _extend(world: World, unit: Unit, path: tuple[Hex, ...], hexes: int) -> Iterator[tuple[Hex, ...]]:
    if len(path) > hexes:
        yield path
        return
    for beside in neighbours(path[-1]):
        farther = distance(path[0], beside) == len(path)
        if farther and is_vacant(world, beside, unit) and not any(barred_at(world, unit, path[-1], beside)):
            yield from _extend(world, unit, (*path, beside), hexes)


def is_vacant(world: World, at: Hex, unit: Unit) -> bool:
    """Tell whether no other combat unit of the unit's side stands in a hex."""
    others = world.state.units_at(at, unit.side)
    return not any(other.id != unit.id and world.is_combat(other) for other in others)


def exits(world: World, unit: Unit) -> frozenset[Hex]:
    """Return the neighbouring hexes that a retreat could enter."""
    if unit.hex is None:
        return frozenset()
    return frozenset(at for at in neighbours(unit.hex) if not any(barred_at(world, unit, unit.hex, at)))
