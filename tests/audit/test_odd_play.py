"""Logs that real players write: legal but odd. Nobody may be accused for the way in which a hand works."""

from __future__ import annotations

from .scribe import Scribe
from .test_walk import asked, audit, battle, in_a_zone, one, rules

# --- a turn tracker that is not kept up -------------------------------------------------------------------------------


def test_a_move_after_the_last_battle_with_the_tracker_still_on_combat_is_no_retreat() -> None:
    log = battle(more=(("33 Pz", "N1150"), ("28 Gds", "N0945")))
    log.say("!attack N1148 -> N1147")
    log.roll(6)
    log.move("33 Pz", "N0946")  # into the zone of 28 Gds: a move of the next phase
    assert rules(audit(log)) == []


def test_an_attacker_that_moves_on_with_the_tracker_still_on_combat_accuses_nobody() -> None:
    log = battle(more=(("33 Pz", "N1148"), ("28 Gds", "N1347")))
    log.say("!attack N1148 -> N1147")
    log.roll(6)
    log.move("1 Gds", "Soviet Eliminated")
    log.roll(6)
    log.move("33 Pz", "N1248")  # next to 28 Gds
    assert rules(audit(log)) == []


def test_the_enemys_moves_with_the_tracker_still_on_combat_are_no_retreats() -> None:
    log = battle(more=(("28 Gds", "N1143"), ("15 Gds", "N0943")))
    log.say("!attack N1148 -> N1147")
    log.roll(6)
    log.move("28 Gds", "N1247")  # into the zone of the Germans
    log.move("15 Gds", "N1047")
    assert rules(audit(log)) == []


def test_the_enemys_moves_with_the_tracker_still_on_movement_are_no_retreats() -> None:
    log = Scribe().place("57 Inf", "N1148").place("1 Gds", "N1147").place("28 Gds", "N1144")
    log.roll(6)
    log.move("28 Gds", "N1247")
    assert rules(audit(log)) == []


def test_battles_with_the_tracker_still_on_movement_are_battles() -> None:
    log = Scribe().place("57 Inf", "N1149").place("1 Gds", "N1147").place("75 Inf", "N1248")
    log.move("57 Inf", "N1148")
    log.say("!attack N1148 -> N1147")
    log.roll(6)
    log.move("57 Inf", "N1149")  # A1: the attacker retreats
    assert rules(audit(log)) == []


def test_a_repelled_attacker_with_the_tracker_still_on_movement_accuses_nobody() -> None:
    log = Scribe().place("57 Inf", "N1148").place("1 Gds", "N1147")
    log.say("!attack N1148 -> N1147")
    log.roll(6)
    log.move("57 Inf", "N1149")
    assert rules(audit(log)) == []


def test_a_long_advance_with_the_tracker_still_on_movement_accuses_nobody() -> None:
    log = Scribe().place("57 Inf", "N1148").place("1 Gds", "N1147").place("28 Gds", "N1247")
    log.say("!attack N1148 -> N1147")
    log.roll(6)
    log.move("1 Gds", "Soviet Eliminated")
    log.move("57 Inf", "N1147", "N1146")
    assert rules(audit(log)) == []


def test_the_tracker_used_once_a_turn() -> None:
    log = Scribe().place("57 Inf", "N1149").place("1 Gds", "N1147").place("28 Gds", "N1145, ".strip(", "))
    log.move("57 Inf", "N1148")
    log.roll(6)
    log.move("1 Gds", "N1146")
    log.move("57 Inf", "N1147")
    log.move("57 Inf", "N1248")
    log.move("1 Gds", "N1046")  # the Soviet turn
    log.move("28 Gds", "N1146")
    log.roll(5)
    log.move("57 Inf", "N1249")
    log.phase("Axis Initial Movement", turn=2)
    log.move("57 Inf", "N1150")
    assert rules(audit(log)) == []


# --- the order of the hand -------------------------------------------------------------------------------------------


