"""Stacking: how many units may be in a hex together."""

from __future__ import annotations

from collections.abc import Iterator

from vassal_bridge.analysis.stacking import count, is_within_limit, limit_of
from vassal_bridge.analysis.worlds import Ruling, World
from vassal_bridge.board.hexes import Hex
from vassal_bridge.board.state import GameState
from vassal_bridge.board.units import Unit
from vassal_bridge.checks.deciding import outcome_of
from vassal_bridge.rulebook.check import NoParams, When, check
from vassal_bridge.rulebook.outcome import Outcome, Verdict

__all__ = ["stack_limit"]


@check("stack-limit", params=NoParams, when={When.PHASE_END, When.SEGMENT_END, When.STATE})
def stack_limit(state: GameState, params: NoParams) -> Iterator[Outcome]:
    """Hold every stack of more than one unit against the game's stacking limit, in units.

    Violation: the stack is too large whatever masked counters are and whichever division a regiment belongs to.
    Unknown: it is too large only if a masked counter counts, or a regiment completes no division.
    Leaves out: stacks in mid-move, and which units the owner has to give up.
    """
    del params
    for at, everybody in state.by_hex().items():
        for side in state.game.sides:
            units = tuple(unit for unit in everybody if unit.side == side)
            if len(units) > 1:
                yield _judge_stack(state, at, units)


def _judge_stack(state: GameState, at: Hex, units: tuple[Unit, ...]) -> Outcome:
    # Units count one each at most, so that a small stack is within any limit whatever its units are.
    if len(units) <= state.game.stacking.units:
        return Outcome(
            verdict=Verdict.LEGAL, hexes=(state.game.numbering.name(at),), units=tuple(unit.id for unit in units)
        )

    def judge(world: World) -> Ruling:
        if is_within_limit(world, units):
            return Ruling(is_legal=True)
        total, limit = count(world, units), limit_of(world, units)
        return Ruling(
            is_legal=False,
            message=f"{world.name(at)} holds {total} units that count against stacking, limit {limit}",
            facts={"units": total, "limit": limit},
        )

    return outcome_of(state, judge, hexes=[at], units=[unit.id for unit in units])
