"""Chains of files made for the test, honest ones and tampered ones."""

from __future__ import annotations

import random
from collections.abc import Sequence
from dataclasses import replace

import pytest

from tests.audit.integrity.table import Log, Table, identity
from vassal_bridge.audit.finding import Finding
from vassal_bridge.audit.integrity import Integrity, audit_integrity
from vassal_bridge.audit.integrity.chain import Chain
from vassal_bridge.board.knowledge import Reason
from vassal_bridge.rulebook.outcome import Verdict
from vassal_bridge.vassal.container import VassalFile, open_bytes, write_game
from vassal_bridge.vassal.obfuscation import Encoding

_UNITS = ("Alpha", "Bravo", "Delta", "Ford", "Golf", "Hotel", "India", "Kilo")


def honest(table: Table, numbers: Sequence[int] = (1, 2, 3)) -> list[VassalFile]:
    """Play some logs in turn, each going on from the end of the one before."""
    return [turn(table, number).file() for number in numbers]


def turn(table: Table, number: int) -> Log:
    log = Log(table, f"{number}.vlog", "Bob" if number % 2 else "Ann")
    for place, name in enumerate(_UNITS[:4]):
        log.move(name, 1000 * number + 100 * place, 300)
    log.roll(1 + number % 6)
    log.flip("Alpha")
    log.set_turn(number + 1)
    return log


def ids(integrity: Integrity) -> list[str]:
    return [finding.rule.id for finding in integrity.findings]


def order(integrity: Integrity) -> list[str]:
    return [link.record.name for link in integrity.chains[0].links]


def only(integrity: Integrity) -> Finding:
    (finding,) = integrity.findings
    return finding


def test_honest_files_are_put_in_order_and_nothing_is_found() -> None:
    for seed in range(6):
        files = honest(Table.of(*_UNITS), range(1, 8))
        random.Random(seed).shuffle(files)
        integrity = audit_integrity(files)
        assert order(integrity) == [f"{number}.vlog" for number in range(1, 8)]
        assert integrity.findings == ()
        assert len(integrity.chains) == 1


def test_the_order_does_not_hang_on_names() -> None:
    table = Table.of(*_UNITS)
    files = [turn(table, number).file() for number in range(1, 5)]
    renamed = [open_bytes(_data(file), name) for file, name in zip(files, "dbca", strict=True)]
    renamed.sort(key=lambda file: file.name)
    assert order(audit_integrity(renamed)) == ["d", "b", "c", "a"]


def test_a_piece_moved_between_logs_is_named_with_its_places() -> None:
    table = Table.of(*_UNITS)
    files = honest(table, (1, 2))
    table.counters["Hotel"].x = 4321
    files += honest(table, (3, 4))
    finding = only(audit_integrity(files))
    assert finding.rule.id == "INT-CHAIN-DIFFERS"
    assert finding.place.log == "3.vlog"
    assert "Hotel: Main (600, 100) -> Main (4321, 100)" in finding.outcome.message
    assert finding.outcome.facts == {"before": "2.vlog", "moved": 1}


def test_pieces_added_removed_and_changed_between_logs_are_told_apart() -> None:
    table = Table.of(*_UNITS)
    files = honest(table, (1, 2))
    del table.counters["Kilo"]
    table.counters["Golf"].step = 2
    table.counters["Zulu"] = type(table.counters["Golf"])("Zulu", 77, 88)
    files += honest(table, (3,))
    facts = only(audit_integrity(files)).outcome.facts
    assert facts == {"before": "2.vlog", "added": 1, "removed": 1, "changed": 1}


def test_a_log_left_out_is_missed() -> None:
    files = honest(Table.of(*_UNITS), range(1, 6))
    del files[2]
    random.Random(1).shuffle(files)
    integrity = audit_integrity(files)
    assert order(integrity) == ["1.vlog", "2.vlog", "4.vlog", "5.vlog"]
    finding = only(integrity)
    assert finding.rule.id == "INT-CHAIN-MISSING"
    assert (finding.place.log, finding.outcome.facts["before"]) == ("4.vlog", "2.vlog")


