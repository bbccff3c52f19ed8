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
    """The hexes whose control matters, by line, and the side behind whose front they lie.

    Attributes:
        owners: Hex -> side that holds it when a game begins.
        cheapest: What the cheapest hex of the game costs, in movement points.
    """

    owners: Mapping[Hex, Side | Unknown]
    cheapest: Fraction
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

    def longest_way(self, unit: Unit) -> int:
        """Return how many hexes a unit can enter in one phase at the very most, by its printed allowance."""
        movement = unit.factors.movement
        return int(movement / self.cheapest) if isinstance(movement, int) else _FASTEST

    def perhaps_entered(self, start: Hex, end: Hex, reach: int) -> Iterator[Hex]:
        """Yield the hexes that lie on some way between two hexes of at most ``reach`` hexes, the two left out."""
        between = distance(start, end)
        if between is None or reach < between or between == 1 == reach:
            return
        slack = (reach - between) // 2
        (q, r, sheet), (end_q, end_r, _) = start, end
        for line in range(min(r, end_r) - slack, max(r, end_r) + slack + 1):
            for at in self._lines.get((sheet, line), ()):
                if _apart(at.q - q, line - r) + _apart(at.q - end_q, line - end_r) <= reach and at not in (start, end):
                    yield at


def _apart(dq: int, dr: int) -> int:
    # As ``distance``, but for hexes known to be on one sheet: this runs for every railroad hex near every move.
    return (abs(dq) + abs(dr) + abs(dq + dr)) // 2


# A masked counter may be the fastest of its side; no printed allowance of any of the games is larger.
_FASTEST = 20


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
    costs = [cost for rates in game.terrain.entry.values() for cost in rates.values() if cost > 0]
    return Holdings(owners, min(costs, default=Fraction(1)), {line: tuple(hexes) for line, hexes in lines.items()})
