"""An audit's result arranged for a reader: what the text and the page both show, in the same order and words."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from itertools import groupby

from vassal_bridge.audit.finding import AuditResult, Coverage, Finding, InputFile, Place
from vassal_bridge.audit.integrity import CATALOGUE
from vassal_bridge.report.plain import count, plain, spoken, visible
from vassal_bridge.report.record_json import chains_of, dice_of, notes_of, turns_of
from vassal_bridge.report.record_text import Row, chain_lines, luck_rows, note_lines, turn_rows
from vassal_bridge.rulebook.outcome import Verdict
from vassal_bridge.rulebook.rule import Severity

__all__ = ["AuditView", "FindingView", "Group", "InputView", "RecordView", "RuleRow", "UnknownView", "count", "view_of"]


@dataclass(frozen=True, slots=True, kw_only=True)
class FindingView:
    """One finding in words; ``number`` counts through the report, ``facts`` are pairs of name and value."""

    number: int
    rule: str
    title: str
    cite: str
    severity: str
    place: str
    message: str
    facts: tuple[tuple[str, str], ...]
    notes: tuple[str, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Group:
    """The findings of one phase of one turn."""

    heading: str
    findings: tuple[FindingView, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class InputView:
    """One file that was read."""

    file: str
    what: str
    sha256: str


@dataclass(frozen=True, slots=True, kw_only=True)
class UnknownView:
    """One thing to state, with what that would bring."""

    what: str
    gain: str


@dataclass(frozen=True, slots=True, kw_only=True)
class RuleRow:
    """How often a rule was asked."""

    rule: str
    legal: int
    violation: int
    unknown: int


@dataclass(frozen=True, slots=True, kw_only=True)
class RecordView:
    """What the record itself shows; the rows of dice and turns follow ``LUCK_COLUMNS`` and ``TURN_COLUMNS``."""

    chain: tuple[str, ...] = ()
    dice: tuple[Row, ...] = ()
    turns: tuple[Row, ...] = ()
    notes: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class AuditView:
    """The whole report in words."""

    tool: str
    headline: str
    inputs: tuple[InputView, ...]
    groups: tuple[Group, ...]
    open_groups: tuple[Group, ...]
    unknowns: tuple[UnknownView, ...]
    coverage: tuple[str, ...]
    occasions: tuple[RuleRow, ...]
    record: RecordView
    remarks: tuple[str, ...]


def view_of(result: AuditResult) -> AuditView:
    """Arrange a result; findings keep the order of the record, those that are only open come apart."""
    numbered = list(enumerate(result.findings, 1))
    numbers = {finding.fingerprint: number for number, finding in reversed(numbered)}
    certain = [each for each in numbered if each[1].outcome.verdict is Verdict.VIOLATION]
    undecided = [each for each in numbered if each[1].outcome.verdict is not Verdict.VIOLATION]
    return AuditView(
        tool=_tool(result),
        headline=_headline(result, [finding for _, finding in certain]),
        inputs=tuple(_input(file) for file in result.inputs),
        groups=_groups(certain, numbers, result.phases),
        open_groups=_groups(undecided, numbers, result.phases),
        unknowns=tuple(
            UnknownView(
                what=f"{visible(each.what)} ({each.because})",
                gain=f"would decide {count(each.would_decide, 'verdict')}",
            )
            for each in result.undecided
        ),
        coverage=tuple(_coverage(result.coverage, has_rules=result.game is not None)),
        occasions=tuple(
            RuleRow(rule=rule, legal=each.legal, violation=each.violation, unknown=each.unknown)
            for rule, each in result.coverage.occasions.items()
        ),
        record=_record(result),
        remarks=tuple(visible(each) for each in result.remarks),
    )


def _record(result: AuditResult) -> RecordView:
    chains = chains_of(result.integrity)
    return RecordView(
        # One file is no chain.
        chain=tuple(chain_lines(chains)) if len(result.inputs) > 1 else (),
        dice=tuple(luck_rows(dice_of(result.integrity))),
        turns=tuple(turn_rows(turns_of(result.integrity))),
        notes=tuple(note_lines(notes_of(result.integrity))),
    )


def _tool(result: AuditResult) -> str:
    rules = f"rules {result.game} {result.rules_version}" if result.game else "no rules"
    profile = f"profile {result.profile}" if result.profile else "no profile"
    return f"vassal-bridge {result.tool_version}, {rules}, {profile}"


def _headline(result: AuditResult, certain: list[Finding]) -> str:
    broken = [finding for finding in certain if not _is_of_record(finding)]
    odd = len(certain) - len(broken)
    record = f" About the record itself: {count(odd, 'finding')}." if odd else ""
    if result.game is None:
        return f"No rules were checked.{record}"
    occasions = result.coverage.occasions.values()
    unknown = sum(each.unknown for each in occasions)
    legal = sum(each.legal for each in occasions)
    kinds = [
        f"{number} {severity}"
        for severity in (Severity.ILLEGAL, Severity.SUSPICIOUS, Severity.BOOKKEEPING)
        if (number := sum(finding.severity is severity for finding in broken))
    ]
    detail = f" ({', '.join(kinds)})" if kinds else ""
    violations = count(len(broken), "violation") if broken else "No violation"
    return f"{violations}{detail}; {count(legal, 'occasion')} legal, {unknown} not decided.{record}"


def _is_of_record(finding: Finding) -> bool:
    return finding.rule.id in CATALOGUE


def _input(file: InputFile) -> InputView:
    what = str(file.kind)
    if file.kind == "log":
        what += f", {count(file.steps, 'step')}"
    if file.from_turn or file.to_turn:
        turns = dict.fromkeys(visible(turn) for turn in (file.from_turn, file.to_turn) if turn)
        # Many trackers say the word themselves.
        word = "" if next(iter(turns)).lower().startswith("turn") else "turn "
        what += f", {word}{' to '.join(turns)}"
    return InputView(file=visible(file.file), what=what, sha256=file.sha256)


def _groups(
    findings: Iterable[tuple[int, Finding]], numbers: Mapping[str, int], phases: Mapping[str, str]
) -> tuple[Group, ...]:
    return tuple(
        Group(heading=heading, findings=tuple(_finding(number, finding, numbers) for number, finding in members))
        for heading, members in groupby(findings, key=lambda each: _heading(each[1], phases))
    )


def _heading(finding: Finding, phases: Mapping[str, str]) -> str:
    if _is_of_record(finding):
        return "The record"
    place = finding.place
    turn = f"Turn {visible(place.turn)}" if place.turn else "Turn not known"
    phase = visible(phases.get(place.phase, place.phase)) if place.phase else "phase not known"
    return f"{turn}, {phase}{' (inferred)' if place.is_inferred and place.phase else ''}"


def _finding(number: int, finding: Finding, numbers: Mapping[str, int]) -> FindingView:
    outcome = finding.outcome
    shown = plain(outcome.facts)
    assert isinstance(shown, dict)
    facts = [(visible(name).replace("_", " "), spoken(value)) for name, value in shown.items()]
    if outcome.hexes:
        facts.insert(0, ("hexes", ", ".join(visible(each) for each in outcome.hexes)))
    return FindingView(
        number=number,
        rule=finding.rule.id,
        title=finding.rule.title,
        cite=finding.rule.cite,
        severity=finding.severity.value if outcome.verdict is Verdict.VIOLATION else "unknown",
        place=_step(finding.place),
        message=visible(outcome.message),
        facts=tuple(facts),
        notes=tuple(_notes(finding, numbers)),
    )


def _step(place: Place) -> str:
    return f"{visible(place.log)}, {f'step {place.step}' if place.step else 'first position'}"


def _notes(finding: Finding, numbers: Mapping[str, int]) -> Iterable[str]:
    if finding.outcome.because:
        yield f"not decided because of: {', '.join(finding.outcome.because)}"
    if finding.outcome.reading:
        yield f"another reading of the rules would excuse it: {visible(finding.outcome.reading)}"
    if finding.sealed_by:
        yield f"sealed by the roll at {_step(finding.sealed_by)}"
    if finding.mended_at:
        yield f"put right later, at {_step(finding.mended_at)}"
    for earlier in finding.depends_on:
        name = f"finding {numbers[earlier]}" if earlier in numbers else f"an earlier finding ({earlier})"
        yield f"follows from {name}: without it this would be legal"


def _coverage(coverage: Coverage, *, has_rules: bool) -> Iterable[str]:
    if has_rules:
        yield (
            f"{count(coverage.checked, 'rule')} checked, {coverage.planned} planned, "
            f"{coverage.not_checkable} that no log can show"
        )
    for kind, names in coverage.unread.items():
        if names:
            listed = ", ".join(f"{visible(name)} ({number})" for name, number in names.items())
            yield f"{kind} met and not understood: {listed}"
