"""The case runner: when a case agrees, when not, and when it is not run."""

from __future__ import annotations

from dataclasses import replace
from functools import cache
from pathlib import Path

import pytest

from vassal_bridge.audit.casereport import Agreement, CaseReport, CaseResult, Disagreement, Got, NotRun
from vassal_bridge.audit.cases import run_cases
from vassal_bridge.checks import CHECKS
from vassal_bridge.errors import CaseError
from vassal_bridge.rulebook.casefile import parse_cases
from vassal_bridge.rulebook.load import load_rules
from vassal_bridge.rulebook.rule import RuleSet, Status

FILE = Path(__file__).resolve().parent.parent / "cases" / "drive-on-stalingrad.toml"
FOUR = '"G1 ger.inf 9-9 N2030", "G2 ger.inf 9-9 N2030", "G3 ger.inf 9-9 N2030", "G4 ger.inf 9-9 N2030"'
THREE = FOUR.rpartition(",")[0]
HELD = '"G1 ger.inf 9-9 N2030", "S1 sov.gds 8-9-8 N2031"'


@cache
def rules() -> RuleSet:
    return load_rules("drive-on-stalingrad", CHECKS)


@cache
def header() -> str:
    return FILE.read_text(encoding="utf-8").split("# --------")[0]


def run(
    body: str, *, verdict: str = "legal", rule: str = '"7.1a"', phase: str = "ax.init", kind: str = "full"
) -> CaseResult:
    fixed = f'id="C", v="{verdict}", run="{kind}", rules=[{rule}], ph="{phase}", why="."'
    text = f'{header()}\n[[section]]\ntitle = "."\ncase = [{{{fixed}, {body}}}]'
    (result,) = run_cases(rules(), parse_cases(text, name="case")).results
    return result


def disagreement(result: CaseResult) -> tuple[str, str, tuple[str, ...]]:
    assert isinstance(result, Disagreement), result
    return result.expected, result.got, result.rules


class TestVerdicts:
    def test_a_case_agrees_if_verdict_and_rule_are_the_engines(self) -> None:
        assert isinstance(run(f'u=[{THREE}], a=["end"]'), Agreement)
        assert isinstance(run(f'u=[{FOUR}], a=["end"]', verdict="illegal"), Agreement)

    def test_a_finding_in_a_legal_case_is_a_disagreement(self) -> None:
        assert disagreement(run(f'u=[{FOUR}], a=["end"]')) == ("legal", Got.VIOLATION, ("DOS-7.1a",))

    def test_a_missing_finding_is_a_disagreement(self) -> None:
        assert disagreement(run(f'u=[{THREE}], a=["end"]', verdict="illegal")) == ("illegal", Got.LEGAL, ())

    def test_the_right_verdict_by_another_rule_is_a_disagreement(self) -> None:
        body = f'u=[{HELD}], a=["move G1 N2030>N2029"]'
        assert isinstance(run(body, verdict="illegal", rule='"8.22"'), Agreement)
        result = run(body, verdict="illegal", rule='"8.0"')
        assert disagreement(result) == ("illegal", Got.VIOLATION, ("DOS-8.22",))

    def test_a_rule_in_also_may_be_cited_but_does_not_replace_the_first(self) -> None:
        body = f'u=[{HELD}], a=["move G1 N2030>N2029"], also=["8.22"]'
        assert isinstance(run(body, verdict="illegal", rule='"8.0"'), Disagreement)

    def test_rows_that_are_the_same_rule_may_stand_for_each_other(self) -> None:
        assert isinstance(run(f'u=[{FOUR}], a=["end"]', verdict="illegal", rule='"7.1g"'), Agreement)

    def test_illegal_does_not_ask_for_the_word_of_the_severity(self) -> None:
        assert isinstance(run(f'u=[{FOUR}], a=["end"]', verdict="bookkeeping"), Agreement)
        assert isinstance(run(f'u=[{FOUR}], a=["end"]', verdict="suspicious"), Disagreement)

    def test_a_softer_finding_will_do_only_if_the_case_names_its_reading(self) -> None:
        body = (
            'u=["G1 ger.inf 9-9 N2030", "G2 ger.inf 9-9 N2031", "S1 sov.gds 8-9-8 N2029"],'
            ' a=["result D2 on=N2030", "retreat G1 N2030>N2031>N2032 n=2"]'
        )
        options = {"verdict": "illegal", "rule": '"9.73a"', "phase": "so.combat"}
        assert isinstance(run(body, **options), Disagreement)
        assert isinstance(run(f'{body}, reading="AMB-38"', **options), Agreement)
        assert isinstance(run(f'{body}, reading="AMB-01"', **options), Disagreement)

    def test_unknown_asks_for_doubt_under_the_first_rule(self) -> None:
        units = 'u=["S1 sov.rifle U-8 N2030", "S2 sov.rifle U-8 N2030", "S3 sov.rifle U-8 N2030", "Z1 so.any - N2030"]'
        assert isinstance(run(f'{units}, a=["end"]', verdict="unknown", phase="so.init"), Agreement)
        result = run(f'{units}, a=["end"]', phase="so.init")
        assert disagreement(result) == ("legal", Got.UNKNOWN, ())
        wrong = run(f'{units}, a=["end"]', verdict="unknown", rule='"8.0"', phase="so.init")
        assert disagreement(wrong) == ("unknown", Got.LEGAL, ())

    def test_a_legal_case_in_which_the_rule_is_never_asked_proves_nothing(self) -> None:
        result = run(f'u=[{THREE}], a=["move G1 N2030>N2029"]')
        assert isinstance(result, Disagreement)
        assert result.remarks == ("DOS-7.1a was not asked",)

    def test_whole_positions_are_judged_only_by_the_rules_named(self) -> None:
        assert isinstance(run(f'u=[{FOUR}], a=["move G1 N2030>N2029", "end"]', rule='"8.22"'), Agreement)


