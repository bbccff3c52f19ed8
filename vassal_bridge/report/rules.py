"""Rule sets and single rules in words, for players who never saw the code."""

from __future__ import annotations

import inspect
import json
import textwrap
from collections.abc import Iterable, Iterator
from dataclasses import fields, is_dataclass

from pydantic import JsonValue

from vassal_bridge.report.models import RuleModel, RuleSetModel, RulesReport
from vassal_bridge.report.plain import count, plain, spoken
from vassal_bridge.rulebook.rule import Rule, RuleSet, Severity, Status

__all__ = ["explanation", "folded", "rule_rows", "rules_json", "rules_summary"]

_WIDTH = 100  # columns

_STATUS = {
    Status.CHECKED: "checked by the audit",
    Status.PREVIEW: "checked by the audit, but no case from a real game has proved it yet",
    Status.PLANNED: "not checked yet",
    Status.NOT_CHECKABLE: "cannot be checked from a log",
}


def rules_summary(rules: RuleSet) -> str:
    """Return one line: game, version, number of rules by status."""
    numbers = {status: sum(rule.status is status for rule in rules.rules.values()) for status in Status}
    parts = [f"{number} {status}" for status, number in numbers.items() if number]
    total = count(len(rules.rules), "rule")
    return f"{rules.game.id} {rules.game.version}: {rules.game.title}, {total} ({', '.join(parts)})"


def rule_rows(rules: RuleSet) -> Iterator[tuple[str, str, str, str, str]]:
    """Yield id, citation, status, severity and title of each rule, in the order of the files."""
    for rule in rules.rules.values():
        yield rule.id, rule.cite, rule.status.value, rule.severity.value, rule.title


def rules_json(sets: Iterable[RuleSet]) -> str:
    """Return rule sets with all their rules as one JSON document."""
    report = RulesReport(
        games=[
            RuleSetModel(
                game=rules.game.id,
                title=rules.game.title,
                version=rules.game.version,
                rules=[_rule(rule) for rule in rules.rules.values()],
            )
            for rules in sets
        ]
    )
    return json.dumps(report.model_dump(mode="json"), ensure_ascii=False, indent=2) + "\n"


def _rule(rule: Rule) -> RuleModel:
    return RuleModel.model_validate(
        {
            "id": rule.id,
            "title": rule.title,
            "cite": rule.cite,
            "summary": rule.summary,
            "category": rule.category.value,
            "when": rule.when.value,
            "status": rule.status.value,
            "severity": rule.severity.value,
            "check": rule.check,
            "params": dict(_params(rule)),
            "errata": rule.errata,
            "reading": rule.reading,
            "same_as": rule.same_as,
            "see": list(rule.see),
            "why": rule.why,
        }
    )


def _params(rule: Rule) -> Iterator[tuple[str, JsonValue]]:
    if is_dataclass(rule.params):
        for field in fields(rule.params):
            yield field.name, plain(getattr(rule.params, field.name))


def explanation(rules: RuleSet, rule: Rule) -> str:
    """Return a rule in plain words, with what its check does and leaves out."""
    return "\n".join(_explain(rules, rule)) + "\n"


def _explain(rules: RuleSet, rule: Rule) -> Iterator[str]:
    yield f"{rule.id}  {rule.title}"
    yield f"{rules.game.title}, {rule.cite}{f'; errata: {rule.errata}' if rule.errata else ''}"
    yield ""
    yield from _wrapped(rule.summary)
    yield ""
    yield from _facts(rules, rule)
    head = rules.rules[rule.same_as] if rule.same_as else rule
    if head is not rule:
        yield f"The booklet says it twice: it is checked as {head.id}."
    if head.check and head.is_checked:
        yield from _check(rules, head)
    if rule.reading and (defect := rules.defects.get(rule.reading)):
        yield ""
        yield from _wrapped(f"The printed rules leave this open ({defect.id}, {defect.where}): {defect.question}")
        for number, reading in enumerate(defect.readings):
            use = "used here" if number == 0 else "also possible"
            yield from _wrapped(f"{use}: {reading}", indent="  ", further="    ")
        yield f"  on the word of: {defect.authority}"
    if rule.see:
        yield f"See also: {', '.join(rule.see)}"


def _facts(rules: RuleSet, rule: Rule) -> Iterator[str]:
    why = f": {rule.why}" if rule.why else ""
    yield from _wrapped(f"Status: {_STATUS[rule.status]}{why}.")
    if rule.severity is Severity.NONE:
        yield "It permits or computes; only a wrong claim about it is reported."
    else:
        yield f"A certain violation is {rule.severity.value}."
    yield f"Asked on: {rule.when.value}. About: {rule.category.value}."


def _check(rules: RuleSet, rule: Rule) -> Iterator[str]:
    check = rules.checks[rule.check or ""]
    params = "; ".join(f"{name.replace('_', ' ')} {spoken(value)}" for name, value in _params(rule))
    yield ""
    yield from _wrapped(f"The check {check.name}{f' ({params})' if params else ''}:", further="  ")
    for line in inspect.cleandoc(check.doc).replace("``", "").splitlines():
        yield f"  {line}".rstrip()


def _wrapped(text: str, *, indent: str = "", further: str = "") -> list[str]:
    return textwrap.wrap(
        text, _WIDTH, initial_indent=indent, subsequent_indent=further, break_on_hyphens=False, break_long_words=False
    )


def folded(text: str) -> str:
    """Return a text with its long lines folded."""
    return "".join(f"{part}\n" for line in text.splitlines() for part in _wrapped(line) or [""])