def test_an_advance_made_before_the_retreat_bars_no_way() -> None:
    log = battle()
    log.say("!attack N1148(57 Inf) -> N1147")
    log.roll(1)
    log.move("57 Inf", "N1147")
    log.move("1 Gds", "N1146")
    result = audit(log)
    assert rules(result) == []
    assert asked(result, "9.71b") == 1


def test_an_overrunning_stack_that_goes_in_first_bars_no_way() -> None:
    log = Scribe().place("57 Inf", "N1148").place("1 Gds", "N1147")
    log.say("!overrun N1148 -> N1147")
    log.roll(1)
    log.move("57 Inf", "N1147")
    log.move("1 Gds", "N1146")
    assert rules(audit(log)) == []


def test_an_overrun_goes_on() -> None:
    log = Scribe().place("33 Pz, 10 Pg", "N1148").place("1 Gds", "N1147")
    log.say("!overrun N1148 -> N1147")
    log.roll(1)
    log.move("1 Gds", "Soviet Eliminated")
    log.move("33 Pz, 10 Pg", "N1147", "N1145")
    assert rules(audit(log)) == []


def test_an_overrun_goes_on_in_one_drag() -> None:
    log = Scribe().place("33 Pz, 10 Pg", "N1148").place("1 Gds", "N1147")
    log.say("!overrun N1148 -> N1147")
    log.roll(1)
    log.move("1 Gds", "Soviet Eliminated")
    log.move("33 Pz, 10 Pg", "N1145")
    assert rules(audit(log)) == []


def test_an_overrun_that_nobody_declared_goes_on() -> None:
    log = Scribe().place("33 Pz, 10 Pg", "N1148").place("1 Gds", "N1147")
    log.roll(1)
    log.move("1 Gds", "N1146")
    log.disrupt("1 Gds", on=True)
    log.move("33 Pz, 10 Pg", "N1147", "N1245")
    assert rules(audit(log)) == []


def test_a_disrupted_marker_laid_late_silences_at_once() -> None:
    log = Scribe().place("33 Pz, 10 Pg", "N1148").place("1 Gds", "N1147").place("57 Inf", "N1247")
    log.say("!overrun N1148 -> N1147")
    log.roll(1)
    log.face("1 Gds", 2)
    log.move("57 Inf", "N1250")
    log.disrupt("1 Gds", on=True)
    assert rules(audit(log)) == []


def test_a_disrupted_marker_forgotten_silences_all_the_same() -> None:
    log = Scribe().place("33 Pz, 10 Pg", "N1148").place("1 Gds", "N1147").place("57 Inf", "N1247")
    log.say("!overrun N1148 -> N1147")
    log.roll(1)
    log.face("1 Gds", 2)
    log.move("57 Inf", "N1250")
    log.phase("Axis Combat")
    assert rules(audit(log)) == []


def test_a_stack_may_retreat_together_into_one_vacant_hex() -> None:
    log = battle(more=(("28 Gds", "N1147"),))
    log.say("!attack N1148 -> N1147")
    log.roll(1)
    log.move("1 Gds, 28 Gds", "N1146")
    result = audit(log)
    assert rules(result) == []
    assert asked(result, "9.71b") == 2


def test_a_stack_may_retreat_one_by_one_into_one_vacant_hex() -> None:
    log = battle(more=(("28 Gds", "N1147"),))
    log.say("!attack N1148 -> N1147")
    log.roll(1)
    log.move("1 Gds", "N1146")
    log.move("28 Gds", "N1146")
    assert rules(audit(log)) == []


def test_two_units_retreat_two_hexes_by_turns() -> None:
    log = battle(more=(("28 Gds", "N1147"),))
    log.say("!attack N1148 -> N1147")
    log.roll(1)
    log.move("1 Gds", "N1146")
    log.move("28 Gds", "N1146")
    log.move("1 Gds", "N1245")
    log.move("28 Gds", "N1245")
    assert rules(audit(log)) == []