def test_a_save_explains_what_no_log_shows() -> None:
    table = Table.of(*_UNITS)
    files = honest(table, (1, 2))
    table.counters["Hotel"].x = 4321
    files.append(table.file("between.vsav"))
    files += honest(table, (3,))
    integrity = audit_integrity(files[::-1])
    assert order(integrity) == ["1.vlog", "2.vlog", "between.vsav", "3.vlog"]
    assert only(integrity).place.log == "between.vsav"


def test_a_log_cut_short_and_continued_does_not_fit_the_next() -> None:
    table = Table.of(*_UNITS)
    files = honest(table, (1,))
    played = turn(table, 2)
    after = table.saved()
    played.cut(3, played.step)
    played.move("Kilo", 999, 999)
    files.append(played.file())
    files += honest(after, (3, 4))
    finding = only(audit_integrity(files))
    assert finding.rule.id in ("INT-CHAIN-DIFFERS", "INT-CHAIN-MISSING")
    assert finding.place.log == "3.vlog"
    assert set(map(str, finding.outcome.units)) == {str(identity(name)) for name in ("Alpha", "Delta", "Ford", "Kilo")}


def test_steps_cut_out_of_a_log_leave_a_step_that_does_not_fit() -> None:
    table = Table.of(*_UNITS)
    log = Log(table, "1.vlog")
    log.move("Alpha", 1000, 100)
    hidden = log.move("Bravo", 1500, 100)
    log.move("Delta", 2000, 100)
    log.move("Bravo", 2500, 100)
    log.cut(hidden, hidden)
    finding = only(audit_integrity([log.file()]))
    assert finding.rule.id == "INT-RECORD-GAP"
    assert finding.place.step == 3
    assert "Bravo moves from Main (1500, 100) but stood at Main (200, 100)" in finding.outcome.message


def test_a_save_loaded_before_a_bad_roll_is_found_by_the_file_that_goes_on_from_it() -> None:
    table = Table.of(*_UNITS)
    files = honest(table, (1,))
    log = Log(table, "2.vlog", "Ann")
    log.move("Alpha", 5000, 100)
    kept = log.move("Bravo", 5100, 100)
    save = table.saved()
    bad = log.roll(1)
    log.delete("Alpha")
    files.append(log.file())
    again = Log(save, "2b.vlog", "Ann")
    again.roll(6)
    again.move("Alpha", 5500, 100)
    files.append(again.file())
    finding = only(audit_integrity(files))
    assert finding.rule.id == "INT-CHAIN-RELOADED"
    assert finding.place.log == "2b.vlog"
    assert finding.outcome.facts["goes on after step"] == kept
    assert finding.outcome.facts["dropped rolls"] == ["1d6 = 1"]
    assert finding.outcome.facts["rolls instead"] == ["1d6 = 6"]
    assert f"1d6 = 1 by Ann (step {bad})" in finding.outcome.message


def test_two_logs_from_one_position_are_a_branch() -> None:
    table = Table.of(*_UNITS)
    files = honest(table, (1,))
    save = table.saved()
    first = Log(table, "bad.vlog", "Ann")
    first.move("Alpha", 5000, 100)
    first.roll(1)
    first.delete("Alpha")
    second = Log(save, "good.vlog", "Ann")
    second.move("Alpha", 5000, 100)
    second.roll(6)
    second.flip("Bravo")
    files += [first.file(), second.file(), *honest(save, (3,))]
    integrity = audit_integrity(files)
    finding = only(integrity)
    assert finding.rule.id == "INT-CHAIN-BRANCH"
    assert finding.place.log == "bad.vlog"
    assert finding.outcome.facts["steps in common"] == 1
    assert finding.outcome.facts["rolls of this"] == ["1d6 = 1"]
    assert finding.outcome.facts["rolls of the other"] == ["1d6 = 6"]
    assert [link.record.name for link in integrity.chains[0].links if not link.is_side] == [
        "1.vlog",
        "good.vlog",
        "3.vlog",
    ]