class TestNumbers:
    def test_a_wrong_answer_is_told_whatever_the_verdict(self) -> None:
        result = run(f'u=[{FOUR}], a=["?stack N2030 ax over n=3", "end"]', verdict="illegal")
        assert disagreement(result) == ("illegal", Got.QUERY, ("DOS-7.1a",))
        assert isinstance(result, Disagreement)
        assert result.remarks[0] == "stack-count: 4 instead of 3"

    @pytest.mark.parametrize(
        "query",
        [
            "dist N2030~N2024 n=6",
            "odds 26:9 = 2:1",
            "odds 8:9 = 1:2",
            "odds 4:9 = 1:3",
            "odds 18:1 = 10:1",
            "odds 1:9 = 1:3",
            "column 3:1 <= 3x 1:1",
            "shift 3:1 -1 = 2:1",
            "shift 1:3 -1 = 1:3",
            "loss hx 8,4,4 / 10 = 4",
            "loss dx 8,4,4 / 13 = 12",
            "pays 8 of 8,8,4 / 10 no",
            "pays 8,8 of 8,8 / 20 yes",
        ],
    )
    def test_arithmetic_is_checked(self, query: str) -> None:
        assert isinstance(run(f'u=[{THREE}], a=["?{query}", "end"]'), Agreement)

    @pytest.mark.parametrize(
        ("text", "is_true"),
        [("4+3==7", True), ("0.1+0.2==0.3", True), ("(1+2)*1.5<4.5", False), ("2**9==512", False), ("4+3 = 7", False)],
    )
    def test_calculations_are_exact_and_nothing_else(self, text: str, *, is_true: bool) -> None:
        result = run(f'u=[{THREE}], a=["?calc {text}", "end"]')
        assert isinstance(result, Agreement) is is_true

    def test_numbers_on_events_are_the_engines_not_a_players(self) -> None:
        units = 'u=["G1 ger.inf 9-9 N2030 oos", "S1 sov.gds 3-4-8 N2029"]'
        options = {"rule": '"12.51"', "phase": "ax.combat"}
        assert isinstance(run(f'{units}, a=["attack G1 -> N2029 att=4 def=4 odds=1:1"]', **options), Agreement)
        wrong = run(f'{units}, a=["attack G1 -> N2029 att=9 def=4"]', **options)
        assert isinstance(wrong, Disagreement)
        assert wrong.remarks[0] == "att: 4 instead of 9"

    def test_the_hexes_of_a_retreat_are_counted(self) -> None:
        units = 'u=["G1 ger.inf 9-9 N2030", "S1 sov.gds 8-9-8 N2029"]'
        steps = 'a=["result D2 on=N2030", "retreat G1 N2030>N2031>N2032 n=3"]'
        result = run(f"{units}, {steps}", rule='"9.72b"', phase="so.combat")
        assert disagreement(result) == ("legal", Got.QUERY, ())


