"""From the words of a case to a state of the board: facts, defaults, history."""

from __future__ import annotations

from pathlib import Path

import pytest

from vassal_bridge.board.actions import Advance, Attack, Enter, Flip, Move, MoveKind, Overrun, PlaceUnit, Remove, Result
from vassal_bridge.board.game import Game
from vassal_bridge.board.hexes import Hex, hexside
from vassal_bridge.board.knowledge import UNKNOWN, Reason
from vassal_bridge.board.state import Marker
from vassal_bridge.board.terrain import ANYTHING
from vassal_bridge.board.units import Box, Side, UnitId
from vassal_bridge.checks import CHECKS
from vassal_bridge.rulebook.acts import NotModelled, queries_of, to_action
from vassal_bridge.rulebook.case import Case
from vassal_bridge.rulebook.casefile import parse_cases
from vassal_bridge.rulebook.load import load_rules
from vassal_bridge.rulebook.position import Position, build

CASES = Path(__file__).resolve().parent.parent / "cases" / "drive-on-stalingrad.toml"
UNITS = (
    'u=["G1 ger.inf 9-9 N2030", "P1 ger.pz 4-13 N2030 div=14Pz", "S1 sov.gds 8-9-8 N2029 dis", "Z1 so.any - @reinf"]'
)


@pytest.fixture(scope="module")
def game() -> Game:
    return load_rules("drive-on-stalingrad", CHECKS).game


@pytest.fixture(scope="module")
def header() -> str:
    return CASES.read_text(encoding="utf-8").split("# --------")[0]


@pytest.fixture
def position(game: Game, header: str) -> PositionOf:
    return PositionOf(game, header)


class PositionOf:
    """Builds the position of a case, given what follows its fixed keys."""

    def __init__(self, game: Game, header: str) -> None:
        self.game, self.header = game, header

    def case(self, body: str, *, phase: str) -> Case:
        fixed = f'id="C", v="legal", run="full", rules=["7.1a"], ph="{phase}", why="."'
        text = f'{self.header}\n[[section]]\ntitle = "."\ncase = [{{{fixed}, {body}}}]'
        return parse_cases(text, name="case").cases[0]

    def __call__(self, body: str, *, phase: str = "ax.init") -> Position:
        return build(self.case(body, phase=phase), self.game)

    def at(self, text: str) -> Hex:
        found = self.game.numbering.parse(text)
        assert found is not None
        return found


def test_units_stand_where_their_lines_say(position: PositionOf) -> None:
    state = position(f'{UNITS}, a=["state"]').state
    assert [unit.id for unit in state.units_at(position.at("N2030"))] == ["G1", "P1"]
    assert state.units[UnitId("P1")].division == "14Pz"
    assert state.units[UnitId("P1")].factors.movement == 13
    assert state.units[UnitId("S1")].is_disrupted
    assert state.units[UnitId("Z1")].at == Box("@reinf")
    assert state.units[UnitId("Z1")].type.is_masked
    assert state.phasing == "ax"


def test_terrain_is_clear_unless_a_fact_says_otherwise(position: PositionOf) -> None:
    facts = '"N2029,N2030 hw,rail", "N2030|N2031 don", "N2031=N2032 4", "track N2032..N2034", "land N2029..N2040"'
    state = position(f'{UNITS}, t=[{facts}], a=["state"]').state
    terrain, at = state.terrain, position.at
    assert terrain.tags == {at("N2029"): {"hw", "rail"}, at("N2030"): {"hw", "rail"}}
    assert terrain.features == {hexside(at("N2030"), at("N2031")): {"don"}}
    assert terrain.tracks == {
        hexside(at(one), at(two)) for one, two in (("N2031", "N2032"), ("N2032", "N2033"), ("N2033", "N2034"))
    }
    assert terrain.links == {hexside(at("N2031"), at("N2032")): 4}
    assert terrain.land is not None
    assert len(terrain.land) == 12
    assert terrain.is_complete


def test_what_is_not_known_is_bounded_by_may(position: PositionOf) -> None:
    facts = '"unknown N2029|N2028 P1", "unknown N2025,N2026 may=lw,hw"'
    state = position(f'{UNITS}, t=[{facts}], a=["state"]').state
    at = position.at
    assert state.terrain.unknown_sides == {hexside(at("N2029"), at("N2028")): ANYTHING}
    assert state.terrain.unknown_hexes == {at("N2025"): {"lw", "hw"}, at("N2026"): {"lw", "hw"}}
    assert state.units[UnitId("P1")].division == "14Pz"


def test_an_unknown_hex_is_no_barrier_to_those_who_stand_in_it(position: PositionOf) -> None:
    units = 'u=["G1 ger.inf 9-9 N2025", "P1 ger.pz 4-13 N2026", "Z1 ax.any - N2027"]'
    unknown = position(f'{units}, t=["unknown N2025..N2028"], a=["state"]').state.terrain.unknown_hexes
    infantry, tanks, masked, nobody = (unknown[position.at(f"N20{number}")] for number in (25, 26, 27, 28))
    assert {"hw", "mtn", "major"} <= infantry
    assert "mtn" not in tanks
    assert "mtn" in masked
    assert not (infantry | tanks | masked) & {"sea", "frac", "*"}
    assert nobody == ANYTHING


