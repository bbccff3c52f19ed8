"""Zones of control: who has one and where it reaches."""

from __future__ import annotations

from collections.abc import Iterator

from vassal_bridge.analysis.ground import ground_of
from vassal_bridge.analysis.worlds import Fact, Mistake, World
from vassal_bridge.board.hexes import Hex, adjacent, neighbours
from vassal_bridge.board.knowledge import Reason
from vassal_bridge.board.units import Flag, Side, Unit

__all__ = ["controllers", "covers", "exerts", "in_enemy_zoc", "is_friendly_held"]


def exerts(world: World, unit: Unit, *, helps: bool | None = None) -> bool:
    """Tell whether a unit has a zone of control at all; ``helps``: whether it would favour the act that it has one."""
    if not isinstance(unit.at, Hex):
        return False
    # Most units bear no flag at all, and this is asked more often than anything else.
    if unit.flags and _is_silent(world, unit, helps=helps):
        return False
    return world.is_combat(unit, helps=helps)


def _is_silent(world: World, unit: Unit, *, helps: bool | None) -> bool:
    silent = world.state.game.zoc.silent_flags | {Flag.HIT}
    if not silent.isdisjoint(unit.flags) and not world.believes(Mistake.SILENT_ZONE):
        return True
    return Flag.PERHAPS_HIT in unit.flags and not world.settle(_disruption(world, unit), helps=helps)


def _disruption(world: World, unit: Unit) -> Fact:
    return world.unit_fact(Reason.TABLE, unit, "whether {} was disrupted")


def covers(world: World, unit: Unit, at: Hex, *, helps: bool | None = None) -> bool:
    """Tell whether a hex is in a unit's zone of control.

    A zone is that of the moment: it does not look at supply, nor at who stands in the hex.
    """
    if unit.hex is None or not adjacent(unit.hex, at) or not exerts(world, unit, helps=helps):
        return False
    step = ground_of(world.state).step(unit.hex, at)
    if step.is_known and world.mistake is None:
        return not step.stops_zones and not (step.keeps_zones_out and _is_kept_out(world, unit, at, helps=helps))
    return not _is_stopped(world, unit.hex, at, helps=helps) and not _is_kept_out(world, unit, at, helps=helps)


def _is_stopped(world: World, a: Hex, b: Hex, *, helps: bool | None) -> bool:
    if world.believes(Mistake.RIVER_ZONE):
        return False
    hinders = None if helps is None else not helps
    return any(world.has_feature(a, b, feature, helps=hinders) for feature in sorted(world.state.game.zoc.blocked_by))


def _is_kept_out(world: World, unit: Unit, at: Hex, *, helps: bool | None) -> bool:
    if world.believes(Mistake.MOUNTAIN_ZONE):
        return False
    hinders = None if helps is None else not helps
    return any(
        world.has_tag(at, tag, helps=hinders) and not _is_of(world, unit, classes, helps=helps)
        for tag, classes in world.state.game.zoc.kept_out_of.items()
    )


def _is_of(world: World, unit: Unit, classes: frozenset[str], *, helps: bool | None) -> bool:
    return world.unit_type(unit, lambda each: each.unit_class in classes, helps=helps)


def controllers(world: World, at: Hex, side: Side, *, helps: bool | None = None) -> Iterator[Unit]:
    """Yield the units of the other side in whose zones a hex lies."""
    state = world.state
    index = state.by_hex()
    for beside in neighbours(at):
        for unit in index.get(beside, ()):
            if unit.side != side and covers(world, unit, at, helps=helps):
                yield unit


def in_enemy_zoc(world: World, at: Hex, side: Side, *, helps: bool | None = None) -> bool:
    """Tell whether a hex is in a zone of control of the other side."""
    return next(controllers(world, at, side, helps=helps), None) is not None


def is_friendly_held(
    world: World, at: Hex, side: Side, *, besides: Unit | None = None, helps: bool | None = None
) -> bool:
    """Tell whether a combat unit of the side (other than ``besides``) stands in a hex, which cancels enemy zones there.

    It does so for supply, communications and retreats, not for movement.
    """
    for unit in world.state.units_at(at, side):
        if (besides is None or unit.id != besides.id) and world.is_combat(unit, helps=helps):
            return True
    if world.believes(Mistake.ZONE_CANCELS):
        return in_enemy_zoc(world, at, world.state.game.enemy(side))
    return False