def test_an_advance_remembered_after_the_next_roll_is_no_retreat() -> None:
    log = battle(more=(("79 Inf", "N1550"), ("28 Gds", "N1549"), ("15 Gds", "N1046")))
    log.say("!attack N1148 -> N1147")
    log.roll(1)
    log.move("1 Gds", "N1146")
    log.say("!attack N1550 -> N1549")
    log.roll(6)
    log.move("57 Inf", "N1147")  # in the zone of 15 Gds and 1 Gds
    assert rules(audit(log)) == []


# --- declarations ----------------------------------------------------------------------------------------------------


def test_two_attacks_rolled_in_another_order_and_the_attacker_pays() -> None:
    log = battle(more=(("79 Inf, 88 Inf", "N1550"), ("28 Gds", "N1549")))
    log.say("!attack N1148 -> N1147 att=18")
    log.say("!attack N1550 -> N1549 att=18")
    log.roll(2)
    log.face("79 Inf", 2)  # the second attack was rolled for first
    log.roll(3)
    log.face("57 Inf", 2)
    assert rules(audit(log)) == []


def test_air_points_may_cancel_a_river() -> None:
    log = (
        Scribe()
        .place("57 Inf", "N1347")
        .place("1 Gds", "N1346")
        .place("VIII Air", "N1351")
        .place("Tchistykov HQ", "N1344")
    )
    log.phase("Axis Combat")
    log.say("!attack N1347 -> N1346 def=9 air=1")
    log.roll(1)
    assert rules(audit(log)) == []


def test_a_headquarters_elsewhere_lends_nothing() -> None:
    log = Scribe().place("57 Inf", "N1148").place("1 Gds", "N1147").place("Tchistykov HQ", "N1146")
    log.phase("Soviet Combat")
    log.say("!attack N1147+N1146 -> N1148 att=8")
    log.roll(1)
    assert rules(audit(log)) == []


def test_two_undeclared_battles_with_results_laid_together_accuse_nobody() -> None:
    log = Scribe().place("57 Inf", "N1148").place("79 Inf", "N1551")
    log.place("1 Gds, Tchistykov HQ", "N1147").place("28 Gds, Tufanov HQ", "N1550")
    log.phase("Soviet Combat")
    log.roll(1)
    log.roll(2)
    log.move("57 Inf", "N1149")
    log.move("79 Inf", "N1552")
    assert rules(audit(log)) == []


def test_a_marker_taken_off_after_a_roll_shows_no_attack() -> None:
    log = Scribe().place("57 Inf", "N1148", disrupted=True).place("1 Gds", "N1147")
    log.place("79 Inf", "N1551").place("28 Gds, Tufanov HQ", "N1550")
    log.phase("Soviet Combat")
    log.roll(2)
    log.disrupt("57 Inf", on=False)
    assert rules(audit(log)) == []


# --- coming and going ------------------------------------------------------------------------------------------------


def test_where_a_reinforcement_was_first_laid_down_is_no_entry() -> None:
    log = Scribe().place("1 Gds", "N1147").place("57 Inf", "Axis Reinforcements")
    log.move("57 Inf", "N1148", "N1153")
    log.phase("Axis Combat")
    assert rules(audit(log)) == []


def test_a_unit_parked_in_a_box_over_a_roll_comes_back() -> None:
    log = in_a_zone().place("79 Inf", "N1249").place("62 Rif", "N1248")
    log.move("57 Inf", "Axis Force Pool")
    log.say("!overrun N1249 -> N1248")
    log.roll(6)
    log.move("57 Inf", "N1148")
    log.phase("Axis Combat")
    assert rules(audit(log)) == []


def test_setting_up_is_no_stacking() -> None:
    log = Scribe(phase="Hitler Directive Inter-Phase").place("57 Inf, 75 Inf, 88 Inf, 79 Inf", "Axis Force Pool")
    log.move("57 Inf, 75 Inf, 88 Inf, 79 Inf", "N1150")
    assert rules(audit(log)) == []


