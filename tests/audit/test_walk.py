"""How the log audit reads what players do: small logs, and what must or must not be found in them."""

from __future__ import annotations

from vassal_bridge.audit.audit import audit_log
from vassal_bridge.audit.finding import AuditResult, Finding
from vassal_bridge.audit.record import read_log
from vassal_bridge.checks import CHECKS
from vassal_bridge.profiles import Reading
from vassal_bridge.rulebook.load import load_rules
from vassal_bridge.vassal.game import read_game

from .scribe import Scribe, profile


def audit(*scribes: Scribe) -> AuditResult:
    return audit_log([scribe.file() for scribe in scribes])


def rules(result: AuditResult) -> list[str]:
    return [finding.rule.id.removeprefix("DOS-") for finding in result.findings]


def asked(result: AuditResult, rule: str) -> int:
    occasions = result.coverage.occasions.get(f"DOS-{rule}")
    return occasions.legal + occasions.violation + occasions.unknown if occasions else 0


def one(result: AuditResult) -> Finding:
    (finding,) = result.findings
    return finding


def in_a_zone() -> Scribe:
    """A Soviet division with a German one in its zone, which may not walk away."""
    return Scribe().place("57 Inf", "N1148").place("1 Gds", "N1147")


# --- moves -----------------------------------------------------------------------------------------------------------


def test_leaving_a_zone_is_found_at_the_last_step_of_the_move() -> None:
    log = in_a_zone()
    log.move("57 Inf", "N1149")
    step = log.move("57 Inf", "N1150")
    log.phase("Axis Combat")
    finding = one(audit(log))
    assert finding.rule.id == "DOS-8.22"
    assert (finding.place.step, finding.place.turn, finding.place.phase) == (step, "1", "ax.init")
    assert finding.outcome.hexes == ("N1148", "N1150")
    assert finding.sealed_by is None


def test_a_unit_put_back_has_not_moved() -> None:
    log = in_a_zone()
    log.move("57 Inf", "N1150", "N1148")
    log.phase("Axis Combat")
    result = audit(log)
    assert rules(result) == []
    assert asked(result, "8.22") == 0


def test_an_undone_move_has_not_happened() -> None:
    log = in_a_zone()
    log.move("57 Inf", "N1150")
    log.undo()
    log.roll(3)
    log.phase("Axis Combat")
    assert rules(audit(log)) == []


def test_only_the_net_way_is_judged() -> None:
    # Lifted into the zone to look beneath a stack, then moved elsewhere.
    log = Scribe().place("57 Inf", "N1151").place("1 Gds", "N1147")
    log.move("57 Inf", "N1148", "N1150")
    log.phase("Axis Combat")
    assert rules(audit(log)) == []


def test_where_a_unit_stood_when_a_die_was_thrown_is_known() -> None:
    log = Scribe().place("57 Inf, 75 Inf", "N1150").place("1 Gds", "N1147").place("28 Gds", "N1248")
    log.move("57 Inf", "N1148")
    log.say("!overrun N1148(57 Inf) -> N1147")
    log.roll(6)
    step = log.move("57 Inf", "N1152")  # farther than any result would send it back
    log.phase("Axis Combat")
    result = audit(log)
    assert [finding.place.step for finding in result.findings if finding.rule.id == "DOS-8.22"] == [step]


def test_a_move_put_back_after_a_roll_is_mended() -> None:
    log = in_a_zone().place("79 Inf", "N1249").place("62 Rif", "N1248")
    moved = log.move("57 Inf", "N1150")
    log.say("!overrun N1249(79 Inf) -> N1248")
    sealed = log.roll(6)
    mended = log.move("57 Inf", "N1148")
    log.phase("Axis Combat")
    finding = one(audit(log))
    assert finding.rule.id == "DOS-8.22"
    assert finding.place.step == moved
    assert finding.sealed_by is not None
    assert finding.sealed_by.step == sealed
    assert finding.mended_at is not None
    assert finding.mended_at.step == mended


def test_a_die_for_something_else_cuts_no_movement() -> None:
    log = in_a_zone()
    log.move("57 Inf", "N1150")
    log.roll(2, button="Directive die")
    log.move("57 Inf", "N1148")
    log.phase("Axis Combat")
    assert rules(audit(log)) == []


def test_turning_the_tracker_on_and_back_again_is_no_phase_change() -> None:
    log = Scribe().place("57 Inf, 75 Inf, 88 Inf", "N1150").place("79 Inf", "N1151")
    log.move("79 Inf", "N1150")
    log.phase("Axis Combat")
    log.phase("Axis Initial Movement")
    log.move("79 Inf", "N1151")
    log.phase("Axis Combat")
    result = audit(log)
    assert rules(result) == []
    assert asked(result, "7.1a") > 0


def test_a_stack_moves_as_one_and_is_told_once() -> None:
    log = Scribe().place("57 Inf, 75 Inf", "N1148").place("1 Gds", "N1147")
    log.move("57 Inf, 75 Inf", "N1150")
    log.phase("Axis Combat")
    result = audit(log)
    assert {each.place.step for each in result.findings} == {1}
    assert {unit for each in result.findings for unit in each.outcome.units} == {"57-Inf", "75-Inf"}