class TestNotRun:
    @pytest.mark.parametrize(
        ("rule", "body", "why"),
        [
            ('"99.9"', 'a=["state"]', "the rule set has no rule DOS-99.9"),
            ('"7.1a"', 'gt=3, a=["arrive 3 sov.gds north", "end"]', "the verb `arrive` is not executed yet"),
            ('"7.1a"', 't=["directive A"], a=["end"]', "the fact `directive` is not modelled yet"),
            ('"7.1a"', 'opt=["no-directives"], a=["end"]', "optional rules are not modelled yet"),
            ('"7.1a"', 'a=["?front ax ok", "end"]', "the query `front` is not answered yet"),
            ('"7.1a"', 'a=["claim control N2030 ax", "end"]', "claims about `control` are not judged yet"),
            ('"7.1a"', 'a=["claim att #1 = 3", "end"]', "no attack #1 was declared"),
            (
                '"7.1a"',
                f'u=[{THREE}], a=["rail G1 N2030~N2040 rmp=10", "end"]',
                "`rmp=` of `rail` is not worked out yet",
            ),
        ],
    )
    def test_what_is_not_there_yet_is_named(self, rule: str, body: str, why: str) -> None:
        result = run(body, rule=rule)
        assert result == NotRun(id="C", why=why)

    def test_a_planned_rule_is_not_run(self) -> None:
        planned = {
            key: replace(rule, status=Status.PLANNED) if key == "DOS-7.1a" else rule
            for key, rule in rules().rules.items()
        }
        case = '{id="C", v="legal", run="full", rules=["7.1g"], ph="any", why=".", a=["end"]}'
        file = parse_cases(f'{header()}[[section]]\ntitle="."\ncase=[{case}]', name="case")
        report = run_cases(replace(rules(), rules=planned), file)
        assert report.not_run == (NotRun(id="C", why="DOS-7.1g is planned"),)

    def test_a_story_is_for_people(self) -> None:
        assert isinstance(run('a=["say Well played"]', kind="story"), NotRun)

    def test_of_a_partial_case_only_answers_count(self) -> None:
        loose = f'u=[{FOUR}], a=["say the owner will remove one", "?stack N2030 ax over n=4", "end"]'
        assert isinstance(run(loose, kind="partial"), Agreement)
        assert isinstance(run(loose.replace("n=4", "n=5"), kind="partial"), Disagreement)
        assert isinstance(run(f'given="they agreed", u=[{FOUR}], a=["end"]', kind="partial"), NotRun)

    def test_cases_of_another_game_are_refused(self) -> None:
        file = parse_cases(FILE.with_name("stalingrad.toml").read_text(encoding="utf-8"), name="other.toml")
        with pytest.raises(CaseError, match="cannot be run"):
            run_cases(rules(), file)


class TestJourneys:
    def test_several_moves_are_one_journey(self) -> None:
        units = 'u=["G1 ger.inf 9-9 N2031", "S1 sov.gds 8-9-8 N2028"]'
        body = f'{units}, a=["move G1 N2031>N2030>N2029", "move G1 N2029>N1929"]'
        # Not a unit that began in a zone (8.22), but one that did not stop in it.
        assert isinstance(run(body, verdict="illegal", rule='"8.0"'), Agreement)

    def test_an_overrun_begins_a_new_journey_and_its_hex_is_free(self) -> None:
        units = 'u=["P1 ger.pz 4-13 N2031", "S1 sov.gds 3-4-8 N2029"]'
        steps = (
            '"move P1 N2031>N2030", "overrun P1 N2030 -> N2029", "result De", "remove S1", "move P1 N2030>N2029 cost=0"'
        )
        assert isinstance(run(f"{units}, a=[{steps}]", rule='"8.0"'), Agreement)


def test_reports_add_up() -> None:
    one, two = run(f'u=[{THREE}], a=["end"]'), run(f'u=[{FOUR}], a=["end"]')
    report = CaseReport(results=(one,)) + CaseReport(results=(two,))
    assert (len(report.agree), len(report.disagree), len(report.not_run)) == (1, 1, 0)
