"""The map as tables: what each step from hex to hex costs and what it stops, worked out once per map.

Searches ask the same few questions about the same hexsides thousands of times. Where nothing about a step is unknown
the answer stands here; where something is, the searches ask their :class:`~vassal_bridge.analysis.worlds.World`.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import Literal

from vassal_bridge.board.game import Game
from vassal_bridge.board.hexes import Hex, hexside, neighbours
from vassal_bridge.board.state import GameState
from vassal_bridge.board.terrain import Terrain

__all__ = ["Ground", "Points", "Step", "ground_of"]

Points = int | Fraction


@dataclass(frozen=True, slots=True, kw_only=True)
class Step:
    """A step from one hex into the next.

    Attributes:
        to: The hex entered.
        is_on_map: It lies on the map as far as that is in use.
        is_known: Nothing about the hexside or the hex entered is unknown; the rest holds only then.
        has_track: A railroad joins the two.
        stops_zones: No zone of control crosses the hexside.
        keeps_zones_out: A tag of the hex entered keeps some zones out of it.
        bars_lines: No line of any kind crosses the hexside.
        needs_own_city: The hexside is crossed only from or to a friendly city hex.
        bars_supply: No Line of Supply enters the hex.
        is_closed: Nobody at all can enter the hex.
        costs: Mobility and side -> movement points without the railroad; None if prohibited.
        clear: Mobility -> movement points along a friendly railroad; None if the hex is closed to it.
    """

    to: Hex
    is_on_map: bool
    is_known: bool
    has_track: bool
    stops_zones: bool
    keeps_zones_out: bool
    bars_lines: bool
    needs_own_city: bool
    bars_supply: bool
    is_closed: bool
    costs: Mapping[tuple[str, str], Points | None]
    clear: Mapping[str, Points | None]


class Ground:
    """The tables of one map under one rule set, filled as they are asked for."""

    __slots__ = ("_edge", "_game", "_rail", "_steps", "_terrain")

    def __init__(self, game: Game, terrain: Terrain) -> None:
        self._game = game
        self._terrain = terrain
        self._steps: dict[Hex, tuple[Step, ...]] = {}
        self._edge: dict[Hex, bool] = {}
        self._rail = frozenset(at for side in terrain.tracks for at in side)

    def steps(self, at: Hex) -> tuple[Step, ...]:
        """Return the six steps out of a hex, those off the map included."""
        found = self._steps.get(at)
        if found is None:
            found = self._steps[at] = tuple(self._step(at, beside) for beside in neighbours(at))
        return found

    def step(self, a: Hex, b: Hex) -> Step:
        """Return the step from a hex into one of its neighbours."""
        for step in self.steps(a):
            if step.to == b:
                return step
        raise ValueError(f"{b} is no neighbour of {a}")

    def is_on_map(self, at: Hex) -> bool:
        """Tell whether a hex lies on the map as far as it is in use."""
        terrain = self._terrain
        if terrain.land is not None:
            return at in terrain.land
        lines = terrain.lines.get(at.sheet)
        return self._game.numbering.is_printed(at) and (lines is None or lines[0] <= at.r <= lines[1])

    def is_at_edge(self, at: Hex) -> bool:
        """Tell whether a hex lies on one of the map edges that supply comes from.

        On the maps known so far lines grow southwards and positions westwards.
        """
        found = self._edge.get(at)
        if found is None:
            edges = self._game.supply.edges
            found = self._edge[at] = any(at.sheet in edges[edge] and self._borders(at, edge) for edge in edges)
        return found

    def _borders(self, at: Hex, edge: Literal["N", "E", "S"]) -> bool:
        numbering, lines = self._game.numbering, self._terrain.lines.get(at.sheet)
        match edge:
            case "E":
                return not numbering.is_printed(Hex(at.q - 1, at.r, at.sheet))
            case "N":
                return not numbering.is_printed(Hex(at.q, at.r - 1, at.sheet))
            case "S":
                return lines is not None and at.r == lines[1]

    def is_known(self, at: Hex) -> bool:
        """Tell whether all that holds of a hex is known."""
        return self._terrain.is_complete and at not in self._terrain.unknown_hexes

    def is_rail(self, at: Hex) -> bool:
        """Tell whether drawn track runs through a hex, or a tag says that there is a railroad."""
        return at in self._rail or self._game.supply.rail_tag in self._terrain.tags.get(at, ())

    def is_city(self, at: Hex) -> bool:
        """Tell whether a hex is a city hex, as far as is known."""
        return not self._game.supply.city_tags.isdisjoint(self._terrain.tags.get(at, ()))

    def _step(self, a: Hex, b: Hex) -> Step:
        game, terrain, side = self._game, self._terrain, hexside(a, b)
        tags = terrain.tags.get(b, frozenset())
        features = terrain.features.get(side, frozenset())
        supply = game.supply
        clear = {mobility: self._ground_cost(b, tags, mobility) for mobility in game.terrain.entry["clear"]}
        return Step(
            to=b,
            is_on_map=self.is_on_map(b),
            is_known=self.is_known(b) and side not in terrain.unknown_sides,
            has_track=side in terrain.tracks,
            stops_zones=not features.isdisjoint(game.zoc.blocked_by),
            keeps_zones_out=not tags.isdisjoint(game.zoc.kept_out_of),
            bars_lines=not features.isdisjoint(supply.barred_features),
            needs_own_city=not features.isdisjoint(supply.crossed_at_own_city),
            bars_supply=not tags.isdisjoint(supply.barred_tags),
            is_closed=any(not costs and tag in tags for tag, costs in game.terrain.entry.items()),
            costs={
                (mobility, each): None if cost is None else self._with_crossing(cost, features, each)
                for mobility, cost in clear.items()
                for each in game.sides
            },
            clear={
                mobility: None if cost is None else _plain(game.terrain.entry["clear"][mobility])
                for mobility, cost in clear.items()
            },
        )

    def _ground_cost(self, at: Hex, tags: frozenset[str], mobility: str) -> Points | None:
        stated = self._terrain.costs.get(at)
        if stated is not None:
            return stated
        entry = self._game.terrain.entry
        cost = entry["clear"][mobility]
        for tag in tags & entry.keys():
            if mobility not in entry[tag]:
                return None
            cost = max(cost, entry[tag][mobility])
        return _plain(cost)

    def _with_crossing(self, cost: Points, features: frozenset[str], side: str) -> Points | None:
        crossing = self._game.terrain.crossing
        for feature in features & crossing.keys():
            if side not in crossing[feature]:
                return None
            cost += _plain(crossing[feature][side])
        return cost


def _plain(cost: Fraction) -> Points:
    # Whole numbers add up many times faster than fractions, and most costs are whole.
    return cost.numerator if cost.denominator == 1 else cost


def ground_of(state: GameState) -> Ground:
    """Return the tables of a state's map, which all states on that map share."""
    memo = state.terrain.memo
    ground: Ground | None = memo.get(state.game.id)
    if ground is None:
        ground = memo[state.game.id] = Ground(state.game, state.terrain)
    return ground