def test_an_unknown_unit_without_a_division_may_have_any(position: PositionOf) -> None:
    state = position(f'{UNITS}, t=["unknown G1"], a=["state"]').state
    assert state.units[UnitId("G1")].division is UNKNOWN


def test_a_city_belongs_to_who_stands_in_it_else_to_its_part_of_the_map(position: PositionOf) -> None:
    facts = '"N2030,N2001 minor", "N2040 major,west", "N2041 minor", "ctl N2041 unknown", "N2029 rail"'
    control = position(f'{UNITS}, t=[{facts}], a=["state"]').state.control
    at = position.at
    assert control == {at("N2030"): "ax", at("N2001"): "so", at("N2040"): "ax", at("N2041"): UNKNOWN}


def test_control_at_the_start_is_that_of_now_unless_stated(position: PositionOf) -> None:
    facts = '"ctl N2029 ax", "ctl0 N2029 so", "ctl N2031 ax since=8", "ctl N2032 so"'
    state = position(f'gt=8, t=[{facts}], a=["state"]').state
    at = position.at
    assert state.control_at_start == {at("N2029"): "so", at("N2031"): "so", at("N2032"): "so"}


def test_rail_cleared_this_turn_is_not_cleared_yet(position: PositionOf) -> None:
    state = position('gt=8, t=["cleared N2040", "cleared N2039 since=8", "cleared N2038 since=7"], a=["state"]').state
    assert state.cleared == {position.at("N2040"), position.at("N2038")}


@pytest.mark.parametrize(
    ("body", "traces"),
    [
        ('a=["state"]', False),
        ('t=["src N2034 ax"], a=["state"]', True),
        (f'{UNITS}, a=["?supply G1 in"]', True),
        (f'{UNITS}, a=["claim supply G1 in"]', True),
        (f'{UNITS}, a=["?stack N2030 ax ok"]', False),
    ],
)
def test_supply_is_traced_only_where_the_case_is_about_it(position: PositionOf, body: str, *, traces: bool) -> None:
    assert position(body).state.traces_supply is traces


def test_sources_are_none_unless_stated(position: PositionOf) -> None:
    assert position('a=["state"]').state.sources is None
    stated = position('t=["src N2034,N2035 ax", "src N2034 so"], a=["state"]').state.sources
    assert stated == {position.at("N2034"): frozenset({"ax", "so"}), position.at("N2035"): frozenset({"ax"})}


def test_markers_keep_the_side_that_placed_them(position: PositionOf) -> None:
    state = position('t=["int N2030 so", "marker railhead N2034"], a=["state"]').state
    assert state.markers == {
        Marker(kind="interdiction", hex=position.at("N2030"), side=Side("so")),
        Marker(kind="railhead", hex=position.at("N2034")),
    }


def test_history_is_remembered_and_not_carried_out(position: PositionOf) -> None:
    body = f'{UNITS}, h=["ph=ax.init overrun P1 N2031 -> N2030", "gt=6 ph=so.combat advance S1 N2028>N2029"], a=["end"]'
    state = position(body).state
    overrun, advance = state.past
    assert isinstance(overrun.action, Overrun)
    assert isinstance(advance.action, Advance)
    assert (advance.phase.id if advance.phase else None, advance.turn) == ("so.combat", "6")
    assert state.units[UnitId("P1")].at == position.at("N2030")


def test_the_start_of_the_phase_is_before_its_history(position: PositionOf) -> None:
    body = f'{UNITS}, h=["ph=ax.init move P1 N2032>N2031", "ph=ax.init overrun P1 N2031 -> N2030"], a=["end"]'
    state = position(body).state
    assert state.phase_start[UnitId("P1")].at == position.at("N2032")
    assert state.phase_start[UnitId("G1")].at == position.at("N2030")


def test_a_retreat_of_this_phase_marks_the_unit_one_of_another_phase_does_not(position: PositionOf) -> None:
    history = 'h=["ph=so.combat retreat G1 N2031>N2030", "ph=ax.combat retreat S1 N2028>N2029"]'
    state = position(f'{UNITS}, {history}, a=["end"]', phase="so.combat").state
    assert "fled" in state.units[UnitId("G1")].flags
    assert "fled" not in state.units[UnitId("S1")].flags


def test_a_gap_leaves_the_history_open(position: PositionOf) -> None:
    assert position(f'{UNITS}, h=["gap so.combat"], a=["end"]').state.unseen == {Reason.HISTORY}


def test_what_the_board_has_no_place_for_is_told_completely(position: PositionOf) -> None:
    gaps = position(f'{UNITS}, t=["directive A", "baseline N2029 ax"], h=["evacuate S1"], a=["end"]').gaps
    assert gaps == (
        "the fact `directive` is not modelled yet",
        "the fact `baseline` is not modelled yet",
        "the verb `evacuate` is not executed yet",
    )


