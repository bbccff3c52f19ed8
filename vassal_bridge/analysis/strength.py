"""Attack and defense strengths of a declared attack, and the odds column they give.

The order of operations is that of the printed games known so far: printed factor, complete division, supply,
headquarters on the attacking side; on the defending side terrain, then headquarters.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from vassal_bridge.analysis.stacking import complete_divisions
from vassal_bridge.analysis.supply import is_supplied
from vassal_bridge.analysis.worlds import Fact, Mistake, Unanswerable, World
from vassal_bridge.board.actions import Attack, Overrun
from vassal_bridge.board.game import PhaseKind
from vassal_bridge.board.hexes import Hex, adjacent
from vassal_bridge.board.knowledge import UNKNOWN, Reason
from vassal_bridge.board.units import Flag, Side, Unit, UnitId

__all__ = ["Strength", "attack_strength", "attackers_of", "defense_strength", "odds_column"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Strength:
    """A strength in strength points, and the sum that gave it, one term for each unit or bonus."""

    points: int
    terms: tuple[str, ...] = ()


# --- Attack ----------------------------------------------------------------------------------------------------------


def attackers_of(world: World, attack: Attack | Overrun) -> dict[UnitId, tuple[UnitId, ...]]:
    """Return the attackers of this world, each with the headquarters that lend it their strength.

    Raises:
        Unanswerable: Nobody declared the attackers.
    """
    if attack.force is UNKNOWN:
        hexes = ", ".join(world.name(at) for at in attack.target_hexes)
        raise Unanswerable(Fact(Reason.ATTACKERS, f"attackers of {hexes}"))
    found: dict[UnitId, tuple[UnitId, ...]] = {}
    for part in attack.force:
        unit = world.state.units[part.unit]
        if part.is_certain or world.settle(world.unit_fact(Reason.ATTACKERS, unit)):
            found[part.unit] = part.headquarters
    return found


def attack_strength(world: World, attack: Attack | Overrun) -> Strength:
    """Return the attack strength of a declared attack, in strength points."""
    taking_part = attackers_of(world, attack)
    units = [world.state.units[each] for each in taking_part]
    hexes = list(dict.fromkeys(unit.at for unit in units))
    terms: list[str] = []
    total = 0
    for at in hexes:
        here = [unit for unit in units if unit.at == at]
        points, part = _sum_of(world, here, attacks=True, pool=_pool(world, here))
        lenders = _lenders(world, attack, here, taking_part)
        for headquarters in lenders:
            bonus = min(_rating(world, headquarters), points)
            part = [*part, f"{headquarters.label} adds {bonus}"]
            points += bonus
        total += points
        terms += part
    if isinstance(attack, Overrun):
        total = max(total // 2, world.state.game.strength.minimum)
        terms.append(f"halved in an overrun: {total}")
    return Strength(points=total, terms=tuple(terms))


def _pool(world: World, here: Sequence[Unit]) -> Sequence[Unit]:
    """Return the units among which a division counts as complete: those of the hex, also if they do not attack."""
    if world.believes(Mistake.SCATTERED_DIVISION):
        return list(world.state.on_map(here[0].side))
    at = here[0].hex
    if at is None or world.believes(Mistake.ALL_MUST_ATTACK):
        return here
    return world.state.units_at(at, here[0].side)


def _lenders(
    world: World, attack: Attack | Overrun, here: Sequence[Unit], taking_part: dict[UnitId, tuple[UnitId, ...]]
) -> list[Unit]:
    rules = world.state.game.strength
    named = dict.fromkeys(each for unit in here for each in taking_part[unit.id])
    lenders = [world.state.units[each] for each in named]
    at = here[0].hex
    if isinstance(attack, Attack) and attack.is_by_hex and at is not None and not lenders:
        nations = {unit.type.nation for unit in here}
        for unit in world.state.units_at(at, here[0].side):
            is_lender = unit.type.unit_class == rules.headquarters_class and unit.type.nation in nations
            # The players named the hex only, so whether its headquarters lends its strength is open; one per stack.
            if is_lender and world.settle(world.unit_fact(Reason.ATTACKERS, unit, "{} lends its strength")):
                lenders.append(unit)
                break
    # A headquarters adds to the units of its own hex only, whatever was declared.
    return [unit for unit in lenders if unit.side in rules.headquarters_attack and unit.at == here[0].at]


# --- Defense ---------------------------------------------------------------------------------------------------------


def defense_strength(world: World, attack: Attack | Overrun) -> Strength:
    """Return the defense strength of all target hexes of an attack, in strength points."""
    terms: list[str] = []
    total = 0
    for at in attack.target_hexes:
        points, part = _defense_of(world, attack, at)
        total += points
        terms += part
    return Strength(points=total, terms=tuple(terms))


def _defense_of(world: World, attack: Attack | Overrun, at: Hex) -> tuple[int, list[str]]:
    rules = world.state.game.strength
    side = world.state.game.enemy(_side_of(world, attack))
    defenders = [
        unit for unit in world.state.units_at(at, side) if world.is_combat(unit) and Flag.FLED not in unit.flags
    ]
    fighters = [unit for unit in defenders if unit.type.unit_class != rules.headquarters_class]
    headquarters = [unit for unit in defenders if unit.type.unit_class == rules.headquarters_class]
    multiplier = _multiplier(world, attack, at)
    if not fighters:
        points = sum(_lone_rating(world, unit) for unit in headquarters)
        return points * multiplier, [f"{world.name(at)}: headquarters {points} x{multiplier}"]
    points, terms = _sum_of(world, fighters, attacks=False, pool=fighters)
    total = points * multiplier
    if multiplier > 1:
        terms.append(f"{world.name(at)}: x{multiplier} = {total}")
    if isinstance(attack, Attack) and side in rules.headquarters_defense_bonus and headquarters:
        bonus = _defense_bonus(world, headquarters, fighters, multiplier)
        if bonus:
            terms.append(f"headquarters adds {bonus}")
        total += bonus
    return total, terms


def _defense_bonus(world: World, headquarters: Sequence[Unit], fighters: Sequence[Unit], multiplier: int) -> int:
    best = 0
    for unit in headquarters:
        own = [fighter for fighter in fighters if fighter.type.nation == unit.type.nation]
        if own:
            points, _ = _sum_of(world, own, attacks=False, pool=fighters)
            best = max(best, min(_lone_rating(world, unit), points * multiplier))
    # In a record nobody says whether the owner used the bonus; a case says so by its numbers.
    if best and not world.state.is_fragment:
        fact = world.unit_fact(Reason.ATTACKERS, headquarters[0], "{} adds to the defense")
        return best if world.settle(fact) else 0
    return best


def _lone_rating(world: World, unit: Unit) -> int:
    divisor = world.state.game.strength.headquarters_defense_divisor.get(unit.side, 1)
    return _rating(world, unit) // divisor


def _rating(world: World, unit: Unit) -> int:
    return world.number(unit.factors.leadership, world.unit_fact(Reason.STRENGTH, unit))


def _multiplier(world: World, attack: Attack | Overrun, at: Hex) -> int:
    if world.believes(Mistake.TERRAIN_IGNORED):
        return 1
    rules = world.state.game.strength
    attackers = [world.state.units[each] for each in attackers_of(world, attack)]
    bonuses = []
    for tag, factor in rules.tag_bonus.items():
        if world.has_tag(at, tag):
            against = rules.tag_bonus_against.get(tag, {})
            bonuses.append(min([factor, *(against.get(str(unit.type.unit_class), factor) for unit in attackers)]))
    crossed = [_crossed_bonus(world, unit.hex, at) for unit in attackers if unit.hex is not None]
    if crossed and min(crossed) > 1 and not _cancelled_from_the_air(world, attack):
        bonuses.append(min(crossed))
    return rules.bonus_cap if len(bonuses) > 1 else max(bonuses, default=1)


def _cancelled_from_the_air(world: World, attack: Attack | Overrun) -> bool:
    """Tell whether air points took the bonus for a river away; how many each side spent, no record tells for certain.

    In a record they may have been if the attackers declared some, or an air unit of theirs shows that it spent one.
    """
    if world.state.is_fragment:
        return False
    side = _side_of(world, attack)
    declared = isinstance(attack, Attack) and attack.air > 0
    if not declared and not any(unit.has_spent_air for unit in world.state.on_map(side)):
        return False
    targets = ", ".join(world.name(at) for at in attack.target_hexes)
    return world.settle(Fact(Reason.ATTACKERS, f"air points spent on the attack of {targets}"))


def _crossed_bonus(world: World, start: Hex, target: Hex) -> int:
    if not adjacent(start, target):
        return 1
    bonuses = world.state.game.strength.side_bonus
    return max((factor for feature, factor in bonuses.items() if world.has_feature(start, target, feature)), default=1)


# --- Sums ------------------------------------------------------------------------------------------------------------


def _sum_of(world: World, units: Sequence[Unit], *, attacks: bool, pool: Sequence[Unit]) -> tuple[int, list[str]]:
    """Add up units of one hex: a complete division as one, everybody halved who is out of supply."""
    shares = list(_shares(world, units, attacks=attacks, pool=pool))
    if world.believes(Mistake.HALVED_AS_ONE):
        points, note = _in_supply(world, units, sum(printed for _, _, printed in shares))
        return points, [f"{', '.join(label for label, _, _ in shares)}{note} = {points}"]
    total = 0
    terms: list[str] = []
    for label, members, printed in shares:
        points, note = _in_supply(world, members, printed)
        total += points
        terms.append(f"{label}{note} = {points}" if note else label)
    return total, terms


def _shares(
    world: World, units: Sequence[Unit], *, attacks: bool, pool: Sequence[Unit]
) -> Iterator[tuple[str, list[Unit], int]]:
    """Yield what is supplied and halved as one: its label, its units, and its strength before supply."""
    factor = world.state.game.strength.complete_division_factor
    left = {unit.id: unit for unit in units}
    for regiments in complete_divisions(world, pool):
        members = [left.pop(unit.id) for unit in regiments if unit.id in left]
        if members:
            printed = sum(_printed(world, unit, attacks=attacks) for unit in members)
            yield f"division {members[0].division} {printed} x{factor}", members, printed * factor
    for unit in left.values():
        printed = _printed(world, unit, attacks=attacks)
        if world.believes(Mistake.ANY_DIVISION) and unit.side in _sides_with_divisions(world):
            printed *= factor
        yield f"{unit.label} {printed}", [unit], printed


def _sides_with_divisions(world: World) -> frozenset[Side]:
    nations = {kind.nation for kind in world.state.game.divisions}
    return frozenset(each.side for each in world.state.game.unit_types.values() if each.nation in nations)


def _in_supply(world: World, units: Iterable[Unit], points: int) -> tuple[int, str]:
    if world.believes(Mistake.NOT_HALVED) or all(is_supplied(world, unit) for unit in units):
        return points, ""
    rules = world.state.game.strength
    divisor = rules.unsupplied_divisor
    halved = -(-points // divisor) if world.believes(Mistake.HALVED_UP) else points // divisor
    least = 0 if world.believes(Mistake.NO_MINIMUM) else rules.minimum
    return max(halved, least), ", out of supply"


def _printed(world: World, unit: Unit, *, attacks: bool) -> int:
    factor = unit.factors.attack if attacks else unit.factors.defense
    if factor is None:
        return 0
    phase = world.state.phase
    if Flag.PERHAPS_HIT in unit.flags and phase is not None and phase.kind is PhaseKind.MOVEMENT:
        # The step that an earlier overrun of the phase may have cost it is perhaps not laid yet.
        raise Unanswerable(world.unit_fact(Reason.TABLE, unit, "steps that {} lost in the overrun"))
    return world.number(factor, world.unit_fact(Reason.STRENGTH, unit))


def _side_of(world: World, attack: Attack | Overrun) -> Side:
    if attack.force is not UNKNOWN and attack.force:
        return world.state.units[attack.force[0].unit].side
    if world.state.phasing is None:
        raise Unanswerable(Fact(Reason.PHASE, "phasing side"))
    return world.state.phasing


# --- Odds ------------------------------------------------------------------------------------------------------------


def odds_column(world: World, attack: int, defense: int) -> str:
    """Return the column of two strengths, rounded in the defender's favour, within the printed columns."""
    rules = world.state.game.strength
    low, high = int(rules.lowest.split(":")[1]), int(rules.highest.split(":")[0])
    if attack >= defense:
        return f"{min(high, attack // max(defense, 1))}:1"
    return f"1:{min(low, -(-defense // max(attack, 1)))}"