def test_an_excess_unit_taken_off_at_once_is_no_finding() -> None:
    log = Scribe().place("57 Inf, 75 Inf, 88 Inf", "N1150").place("79 Inf", "N1151").place("62 Rif", "N1143")
    log.move("79 Inf", "N1150")
    log.phase("Axis Combat")
    log.move("79 Inf", "N1151")
    log.roll(1)
    assert rules(audit(log)) == []


def test_a_mending_is_never_before_what_it_mends() -> None:
    log = Scribe().place("57 Inf, 75 Inf, 88 Inf", "N1150").place("79 Inf", "N1151").place("62 Rif", "N1143")
    log.move("79 Inf", "N1150")
    log.phase("Axis Combat")
    log.roll(1)
    second = (
        Scribe(name="second.vlog", phase="Axis Combat")
        .place("57 Inf, 75 Inf, 88 Inf", "N1150")
        .place("79 Inf", "N1151")
        .place("62 Rif", "N1143")
    )
    second.roll(1)
    finding = one(audit(log, second))
    assert finding.mended_at is not None
    assert finding.mended_at.log == "second.vlog"


def test_a_unit_dragged_off_the_grid_is_mended_then() -> None:
    log = Scribe().place("57 Inf, 75 Inf, 88 Inf", "N1150").place("79 Inf", "N1151").place("62 Rif", "N1143")
    log.move("79 Inf", "N1150")
    ended = log.phase("Axis Combat")
    log.roll(1)
    mended = log.move("79 Inf", "90,20")
    log.roll(1)
    finding = one(audit(log))
    assert finding.place.step == ended
    assert finding.mended_at is not None
    assert finding.mended_at.step == mended


def test_going_back_to_the_phase_before_to_put_a_unit_back() -> None:
    log = Scribe().place("57 Inf", "N1149").place("1 Gds", "N1147").place("62 Rif", "N1143")
    log.move("57 Inf", "N1148")
    log.phase("Axis Combat")
    log.say("!attack N1148 -> N1147")
    log.phase("Axis Initial Movement")
    log.move("57 Inf", "N1149")
    log.phase("Axis Combat")
    assert rules(audit(log)) == []


# --- overruns --------------------------------------------------------------------------------------------------------


def overrun(*, more: tuple[tuple[str, str], ...] = (), words: str = "!overrun N1148 -> N1147") -> Scribe:
    """Two regiments beside a Soviet division overrun it; the die is thrown in the step written last."""
    log = Scribe().place("33 Pz, 10 Pg", "N1148").place("1 Gds", "N1147")
    for unit, where in more:
        log.place(unit, where)
    if words:
        log.say(words)
    log.roll(1)
    return log


def test_an_overrun_from_another_enemys_zone_goes_on_beyond_its_target() -> None:
    log = overrun(more=(("28 Gds", "N1248"),))  # N1148 is in its zone, N1147 is not
    log.move("1 Gds", "Soviet Eliminated")
    log.move("33 Pz, 10 Pg", "N1147", "N1144")
    log.phase("Axis Combat")
    assert rules(audit(log)) == []


def test_who_overran_and_was_beaten_goes_back() -> None:
    log = overrun()
    log.move("33 Pz, 10 Pg", "N1149")
    log.phase("Axis Combat")
    assert rules(audit(log)) == []


def test_who_overran_undeclared_and_was_beaten_goes_back() -> None:
    log = overrun(words="")
    log.move("33 Pz, 10 Pg", "N1149")
    log.phase("Axis Combat")
    result = audit(log)
    assert rules(result) == []
    assert any("attackers" in each.because for each in result.undecided)


def test_who_did_not_overrun_leaves_no_zone() -> None:
    log = overrun(more=(("57 Inf", "N1148"), ("28 Gds", "N1248")), words="!overrun N1148(33 Pz; 10 Pg) -> N1147")
    log.move("57 Inf", "N1149")
    log.phase("Axis Combat")
    assert rules(audit(log)) == ["8.22"]


