"""From a judgement in one world to an outcome over all of them."""

from __future__ import annotations

from collections.abc import Callable, Iterable

from vassal_bridge.analysis.worlds import Decision, Ruling, World, decide
from vassal_bridge.board.hexes import Hex
from vassal_bridge.board.state import GameState
from vassal_bridge.board.units import UnitId
from vassal_bridge.rulebook.outcome import Outcome, Verdict

__all__ = ["outcome_of"]


def outcome_of(
    state: GameState,
    judge: Callable[[World], Ruling],
    *,
    hexes: Iterable[Hex] = (),
    units: Iterable[UnitId] = (),
    lenient: Callable[[World], Ruling] | None = None,
    reading: str | None = None,
) -> Outcome:
    """Judge in every world that fits and say what holds in all of them.

    Args:
        state: The position, with the act in it where one is judged.
        judge: The judgement in one world, under the reading in use.
        hexes: Hexes concerned.
        units: Units concerned.
        lenient: The judgement under another reading of the printed rule, where there is one. A violation under the
            reading in use alone is marked with ``reading``.
        reading: The ambiguity that the two readings come from.
    """
    decision = decide(state, judge)
    excused = reading is not None and lenient is not None and decision.is_legal is False
    if excused and lenient is not None and decide(state, lenient).is_legal is False:
        excused = False
    return Outcome(
        verdict=_verdict(decision),
        message="" if decision.is_legal else decision.ruling.message,
        hexes=state.game.numbering.names(hexes),
        units=tuple(units),
        facts=_facts(decision),
        because=decision.because if decision.is_legal is None else (),
        reading=reading if excused else None,
    )


def _verdict(decision: Decision) -> Verdict:
    if decision.is_legal is None:
        return Verdict.UNKNOWN
    return Verdict.LEGAL if decision.is_legal else Verdict.VIOLATION


def _facts(decision: Decision) -> dict[str, object]:
    facts = dict(decision.ruling.facts)
    if decision.turned_on:
        named = dict.fromkeys(each.name for fact in decision.turned_on for each in (fact.rests_on or (fact,)))
        facts["would_decide"] = list(named)
    return facts