# --- positions -------------------------------------------------------------------------------------------------------


def test_a_stack_too_large_is_told_once_and_its_mending_noted() -> None:
    log = Scribe().place("57 Inf, 75 Inf, 88 Inf", "N1150").place("79 Inf", "N1151").place("62 Rif", "N1143")
    log.move("79 Inf", "N1150")
    ended = log.phase("Axis Combat")
    sealed = log.roll(1)
    log.phase("Axis Mechanized/Cavalry Movement")
    mended = log.move("79 Inf", "Axis Eliminated")
    log.phase("Axis Disruption Removal")
    finding = one(audit(log))
    assert finding.rule.id == "DOS-7.1a"
    assert finding.place.step == ended
    assert finding.place.phase == "ax.init"
    assert finding.sealed_by is not None
    assert finding.sealed_by.step == sealed
    assert finding.mended_at is not None
    assert finding.mended_at.step == mended


def test_a_stack_in_mid_movement_is_nobodys_business() -> None:
    log = Scribe().place("57 Inf, 75 Inf, 88 Inf", "N1150").place("79 Inf", "N1151")
    log.move("79 Inf", "N1150")
    assert rules(audit(log)) == []


def test_a_saved_game_is_looked_at_where_the_phase_allows_it() -> None:
    crowd = "57 Inf, 75 Inf, 88 Inf, 79 Inf"
    assert rules(audit(Scribe(name="a.vsav", phase="Axis Combat").place(crowd, "N1150"))) == ["7.1a"]
    assert rules(audit(Scribe(name="a.vsav").place(crowd, "N1150"))) == []


# --- combat ----------------------------------------------------------------------------------------------------------


def battle(*, more: tuple[tuple[str, str], ...] = ()) -> Scribe:
    """Two German divisions beside a Soviet one; the combat phase begins with step 1."""
    log = Scribe().place("57 Inf, 75 Inf", "N1148").place("1 Gds", "N1147").place("Tchistykov HQ", "N1145")
    for unit, where in more:
        log.place(unit, where)
    log.phase("Axis Combat")
    return log


def test_a_defender_retreats_and_an_attacker_advances() -> None:
    log = battle()
    log.say("!attack N1148 -> N1147 odds=2:1")
    log.roll(1)
    log.move("1 Gds", "N1146")
    log.move("57 Inf", "N1147")
    result = audit(log)
    assert rules(result) == []
    assert asked(result, "9.71b") == 1
    assert asked(result, "8.22") == 0
    assert result.remarks == ()


def test_wrong_odds_are_told_at_the_step_of_the_declaration() -> None:
    log = battle()
    step = log.say("!attack N1148 -> N1147 odds=5:1")
    log.roll(1)
    finding = one(audit(log))
    assert finding.rule.id == "DOS-9.4"
    assert finding.place.step == step


def test_a_declaration_made_anew_before_the_roll_replaces_the_first() -> None:
    log = battle()
    log.say("!attack N1148 -> N1147 odds=5:1")
    log.say("!attack N1148 -> N1147 odds=2:1")
    log.roll(1)
    assert rules(audit(log)) == []


def test_a_declaration_after_the_roll_counts_if_no_other_roll_follows() -> None:
    log = battle()
    log.roll(1)
    step = log.say("!attack N1148 -> N1147 odds=5:1")
    log.phase("Axis Mechanized/Cavalry Movement")
    assert one(audit(log)).place.step == step


def test_of_several_declarations_the_one_whose_target_suffers_is_rolled_for() -> None:
    log = battle(more=(("79 Inf", "N1550"), ("28 Gds", "N1549")))
    first = log.say("!attack N1148 -> N1147 odds=5:1")
    log.say("!attack N1550 -> N1549 odds=2:1")  # 28 Gds is out of supply
    log.roll(2)
    log.move("28 Gds", "N1548")
    log.roll(3)
    assert [each.place.step for each in audit(log).findings] == [first]


def test_an_attack_that_nobody_declared_accuses_nobody() -> None:
    log = battle()
    log.roll(1)
    log.move("1 Gds", "N1146")
    result = audit(log)
    assert rules(result) == []
    assert asked(result, "9.71b") == 1


def test_a_roll_that_shows_nothing_is_left_open() -> None:
    log = battle()
    step = log.roll(6)
    result = audit(log)
    assert rules(result) == []
    assert any(each.because == "attackers" and f"step {step}" in each.what for each in result.undecided)


def test_what_is_not_understood_or_does_not_fit_is_told() -> None:
    log = battle()
    log.say("!attack N1148 N1147")
    log.say("!attack N1148(97 Jg) -> N1147")
    log.roll(1)
    log.say("!attack N1148 -> N1147")
    log.phase("Soviet Initial Movement")
    log.roll(1)
    unread, misfit, unrolled = audit(log).remarks
    assert "step 2: declaration not understood" in unread
    assert "no counter in N1148 is named 97 Jg" in misfit
    assert "step 5: declared, but no die was thrown" in unrolled


