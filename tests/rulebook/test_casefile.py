"""The reader of case files: what it reads, and that it finds every fault."""

from __future__ import annotations

from fractions import Fraction
from pathlib import Path

import pytest

from vassal_bridge.board.actions import ForcePart
from vassal_bridge.board.knowledge import UNKNOWN
from vassal_bridge.board.units import UnitId
from vassal_bridge.errors import CaseError
from vassal_bridge.rulebook.case import Case, CaseVerdict, StepKind
from vassal_bridge.rulebook.casefile import parse_cases, read_cases
from vassal_bridge.rulebook.words import Edge, Entry, PathText, Tally, Target

CASES = Path(__file__).resolve().parent.parent / "cases"

HEADER = """
[game]
id = "skirmish"
notation = 1
prefix = "SK-"
hex = '(?P<sheet>)(?P<line>\\d\\d)(?P<position>\\d\\d)'
shift = "even"
under = "barred"
factors = ['\\d+-\\d+']

[columns]
ax = ["1:1", "2:1"]
so = ["1:1", "2:1"]

[words]
side = ["ax", "so"]
nation = ["red"]
phase = ["any", "ax.move", "ax.combat"]
flag = ["oos"]
tag = ["wood", "town"]
feature = ["river"]
box = ["@dead", "@reinf"]
marker = ["smoke"]
result = ["D1", "D1/A1"]
role = ["reinforcement"]
use = ["combat"]
weather = ["mud"]
topic = ["weather"]
counted = ["guns"]

[attrs]
div = "word"
spent = "int"

[types]
"ax.inf" = {side="ax"}
"ax.any" = {side="ax"}
"so.inf" = {side="so"}

[[section]]
title = "Only section"
case = [
"""

GOOD = 'id="C-1", v="legal", run="full", rules=["1"], ph="ax.move", why="because"'


def read_one(body: str) -> Case:
    """Read one case, given what follows its fixed keys."""
    file = parse_cases(f"{HEADER}  {{{GOOD}, {body}}},\n]\n", name="skirmish.toml")
    (case,) = file.cases
    return case


def faults_of(*cases: str) -> list[str]:
    text = HEADER + "".join(f"  {{{case}}},\n" for case in cases) + "]\n"
    with pytest.raises(CaseError) as caught:
        parse_cases(text, name="skirmish.toml")
    assert caught.value.file == "skirmish.toml"
    return list(caught.value.problems)


def line_of(number: int) -> str:
    """Return how a fault names the line of the numbered case, from 0."""
    return f"line {HEADER.count(chr(10)) + 1 + number}"


