"""Run case files against a rule set: does the engine reach the verdict that a referee must reach?

Acts are judged by every rule that judges such acts, through the same referee as the acts of a log, and then applied.
Checks of whole positions run only where a case asks for them, and only those that it names, since a case is a fragment
of a game. A case that needs something that is not there yet is listed as not run, with the reason; nothing is guessed.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field, replace

from vassal_bridge.analysis.questions import is_answered
from vassal_bridge.audit.casejourneys import journeys_of
from vassal_bridge.audit.casereport import Agreement, CaseReport, CaseResult, Disagreement, Got, NotRun
from vassal_bridge.audit.finding import Finding, Place
from vassal_bridge.audit.numbers import questions_of
from vassal_bridge.audit.queries import Unanswered, check_label, compare
from vassal_bridge.audit.referee import Judgement, Referee
from vassal_bridge.board.actions import (
    Action,
    Claim,
    EndOfPhase,
    PhaseChange,
    Query,
    StateCheck,
    TurnChange,
)
from vassal_bridge.board.apply import apply
from vassal_bridge.board.game import PhaseId
from vassal_bridge.board.state import GameState
from vassal_bridge.errors import CaseError
from vassal_bridge.rulebook.acts import NotModelled, queries_of, to_action
from vassal_bridge.rulebook.case import Case, CaseFile, CaseVerdict, RunKind, Step, StepKind
from vassal_bridge.rulebook.check import When
from vassal_bridge.rulebook.outcome import Verdict
from vassal_bridge.rulebook.position import build
from vassal_bridge.rulebook.rule import Rule, RuleSet, Severity
from vassal_bridge.rulebook.words import Vocabulary

__all__ = ["run_case", "run_cases"]


def run_cases(rules: RuleSet, file: CaseFile) -> CaseReport:
    """Run all cases of a file.

    Raises:
        CaseError: The file is for another game.
    """
    if file.vocabulary.game != rules.game.id:
        raise CaseError(
            f"cases of {file.vocabulary.game} cannot be run with the rules of {rules.game.id}", file=file.name
        )
    return CaseReport(results=tuple(run_case(rules, case, file.vocabulary) for case in file.cases))


def run_case(rules: RuleSet, case: Case, vocabulary: Vocabulary) -> CaseResult:
    """Run one case."""
    named = _Named.of(rules, case, vocabulary.prefix)
    if reason := _reason_not_to(case, named, rules):
        return NotRun(id=case.id, why=reason)
    position = build(case, rules.game)
    if position.gaps:
        return NotRun(id=case.id, why="; ".join(position.gaps))
    play = _Play(case=case, named=named, referee=Referee(rules), vocabulary=vocabulary, state=position.state)
    try:
        for step in case.steps:
            play.take(step)
    except (NotModelled, Unanswered) as gap:
        return NotRun(id=case.id, why=str(gap))
    return play.result()


@dataclass(frozen=True, slots=True, kw_only=True)
class _Named:
    """The rules that a case names, under every id by which each may be cited.

    Attributes:
        first: The rule that a finding must cite, None if the rule set has none of that id.
        first_id: Its full id.
        head_ids: Ids of the first rule and its twins.
        rule_ids: Ids of ``rules`` and their twins.
        all_ids: Those of ``also`` as well.
    """

    first: Rule | None
    first_id: str
    head_ids: frozenset[str]
    rule_ids: frozenset[str]
    all_ids: frozenset[str]

    @classmethod
    def of(cls, rules: RuleSet, case: Case, prefix: str) -> _Named:
        heads = {former: rule.id for rule in rules.rules.values() for former in rule.former_ids}

        def ids(short: Iterable[str]) -> frozenset[str]:
            full = [heads.get(prefix + each, prefix + each) for each in short]
            return frozenset(twin for each in full for twin in (rules.twins(each) if each in rules.rules else {each}))

        first_id = heads.get(prefix + case.rules[0], prefix + case.rules[0])
        first = rules.rules.get(first_id)
        return cls(
            first=rules.rules[first.same_as] if first and first.same_as else first,
            first_id=first_id,
            head_ids=ids(case.rules[:1]),
            rule_ids=ids(case.rules),
            all_ids=ids((*case.rules, *case.also)),
        )


def _reason_not_to(case: Case, named: _Named, rules: RuleSet) -> str | None:
    if case.run is RunKind.STORY:
        return "a story for a human reader"
    if named.first is None:
        return f"the rule set has no rule {named.first_id}"
    if not named.first.is_checked:
        return f"{named.first_id} is {named.first.status}"
    return None


@dataclass(slots=True, kw_only=True)
class _Play:
    """A case being played: the state so far, and what was found on the way."""

    case: Case
    named: _Named
    referee: Referee
    vocabulary: Vocabulary
    state: GameState
    findings: list[Finding] = field(default_factory=list)
    unknown: set[str] = field(default_factory=set)
    asked: set[str] = field(default_factory=set)
    compared: int = 0
    differences: list[str] = field(default_factory=list)
    is_cut: bool = False

    def take(self, step: Step) -> None:
        """Take one step of the case.

        Raises:
            NotModelled: The board has no such act.
            Unanswered: The engine has no answer to such a query.
        """
        if step.statement is None or step.kind is StepKind.SKIPPED:
            self.is_cut = True
        elif step.kind is StepKind.QUERY:
            for query in queries_of(step.statement, self.state):
                self._compare(query, self.state)
        elif step.kind is StepKind.CLAIM:
            for query in queries_of(step.statement, self.state):
                if not is_answered(query):
                    raise Unanswered(f"claims about `{query.verb}` are not judged yet")
                check_label(self.state, query)
                self._note(self.referee.judge(self.state, Claim(query=query)))
        else:
            action = to_action(step.statement, self.state)
            for query in questions_of(step.statement, action):
                self._compare(query, replace(self.state, act=action))
            for whole in journeys_of(action, self.state):
                self._note(self.referee.judge(self.state, whole))
            if whens := _occasions_at(action, self.state):
                self._inspect(whens)
            self.state = apply(self.state, action)

    def _compare(self, query: Query, state: GameState) -> None:
        comparison = compare(state, query, self.vocabulary)
        self.compared += 1
        if not comparison.is_right:
            self.differences.append(str(comparison))

    def _inspect(self, whens: frozenset[When]) -> None:
        """Ask the rules that the case names about the whole position."""
        rules = self.referee.rules
        asked = {key: rule for key, rule in rules.rules.items() if key in self.named.all_ids}
        narrow = Referee(replace(rules, rules=asked))
        self._note(narrow.inspect(self.state, *(when for when in When if when in whens)))

    def _note(self, judgements: Iterable[Judgement]) -> None:
        for judgement in judgements:
            rule, outcome = judgement.rule, judgement.outcome
            self.asked.add(rule.id)
            if outcome.verdict is Verdict.UNKNOWN:
                self.unknown.add(rule.id)
            elif outcome.verdict is Verdict.VIOLATION:
                turn, phase = self.state.turn, self.state.phase
                place = Place(log=self.case.id, step=0, turn=turn, phase=phase.id if phase else None)
                self.findings.append(Finding(rule=rule, outcome=outcome, place=place))

    # --- the result --------------------------------------------------------------------------------------------------

    def result(self) -> CaseResult:
        """Return whether the case agrees with what was found."""
        if (self.is_cut or self.case.given is not None) and not self.differences:
            # What was left out, or is assumed, could decide the verdict; the answers and numbers stand.
            return Agreement(id=self.case.id) if self.compared else NotRun(id=self.case.id, why=_NOT_DECIDABLE)
        remarks = [*self.differences, *self._objections()]
        if not remarks:
            return Agreement(id=self.case.id)
        return Disagreement(
            id=self.case.id,
            expected=self.case.verdict,
            got=self._got(),
            rules=tuple(dict.fromkeys(finding.rule.id for finding in self.findings)),
            remarks=(*remarks, *(f"{each.rule.id}: {each.outcome.message}" for each in self.findings)),
        )

    def _got(self) -> Got:
        if self.differences:
            return Got.QUERY
        if self.findings:
            return Got.VIOLATION
        return Got.UNKNOWN if self.unknown & self.named.rule_ids else Got.LEGAL

    def _objections(self) -> list[str]:
        """Say what of the verdict, or of the rules cited, is not as the case has it."""
        match self.case.verdict:
            case CaseVerdict.LEGAL:
                return [*self._findings_beside(frozenset()), *self._unknown_in_rules(), *self._not_asked()]
            case CaseVerdict.UNKNOWN:
                return [*self._findings_beside(frozenset()), *self._unknown_missing()]
            case _:
                return [*self._findings_beside(self.named.all_ids), *self._finding_missing()]

    def _unknown_missing(self) -> list[str]:
        return [] if self.unknown & self.named.head_ids else [f"{self.named.first_id} does not answer unknown"]

    def _findings_beside(self, allowed: frozenset[str]) -> list[str]:
        rules = dict.fromkeys(finding.rule.id for finding in self.findings if finding.rule.id not in allowed)
        return [f"{rule} is cited" for rule in rules]

    def _unknown_in_rules(self) -> list[str]:
        return [f"{rule} answers unknown" for rule in sorted(self.unknown & self.named.rule_ids)]

    def _not_asked(self) -> list[str]:
        first = self.named.first
        if first is None or first.check is None or self.asked & self.named.head_ids:
            return []
        # A row about numbers is asked about claims; in a legal case its numbers stand in queries and on events.
        if (first.severity is Severity.NONE or first.when is When.DECLARE) and self.compared:
            return []
        return [f"{self.named.first_id} was not asked"]

    def _finding_missing(self) -> list[str]:
        # Where something is unknown it is enough that one of the rules is broken in every world.
        enough = self.named.all_ids if self.case.leaves_something_open else self.named.head_ids
        if any(each.rule.id in enough and self._is_as_hard(each) for each in self.findings):
            return []
        return [f"no {self.case.verdict} finding under {self.named.first_id}"]

    def _is_as_hard(self, finding: Finding) -> bool:
        """Tell whether a finding is of the degree that the case asks for, or one softer by the reading it names."""
        if self.case.verdict is CaseVerdict.SUSPICIOUS:
            return finding.severity is Severity.SUSPICIOUS
        if finding.severity in (Severity.ILLEGAL, Severity.BOOKKEEPING):
            return True
        return self.case.reading is not None and finding.outcome.reading == self.case.reading


_NOT_DECIDABLE = "a part that a machine cannot execute decides it"


_POSITION = frozenset({When.STATE})
_END_OF_PHASE = _POSITION | {When.SEGMENT_END, When.PHASE_END}


def _occasions_at(action: Action, state: GameState) -> frozenset[When]:
    """Return the occasions for checks of the whole position that an act is, before it is carried out."""
    match action:
        case StateCheck():
            return _POSITION
        case EndOfPhase():
            return _END_OF_PHASE | _larger_ends(state, None)
        case PhaseChange(phase=phase):
            return _END_OF_PHASE | _larger_ends(state, phase)
        case TurnChange():
            return _END_OF_PHASE | {When.PLAYER_TURN_END, When.GAME_TURN_END}
        case _:
            return frozenset()


def _larger_ends(state: GameState, following: PhaseId | None) -> frozenset[When]:
    """Return what else ends with the phase: the player-turn before another side's, the game-turn after the last."""
    order = list(state.game.phases)
    if state.phase is None:
        return frozenset()
    at = order.index(state.phase.id)
    after = following or (order[at + 1] if at + 1 < len(order) else None)
    if after is None or order.index(after) <= at:
        return frozenset({When.PLAYER_TURN_END, When.GAME_TURN_END})
    is_same_side = state.game.phases[after].side == state.phase.side
    return frozenset() if is_same_side else frozenset({When.PLAYER_TURN_END})
