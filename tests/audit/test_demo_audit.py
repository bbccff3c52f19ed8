"""The sample log, made by the real engine, against the truth that was written down when it was played."""

from __future__ import annotations

import tomllib
from typing import Any

import pytest

from vassal_bridge.audit.audit import audit_log
from vassal_bridge.audit.finding import AuditResult, Finding
from vassal_bridge.datadirs import data_dir
from vassal_bridge.vassal.container import open_file

_FOLDER = data_dir("modules") / "drive-on-stalingrad"
_TRUTH: dict[str, list[dict[str, Any]]] = tomllib.loads((_FOLDER / "demo.toml").read_text("utf-8"))


@pytest.fixture(scope="module")
def result() -> AuditResult:
    return audit_log([open_file(_FOLDER / "demo.vlog")])


def _is_told(finding: Finding, planted: dict[str, Any]) -> bool:
    first, last = planted["steps"]
    return (
        finding.rule.id.removeprefix("DOS-") == planted["rule"]
        and first <= finding.place.step <= last
        and finding.place.turn == str(planted["turn"])
    )


@pytest.mark.parametrize("planted", _TRUTH["violation"], ids=lambda each: f"{each['rule']}@{each['steps'][0]}")
def test_each_planted_violation_is_found_at_its_step(result: AuditResult, planted: dict[str, Any]) -> None:
    (finding,) = [each for each in result.findings if _is_told(each, planted)]
    assert set(finding.outcome.hexes) <= set(planted["hexes"])
    for name in planted["units"] if len(planted["units"]) == 1 else ():
        assert name in finding.outcome.message


def test_nothing_but_what_was_planted_is_found(result: AuditResult) -> None:
    extra = [
        (finding.rule.id, finding.place)
        for finding in result.findings
        if not any(_is_told(finding, planted) for planted in _TRUTH["violation"])
    ]
    assert extra == []


def test_every_verdict_that_can_be_certain_is(result: AuditResult) -> None:
    # Only the combat results table is missing: the rulebook at hand does not print it.
    assert {each.because for each in result.undecided} <= {"table"}
    assert result.coverage.unread == {}
    assert result.remarks == ()


def test_a_mistake_of_the_past_is_sealed_by_the_next_roll(result: AuditResult) -> None:
    stack = next(each for each in result.findings if each.rule.id == "DOS-7.1a" and each.place.turn == "2")
    assert stack.sealed_by is not None
    assert stack.sealed_by.step > stack.place.step
    # The players themselves eliminated a unit in the next turn, after the die for the directive.
    assert stack.mended_at is not None
    assert stack.mended_at.step > stack.sealed_by.step
    assert stack.mended_at.turn == "3"


def test_the_same_log_gives_the_same_result(result: AuditResult) -> None:
    assert audit_log([open_file(_FOLDER / "demo.vlog")]) == result