class TestReading:
    def test_a_unit_has_type_factors_place_flags_and_attributes(self) -> None:
        (unit,) = read_one('u=["A1 ax.inf 4-3 0102 oos div=14Pz spent=2"], a=["state"]').units
        assert (unit.id, unit.type, unit.factors, unit.place) == ("A1", "ax.inf", "4-3", "0102")
        assert unit.flags == {"oos"}
        assert unit.attributes == {"div": "14Pz", "spent": 2}

    def test_a_masked_counter_has_no_factors(self) -> None:
        case = read_one('u=["A1 ax.any - @reinf"], a=["state"]')
        assert case.units[0].factors is None
        assert case.leaves_something_open

    def test_hexes_may_be_listed_and_run_in_either_direction(self) -> None:
        (fact,) = read_one('t=["0103..0101,0205 wood,town"], a=["state"]').facts
        assert fact.verb == "tags"
        assert fact.arguments["hexes"] == ("0103", "0102", "0101", "0205")
        assert fact.arguments["tags"] == ("wood", "town")

    def test_hexsides_tracks_and_unknown_things_are_told_apart(self) -> None:
        case = read_one(
            'u=["A1 ax.inf 4-3 0102"], t=["0101|0102 river", "0101=0102 4", "unknown 0101|0102 0101,0102 A1 weather"],'
            ' a=["state"]'
        )
        side, link, unknown = case.facts
        assert side.arguments["edges"] == (Edge("0101", "0102"),)
        assert link.arguments == {"link": ("0101", "0102"), "n": 4}
        assert unknown.arguments["what"] == (Edge("0101", "0102"), ("0101", "0102"), "A1", "weather")

    def test_a_path_knows_all_its_hexes_or_only_its_ends(self) -> None:
        steps = read_one(
            'u=["A1 ax.inf 4-3 0101"], a=["move A1 0101>0102..0104 cost=3", "move A1 0104~0109", "move A1 @reinf>0101"]'
        ).steps
        paths = [step.statement.arguments["path"] for step in steps if step.statement]
        assert paths == [
            PathText(("0101", "0102", "0103", "0104"), is_complete=True),
            PathText(("0104", "0109"), is_complete=False),
            PathText(("@reinf", "0101"), is_complete=True),
        ]

    def test_a_force_names_lenders_and_doubtful_units(self) -> None:
        units = 'u=["A1 ax.inf 4-3 0101", "A2 ax.inf 4-3 0101", "S1 so.inf 4-3 0102"]'
        one, two = read_one(f'{units}, a=["attack #1 A1+A2,A2? -> S1,0103 odds=2:1", "attack ? -> S1"]').steps
        assert one.statement is not None
        assert two.statement is not None
        assert one.statement.arguments["force"] == (
            ForcePart(unit=UnitId("A1"), headquarters=(UnitId("A2"),)),
            ForcePart(unit=UnitId("A2"), is_certain=False),
        )
        assert one.statement.arguments["target"] == Target((UnitId("S1"),), ("0103",))
        assert one.statement.arguments["odds"] == "2:1"
        assert two.statement.arguments["force"] is UNKNOWN

    def test_accounts_and_counts_are_numbers_not_floats(self) -> None:
        case = read_one('t=["rf ax=4.5 so+1", "count guns=3"], a=["state"]')
        assert case.facts[0].arguments["entry"] == (Entry("ax", "=", Fraction(9, 2)), Entry("so", "+", 1))
        assert case.facts[1].arguments["tally"] == (Tally("guns", 3),)

    def test_the_past_has_its_own_turn_and_phase(self) -> None:
        (past,) = read_one('u=["A1 ax.inf 4-3 0101"], h=["gt=3 ph=ax.combat move A1 0102>0101"], a=["state"]').history
        assert (past.turn, past.phase, past.statement.verb) == ("3", "ax.combat", "move")

    def test_queries_claims_and_loose_text_are_told_apart(self) -> None:
        body = (
            'u=["A1 ax.inf 4-3 0101"], a=["?zoc A1 covers 0102", "claim supply A1 in", "!move A1 0101>0102", "say Hi"]'
        )
        case = parse_cases(f"{HEADER}{{{GOOD.replace('full', 'partial')}, {body}}}]", name="x").cases[0]
        assert [step.kind for step in case.steps] == [StepKind.QUERY, StepKind.CLAIM, StepKind.SKIPPED, StepKind.SAY]