def test_who_overran_goes_no_farther_back_than_any_result_says() -> None:
    log = overrun(more=(("28 Gds", "N1248"),))
    log.move("33 Pz, 10 Pg", "N1152")
    log.phase("Axis Combat")
    assert rules(audit(log)) == ["8.22", "8.22"]


def test_an_overrun_that_nobody_declared_goes_on_from_another_zone() -> None:
    log = overrun(more=(("28 Gds", "N1248"),), words="")
    log.move("1 Gds", "Soviet Eliminated")
    log.move("33 Pz, 10 Pg", "N1144")
    log.phase("Axis Combat")
    assert rules(audit(log)) == []


def test_an_overrun_rolled_with_the_targets_entered_later() -> None:
    log = overrun(more=(("28 Gds", "N1248"), ("15 Pz", "N1548"), ("15 Gds", "N1547")))
    log.move("1 Gds", "N1146")
    log.say("!overrun N1548 -> N1547")
    log.roll(2)
    log.move("33 Pz, 10 Pg", "N1147")
    log.phase("Axis Combat")
    assert rules(audit(log)) == []


def test_a_failed_overrun_may_have_disrupted() -> None:
    # What the die gave is not known, and the marker may be laid later or have been forgotten.
    log = overrun(more=(("57 Inf", "N1247"),))
    log.move("57 Inf", "N1249")
    log.phase("Axis Combat")
    result = audit(log)
    assert rules(result) == []
    assert any("table" in each.because for each in result.undecided)


def test_a_zone_that_no_overrun_touched_holds() -> None:
    log = overrun(more=(("57 Inf", "N1247"), ("28 Gds", "N1246")))
    log.move("57 Inf", "N1249")
    log.phase("Axis Combat")
    assert rules(audit(log)) == ["8.22"]


def test_disruption_is_over_when_the_owners_turn_is() -> None:
    log = overrun(more=(("57 Inf", "N1247"),))
    log.face("1 Gds", 2)
    log.phase("Soviet Disruption Removal")
    log.roll(1, button="Directive die")
    log.phase("Axis Initial Movement", turn=2)
    log.move("57 Inf", "N1249")
    log.phase("Axis Combat", turn=2)
    assert rules(audit(log)) == ["8.22"]


# --- air, rail, gaps -------------------------------------------------------------------------------------------------


def surrounded() -> Scribe:
    """A German division without supply."""
    log = Scribe().place("168 Inf", "N0245").place("284 Rif", "N0346").place("VIII Air", "N0753")
    for unit, where in (("1 Gds", "N0145"), ("28 Gds", "N0246"), ("15 Gds", "N0244")):
        log.place(unit, where)
    for unit, where in (("62 Rif", "N0345"), ("121 Rif", "N0146")):
        log.place(unit, where)
    log.phase("Axis Combat")
    return log


def test_without_air_supply_the_strength_is_halved() -> None:
    log = surrounded()
    log.say("!attack N0245 -> N0346 att=9")
    log.roll(1)
    assert rules(audit(log)) == ["12.51"]


def test_an_air_unit_that_spent_a_point_may_have_supplied() -> None:
    log = surrounded()
    log.face("VIII Air", 2)
    log.say("!attack N0245 -> N0346 att=9")
    log.roll(1)
    assert rules(audit(log)) == []


def test_an_air_unit_turned_after_the_roll_may_have_supplied() -> None:
    log = surrounded()
    log.say("!attack N0245 -> N0346 att=9")
    log.roll(1)
    log.face("VIII Air", 2)
    assert rules(audit(log)) == []


def test_after_a_gap_nobody_knows_whose_the_railroads_are() -> None:
    first = Scribe().place("57 Inf", "N1148").place("1 Gds", "N1147").place("Tchistykov HQ", "N1145")
    first.phase("Axis Combat")
    second = Scribe(name="second.vlog", turn=3, phase="Soviet Combat")
    second.place("57 Inf", "N1148").place("1 Gds", "N1147").place("Tchistykov HQ", "N1146").place("28 Gds", "N1340")
    second.say("!attack N1147 -> N1148 att=4")
    second.roll(1)
    result = audit(first, second)
    assert rules(result) == []


