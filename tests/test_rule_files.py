"""The rule sets that we ship: without faults, and each checked rule proved by cases."""

from __future__ import annotations

from collections import Counter
from functools import cache
from pathlib import Path

import pytest

from vassal_bridge.checks import CHECKS
from vassal_bridge.rulebook.case import CaseFile, CaseVerdict, RunKind
from vassal_bridge.rulebook.casefile import read_cases
from vassal_bridge.rulebook.load import find_rules, load_rules, problems
from vassal_bridge.rulebook.rule import Rule, RuleSet, Severity

CASES = Path(__file__).resolve().parent / "cases"
SETS = {game: load_rules(folder, CHECKS) for game, folder in find_rules().items()}
JUDGED = [
    pytest.param(rules, rule, id=rule.id)
    for rules in SETS.values()
    for rule in rules.rules.values()
    if rule.is_checked and rule.severity is not Severity.NONE and not rule.same_as
]


@cache
def cases_of(game: str) -> CaseFile:
    return read_cases(CASES / f"{game}.toml")


@pytest.mark.parametrize("game", SETS)
def test_check_rules_is_silent(game: str) -> None:
    assert problems(find_rules()[game], CHECKS) == []


def test_ids_are_unique_over_all_games() -> None:
    ids = Counter(
        name for rules in SETS.values() for rule in rules.rules.values() for name in (rule.id, *rule.former_ids)
    )
    assert [name for name, number in ids.items() if number > 1] == []


@pytest.mark.parametrize("name", CHECKS)
def test_each_check_is_used(name: str) -> None:
    assert any(rule.check == name for rules in SETS.values() for rule in rules.rules.values())


@pytest.mark.parametrize(("rules", "rule"), JUDGED)
def test_each_checked_rule_has_a_legal_and_a_violating_case(rules: RuleSet, rule: Rule) -> None:
    file = cases_of(rules.game.id)
    names = {each.removeprefix(file.vocabulary.prefix) for each in rules.twins(rule.id)}
    verdicts = {case.verdict for case in file.cases if case.run is not RunKind.STORY and names & set(case.rules)}
    assert CaseVerdict.LEGAL in verdicts
    assert verdicts & {CaseVerdict.ILLEGAL, CaseVerdict.SUSPICIOUS, CaseVerdict.BOOKKEEPING}