class TestFaults:
    def test_an_unknown_word_is_named_with_its_place(self) -> None:
        case = GOOD + ', u=["A1 ax.inf 4-3 0101"], a=["fly A1 0101>0102"]'
        (fault,) = faults_of(case)
        column = f"  {{{case}}},".index("fly") + 1
        assert fault == f"{line_of(0)}, column {column}: C-1: unknown event 'fly'"

    def test_two_faults_of_two_cases_are_reported_at_once(self) -> None:
        first = GOOD + ', u=["A1 ax.inf 4-3 01x1"], a=["state"]'
        second = GOOD.replace("C-1", "C-2") + ', t=["0101 lava"], a=["move A9 0101>0102"]'
        faults = faults_of(first, second)
        assert [fault.split(": ", 1)[1] for fault in faults] == [
            "C-1: expected hex or box, found '01x1'",
            "C-2: unknown tag 'lava'",
            "C-2: expected a unit declared in u, found 'A9'",
        ]

    @pytest.mark.parametrize(
        ("body", "message"),
        [
            ('a=["move A1 0101>0102 cost=2 cost=3"]', "'cost=' stands twice"),
            ('a=["move A1 0101>0102 0103"]', "'0103' is too much"),
            ('a=["move A1"]', "missing path"),
            ('a=["?dist 0101~0102"]', "missing n="),
            ('a=["?zoc A1 hides 0102"]', "expected covers or spares or unknown, found 'hides'"),
            ('t=["0101..0203 wood"], a=["state"]', "'0101..0203' is not a run of hexes"),
            ('t=["0101|0102 river extra"], a=["state"]', "expected features"),
            ('t=["0101=0102 4 5"], a=["state"]', "'5' is too much"),
            ('a=[""]', "the event is empty"),
            ('a=["roll die=six"]', "expected a number, found 'six'"),
            ('a=["attack A1 0102"]', "expected ->, found '0102'"),
            ('a=["say hello"]', "run is full exactly if nothing is given, said or marked with !"),
        ],
    )
    def test_each_fault_has_its_own_message(self, body: str, message: str) -> None:
        assert message in "\n".join(faults_of(f'{GOOD}, u=["A1 ax.inf 4-3 0101"], {body}'))

    def test_an_id_used_twice_is_a_fault(self) -> None:
        assert "this id is used twice" in faults_of(f'{GOOD}, a=["state"]', f'{GOOD}, a=["end"]')[0]

    def test_an_unknown_verdict_needs_something_unknown(self) -> None:
        case = GOOD.replace("legal", "unknown")
        assert "an unknown verdict needs something unknown" in faults_of(f'{case}, a=["state"]')[0]

    def test_missing_and_unknown_keys_are_all_told(self) -> None:
        (missing, unknown) = faults_of(
            'id="C-7", v="legal", run="full", rules=["1"], ph="any", a=["state"], colour="red"'
        )
        assert f"{line_of(0)}: C-7: why: " in missing
        assert "C-7: colour: " in unknown

    @pytest.mark.parametrize("content", [b"\xff\xfe", b"[game", b"", b"x = 1"])
    def test_a_file_that_is_no_case_file_is_refused_in_one_line(self, tmp_path: Path, content: bytes) -> None:
        path = tmp_path / "bad.toml"
        path.write_bytes(content)
        with pytest.raises(CaseError) as caught:
            read_cases(path)
        assert str(caught.value).startswith(str(path))
        assert "\n" not in str(caught.value)

    def test_a_missing_file_and_a_folder_are_refused(self, tmp_path: Path) -> None:
        for path in (tmp_path, tmp_path / "none.toml"):
            with pytest.raises(CaseError, match="cannot be read"):
                read_cases(path)

    def test_a_bad_regular_expression_in_the_header_is_a_fault(self) -> None:
        text = HEADER.replace("(?P<sheet>)", "(?P<sheet>") + f'{{{GOOD}, a=["state"]}}]'
        with pytest.raises(CaseError, match="no regular expression"):
            parse_cases(text, name="x")


@pytest.mark.parametrize("path", sorted(CASES.glob("*.toml")), ids=lambda path: path.stem)
def test_every_case_file_of_ours_is_read_completely(path: Path) -> None:
    file = read_cases(path)
    lines = [line for line in path.read_text(encoding="utf-8").splitlines() if line.startswith("  {id=")]
    assert [case.id for case in file.cases] == [line.split('"')[1] for line in lines]
    assert file.vocabulary.game == path.stem
    assert {case.verdict for case in file.cases} >= {CaseVerdict.LEGAL, CaseVerdict.ILLEGAL, CaseVerdict.UNKNOWN}


@pytest.mark.parametrize(
    "text",
    [
        pytest.param("x = " + "[" * 5000, id="nested too deeply"),
        pytest.param(HEADER + f'{{{GOOD}, a=["roll die={"9" * 5000}"]}}]', id="a number without end"),
        pytest.param(HEADER + f'{{{GOOD}, a=["roll die=٣"]}}]', id="digits of another script"),
    ],
)
def test_hostile_text_is_refused_like_any_other(text: str) -> None:
    with pytest.raises(CaseError):
        parse_cases(text, name="x")
