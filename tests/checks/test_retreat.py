"""Retreats of which only the ends are known, and whole stacks that retreat together."""

from __future__ import annotations

from tests.positions import outcomes, position, retreat, unit, verdicts

GERMAN = unit("G1", "ger.inf", "9-9", "N2030")
ATTACKER = unit("S1", "sov.gds", "8-9-8", "N2029")


def test_one_of_the_shortest_ways_must_be_open() -> None:
    # N2030 to N1932: by N2031 (in the zone of S2) or by N1931 (free).
    flank = unit("S2", "sov.gds", "8-9-8", "N2132")
    state = position(GERMAN, ATTACKER, flank, phase="so.combat")
    assert verdicts("DOS-9.71b", state, retreat("G1", "N2030~N1932")) == ["legal"]
    assert verdicts("DOS-9.71b", state, retreat("G1", "N2030>N2031>N1932")) == ["violation"]


def test_units_of_a_stack_retreat_one_after_the_other() -> None:
    second = unit("G2", "ger.inf", "9-9", "N2030")
    waiting = [unit(f"G{n}", "ger.inf", "9-9", "N2031") for n in (3, 4)]
    state = position(GERMAN, second, ATTACKER, *waiting, phase="so.combat")
    both = retreat("G1,G2", "N2030>N2031")
    assert verdicts("DOS-9.73b", state, both) == ["legal", "violation"]
    found = outcomes("DOS-9.73b", state, both)[1]
    assert found.units == ("G2",)
    assert found.facts["units"] == 4


def test_a_way_through_friends_is_wrong_only_if_a_vacant_one_is_open() -> None:
    friend = unit("G2", "ger.inf", "9-9", "N2031")
    state = position(GERMAN, ATTACKER, friend, phase="so.combat")
    assert verdicts("DOS-9.73a", state, retreat("G1", "N2030>N2031")) == ["violation"]
    closed = [unit("S2", "sov.gds", "8-9-8", "N1931"), unit("S3", "sov.gds", "8-9-8", "N2131")]
    state = position(GERMAN, ATTACKER, friend, *closed, phase="so.combat")
    assert verdicts("DOS-9.73a", state, retreat("G1", "N2030>N2031")) == ["legal"]


def test_only_the_last_hex_vacant_is_a_matter_of_reading() -> None:
    friend = unit("G2", "ger.inf", "9-9", "N2031")
    state = position(GERMAN, ATTACKER, friend, phase="so.combat")
    found = outcomes("DOS-9.73a", state, retreat("G1", "N2030>N2031>N2032"))
    assert [str(each.verdict) for each in found] == ["violation"]
    assert found[0].reading == "AMB-38"


def test_without_an_announced_result_the_distance_is_unknown() -> None:
    state = position(GERMAN, ATTACKER, phase="so.combat")
    assert verdicts("DOS-9.72b", state, retreat("G1", "N2030>N1931")) == ["unknown"]
    assert verdicts("DOS-9.72b", state, retreat("G1", "N2030>N1931", hexes=1)) == ["legal"]
    assert verdicts("DOS-9.72b", state, retreat("G1", "N2030>N1931", hexes=2)) == ["violation"]


def test_a_masked_unit_may_be_of_any_movement_class() -> None:
    units = [unit("Z1", "ax.any", "-", "N2030"), unit("S1", "sov.gds", "8-9-8", "N2029")]
    state = position(*units, phase="so.combat", tags={"N2031": "mtn"})
    # Infantry may enter the mountain hex, a Panzer regiment may not.
    assert verdicts("DOS-9.71c", state, retreat("Z1", "N2030>N2031")) == ["unknown"]
    assert verdicts("DOS-9.71c", state, retreat("Z1", "N2030>N2131")) == ["legal"]