def test_a_log_of_words_and_rolls_only_is_no_branch() -> None:
    table = Table.of(*_UNITS)
    files = honest(table, (1,))
    words = Log(table, "2.vlog", "Ann")
    words.say("rolling for weather")
    words.roll(4)
    files += [words.file(), *honest(table, (3, 4))]
    for seed in range(4):
        integrity = audit_integrity(random.Random(seed).sample(files, len(files)))
        assert order(integrity) == ["1.vlog", "2.vlog", "3.vlog", "4.vlog"]
        assert integrity.findings == ()


def test_a_branch_that_is_hidden_shows_where_the_other_player_went_on_from_it() -> None:
    table = Table.of(*_UNITS)
    files = honest(table, (1,))
    save = table.saved()
    shown = Log(table, "2.vlog", "Ann")
    shown.move("Alpha", 5000, 100)
    shown.roll(1)
    hidden = Log(save, "2b.vlog", "Ann")
    hidden.move("Alpha", 5000, 100)
    hidden.move("Bravo", 5000, 900)
    files += [shown.file(), *honest(save, (3,))]
    finding = only(audit_integrity(files))
    assert finding.place.log == "3.vlog"
    assert "Bravo" in finding.outcome.message


def test_a_file_that_was_dropped_is_named() -> None:
    table = Table.of(*_UNITS)
    files = honest(table, (1,))
    save = table.saved()
    dropped = Log(table, "2-bad.vlog", "Ann")
    dropped.roll(1)
    dropped.delete("Alpha")
    save.counters["Hotel"].x = 4321
    files += [dropped.file(), *honest(save, (3,))]
    finding = only(audit_integrity(files))
    assert finding.place.log == "3.vlog"
    assert "From the end of 1.vlog only 1 piece differs, as if 2-bad.vlog had been dropped." in finding.outcome.message


@pytest.mark.parametrize("seed", range(40))
def test_tangled_files_are_all_told_of_and_always_in_the_same_order(seed: int) -> None:
    files = tangle(random.Random(seed))
    first = audit_integrity(files)
    second = audit_integrity(random.Random(seed).sample(files, len(files)))
    assert sorted(record.name for record in first.records) == sorted(file.name for file in files)
    assert [order_of(chain) for chain in first.chains] == [order_of(chain) for chain in second.chains]
    for chain in first.chains:
        assert all(joint.earlier != joint.later for joint in chain.joints)


def tangle(chance: random.Random) -> list[VassalFile]:
    """Play one counter to and fro, from whatever position was saved last, so that positions come back again."""
    saves, files = [Table.of("Alpha")], []
    for number in range(chance.randint(2, 7)):
        table = chance.choice(saves[-3:]).saved()
        log = Log(table, f"{number}.vlog", chance.choice(["Bob", "Ann"]))
        for _ in range(chance.randint(0, 6)):
            act = chance.choice([0, 0, 1, 2, 3])
            if act == 0:
                log.move("Alpha", chance.randint(1, 2), chance.randint(1, 2))
            elif act == 1:
                log.roll(chance.randint(1, 6))
            elif act == 2:
                log.flip("Alpha")
            else:
                log.set_turn(chance.randint(1, 3))
            if chance.random() < 0.2:
                saves.append(table.saved())
        saves.append(table.saved())
        files.append(log.file())
    return files


def order_of(chain: Chain) -> list[str]:
    return [link.record.name for link in chain.links]


