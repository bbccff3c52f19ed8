"""Who fought whom in a phase, as far as the record shows: whose journey afterwards can be a retreat or an advance.

Turn trackers are not kept up. So a journey after a roll is a retreat only if the unit was attacked, or attacked itself,
and if it is short; it is an advance only if it follows an enemy who left. Everything else may belong to a later phase.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace

from vassal_bridge.audit.journeys import Change
from vassal_bridge.board.actions import Attack, Overrun
from vassal_bridge.board.hexes import Hex, adjacent, distance
from vassal_bridge.board.knowledge import UNKNOWN
from vassal_bridge.board.state import GameState
from vassal_bridge.board.units import Side, Unit, UnitId

__all__ = ["LONGEST_RETREAT", "Fights", "can_be_retreat", "is_beside_enemy"]

# In hexes. The tables of the games known so far tell nobody to retreat farther.
LONGEST_RETREAT = 3


@dataclass(frozen=True, slots=True, kw_only=True)
class Fights:
    """The combats of a phase.

    Attributes:
        has_rolled: A combat die was thrown in this phase.
        targets: Hexes that were attacked.
        attackers: Units that were declared to attack.
        lost: Side -> hexes that its combat units have left, those left out from which they advanced.
    """

    has_rolled: bool = False
    targets: frozenset[Hex] = frozenset()
    attackers: frozenset[UnitId] = frozenset()
    lost: Mapping[Side, frozenset[Hex]]

    def with_roll(self, act: Attack | Overrun | None) -> Fights:
        """Return the fights with one more, of which ``act`` tells whatever is known."""
        if act is None:
            return replace(self, has_rolled=True)
        force = () if act.force is UNKNOWN else act.force
        declared = {each for part in force for each in (part.unit, *part.headquarters)}
        return replace(
            self,
            has_rolled=True,
            targets=self.targets | set(act.target_hexes),
            attackers=self.attackers | declared,
        )

    def with_changes(self, state: GameState, changes: Mapping[UnitId, Change]) -> Fights:
        """Return the fights after what was done in a segment."""
        if not self.has_rolled or state.phasing is None:
            return self
        attacker, defender = state.phasing, state.game.enemy(state.phasing)
        won = self.lost.get(defender, frozenset()) | _left(state, changes, defender, won=frozenset())
        given_up = self.lost.get(attacker, frozenset()) | _left(state, changes, attacker, won=won)
        return replace(self, lost={defender: won, attacker: given_up})

    def is_retreat_of_defender(self, start: Hex, end: Hex) -> bool:
        """Tell whether a unit that was not phasing can have gone there because it was attacked."""
        return start in self.targets and can_be_retreat(start, end)

    def is_retreat_of_attacker(self, unit: UnitId, start: Hex, end: Hex) -> bool:
        """Tell whether a unit can have gone there because its attack failed.

        Into a hex that was attacked it advances, also where the enemy is still to be dragged out of it.
        """
        return unit in self.attackers and end not in self.targets and can_be_retreat(start, end)

    def is_advance(self, start: Hex, end: Hex, enemy: Side) -> bool:
        """Tell whether a unit went into a hex that the enemy beside it left, or into one beside that."""
        return any(adjacent(start, at) and (end == at or adjacent(end, at)) for at in self.lost.get(enemy, ()))


def can_be_retreat(start: Hex, end: Hex) -> bool:
    """Tell whether a journey is short enough for a retreat."""
    away = distance(start, end)
    return away is not None and away <= LONGEST_RETREAT


def is_beside_enemy(state: GameState, at: Hex, side: Side) -> bool:
    """Tell whether a combat unit of the other side stands beside a hex."""
    enemies = state.on_map(state.game.enemy(side))
    return any(unit.type.is_combat and unit.hex is not None and adjacent(unit.hex, at) for unit in enemies)


def _left(state: GameState, changes: Mapping[UnitId, Change], side: Side, *, won: frozenset[Hex]) -> frozenset[Hex]:
    """Return the hexes that a side has left, but for those that it left only to advance into what it has won."""
    left: set[Hex] = set()
    still: set[Hex] = set()
    for unit, after in _fighters(state.on_map(side), changes):
        assert unit.hex is not None
        end = None if after is None else after.hex
        if end != unit.hex and not _is_in_or_beside(end, won):
            left.add(unit.hex)
        if after is not None and after.hex is not None:
            still.add(after.hex)
    return frozenset(left - still)


def _is_in_or_beside(at: Hex | None, hexes: Iterable[Hex]) -> bool:
    return at is not None and any(at == each or adjacent(at, each) for each in hexes)


def _fighters(units: Iterable[Unit], changes: Mapping[UnitId, Change]) -> Iterator[tuple[Unit, Unit | None]]:
    for unit in units:
        if unit.type.is_combat:
            change = changes.get(unit.id)
            yield unit, unit if change is None else change.after
