"""How many units a stack counts, and whether that is allowed."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence

from vassal_bridge.analysis.worlds import Mistake, World
from vassal_bridge.board.game import Division
from vassal_bridge.board.knowledge import UNKNOWN
from vassal_bridge.board.units import Unit

__all__ = ["complete_divisions", "count", "is_within_limit", "limit_of"]


def count(world: World, units: Iterable[Unit]) -> int:
    """Return what units of one side in one hex count, in units."""
    counting = [unit for unit in units if _counts(world, unit)]
    total = len(counting)
    if world.believes(Mistake.REGIMENTS_COUNT):
        return total
    for regiments in complete_divisions(world, counting):
        total -= len(regiments) - world.state.game.stacking.divisions_count_as
    return total


def _counts(world: World, unit: Unit) -> bool:
    if world.believes(Mistake.EVERYTHING_COUNTS):
        return True
    return world.unit_type(unit, lambda each: each.is_stacking)


def limit_of(world: World, units: Iterable[Unit]) -> int:
    """Return the limit for a stack, in units; some classes raise it."""
    limits = world.state.game.stacking
    raised = any(world.unit_type(unit, lambda each: each.unit_class == limits.exceptional_class) for unit in units)
    return limits.exceptional if raised else limits.units


def is_within_limit(world: World, units: Sequence[Unit]) -> bool:
    """Tell whether units of one side may be in one hex together."""
    total = count(world, units)
    # Who raises the limit need not be asked where it does not matter.
    if total <= world.state.game.stacking.units:
        return True
    return total <= limit_of(world, units)


def complete_divisions(world: World, units: Sequence[Unit]) -> Iterator[tuple[Unit, ...]]:
    """Yield the regiments of each division that is complete among units in one hex.

    A division that has lost a regiment for good is never complete again.
    """
    names = sorted({str(unit.division) for unit in units if unit.division not in (None, UNKNOWN)})
    for name in names:
        kind = _kind_of(world, name)
        if kind is None:
            continue
        members = [unit for unit in units if _may_be_regiment(unit, kind) and world.belongs_to(unit, name)]
        if world.believes(Mistake.LOST_REGIMENT):
            lost = [each for each in world.state.units.values() if each.division == name and each.hex is None]
            needed = Counter(kind.regiments) - Counter(str(unit.type.unit_class) for unit in lost)
        else:
            needed = Counter(kind.regiments)
        present = Counter(str(unit.type.unit_class) for unit in members)
        if members and needed <= present:
            yield tuple(members)


def _kind_of(world: World, name: str) -> Division | None:
    for kind in world.state.game.divisions:
        if re.fullmatch(kind.pattern, name):
            return kind
    return None


def _may_be_regiment(unit: Unit, kind: Division) -> bool:
    return unit.type.nation == kind.nation and unit.type.unit_class in kind.regiments