def test_nobody_is_blamed_for_what_a_damaged_file_does_not_show() -> None:
    table = Table.of(*_UNITS)
    files = honest(table, (1, 2, 3))
    whole = files[1].saved
    assert whole is not None
    # Cut in the middle of a step, as a download that broke off.
    text = whole.text[: whole.text.index("LOG", len(whole.text) * 3 // 4)]
    plain = write_game(text, encoding=Encoding.PLAIN)
    cut = open_bytes(plain, "2.vlog")
    assert cut.saved is not None
    damaged = replace(cut, saved=replace(cut.saved, damage="breaks off"))
    integrity = audit_integrity([files[0], damaged, files[2]])
    assert ids(integrity)[0] == "INT-CHAIN-DAMAGED"
    for finding in integrity.findings[1:]:
        assert (finding.outcome.verdict, finding.outcome.because) == (Verdict.UNKNOWN, (Reason.REPLAY,))


def test_an_appended_log_is_no_offence_and_its_rolls_count_once() -> None:
    table = Table.of(*_UNITS)
    log = turn(table, 1)
    short = log.file()
    log.name = "1-and-more.vlog"
    log.say("going on")
    log.roll(4)
    integrity = audit_integrity([log.file(), short])
    assert integrity.findings == ()
    assert "INT-CHAIN-APPENDED" in [note.rule.id for note in integrity.notes]
    assert [roll.result for roll in integrity.rolls] == ["2", "4"]


def test_the_same_file_twice_is_noted_whatever_its_encoding() -> None:
    (file,) = honest(Table.of(*_UNITS), (1,))
    assert file.saved is not None
    plain = open_bytes(write_game(file.saved.text, encoding=Encoding.PLAIN), "copy.vlog")
    integrity = audit_integrity([file, plain])
    assert integrity.findings == ()
    assert [note.rule.id for note in integrity.notes] == ["INT-CHAIN-DOUBLE"]
    assert len(integrity.rolls) == 1


def test_two_records_of_one_session_are_no_branch() -> None:
    table = Table.of(*_UNITS)
    log = Log(table, "bobs.vlog")
    for number in range(1, 9):
        log.move(_UNITS[number % 8], 100 * number, 700)
    log.roll(3)
    mine = log.file()
    log.steps[3], log.steps[4] = log.steps[4], log.steps[3]
    log.name = "anns.vlog"
    integrity = audit_integrity([mine, log.file()])
    assert integrity.findings == ()
    assert "INT-CHAIN-SAME-SESSION" in [note.rule.id for note in integrity.notes]
    assert len(integrity.rolls) == 1


def test_files_of_another_game_are_a_chain_of_their_own() -> None:
    mine = honest(Table.of(*_UNITS), (1, 2))
    other = Log(Table.of("Xray", "Yankee"), "other.vlog")
    other.move("Xray", 1, 1)
    integrity = audit_integrity([other.file(), *mine])
    assert [len(chain.links) for chain in integrity.chains] == [2, 1]
    assert ids(integrity) == ["INT-CHAIN-UNRELATED"]
    assert only(integrity).place.log == "other.vlog"


def test_another_module_version_along_the_chain_is_told() -> None:
    table = Table.of(*_UNITS)
    files = honest(table, (1, 2))
    table.module_version, table.engine = "1.1", "3.6.6"
    files += honest(table, (3,))
    integrity = audit_integrity(files)
    assert only(integrity).rule.id == "INT-VERSION-MODULE"
    assert "1.0, then 1.1" in only(integrity).outcome.message
    assert [note.rule.id for note in integrity.notes if "VERSION" in note.rule.id] == ["INT-VERSION-ENGINE"]


def test_a_player_who_comes_back_with_the_other_side_is_told() -> None:
    table = Table.of(*_UNITS)
    files = honest(table, (1, 2))
    table.sides = {"Bob": "Soviet", "Ann": "Soviet"}
    finding = only(audit_integrity([*files, *honest(table, (3,))]))
    assert finding.rule.id == "INT-SIDE-CHANGED"
    assert "Bob had the side Axis in 2.vlog and has Soviet now" in finding.outcome.message
    assert finding.outcome.verdict is Verdict.VIOLATION


def _data(file: VassalFile) -> bytes:
    assert file.saved is not None
    return write_game(file.saved.text)