def test_a_special_rail_link_is_a_way() -> None:
    # From Kharkov's one hex to the other and on; a Soviet division makes the open ground a zone.
    log = Scribe().place("57 Inf", "N2053").place("1 Gds", "N2152")
    log.move("57 Inf", "N2252")
    log.phase("Axis Combat")
    assert rules(audit(log)) == []


# --- more of the same ------------------------------------------------------------------------------------------------


def test_setting_up_on_the_map_is_over_with_the_first_movement() -> None:
    log = Scribe(phase="Hitler Directive Inter-Phase").place("57 Inf, 75 Inf, 88 Inf, 79 Inf", "Axis Force Pool")
    log.move("57 Inf, 75 Inf, 88 Inf, 79 Inf", "N1150")
    log.phase("Axis Initial Movement")
    log.move("79 Inf", "N1151")
    assert rules(audit(log)) == []


def test_a_withdrawal_past_zones_leaves_the_unit_without_a_zone() -> None:
    # From a free hex through German zones to N1145; 57 Inf then retreats beside it.
    log = Scribe().place("57 Inf", "N1148").place("75 Inf", "N1248").place("79 Inf", "N1048")
    log.place("88 Inf", "N0848").place("113 Inf", "N1448")
    log.place("62 Rif", "N1150").place("28 Gds, Tchistykov HQ", "N1149")
    log.phase("Soviet Initial Movement")
    log.move("62 Rif", "N1146")
    log.phase("Soviet Combat")
    log.say("!attack N1149 -> N1148")
    log.roll(1)
    log.move("57 Inf", "N1147")
    assert rules(audit(log)) == []


def test_a_second_overrun_of_a_unit_whose_loss_is_not_laid_yet() -> None:
    log = Scribe().place("33 Pz, 10 Pg", "N1148").place("15 Pz, 110 Pg", "N1047").place("1 Gds", "N1147")
    log.place("Tchistykov HQ", "N1145")
    log.say("!overrun N1148 -> N1147 def=9")
    log.roll(2)
    log.say("!overrun N1047 -> N1147 def=4")
    log.roll(3)
    log.face("1 Gds", 2)
    assert rules(audit(log)) == []


def test_a_retreat_in_two_legs_with_a_roll_between() -> None:
    log = battle(more=(("79 Inf", "N1550"), ("28 Gds", "N1549")))
    log.say("!attack N1148 -> N1147")
    log.roll(1)
    log.move("1 Gds", "N1146")
    log.say("!attack N1550 -> N1549")
    log.roll(2)
    log.move("1 Gds", "N1245")
    assert rules(audit(log)) == []


def test_a_withdrawal_in_two_legs_with_a_roll_between() -> None:
    log = Scribe().place("57 Inf", "N1148").place("1 Gds", "N1147").place("75 Inf", "N1246")
    log.place("79 Inf", "N1550").place("28 Gds, Tufanov HQ", "N1549")
    log.phase("Soviet Initial Movement")
    log.move("1 Gds", "N1146")
    log.say("!overrun N1549 -> N1550")
    log.roll(2)
    log.move("1 Gds", "N1145")
    log.phase("Soviet Combat")
    assert rules(audit(log)) == []


def test_a_defender_that_won_advances_into_a_zone() -> None:
    log = battle(more=(("88 Inf", "N1249"),))
    log.say("!attack N1148 -> N1147")
    log.roll(6)
    log.move("57 Inf, 75 Inf", "N1149")
    log.move("1 Gds", "N1148")
    log.say("!attack N1249 -> N1247")
    assert rules(audit(log)) == []


