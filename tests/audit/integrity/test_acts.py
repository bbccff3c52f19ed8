"""What is done inside a log: rolls, undo, hidden information, what is off the usual ways."""

from __future__ import annotations

from dataclasses import replace

import pytest

from tests.audit.integrity.table import PASSWORDS, Log, Table
from vassal_bridge.audit.audit import audit_files
from vassal_bridge.audit.finding import Finding
from vassal_bridge.audit.integrity import CATALOGUE, Integrity, audit_integrity
from vassal_bridge.board.knowledge import Reason
from vassal_bridge.report.audit_json import as_json, as_ndjson
from vassal_bridge.report.html import as_html
from vassal_bridge.report.text import as_text
from vassal_bridge.rulebook.outcome import Verdict
from vassal_bridge.rulebook.rule import Severity
from vassal_bridge.vassal.commands import AddPiece, Chat


@pytest.fixture
def log() -> Log:
    return Log(Table.of("Alpha", "Bravo", "Delta"), "game.vlog")


def audited(log: Log) -> Integrity:
    return audit_integrity([log.file()])


def only(integrity: Integrity) -> Finding:
    (finding,) = integrity.findings
    return finding


def notes(integrity: Integrity) -> list[str]:
    return [note.rule.id for note in integrity.notes]


# --- dice ------------------------------------------------------------------------------------------------------------


def test_every_roll_is_told_with_player_result_and_what_followed(log: Log) -> None:
    log.roll(4)
    log.move("Alpha", 500, 500)
    log.delete("Bravo")
    log.say("Bravo is eliminated")
    log.player = "Ann"
    log.roll(2)
    first, second = audited(log).rolls
    assert (first.player, first.button, first.result, first.faces, first.sides) == ("Bob", "1d6", "4", (4,), 6)
    assert first.followed_by == '1 piece moved, 1 piece removed, "<Bob> - Bravo is eliminated"'
    assert (second.player, second.place.step, second.followed_by) == ("Ann", 5, "")


def test_a_roll_that_is_undone_and_made_again_is_found_with_both_results(log: Log) -> None:
    bad = log.roll(1)
    undo = log.undo()
    good = log.roll(6)
    integrity = audited(log)
    finding = only(integrity)
    assert finding.rule.id == "INT-DICE-REROLL"
    assert finding.place.step == undo
    assert f"1d6 = 1 in step {bad}, then 6 in step {good}" in finding.outcome.message
    assert "by Bob" in finding.outcome.message
    first, second = integrity.rolls
    assert (first.is_in_force, first.undone_at, second.repeats, second.is_in_force) == (False, undo, bad, True)


def test_a_roll_that_is_undone_and_never_made_again_was_seen_all_the_same(log: Log) -> None:
    log.move("Alpha", 500, 500)
    roll = log.roll(1)
    log.undo()
    log.undo(1)
    finding = only(audited(log))
    assert finding.rule.id == "INT-UNDO-INFORMED"
    assert f"a roll of 1d6: 1 (step {roll})" in finding.outcome.message
    assert "a move of Alpha" in str(finding.outcome.facts["taken back as well"])


def test_a_roll_that_is_taken_back_and_brought_back_is_no_offence_and_counts_once(log: Log) -> None:
    log.roll(3)
    log.undo()
    log.roll(3)
    integrity = audited(log)
    assert integrity.findings == ()
    assert "INT-DICE-RESTORED" in notes(integrity)
    assert [luck.dice for luck in integrity.lucks] == [1]


@pytest.mark.parametrize(("again", "rules"), [(6, ["INT-DICE-REROLL"]), (1, [])])
def test_a_roll_taken_back_at_the_end_of_a_log_is_followed_into_the_next(again: int, rules: list[str]) -> None:
    table = Table.of("Alpha", "Bravo")
    first = Log(table, "1.vlog")
    first.move("Alpha", 500, 500)
    first.roll(1)
    first.undo()
    files = [first.file()]
    second = Log(table, "2.vlog")
    second.say("once more")
    second.roll(again)
    integrity = audit_integrity([second.file(), *files])
    assert [finding.rule.id for finding in integrity.findings] == rules
    assert ("INT-DICE-RESTORED" in notes(integrity)) is not bool(rules)
    if rules:
        assert "1d6 = 1 in step 2, then 6 in step 2 of 2.vlog" in integrity.findings[0].outcome.message


def test_a_roll_by_another_player_is_no_repetition(log: Log) -> None:
    log.roll(1)
    log.undo()
    log.player = "Ann"
    log.roll(6)
    assert only(audited(log)).rule.id == "INT-UNDO-INFORMED"


def test_an_undo_that_is_undone_takes_nothing_back(log: Log) -> None:
    log.roll(5)
    log.undo()
    log.undo()
    integrity = audited(log)
    assert integrity.findings == ()
    assert integrity.rolls[0].is_in_force


# --- undo ------------------------------------------------------------------------------------------------------------


def test_undo_of_a_plain_move_is_a_note(log: Log) -> None:
    log.move("Alpha", 500, 500)
    log.undo()
    integrity = audited(log)
    assert integrity.findings == ()
    (note,) = integrity.notes
    assert (note.rule.id, note.message) == ("INT-UNDO-PLAIN", "step 1: a move of Alpha")


def test_undo_of_a_flip_is_told_apart(log: Log) -> None:
    log.flip("Alpha")
    log.undo()
    finding = only(audited(log))
    assert (finding.rule.id, finding.severity) == ("INT-UNDO-FLIP", Severity.BOOKKEEPING)
    assert "Alpha was turned" in finding.outcome.message


