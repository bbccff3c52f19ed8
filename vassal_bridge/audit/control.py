"""Who controls the rail and city hexes: at a game's start, and after a move whose way nobody saw."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from fractions import Fraction

from vassal_bridge.board.game import Game
from vassal_bridge.board.hexes import Hex, distance
from vassal_bridge.board.knowledge import UNKNOWN, Unknown
from vassal_bridge.board.terrain import Terrain
from vassal_bridge.board.units import Side, Unit, UnitId

__all__ = ["Holdings", "holdings_of"]


@dataclass(frozen=True, slots=True)
class Holdings:
    """The hexes whose control matters, by line, and the side behind whose front they lie."""

    owners: Mapping[Hex, Side | Unknown]
    _lines: Mapping[tuple[str, int], tuple[Hex, ...]]

    def at_opening(self) -> dict[Hex, Side | Unknown]:
        """Return control when a game begins: each side holds what lies behind its front on the map."""
        return dict(self.owners)

    def in_mid_game(self, units: Mapping[UnitId, Unit]) -> dict[Hex, Side | Unknown]:
        """Return what a position in mid-game tells of control: a hex is its occupant's, else nobody knows."""
        known: dict[Hex, Side | Unknown] = dict.fromkeys(self.owners, UNKNOWN)
        for unit in units.values():
            if unit.hex is not None and unit.hex in known and unit.type.is_combat:
                known[unit.hex] = unit.side
        return known

    def perhaps_entered(self, start: Hex, end: Hex, reach: int) -> Iterator[Hex]:
        """Yield the hexes that lie on some way between two hexes of at most ``reach`` hexes, the two left out."""
        between = distance(start, end)
        if between is None or reach < between or between == 1 == reach:
            return
        slack = (reach - between) // 2
        for line in range(min(start.r, end.r) - slack, max(start.r, end.r) + slack + 1):
            for at in self._lines.get((start.sheet, line), ()):
                if at not in (start, end) and (distance(start, at) or 0) + (distance(at, end) or 0) <= reach:
                    yield at


def holdings_of(game: Game, terrain: Terrain) -> Holdings:
    """Return the rail and city hexes of a map.

    A hex with the tag of a side belongs to that side at the start; one without any tag belongs to the side that has no
    tag of its own, and is unknown if both have one.
    """
    supply = game.supply
    marked = {tag: side for side, tag in supply.behind_tag.items()}
    others = [side for side in game.sides if side not in supply.behind_tag]
    default: Side | Unknown = others[0] if len(others) == 1 else UNKNOWN
    wanted = supply.city_tags | {supply.rail_tag}
    on_track = {at for side in terrain.tracks for at in side}
    owners: dict[Hex, Side | Unknown] = {}
    for at in sorted(on_track | {at for at, tags in terrain.tags.items() if tags & wanted}):
        tags = terrain.tags.get(at, frozenset())
        owners[at] = next((side for tag, side in marked.items() if tag in tags), default)
    lines: dict[tuple[str, int], list[Hex]] = {}
    for at in owners:
        lines.setdefault((at.sheet, at.r), []).append(at)
    return Holdings(owners, {line: tuple(hexes) for line, hexes in lines.items()})


def longest_way(game: Game, unit: Unit) -> int:
    """Return how many hexes a unit can enter in one phase at the very most, by its printed allowance.

    A masked counter, or one whose allowance is not readable, may be the fastest of its side.
    """
    movement = unit.factors.movement
    costs = [cost for rates in game.terrain.entry.values() for cost in rates.values() if cost > 0]
    cheapest = min(costs, default=Fraction(1))
    if not isinstance(movement, int):
        return _FASTEST
    return int(movement / cheapest)


# No printed allowance of any of the games is larger.
_FASTEST = 20
