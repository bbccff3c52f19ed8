"""Promise 1: whoever is found to play by the rules is never accused when less is known.

Each legal case is run again with something taken away: the way of a move, the terrain of a hex, a hexside, the face
of a counter. The answer may become unknown; it must not become a violation.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from functools import cache
from itertools import combinations
from pathlib import Path

import pytest

from vassal_bridge.audit.casereport import Disagreement, Got
from vassal_bridge.audit.cases import run_case
from vassal_bridge.board.hexes import adjacent
from vassal_bridge.checks import CHECKS
from vassal_bridge.rulebook.case import Case, CaseFile, CaseVerdict, Step, StepKind
from vassal_bridge.rulebook.casefile import read_cases
from vassal_bridge.rulebook.load import load_rules
from vassal_bridge.rulebook.notation import Statement
from vassal_bridge.rulebook.rule import RuleSet
from vassal_bridge.rulebook.words import Edge, PathText

GAME = "drive-on-stalingrad"
TRACED = frozenset({"supply", "loc"})


@cache
def file() -> CaseFile:
    return read_cases(Path(__file__).resolve().parent / "cases" / f"{GAME}.toml")


@cache
def rules() -> RuleSet:
    return load_rules(GAME, CHECKS)


def legal_cases() -> Iterator[Case]:
    """Yield the legal cases of checked rules, without those that trace supply, which take long."""
    for case in file().cases:
        rule = rules().rules.get(file().vocabulary.prefix + case.rules[0])
        asks = {step.statement.verb for step in case.steps if step.statement} & TRACED
        traces = asks or any(fact.verb == "src" for fact in case.facts)
        if case.verdict is CaseVerdict.LEGAL and rule is not None and rule.is_checked and not traces:
            yield case


def bare(case: Case) -> Case:
    """Leave the queries and the numbers on events out: they may change, and are not what is asked here."""
    return replace(case, steps=tuple(_bare(step) for step in case.steps if step.kind is not StepKind.QUERY))


def _bare(step: Step) -> Step:
    if step.kind is not StepKind.EVENT or step.statement is None:
        return step
    numbers = {"cost", "min", "att", "def", "odds", "n"}
    left = {key: value for key, value in step.statement.arguments.items() if key not in numbers}
    return replace(step, statement=replace(step.statement, arguments=left))


def variants(case: Case) -> Iterator[tuple[str, Case]]:
    """Yield the case with one thing less known, and what that is."""
    yield "way", replace(case, steps=tuple(_ends_only(step) for step in case.steps))
    places = sorted(_hexes(case))
    for place in places:
        yield place, _with_unknown(case, (place,))
    numbering = rules().game.numbering
    for one, two in combinations(places, 2):
        a, b = numbering.parse(one), numbering.parse(two)
        if a is not None and b is not None and adjacent(a, b):
            yield f"{one}|{two}", _with_unknown(case, Edge(one, two))
    for number, unit in enumerate(case.units):
        side = rules().game.unit_types[unit.type].side
        masked = replace(unit, type=f"{side}.any", factors=None)
        yield unit.id, replace(case, units=(*case.units[:number], masked, *case.units[number + 1 :]))


def _ends_only(step: Step) -> Step:
    if step.statement is None or "path" not in step.statement.arguments:
        return step
    points = step.statement.arguments["path"].points
    arguments = {**step.statement.arguments, "path": PathText((points[0], points[-1]), is_complete=False)}
    return replace(step, statement=replace(step.statement, arguments=arguments))


def _with_unknown(case: Case, what: object) -> Case:
    fact = Statement(verb="unknown", arguments={"what": (what,)}, text="unknown")
    return replace(case, facts=(*case.facts, fact))


def _hexes(case: Case) -> set[str]:
    found = {unit.place for unit in case.units if not unit.place.startswith("@")}
    for step in case.steps:
        if step.statement and "path" in step.statement.arguments:
            found |= {point for point in step.statement.arguments["path"].points if not point.startswith("@")}
    return found


@pytest.mark.parametrize("case", [pytest.param(case, id=case.id) for case in legal_cases()])
def test_nobody_is_accused_for_want_of_knowledge(case: Case) -> None:
    for what, variant in variants(bare(case)):
        result = run_case(rules(), variant, file().vocabulary)
        accused = isinstance(result, Disagreement) and result.got is Got.VIOLATION
        assert not accused, f"without {what}: {result}"
