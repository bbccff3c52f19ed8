"""The rule cases: each is a test of its own, ``pytest -k T-7.1a-V1``.

A case is run as soon as its first rule is checked. How many wait for rules is a number, not a list of skips.
"""

from __future__ import annotations

import sys
from collections import Counter
from functools import cache
from pathlib import Path

import pytest

from vassal_bridge.audit.casereport import Agreement, CaseResult, Disagreement, NotRun
from vassal_bridge.audit.cases import run_case
from vassal_bridge.checks import CHECKS
from vassal_bridge.rulebook.case import Case, CaseFile
from vassal_bridge.rulebook.casefile import read_cases
from vassal_bridge.rulebook.load import find_rules, load_rules
from vassal_bridge.rulebook.rule import RuleSet

FOLDER = Path(__file__).resolve().parent / "cases"

# Cases of checked rules that need something else which is not there yet: id -> what the runner says of it.
WAITING: dict[str, str] = {}


@cache
def case_files() -> tuple[CaseFile, ...]:
    return tuple(read_cases(path) for path in sorted(FOLDER.glob("*.toml")))


@cache
def rules_of(game: str) -> RuleSet | None:
    return load_rules(game, CHECKS) if game in find_rules() else None


def is_checked(file: CaseFile, case: Case) -> bool:
    """Tell whether the rule set checks the first rule of a case."""
    rules = rules_of(file.vocabulary.game)
    rule = rules.rules.get(file.vocabulary.prefix + case.rules[0]) if rules else None
    if rules and rule and rule.same_as:
        rule = rules.rules[rule.same_as]
    return rule is not None and rule.is_checked


def result_of(file: CaseFile, case: Case) -> CaseResult:
    rules = rules_of(file.vocabulary.game)
    assert rules is not None
    return run_case(rules, case, file.vocabulary)


CHECKED = [(file, case) for file in case_files() for case in file.cases if is_checked(file, case)]


@pytest.mark.parametrize(
    ("file", "case"),
    [pytest.param(file, case, id=case.id) for file, case in CHECKED if case.id not in WAITING],
)
def test_the_engine_reaches_the_verdict(file: CaseFile, case: Case) -> None:
    result = result_of(file, case)
    if isinstance(result, Disagreement):
        pytest.fail(f"{case.why}\nexpected {result.expected}, got {result.got}\n" + "\n".join(result.remarks))
    assert isinstance(result, Agreement), result


def test_the_cases_that_wait_are_those_that_we_know_of() -> None:
    results = [result_of(file, case) for file, case in CHECKED if case.id in WAITING]
    assert {each.id: each.why for each in results if isinstance(each, NotRun)} == WAITING


def test_ids_are_unique_over_all_files() -> None:
    ids = Counter(case.id for file in case_files() for case in file.cases)
    assert [each for each, number in ids.items() if number > 1] == []


def test_the_share_of_cases_that_are_run_is_told(capsys: pytest.CaptureFixture[str]) -> None:
    lines = []
    for file in case_files():
        run = sum(1 for of, case in CHECKED if of is file and case.id not in WAITING)
        lines.append(f"{file.vocabulary.game}: {run} of {len(file.cases)} cases run")
    with capsys.disabled():
        sys.stdout.write("\n" + "\n".join(lines) + "\n")
    assert len(lines) == len(list(FOLDER.glob("*.toml")))
