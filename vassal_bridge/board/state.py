"""The typed game at one moment: what stands where, in which phase, and what happened shortly before."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from typing import Any

from vassal_bridge.board.actions import Action
from vassal_bridge.board.game import Game, Phase
from vassal_bridge.board.hexes import Hex
from vassal_bridge.board.knowledge import Reason, Unknown
from vassal_bridge.board.terrain import Terrain
from vassal_bridge.board.units import Side, Unit, UnitId

__all__ = ["GameState", "Marker", "Past"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Marker:
    """A marker on a hex, and the side that placed it where that matters."""

    kind: str
    hex: Hex
    side: Side | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Past:
    """An act of the past with the phase and turn it was done in."""

    action: Action
    phase: Phase | None
    turn: str | None


@dataclass(frozen=True, slots=True, kw_only=True)
class GameState:
    """The game at one moment.

    Attributes:
        game: The rule set's definitions.
        terrain: What is known of the map.
        units: All units, on the map and in boxes; dead ones stay.
        phase: The phase in force, None if that is not known.
        turn: The game-turn or month, as the game counts.
        control: Who controls a hex (rail and city hexes); UNKNOWN where nobody knows.
        control_at_start: The same at the start of the turn or player-turn.
        last_passed: Side whose unit entered a hex last.
        cleared: Rail hexes cleared in an earlier turn.
        markers: Markers on the map.
        sources: Supply sources, hex -> sides or nations, where they are stated; None if they follow from the map.
        is_fragment: True for a case: what it does not mention is so that it does not matter.
        traces_supply: False where a unit is in supply unless its flag says otherwise.
        phase_start: The units as they stood when the phase began.
        control_at_phase_start: Control at that moment; None where it has not changed since.
        past: What was done before, oldest first, this phase last.
        act: The act being judged; the rest of the state is as it was before it.
        phase_memo: What the analysis has worked out of the position at the start of the phase.
        memo: What the analysis has worked out of this very state.
        index: The units by hex, beside the mapping of units that they are of.
        unseen: Reasons for which history before the record, or a gap in it, may hold more than ``past``.
    """

    game: Game
    terrain: Terrain
    units: Mapping[UnitId, Unit]
    phase: Phase | None = None
    turn: str | None = None
    control: Mapping[Hex, Side | Unknown] = field(default_factory=dict)
    control_at_start: Mapping[Hex, Side | Unknown] = field(default_factory=dict)
    last_passed: Mapping[Hex, Side] = field(default_factory=dict)
    cleared: frozenset[Hex] = frozenset()
    markers: frozenset[Marker] = frozenset()
    sources: Mapping[Hex, frozenset[str]] | None = None
    is_fragment: bool = False
    traces_supply: bool = True
    phase_start: Mapping[UnitId, Unit] = field(default_factory=dict)
    control_at_phase_start: Mapping[Hex, Side | Unknown] | None = None
    past: tuple[Past, ...] = ()
    act: Action | None = None
    unseen: frozenset[Reason] = frozenset()
    # The analysis puts values of its own types here, of which this layer knows nothing.
    phase_memo: dict[Any, Any] = field(default_factory=dict, compare=False, repr=False)
    memo: dict[Any, Any] = field(default_factory=dict, init=False, compare=False, repr=False)
    index: tuple[object, Mapping[Hex, tuple[Unit, ...]]] = field(default=(None, {}), compare=False, repr=False)

    @property
    def phasing(self) -> Side | None:
        """The side whose phase it is."""
        return self.phase.side if self.phase else None

    def by_hex(self) -> Mapping[Hex, tuple[Unit, ...]]:
        """Return the units on the map by hex, those of a hex in the order in which they came there."""
        of, hexes = self.index
        # The index is kept beside the units that it is of; a state with other units makes its own.
        if of is not self.units:
            lists: dict[Hex, list[Unit]] = {}
            for unit in self.units.values():
                if isinstance(unit.at, Hex):
                    lists.setdefault(unit.at, []).append(unit)
            hexes = {at: tuple(units) for at, units in lists.items()}
            object.__setattr__(self, "index", (self.units, hexes))
        return hexes

    def units_at(self, at: Hex, side: Side | None = None) -> tuple[Unit, ...]:
        """Return the units in a hex, of one side if one is given."""
        units = self.by_hex().get(at, ())
        return units if side is None else tuple(unit for unit in units if unit.side == side)

    def on_map(self, side: Side | None = None) -> Iterator[Unit]:
        """Yield the units on the map, of one side if one is given."""
        for unit in self.units.values():
            if isinstance(unit.at, Hex) and (side is None or unit.side == side):
                yield unit

    def acts_of_phase(self) -> Iterator[Action]:
        """Yield what was done earlier in this phase, the latest first; acts of no known phase belong to any."""
        for past in reversed(self.past):
            if past.turn != self.turn or (past.phase is not None and past.phase != self.phase):
                return
            yield past.action

    def with_units(self, *changed: Unit) -> GameState:
        """Return the state with these units in place of those with the same ids."""
        units = dict(self.units)
        hexes = dict(self.by_hex())
        for unit in changed:
            before = units.get(unit.id)
            if before is not None and isinstance(before.at, Hex):
                hexes[before.at] = tuple(each for each in hexes[before.at] if each.id != unit.id)
            if isinstance(unit.at, Hex):
                hexes[unit.at] = (*hexes.get(unit.at, ()), unit)
            units[unit.id] = unit
        return replace(self, units=units, index=(units, hexes))
