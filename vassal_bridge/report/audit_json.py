"""An audit's result as JSON: one document, or one record a line."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Final

from vassal_bridge.audit.finding import AuditResult, Coverage, Finding, InputFile, Place
from vassal_bridge.report.models import (
    CoverageModel,
    FindingModel,
    InputModel,
    OccasionsModel,
    PlaceModel,
    Report,
    RuleCounts,
    RulesModel,
    Summary,
    ToolModel,
    UndecidedModel,
    UnreadModel,
)
from vassal_bridge.report.plain import clean, plain
from vassal_bridge.report.record_json import chains_of, dice_of, notes_of, turns_of
from vassal_bridge.rulebook.outcome import Verdict
from vassal_bridge.rulebook.rule import Severity

__all__ = ["as_json", "as_ndjson", "report_of"]

_LISTS: Final = (
    ("chain", "chain"),
    ("finding", "findings"),
    ("unknown", "unknown"),
    ("note", "notes"),
    ("turn", "turns"),
)


def as_json(result: AuditResult) -> str:
    """Return the report as one JSON document with a line feed at its end; the same result gives the same text."""
    document = report_of(result).model_dump(mode="json")
    return json.dumps(document, ensure_ascii=False, indent=2) + "\n"


def as_ndjson(result: AuditResult) -> str:
    """Return the report one record a line.

    They are ``head``; each ``chain``, ``finding``, ``unknown``, ``note`` and ``turn``; ``coverage``, ``dice``,
    ``summary``.
    """
    document = report_of(result).model_dump(mode="json")
    return "".join(json.dumps(record, ensure_ascii=False) + "\n" for record in _records(document))


def _records(document: dict[str, object]) -> Iterator[dict[str, object]]:
    head = {key: document[key] for key in ("schema", "tool", "inputs", "remarks")}
    yield {"record": "head", **head}
    for kind, key in _LISTS:
        listed = document[key]
        assert isinstance(listed, list)
        for each in listed:
            yield {"record": kind, **each}
    for key in ("coverage", "dice", "summary"):
        value = document[key]
        assert isinstance(value, dict)
        yield {"record": key, **value}


def report_of(result: AuditResult) -> Report:
    """Turn an audit's result into the shape of the report."""
    rules = RulesModel(game=result.game, version=result.rules_version or "") if result.game else None
    return Report(
        tool=ToolModel(version=result.tool_version, rules=rules, profile=result.profile),
        inputs=[_input(each) for each in result.inputs],
        coverage=_coverage(result.coverage),
        findings=[_finding(each) for each in result.findings],
        unknown=[
            UndecidedModel(what=clean(each.what), because=each.because, would_decide=each.would_decide)
            for each in result.undecided
        ],
        dice=dice_of(result.integrity),
        chain=chains_of(result.integrity),
        turns=turns_of(result.integrity),
        notes=notes_of(result.integrity),
        summary=_summary(result),
        remarks=[clean(each) for each in result.remarks],
    )


def _input(file: InputFile) -> InputModel:
    return InputModel.model_validate(
        {
            "file": clean(file.file),
            "sha256": file.sha256,
            "kind": str(file.kind),
            "steps": file.steps,
            "from_turn": file.from_turn,
            "to_turn": file.to_turn,
        }
    )


def _coverage(coverage: Coverage) -> CoverageModel:
    unread = {
        kind: {clean(name): number for name, number in coverage.unread.get(kind, {}).items()}
        for kind in ("commands", "traits", "pieces", "places")
    }
    return CoverageModel(
        rules=RuleCounts(checked=coverage.checked, planned=coverage.planned, not_checkable=coverage.not_checkable),
        occasions={
            rule: OccasionsModel(legal=each.legal, violation=each.violation, unknown=each.unknown)
            for rule, each in coverage.occasions.items()
        },
        unread=UnreadModel.model_validate(unread),
    )


def _finding(finding: Finding) -> FindingModel:
    outcome = finding.outcome
    return FindingModel.model_validate(
        {
            "fingerprint": finding.fingerprint,
            "rule": finding.rule.id,
            "cite": finding.rule.cite,
            "verdict": outcome.verdict.value,
            "severity": finding.severity.value,
            "because": [reason.value for reason in outcome.because],
            "message": clean(outcome.message),
            "place": _place(finding.place),
            "hexes": list(outcome.hexes),
            "units": [clean(unit) for unit in outcome.units],
            "facts": plain(outcome.facts),
            "sealed_by": _place(finding.sealed_by),
            "mended_at": _place(finding.mended_at),
            "depends_on": list(finding.depends_on),
        }
    )


def _place(place: Place | None) -> PlaceModel | None:
    if place is None:
        return None
    return PlaceModel(log=clean(place.log), step=place.step, turn=place.turn, phase=place.phase)


def _summary(result: AuditResult) -> Summary:
    violations = [each for each in result.findings if each.outcome.verdict is Verdict.VIOLATION]
    occasions = result.coverage.occasions.values()
    return Summary(
        violations=len(violations),
        suspicious=sum(each.severity is Severity.SUSPICIOUS for each in violations),
        bookkeeping=sum(each.severity is Severity.BOOKKEEPING for each in violations),
        unknown=sum(each.unknown for each in occasions),
        legal=sum(each.legal for each in occasions),
    )