class TestActs:
    """Events as acts of the board."""

    def act(self, position: PositionOf, text: str) -> object:
        case = position.case(f'{UNITS}, a=["{text}"]', phase="ax.combat")
        state = build(case, position.game).state
        (step,) = case.steps
        assert step.statement is not None
        return to_action(step.statement, state)

    def test_a_move_knows_its_kind_and_whether_its_way_is_complete(self, position: PositionOf) -> None:
        move = self.act(position, "move G1,P1 N2030>N2031 cost=1")
        assert isinstance(move, Move)
        assert (move.units, move.kind, move.path.is_complete) == (("G1", "P1"), MoveKind.ORDINARY, True)
        rail = self.act(position, "rail G1 N2030~N2040 rmp=10")
        assert isinstance(rail, Move)
        assert (rail.kind, rail.path.is_complete, rail.path.end) == (MoveKind.RAIL, False, position.at("N2040"))

    def test_a_hex_as_target_means_the_other_sides_units_in_it(self, position: PositionOf) -> None:
        attack = self.act(position, "attack #1 G1 -> N2029 att=9 odds=1:1")
        assert isinstance(attack, Attack)
        assert (attack.label, attack.targets, attack.target_hexes) == ("1", ("S1",), (position.at("N2029"),))
        # The numbers are ours, not a player's.
        assert attack.claims == {}

    def test_a_unit_as_target_brings_its_hex(self, position: PositionOf) -> None:
        overrun = self.act(position, "overrun P1 N2031 -> S1")
        assert isinstance(overrun, Overrun)
        assert (overrun.launch, overrun.target_hexes) == (position.at("N2031"), (position.at("N2029"),))

    def test_counters_come_flip_and_go(self, position: PositionOf) -> None:
        placed = self.act(position, "place G1 N2029 2-9 as=substitute")
        assert isinstance(placed, PlaceUnit)
        assert (placed.role, placed.unit.factors.attack, placed.unit.at) == ("substitute", 2, position.at("N2029"))
        flipped = self.act(position, "flip S1 U-8")
        assert isinstance(flipped, Flip)
        assert flipped.factors.attack is UNKNOWN
        removed = self.act(position, "remove S1")
        assert isinstance(removed, Remove)
        assert removed.to == "@dead"

    def test_a_result_is_of_a_label_or_of_hexes(self, position: PositionOf) -> None:
        result = self.act(position, "result #1 D1/A1 on=N2029")
        assert isinstance(result, Result)
        assert (result.text, result.label, result.on_hexes) == ("D1/A1", "1", (position.at("N2029"),))
        entered = self.act(position, "enter Z1 N2001 cost=1")
        assert isinstance(entered, Enter)

    @pytest.mark.parametrize(
        ("text", "says"),
        [
            ("arrive 3 sov.gds north", "the verb `arrive` is not executed yet"),
            ("retreat S1 N2029>N2028 by=ax", "`by=` of the verb `retreat` is not executed yet"),
            ("marker railhead at N2030", "the verb `marker` is not executed yet"),
        ],
    )
    def test_an_act_without_a_class_is_refused_by_name(self, position: PositionOf, text: str, says: str) -> None:
        with pytest.raises(NotModelled, match=says):
            self.act(position, text)


class TestQueries:
    """Queries as questions with one answer each."""

    def ask(self, position: PositionOf, text: str) -> list[tuple[str, object, object]]:
        case = position.case(f'{UNITS}, a=["?{text}"]', phase="ax.combat")
        (step,) = case.steps
        assert step.statement is not None
        found = queries_of(step.statement, build(case, position.game).state)
        return [(each.verb, each.answer, dict(each.arguments)) for each in found]

    def test_each_number_is_a_question_of_its_own(self, position: PositionOf) -> None:
        asked = {"hex": position.at("N2030"), "side": "ax"}
        assert self.ask(position, "stack N2030 ax ok n=2") == [("stack", "ok", asked), ("stack-count", 2, asked)]

    def test_labels_lose_their_sign(self, position: PositionOf) -> None:
        assert self.ask(position, "odds #1 = 2:1") == [("odds", "2:1", {"label": "1"})]
        assert self.ask(position, "odds #1 = unknown") == [("odds", "unknown", {"label": "1"})]
        assert self.ask(position, "odds 9:4 = 2:1") == [("odds", "2:1", {"of": "9:4"})]

    def test_a_zone_is_asked_of_hexes_or_as_a_whole(self, position: PositionOf) -> None:
        at = position.at("N2028")
        assert self.ask(position, "zoc S1 covers N2028") == [("zoc", "covers", {"of": "S1", "hexes": (at,)})]
        assert self.ask(position, "zoc so = N2028") == [("zone", {at}, {"of": "so"})]

    def test_no_exit_is_an_answer(self, position: PositionOf) -> None:
        assert self.ask(position, "exits S1 none") == [("exits", frozenset(), {"unit": "S1"})]
        assert self.ask(position, "exits S1 N2028") == [("exits", {position.at("N2028")}, {"unit": "S1"})]

    def test_zero_is_an_answer(self, position: PositionOf) -> None:
        assert self.ask(position, "points so = 0") == [("points", 0, {"side": "so"})]