def test_a_retreat_changed_before_the_next_roll_is_judged_as_it_ended() -> None:
    # First into the zone of 79 Inf, then elsewhere.
    log = battle(more=(("79 Inf", "N1346"),))
    log.say("!attack N1148 -> N1147 odds=2:1")
    log.roll(1)
    log.move("1 Gds", "N1247")
    log.move("1 Gds", "N1146")
    assert rules(audit(log)) == []


def test_a_counter_moved_by_nobodys_right_is_counted_and_not_accused() -> None:
    log = battle()
    log.move("1 Gds", "N1140")
    result = audit(log)
    assert rules(result) == []
    assert "1 change on the board fits no act of the game, the first in step 2 of test.vlog" in result.remarks


# --- chains, history, what cannot be read ----------------------------------------------------------------------------


def test_a_chain_goes_on_where_the_last_log_ended() -> None:
    first = in_a_zone()
    moved = first.move("57 Inf", "N1150")
    second = Scribe(name="second.vlog").place("57 Inf", "N1150").place("1 Gds", "N1147")
    mended = second.move("57 Inf", "N1148")
    second.phase("Axis Combat")
    finding = one(audit(first, second))
    assert (finding.place.log, finding.place.step) == ("test.vlog", moved)
    assert finding.mended_at is not None
    assert (finding.mended_at.log, finding.mended_at.step) == ("second.vlog", mended)


def test_a_gap_between_logs_is_told() -> None:
    first = in_a_zone()
    first.move("57 Inf", "N1149")
    second = Scribe(name="second.vlog").place("57 Inf", "N1151").place("1 Gds", "N1147")
    assert any("start of second.vlog: 1 counters" in remark for remark in audit(first, second).remarks)


def test_a_log_that_begins_in_mid_game_says_so() -> None:
    log = Scribe(turn=5, phase="Axis Combat").place("57 Inf", "N1148").place("1 Gds", "N1147")
    log.say("!attack N1148 -> N1147 odds=1:1 att=9")
    log.roll(1)
    result = audit(log)
    assert any("mid-game" in remark for remark in result.remarks)
    # Nobody knows whose the railroads are, so nobody knows whether the division is in supply.
    assert rules(result) == []
    assert any("control" in each.because for each in result.undecided)


def test_a_place_that_the_profile_does_not_know_is_counted() -> None:
    log = in_a_zone()
    log.move("57 Inf", "90,20")
    log.move("57 Inf", "N1150")
    log.phase("Axis Combat")
    result = audit(log)
    assert rules(result) == ["8.22"]
    assert sum(result.coverage.unread["places"].values()) == 1


def test_without_its_module_a_log_is_read_and_accuses_nobody() -> None:
    log = in_a_zone()
    log.move("57 Inf", "N1150")
    log.phase("Axis Combat")
    game = read_game(log.file())
    rule_set = load_rules("drive-on-stalingrad", CHECKS)
    record = read_log("test.vlog", game, None, Reading(profile(), rule_set.game))
    assert {unit.at for unit in record.start.units.values()} == {None}
    assert {unit.name for unit in record.start.units.values()} == {"57 Inf", "1 Gds"}
    assert record.unread["places"]


def test_a_violation_that_follows_from_another_says_so() -> None:
    # The fourth unit of the stack came by a move that was illegal in itself.
    log = Scribe().place("57 Inf, 75 Inf, 88 Inf", "N1150").place("79 Inf", "N1148").place("1 Gds", "N1147")
    log.move("79 Inf", "N1150")
    log.phase("Axis Combat")
    log.roll(1)
    leaving, stack = audit(log).findings
    assert (leaving.rule.id, stack.rule.id) == ("DOS-8.22", "DOS-7.1a")
    assert stack.depends_on == (leaving.fingerprint,)
    assert leaving.depends_on == ()


def test_no_password_reaches_the_result() -> None:
    log = in_a_zone()
    log.move("57 Inf", "N1150")
    log.phase("Axis Combat")
    assert "otto's secret" not in repr(audit(log))


def test_a_unit_that_withdrew_has_no_zone_until_its_player_turn_is_over() -> None:
    # 1 Gds leaves the German zone eastward, which only a strategic withdrawal can be; 57 Inf then retreats beside it.
    log = Scribe().place("57 Inf", "N1148").place("1 Gds", "N1147").place("28 Gds, Tchistykov HQ", "N1149")
    log.phase("Soviet Initial Movement")
    log.move("1 Gds", "N1146")
    log.phase("Soviet Combat")
    log.say("!attack N1149 -> N1148")
    log.roll(1)
    log.move("57 Inf", "N1147")
    result = audit(log)
    assert rules(result) == []
    assert asked(result, "9.71b") == 1


def test_an_untried_counter_turned_over_after_the_roll_had_that_strength_before() -> None:
    log = Scribe().place("57 Inf", "N1148").place("62 Rif", "N1147").place("Tchistykov HQ", "N1146")
    log.phase("Axis Combat")
    step = log.say("!attack N1148 -> N1147 odds=7:1")
    log.roll(1)
    log.face("62 Rif", 2)
    finding = one(audit(log))
    assert (finding.rule.id, finding.place.step) == ("DOS-9.4", step)
