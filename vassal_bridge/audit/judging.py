"""Put acts and positions before the referee and enter what he says, with its place in the record."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass, field, replace

from vassal_bridge.audit.finding import Place
from vassal_bridge.audit.ledger import Entry, Ledger
from vassal_bridge.audit.mending import Blame, Moment, Standing
from vassal_bridge.audit.referee import Judgement, Referee
from vassal_bridge.board.actions import (
    Action,
    Advance,
    Attack,
    Enter,
    Flip,
    MarkerChange,
    Move,
    Overrun,
    PlaceUnit,
    Remove,
    Retreat,
)
from vassal_bridge.board.state import GameState
from vassal_bridge.board.units import UnitId
from vassal_bridge.rulebook.check import When
from vassal_bridge.rulebook.outcome import Outcome, Verdict

__all__ = ["Bench", "units_of"]


def units_of(act: Action) -> tuple[UnitId, ...]:
    """Return the units that an act is done by, or to whose counters it is done."""
    match act:
        case Move() | Retreat() | Advance() | Enter() | Remove() | MarkerChange():
            return act.units
        case PlaceUnit():
            return (act.unit.id,)
        case Flip():
            return (act.unit,)
        case Attack() | Overrun() if isinstance(act.force, tuple):
            return tuple(unit for part in act.force for unit in (part.unit, *part.headquarters))
        case _:
            return ()


@dataclass(slots=True)
class Bench:
    """Judges, and keeps what is needed to say later what was mended and what follows from what.

    Attributes:
        moved_at: Where in the record each unit was moved last.
    """

    referee: Referee
    ledger: Ledger
    moved_at: dict[UnitId, Moment] = field(default_factory=dict)
    blame: Blame = field(default_factory=Blame)
    _standing: Standing = field(default_factory=Standing)
    _fresh: list[Entry] = field(default_factory=list)

    def judge(self, state: GameState, act: Action, place: Place, order: tuple[int, int]) -> None:
        """Ask every rule about an act, against the state before it.

        Args:
            state: The state before the act.
            act: The act.
            place: Its place in the record.
            order: The same for sorting: number of the log, step.
        """
        for judgement in self.referee.judge(state, act):
            self.ledger.count(judgement)
            if judgement.outcome.verdict is not Verdict.VIOLATION:
                continue
            units = units_of(act)
            entry = self.ledger.enter(judgement, place, order=order, units=judgement.outcome.units or units)
            entry.depends_on = self.blame.causes(judgement, replace(state, act=act), units, self._ask_again(judgement))
            if isinstance(act, Move | Retreat | Advance):
                self.blame.add(entry, act.path.start, act.path.end)

    def inspect(self, state: GameState, whens: Iterable[When], place: Place, order: tuple[int, int]) -> None:
        """Ask the rules about the position; a position that was reported and still stands is not reported again.

        Args:
            state: The position.
            whens: The occasions.
            place: What ends the segment, phase or turn.
            order: The same for sorting.
        """
        self._standing.look(state, self.moved_at)
        before = len(self.ledger.entries)
        self._hear(self.referee.inspect(state, *whens), state, place, order)
        self._fresh = self.ledger.entries[before:]

    def excuse(self, state: GameState, units: Iterable[UnitId]) -> None:
        """Take back what was found at the last inspection and was put right at once, by hand and not by a move.

        Args:
            state: The position after that.
            units: Those that were put elsewhere otherwise than by a move.
        """
        at_once = set(units)
        for entry in self._standing.look(state, self.moved_at):
            if entry in self._fresh and at_once & set(entry.judgement.outcome.units):
                self.ledger.withdraw(entry)

    def inspect_alone(self, state: GameState, place: Place, *, is_moving: bool) -> None:
        """Ask about a position of which nothing is known but itself.

        Outside movement, what must hold at the end of a phase must hold already, as far as a check can tell that from
        a position.
        """
        rules = self.referee.rules
        asked = list(rules.asked_on(When.STATE))
        if not is_moving:
            asked += [
                rule
                for when in (When.SEGMENT_END, When.PHASE_END)
                for rule in rules.asked_on(when)
                if When.STATE in rules.checks[rule.check or ""].when
            ]
        judgements = (
            Judgement(rule=rule, outcome=outcome)
            for rule in asked
            for outcome in rules.checks[rule.check or ""].run(state, rule.params)
        )
        self._hear(judgements, state, place, (1, place.step))

    def _hear(self, judgements: Iterable[Judgement], state: GameState, place: Place, order: tuple[int, int]) -> None:
        for judgement in judgements:
            self.ledger.count(judgement)
            if judgement.outcome.verdict is not Verdict.VIOLATION or self._standing.is_known(judgement):
                continue
            units = judgement.outcome.units
            entry = self.ledger.enter(judgement, place, order=order, units=units)
            entry.depends_on = self.blame.causes(judgement, state, (), self._ask_again(judgement))
            self._standing.add(entry, state)

    def _ask_again(self, judgement: Judgement) -> Callable[[GameState], Iterable[Outcome]]:
        rule = judgement.rule
        check = self.referee.rules.checks[rule.check or ""]
        return lambda state: check.run(state, rule.params)
