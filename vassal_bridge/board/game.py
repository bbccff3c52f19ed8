"""What a rule set says about its game before any rule: sides, phases, unit types, definitions that many rules share.

The tables come from ``rules/<game>/``; a number that only one rule uses is a parameter of that rule instead.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Literal, NewType

from vassal_bridge.board.hexes import HexNumbering
from vassal_bridge.board.terrain import TerrainEffects
from vassal_bridge.board.units import Side, UnitType

__all__ = [
    "Division",
    "Game",
    "Phase",
    "PhaseId",
    "PhaseKind",
    "StackingLimits",
    "StrengthRules",
    "SupplyRules",
    "ZocRules",
]

PhaseId = NewType("PhaseId", str)


class PhaseKind(StrEnum):
    """What a phase is for."""

    MOVEMENT = "movement"
    COMBAT = "combat"
    OTHER = "other"


@dataclass(frozen=True, slots=True, kw_only=True)
class Phase:
    """A phase of the sequence of play.

    Attributes:
        id: ``side.phase`` (``ax.combat``), or a bare word for a phase of no side.
        name: As printed.
        kind: What it is for.
        side: The phasing side, None for a phase of no side.
        allows: Special acts of this phase: ``rail``, ``overrun``, ``withdrawal``, ``one-hex`` (a unit may always move
            one hex).
    """

    id: PhaseId
    name: str
    kind: PhaseKind
    side: Side | None = None
    allows: frozenset[str] = frozenset()


@dataclass(frozen=True, slots=True, kw_only=True)
class ZocRules:
    """Where zones of control reach, and who has one.

    Attributes:
        blocked_by: Features of a hexside that a zone does not cross.
        kept_out_of: Tag of a hex -> unit classes whose zones reach into it all the same.
        silent_flags: Status words of units that have no zone.
    """

    blocked_by: frozenset[str]
    kept_out_of: Mapping[str, frozenset[str]]
    silent_flags: frozenset[str]


@dataclass(frozen=True, slots=True, kw_only=True)
class StackingLimits:
    """How many units of one side may be in a hex.

    Attributes:
        units: Limit in units that count.
        exceptional: Limit if one of ``exceptional_class`` is among them.
        exceptional_class: Unit class that raises the limit.
        divisions_count_as: What a complete division of :class:`Division` counts, in units.
    """

    units: int
    exceptional: int
    exceptional_class: str
    divisions_count_as: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Division:
    """A kind of division that is more than its regiments: which of them make it complete.

    Attributes:
        pattern: Regular expression for the division's name.
        regiments: Unit class -> number of regiments.
        nation: Nationality.
    """

    pattern: str
    nation: str
    regiments: Mapping[str, int]


@dataclass(frozen=True, slots=True, kw_only=True)
class StrengthRules:
    """How attack and defense strengths are formed.

    Attributes:
        unsupplied_divisor: A unit out of supply has its strength divided by this, fractions dropped.
        minimum: No strength falls below this.
        complete_division_factor: A complete division's strength is multiplied by this.
        bonus_cap: Defensive multiplier where two or more bonuses meet.
        tag_bonus: Tag of the defender's hex -> multiplier.
        tag_bonus_against: Tag -> attacking unit class -> multiplier instead.
        side_bonus: Feature crossed by all attackers -> multiplier.
        headquarters_class: Unit class with a leadership rating.
        headquarters_attack: Sides whose headquarters add their rating to attacks.
        headquarters_defense_divisor: Side -> divisor of the rating when it defends (alone, or as a bonus).
        headquarters_defense_bonus: Sides whose headquarters add to the defense of units in their hex.
        lowest, highest: First and last odds column; other odds use these.
    """

    unsupplied_divisor: int
    minimum: int
    complete_division_factor: int
    bonus_cap: int
    tag_bonus: Mapping[str, int]
    tag_bonus_against: Mapping[str, Mapping[str, int]]
    side_bonus: Mapping[str, int]
    headquarters_class: str
    headquarters_attack: frozenset[Side]
    headquarters_defense_divisor: Mapping[Side, int]
    headquarters_defense_bonus: frozenset[Side]
    lowest: str
    highest: str


@dataclass(frozen=True, slots=True, kw_only=True)
class SupplyRules:
    """How supply is traced.

    Attributes:
        line: Side -> longest Line of Supply, in movement points.
        line_mobility: Mobility whose costs a line pays.
        through_headquarters: Nations supplied only by way of a headquarters of their own.
        headquarters_class: Unit class with a leadership rating in hexes.
        barred_tags: Tags of hexes that no Line of Supply enters.
        barred_features: Features of hexsides that no line crosses.
        crossed_at_own_city: Features crossed only from or to a friendly city hex.
        city_tags: Tags of city hexes, which count as rail hexes.
        rail_tag: Tag of a rail hex without drawn track.
        behind_tag: Side -> tag of hexes whose rail or city hexes are its sources.
        rail_edge_sides: Sides whose rail hexes are sources if own rail leads to the map edge or ``water_feature``.
        edges: The map edges that supply comes from -> letters of the sheets that end there.
        water_feature: Feature along which own city hexes are sources.
        cleared_sides: Sides whose cleared rail hexes are sources if joined to those of ``behind_tag``.
        marker_class: Unit class that is a source while it stands with ``marker``.
        marker: Marker that makes it one.
    """

    line: Mapping[Side, int]
    line_mobility: str
    through_headquarters: frozenset[str]
    headquarters_class: str
    barred_tags: frozenset[str]
    barred_features: frozenset[str]
    crossed_at_own_city: frozenset[str]
    city_tags: frozenset[str]
    rail_tag: str
    behind_tag: Mapping[Side, str]
    rail_edge_sides: frozenset[Side]
    edges: Mapping[Literal["N", "E", "S"], frozenset[str]]
    water_feature: str
    cleared_sides: frozenset[Side]
    marker_class: str
    marker: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Game:
    """A rule set's definitions.

    Attributes:
        id: Name of the folder (``rules/<id>``).
        title: The printed game.
        prefix: Prefix of full rule ids.
        version: Version of the rule set.
        sides: The factions, two of them.
        numbering: How hexes are numbered.
        phases: In the order of play.
        unit_types: By code.
        terrain: The terrain effects chart.
        zoc: Zones of control.
        stacking: Stacking limits.
        supply: How supply is traced.
        strength: How strengths are formed.
        divisions: Divisions that are more than their regiments.
        nations: Nationality -> its printed name.
    """

    id: str
    title: str
    prefix: str
    version: str
    sides: tuple[Side, Side]
    numbering: HexNumbering
    phases: Mapping[PhaseId, Phase]
    unit_types: Mapping[str, UnitType]
    terrain: TerrainEffects
    zoc: ZocRules
    stacking: StackingLimits
    supply: SupplyRules
    strength: StrengthRules
    divisions: tuple[Division, ...] = ()
    nations: Mapping[str, str] = field(default_factory=dict)

    def enemy(self, side: Side) -> Side:
        """Return the other side."""
        first, second = self.sides
        return second if side == first else first