def test_a_counter_turned_back_by_hand_before_the_undo_is_a_plain_matter(log: Log) -> None:
    first = log.flip("Alpha")
    second = log.flip("Alpha")
    log.undo(second)
    log.undo(first)
    assert notes(audited(log)) == ["INT-UNDO-PLAIN"]


def test_undo_after_a_masked_piece_was_shown_is_a_finding_that_does_not_name_the_piece(log: Log) -> None:
    log.mask("Delta", "Ann")
    log.unmask("Delta")
    log.undo()
    finding = only(audited(log))
    assert finding.rule.id == "INT-UNDO-INFORMED"
    assert "a masked piece was shown" in finding.outcome.message
    assert "Delta" not in finding.outcome.message


# --- hidden information ----------------------------------------------------------------------------------------------


def test_a_masked_piece_that_another_looks_at_is_found(log: Log) -> None:
    log.table.counters["Delta"].masked_by = "Ann"
    fresh = Log(log.table, "game.vlog", "Bob")
    look = fresh.unmask("Delta")
    fresh.mask("Delta", "Ann")
    finding = only(audited(fresh))
    assert finding.rule.id == "INT-HIDDEN-PEEK"
    assert finding.place.step == look
    assert finding.outcome.verdict is Verdict.VIOLATION
    assert "a masked piece of Ann" in finding.outcome.message.lower().replace("ann", "Ann")
    assert "by Bob" in finding.outcome.message
    assert "Delta" not in finding.outcome.message


def test_an_owner_may_look_at_his_own_piece(log: Log) -> None:
    log.mask("Delta", "Bob")
    log.unmask("Delta")
    log.mask("Delta", "Bob")
    integrity = audited(log)
    assert integrity.findings == ()
    assert "INT-HIDDEN-SHOWN" in notes(integrity)


def test_where_no_step_says_who_looked_the_verdict_is_unknown(log: Log) -> None:
    log.table.counters["Delta"].masked_by = "Ann"
    fresh = Log(log.table, "game.vlog", "Bob")
    for step in (fresh.unmask("Delta"), fresh.mask("Delta", "Ann")):
        fresh.steps[step - 1] = fresh.steps[step - 1][:1]
    finding = only(audited(fresh))
    assert finding.outcome.verdict is Verdict.UNKNOWN
    assert finding.outcome.because == (Reason.AUTHOR,)


def test_a_mask_taken_over_by_another_is_found(log: Log) -> None:
    log.table.counters["Delta"].masked_by = "Ann"
    fresh = Log(log.table, "game.vlog", "Bob")
    fresh.mask("Delta", "Bob")
    finding = only(audited(fresh))
    assert finding.rule.id == "INT-HIDDEN-TAKEN"
    assert "Delta" not in finding.outcome.message


def test_a_player_who_changes_sides_has_seen_both(log: Log) -> None:
    log.move("Alpha", 1, 1)
    step = log.join("Bob", "Soviet")
    finding = only(audited(log))
    assert (finding.rule.id, finding.place.step) == ("INT-SIDE-CHANGED", step)


def test_onlookers_are_noted(log: Log) -> None:
    log.join("Ann", "<observer>")
    integrity = audited(log)
    assert integrity.findings == ()
    assert notes(integrity) == ["INT-SIDE-JOINED"]


# --- off the usual ways ----------------------------------------------------------------------------------------------


def test_the_turn_tracker_set_back_is_found(log: Log) -> None:
    log.set_turn(3)
    log.move("Alpha", 1, 1)
    back = log.set_turn(2)
    log.move("Alpha", 2, 2)
    for _ in range(4):
        log.say("and so on")
    finding = only(audited(log))
    assert (finding.rule.id, finding.place.step) == ("INT-RECORD-TURN-BACK", back)


def test_a_turn_tracker_put_right_at_once_is_no_finding(log: Log) -> None:
    log.set_turn(3)
    log.set_turn(2)
    log.set_turn(3)
    assert audited(log).findings == ()


def test_pieces_made_and_deleted_are_noted(log: Log) -> None:
    log.make("Zulu", 5, 5)
    log.delete("Alpha")
    assert notes(audited(log)) == ["INT-RECORD-MADE", "INT-RECORD-DELETED"]


def test_a_second_counter_of_a_unit_is_found(log: Log) -> None:
    log.make("Zulu", 5, 5)
    (made,) = log.steps[-1]
    assert isinstance(made, AddPiece)
    log.steps[-1] = [replace(made, type=log.table.counters["Alpha"].type)]
    finding = next(each for each in audited(log).findings if each.rule.id == "INT-RECORD-DOUBLED")
    assert "Alpha" in finding.outcome.message


# --- the whole -------------------------------------------------------------------------------------------------------


def test_every_entry_of_the_catalogue_is_explained() -> None:
    for identity, rule in CATALOGUE.items():
        assert identity == rule.id
        assert identity.startswith("INT-")
        assert len(rule.summary) > len(rule.title) - 5


def test_no_password_gets_into_any_report(log: Log) -> None:
    log.mask("Delta", "Ann")
    log.roll(1)
    log.undo()
    log.roll(2)
    log.unmask("Delta")
    log.mask("Delta", "Bob")
    log.join("Ann", "Axis")
    before = log.file()
    log.table.counters["Delta"].masked_by = "Ann"
    after = Log(log.table, "next.vlog", "Ann")
    after.say(f"my secret is {PASSWORDS['Ann']}")
    after.steps.append([Chat(text=f"*** 1d6 = 3 *** &lt;{PASSWORDS['Ann']}&gt;")])
    result = audit_files([before, after.file()])
    assert result.findings
    texts = [as_json(result), as_ndjson(result), as_html(result), as_text(result), repr(result)]
    texts.append(as_text(replace(result, findings=())))
    for text in texts:
        for password in PASSWORDS.values():
            assert password not in text
