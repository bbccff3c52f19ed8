"""Headquarters in reach and stated strengths, with declared and undeclared attackers."""

from __future__ import annotations

from tests.positions import attack, outcomes, position, unit, verdicts

RIFLE = unit("S1", "sov.rifle", "2-4-8", "N2030")
GERMAN = unit("G1", "ger.inf", "4-9", "N2029")
FAR = unit("H1", "sov.hq", "L3-12", "N2034")
NEAR = unit("H1", "sov.hq", "L3-12", "N2033")


def test_an_attack_at_exactly_the_radius_is_legal_and_one_hex_more_is_not() -> None:
    assert verdicts("DOS-11.47", position(RIFLE, GERMAN, NEAR, phase="so.combat"), attack("S1", "N2029")) == ["legal"]
    found = outcomes("DOS-11.47", position(RIFLE, GERMAN, FAR, phase="so.combat"), attack("S1", "N2029"))
    assert [str(each.verdict) for each in found] == ["violation"]
    assert "4 hexes away, rating 3" in found[0].message
    assert found[0].reading is None


def test_a_line_that_is_cut_is_a_matter_of_reading() -> None:
    wall = [unit(f"G{n}", "ger.inf", "9-9", where) for n, where in enumerate(("N1931", "N2131"), start=2)]
    found = outcomes("DOS-11.47", position(RIFLE, GERMAN, NEAR, *wall, phase="so.combat"), attack("S1", "N2029"))
    assert [str(each.verdict) for each in found] == ["violation"]
    assert found[0].reading == "AMB-27"


def test_an_unread_rating_leaves_the_attack_unknown() -> None:
    unread = unit("H1", "sov.hq", "-", "N2033")
    found = outcomes("DOS-11.47", position(RIFLE, GERMAN, unread, phase="so.combat"), attack("S1", "N2029"))
    assert [str(each.verdict) for each in found] == ["unknown"]


def test_undeclared_attackers_are_accused_only_if_none_of_them_could() -> None:
    second = unit("S2", "sov.rifle", "2-4-8", "N2028")
    reach = unit("H2", "sov.hq", "L2-12", "N2026")
    state = position(RIFLE, second, GERMAN, FAR, phase="so.combat")
    assert verdicts("DOS-11.47", state, attack(None, "N2029")) == ["violation"]
    one_could = position(RIFLE, second, GERMAN, FAR, reach, phase="so.combat")
    assert verdicts("DOS-11.47", one_could, attack(None, "N2029")) == ["unknown"]


def test_a_german_among_those_who_may_have_attacked_excuses_the_others() -> None:
    hungarian = unit("I1", "hun.inf", "3-6", "N2030")
    german = unit("G1", "ger.inf", "9-9", "N2030")
    soviet = unit("S1", "sov.gds", "8-9-8", "N2029")
    state = position(hungarian, german, soviet, phase="ax.combat")
    assert verdicts("DOS-11.47", state, attack(None, "N2029")) == ["unknown"]
    assert verdicts("DOS-11.47", state, attack("I1", "N2029")) == ["violation"]


def test_unhalved_strength_breaks_the_supply_rule_and_no_other() -> None:
    cut_off = unit("G1", "ger.inf", "9-9", "N2030", "oos")
    soviet = unit("S1", "sov.gds", "3-4-8", "N2029")
    state = position(cut_off, soviet, phase="ax.combat")
    stated = attack("G1", "N2029", att="9", odds="2:1")
    assert verdicts("DOS-12.51", state, stated) == ["violation", "violation"]
    assert verdicts("DOS-9.4", state, stated) == ["legal", "legal"]
    right = attack("G1", "N2029", att="4", odds="1:1")
    assert verdicts("DOS-12.51", state, right) == ["legal", "legal"]


def test_a_number_that_no_mistake_explains_is_wrong_odds() -> None:
    german, soviet = unit("G1", "ger.inf", "9-9", "N2030"), unit("S1", "sov.gds", "3-4-8", "N2029")
    state = position(german, soviet, phase="ax.combat")
    found = outcomes("DOS-9.4", state, attack("G1", "N2029", odds="3:1"))
    assert [str(each.verdict) for each in found] == ["violation"]
    assert found[0].facts["right"] == "2:1"


def test_a_strength_behind_an_untried_side_leaves_the_odds_unknown() -> None:
    german, soviet = unit("G1", "ger.inf", "9-9", "N2030"), unit("S1", "sov.rifle", "U-8", "N2029")
    state = position(german, soviet, phase="ax.combat")
    found = outcomes("DOS-9.4", state, attack("G1", "N2029", odds="3:1"))
    assert [str(each.verdict) for each in found] == ["unknown"]
    assert found[0].because == ("strength",)


def test_halving_a_stack_as_a_whole_is_another_reading() -> None:
    cut_off = [unit(f"G{n}", "ger.inf", "9-9", "N2030", "oos") for n in (1, 2)]
    state = position(*cut_off, unit("S1", "sov.gds", "3-4-8", "N2029"), phase="ax.combat")
    found = outcomes("DOS-12.51", state, attack("G1,G2", "N2029", att="9"))
    assert [str(each.verdict) for each in found] == ["violation"]
    assert found[0].reading == "AMB-36"
    assert outcomes("DOS-12.51", state, attack("G1,G2", "N2029", att="18"))[0].reading is None
    assert verdicts("DOS-12.51", state, attack("G1,G2", "N2029", att="8")) == ["legal"]


def test_a_division_that_attacks_in_part_is_doubled_under_the_reading_in_use() -> None:
    regiments = [
        unit("P1", "ger.pz", "4-13", "N2030", division="14Pz"),
        unit("P2", "ger.pg", "2-13", "N2030", division="14Pz"),
        unit("P3", "ger.pg", "2-13", "N2030", division="14Pz"),
    ]
    state = position(*regiments, unit("S1", "sov.gds", "3-4-8", "N2029"), phase="ax.combat")
    assert verdicts("DOS-7.21", state, attack("P1", "N2029", att="8")) == ["legal"]
    assert outcomes("DOS-7.21", state, attack("P1", "N2029", att="4"))[0].reading == "AMB-35"