def test_a_defender_that_goes_back_beside_an_advancing_attacker_is_judged() -> None:
    log = battle(more=(("88 Inf", "N1346"),))
    log.say("!attack N1148 -> N1147")
    log.roll(1)
    log.move("1 Gds", "N1247")
    log.move("57 Inf, 75 Inf", "N1147")
    assert rules(audit(log)) == ["9.71b"]


def test_a_reinforcement_has_its_whole_allowance() -> None:
    log = Scribe().place("57 Inf", "Axis Reinforcements").place("33 Pz", "N1551").place("28 Gds", "N1550")
    log.place("1 Gds", "N1147").place("62 Rif", "N1247")
    log.move("57 Inf", "N1045")
    log.say("!overrun N1551 -> N1550")
    log.roll(2)
    log.move("57 Inf", "N1145")
    log.phase("Axis Combat")
    assert rules(audit(log)) == []


def test_an_attack_declared_in_the_turn_of_the_other_side_doubts_the_tracker() -> None:
    log = Scribe().place("57 Inf", "N1148").place("1 Gds, Tchistykov HQ", "N1147").place("28 Gds", "N1144")
    log.phase("Axis Combat")
    log.say("!attack N1147(1 Gds) -> N1148 odds=1:2")
    log.roll(2)
    log.move("57 Inf", "N1247")
    result = audit(log)
    assert rules(result) == []
    assert any("the turn tracker shows Axis Combat" in remark for remark in result.remarks)
    assert any(each.because == "phase" for each in result.undecided)


def test_a_mended_stack_that_is_still_too_large_is_found_again() -> None:
    log = Scribe().place("57 Inf, 75 Inf, 88 Inf, 113 Inf", "N1150").place("79 Inf", "N1151").place("62 Rif", "N1143")
    log.move("79 Inf", "N1150")
    log.phase("Axis Combat")
    log.move("79 Inf", "N1151")
    log.roll(1)
    log.phase("Axis Mechanized/Cavalry Movement")
    log.roll(1, button="Directive die")
    found = audit(log).findings
    assert [each.outcome.hexes for each in found] == [("N1150",)]
    assert found[0].mended_at is None


def test_two_counters_of_one_name_are_told_apart() -> None:
    log = battle()
    log.say("!attack N1148(57 inf) -> N1147")  # in small letters
    log.roll(1)
    assert rules(audit(log)) == []


def test_what_was_done_before_the_other_side_moved_is_judged() -> None:
    log = battle(more=(("28 Gds", "N1144"), ("62 Rif", "N1143"), ("79 Inf", "N1346")))
    log.say("!attack N1148 -> N1147")
    log.roll(1)
    retreat = log.move("1 Gds", "N1247")  # into the zone of 79 Inf
    log.move("28 Gds", "N1146")
    log.move("62 Rif", "N1145")
    result = audit(log)
    assert [(each.rule.id, each.place.step) for each in result.findings] == [("DOS-9.71b", retreat)]
    assert any(f"step {retreat + 1}: the turn tracker shows" in remark for remark in result.remarks)


def test_an_advance_into_a_hex_that_the_enemy_is_still_to_be_taken_from() -> None:
    log = battle(more=(("79 Inf", "N1550"), ("28 Gds", "N1549")))
    log.say("!attack N1148 -> N1147")
    log.roll(1)
    log.move("57 Inf", "N1147")
    log.say("!attack N1550 -> N1549")
    log.roll(2)
    log.move("1 Gds", "Soviet Eliminated")
    assert rules(audit(log)) == []


def test_without_a_tracker_the_phase_would_decide() -> None:
    log = Scribe(phase="Axis Combat").place("57 Inf", "N1148").place("1 Gds", "N1147").place("28 Gds", "N1144")
    log.say("!overrun N1148 -> N1147")
    log.roll(6)
    log.move("57 Inf", "N1150")
    log.move("28 Gds", "N1146")
    result = audit(log)
    assert rules(result) == []
    assert [(each.because, each.would_decide) for each in result.undecided if each.because == "phase"] == [("phase", 2)]
