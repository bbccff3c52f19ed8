"""Ask the rules about acts and positions: the one place where a rule set meets a state.

The log audit and the case runner both judge through it.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace

from vassal_bridge.board.actions import (
    Action,
    Advance,
    Attack,
    Claim,
    Enter,
    Flip,
    MarkerChange,
    Move,
    MoveKind,
    Overrun,
    PlaceUnit,
    Remove,
    Result,
    Retreat,
    Roll,
    Stay,
)
from vassal_bridge.board.state import GameState
from vassal_bridge.rulebook.check import When
from vassal_bridge.rulebook.outcome import Outcome
from vassal_bridge.rulebook.rule import Rule, RuleSet

__all__ = ["Judgement", "Referee", "occasions_of"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Judgement:
    """What one rule says about one occasion."""

    rule: Rule
    outcome: Outcome


def occasions_of(action: Action) -> tuple[When, ...]:
    """Return the occasions that an act is; none for an act that only announces or that nothing explains."""
    match action:
        case Move(kind=MoveKind.RAIL):
            return (When.RAIL,)
        case Move() | Enter():
            return (When.MOVE,)
        case Attack():
            # The numbers that a player declares with an attack are claims about it.
            return (When.ATTACK, When.DECLARE) if action.claims else (When.ATTACK,)
        case Overrun():
            return (When.OVERRUN, When.DECLARE) if action.claims else (When.OVERRUN,)
        case Claim():
            return (When.DECLARE,)
        case Retreat() | Stay():
            # Who stays although a result would let it retreat has chosen its way, too.
            return (When.RETREAT,)
        case Advance():
            return (When.ADVANCE,)
        case PlaceUnit():
            return (When.PLACE,)
        case Remove():
            return (When.REMOVE,)
        case Flip():
            return (When.FLIP,)
        case MarkerChange():
            return (When.MARK,)
        case Roll():
            return (When.ROLL,)
        case Result():
            return (When.RESULT,)
        case _:
            return ()


@dataclass(frozen=True, slots=True)
class Referee:
    """Judges acts and positions by the checked rules of a rule set."""

    rules: RuleSet

    def judge(self, state: GameState, action: Action) -> Iterator[Judgement]:
        """Yield what each rule says about an act, against the state before it."""
        judged = replace(state, act=action)
        for when in occasions_of(action):
            yield from self._ask(judged, when)

    def inspect(self, state: GameState, *whens: When) -> Iterator[Judgement]:
        """Yield what each rule says about the position, on occasions such as the end of a phase."""
        for when in whens:
            yield from self._ask(state, when)

    def _ask(self, state: GameState, when: When) -> Iterator[Judgement]:
        for rule in self.rules.asked_on(when):
            check = self.rules.checks[rule.check or ""]
            for outcome in check.run(state, rule.params):
                yield Judgement(rule=rule, outcome=outcome)
