"""Leaving and passing zones of control, in the situations that logs show and cases do not."""

from __future__ import annotations

import itertools
from dataclasses import replace

import pytest

from tests.positions import at, move, position, unit, verdicts
from vassal_bridge.analysis.movement import cheapest
from vassal_bridge.analysis.worlds import World
from vassal_bridge.board.actions import ForcePart, MoveKind, Overrun, Remove, Result, Roll
from vassal_bridge.board.hexes import hexside
from vassal_bridge.board.state import GameState, Past
from vassal_bridge.board.units import Box, Side, UnitId

GERMAN = unit("G1", "ger.inf", "9-9", "N2030")
GUARDS = unit("S1", "sov.gds", "8-9-8", "N2029")
UNDECLARED = MoveKind.UNDECLARED


@pytest.mark.parametrize(
    ("way", "verdict"),
    [
        ("N2029~N2027", "legal"),  # east: can have been a strategic withdrawal
        ("N2029~N1928", "legal"),  # north-east
        ("N2029~N1829", "violation"),  # due north is reached by no steps to the east
        ("N2029~N2130", "violation"),  # south-west
    ],
)
def test_an_undeclared_soviet_journey_may_be_a_withdrawal(way: str, verdict: str) -> None:
    state = position(GERMAN, GUARDS, phase="so.init")
    assert verdicts("DOS-8.22", state, move("S1", way, kind=UNDECLARED)) == [verdict]


def test_the_other_side_has_no_withdrawal() -> None:
    state = position(GERMAN, GUARDS)
    assert verdicts("DOS-8.22", state, move("G1", "N2030~N2032", kind=UNDECLARED)) == ["violation"]


def test_a_unit_that_goes_nowhere_has_left_nothing() -> None:
    state = position(GERMAN, GUARDS)
    assert verdicts("DOS-8.22", state, move("G1", "N2030~N2030", kind=UNDECLARED)) == []


def test_a_truck_is_not_judged_and_does_not_hold() -> None:
    truck = unit("T1", "axs.truck", "0-13", "N2030")
    assert verdicts("DOS-8.22", position(truck, GUARDS), move("T1", "N2030~N2032")) == []
    soviet = unit("S1", "sov.gds", "8-9-8", "N2031")
    assert verdicts("DOS-8.22", position(truck, soviet, phase="so.init"), move("S1", "N2031~N2033")) == ["legal"]


def _after(state: GameState, *acts: object) -> GameState:
    past = tuple(Past(action=act, phase=state.phase, turn=None) for act in acts)  # type: ignore[arg-type]
    return position(
        *state.units.values(), past=past, phase_start={**state.units, UnitId("S1"): GUARDS}, phase="ax.init"
    )


def test_a_declared_overrun_takes_a_unit_into_the_hex_that_it_overran() -> None:
    keeper = unit("S2", "sov.gds", "8-9-8", "N1931")
    gone = unit("S1", "sov.gds", "8-9-8", "@dead")
    overrun = Overrun(force=(ForcePart(unit=UnitId("G1")),), targets=(), target_hexes=(at("N2029"),))
    state = _after(position(GERMAN, gone, keeper), overrun)
    assert verdicts("DOS-8.22", state, move("G1", "N2030~N2029", kind=UNDECLARED)) == ["legal"]
    # Round by way of the hex that it won.
    assert verdicts("DOS-8.22", state, move("G1", "N2030~N2031", kind=UNDECLARED)) == ["legal"]


def test_a_failed_overrun_may_send_a_unit_back_a_short_way() -> None:
    defender = unit("S1", "sov.gds", "8-9-8", "N2029")
    overrun = Overrun(force=(ForcePart(unit=UnitId("G1")),), targets=(), target_hexes=(at("N2029"),))
    state = _after(position(GERMAN, defender), overrun)
    # Nobody announces results in a record; a case does.
    assert verdicts("DOS-8.22", state, move("G1", "N2030~N2031", kind=UNDECLARED)) == ["unknown"]
    assert verdicts("DOS-8.22", state, move("G1", "N2030~N2031")) == ["violation"]
    assert verdicts("DOS-8.22", state, move("G1", "N2030~N2034", kind=UNDECLARED)) == ["violation"]
    assert verdicts(
        "DOS-8.22", _after(state, overrun, Result(text="D1")), move("G1", "N2030~N2031", kind=UNDECLARED)
    ) == ["violation"]


def test_an_undeclared_overrun_is_no_crime_but_unknown() -> None:
    keeper = unit("S2", "sov.gds", "8-9-8", "N1931")
    gone = unit("S1", "sov.gds", "8-9-8", "@dead")
    removed = Remove(units=(UnitId("S1"),), to=Box("@dead"))
    state = _after(position(GERMAN, gone, keeper), Roll(die=3), removed)
    assert verdicts("DOS-8.22", state, move("G1", "N2030~N2029", kind=UNDECLARED)) == ["unknown"]


WALL = [unit("S1", "sov.gds", "8-9-8", hex_) for hex_ in ("N2028",)] + [
    unit("S2", "sov.gds", "8-9-8", "N1829"),
    unit("S3", "sov.gds", "8-9-8", "N2229"),
]


def test_only_the_ends_known_every_way_through_zones() -> None:
    state = position(GERMAN, *WALL)
    assert verdicts("DOS-8.0", state, move("G1", "N2030~N2027")) == ["violation"]


def test_a_railroad_that_might_have_been_used_leaves_an_undeclared_journey_unknown() -> None:
    state = position(GERMAN, *WALL)
    around = cheapest(World(state), GERMAN, at("N2030"), at("N2026"))
    assert around is not None
    assert around.cost > 9
    rails = frozenset(hexside(a, b) for a, b in itertools.pairwise(around.path))
    # The railroad is the enemy's, so that it is no cheaper to walk along it.
    lost = dict.fromkeys(around.path, Side("so"))
    with_rails = replace(state, terrain=replace(state.terrain, tracks=rails), control=lost)
    assert verdicts("DOS-8.0", with_rails, move("G1", "N2030~N2026")) == ["violation"]
    assert verdicts("DOS-8.0", with_rails, move("G1", "N2030~N2026", kind=UNDECLARED)) == ["unknown"]


def test_a_move_that_no_unit_could_pay_for_is_not_the_zones_fault() -> None:
    assert verdicts("DOS-8.0", position(GERMAN), move("G1", "N2030~N2010")) == ["legal"]
