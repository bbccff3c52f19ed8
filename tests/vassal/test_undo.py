from __future__ import annotations

import pytest

from tests.vassal.games import game, move, piece, stack, step
from vassal_bridge.vassal.chat import is_roll, is_undo, speaker, undone_text
from vassal_bridge.vassal.replay import Replay

A, B = "Main;100;100", "Main;200;200"
SETUP = [piece("a", A), piece("b", A), stack("s", A, "a", "b")]
ROLL = step("CHAT*** 2d6 = 6,6 ***", "MutableProperty\t2d6_result\t1\t6,6\tModule")
ROLL_UNDONE = ("MutableProperty\t2d6_result\t6,6\t1\tModule", "CHAT* UNDO: *** 2d6 = 6,6 ***")


def bracketed(*atoms: str) -> str:
    return step("UNDO\ttrue", *atoms, "UNDO\tfalse")


def undone(*steps: str) -> dict[int, int]:
    return dict(game(SETUP, *steps).undone)


def test_no_undo_no_pairs() -> None:
    assert undone(ROLL, ROLL) == {}


def test_an_undo_between_brackets_and_one_without() -> None:
    assert undone(ROLL, bracketed(*ROLL_UNDONE)) == {2: 1}
    assert undone(ROLL, step(*ROLL_UNDONE)) == {2: 1}


def test_the_nearest_step_with_this_inverse_is_meant() -> None:
    assert undone(ROLL, ROLL, bracketed(*ROLL_UNDONE)) == {3: 2}


def test_two_undos_of_two_like_steps_take_one_each() -> None:
    assert undone(ROLL, ROLL, bracketed(*ROLL_UNDONE), bracketed(*ROLL_UNDONE)) == {3: 2, 4: 1}


def test_undoing_walks_back_over_earlier_undos() -> None:
    redo = ("CHAT* UNDO: * UNDO: *** 2d6 = 6,6 ***", "MutableProperty\t2d6_result\t1\t6,6\tModule")
    assert undone(ROLL, bracketed(*ROLL_UNDONE), bracketed(*redo)) == {2: 1, 3: 2}


def test_moves_changes_and_new_stacks() -> None:
    there = step(
        "D/b/true\tMain;1;1;7;0/false\tMain;1;1;7;0",
        move("b", B, back=A, back_under="a"),
        stack("t", B, "b"),
        "CHAT* b moves",
    )
    back = bracketed(
        "CHAT* UNDO: * b moves",
        "-/t",
        move("b", A, under="a", back=B),
        "D/b/false\tMain;1;1;7;0/true\tMain;1;1;7;0",
    )
    assert undone(there, step("CHATother words"), back) == {3: 1}


def test_deleting_and_cloning() -> None:
    delete, restore = step("-/b", "CHAT* gone"), bracketed("CHAT* UNDO: * gone", piece("b", A))
    assert undone(delete, restore) == {2: 1}


def test_turns_go_back_to_what_they_were() -> None:
    turns = [step(f"TURNTurnTracker0\t0|{number};0;false;-1", f"CHATturn {number}") for number in (2, 3)]
    back = bracketed("CHAT* UNDO: turn 3", "TURNTurnTracker0\t0|2;0;false;-1")
    assert undone(*turns, back) == {3: 2}


def test_the_chat_alone_decides_where_the_commands_do_not_fit() -> None:
    assert undone(ROLL, step("CHAT* UNDO: *** 2d6 = 6,6 ***")) == {2: 1}


@pytest.mark.parametrize(
    "prefix", ["FORTRYD", "DESHACER", "Annulation", "ANNULLA", "巻き戻し", "ONGEDAAN MAKEN", "WSTECZ"]
)
def test_undos_in_other_languages(prefix: str) -> None:
    assert undone(step("CHAT* b moves"), step(f"CHAT* {prefix}: * b moves")) == {2: 1}


def there(name: str, *, back_under: str = "null") -> str:
    """A move as old engines log it: without a word in the chat."""
    change = f"D/{name}/true\tMain;1;1;7;0/false\tMain;1;1;7;0"
    return step(change, move(name, B, back=A, back_under=back_under), stack(f"new {name}", B, name))


def back(name: str, *, under: str = "null") -> str:
    change = f"D/{name}/false\tMain;1;1;7;0/true\tMain;1;1;7;0"
    return step(f"-/new {name}", move(name, A, under=under, back=B), change)


def test_a_silent_undo_is_told_by_its_shape_and_its_content() -> None:
    assert undone(there("b", back_under="a"), back("b", under="a")) == {2: 1}


def test_the_shape_alone_is_no_undo() -> None:
    assert undone(there("b", back_under="a"), back("a")) == {}


def test_moving_back_by_hand_is_no_undo() -> None:
    assert undone(step(move("b", B, back=A)), step(move("b", A, back=B))) == {}


def test_steps_between_an_undo_and_what_it_undoes_are_pairs_where_they_mirror_each_other() -> None:
    moves = step(move("a", B, back=A)), step(move("a", A, back=B))
    assert undone(there("b"), *moves, back("b")) == {3: 2, 4: 1}
    assert undone(there("b"), moves[0], step("CHAThello"), moves[1], back("b")) == {5: 1}


def test_with_brackets_in_the_log_nothing_else_is_an_undo() -> None:
    assert undone(there("b"), back("b"), ROLL, bracketed(*ROLL_UNDONE)) == {4: 3}


def test_both_sides_of_the_pair_are_in_the_records() -> None:
    records = list(Replay(game(SETUP, ROLL, bracketed(*ROLL_UNDONE), ROLL)))
    assert [(record.undoes, record.undone_by) for record in records] == [(None, 2), (1, None), (None, None)]


def test_openings_of_chat_lines() -> None:
    assert speaker("&lt;Bob &amp; Eve&gt; - hi") == "Bob & Eve"
    assert speaker("<Bob> - hi") == "Bob"
    assert speaker("* <Bob> moves") is None
    assert is_roll("*** 2d6 = 6,6 *** <Bob>")
    assert is_roll("* Bob rolls 2 dice")
    assert not is_roll("* UNDO: *** 2d6 = 6,6 ***")
    assert not is_roll("* b moves")
    assert is_undo("* UNDO: x")
    assert undone_text("* UNDO: * UNDO: x") == "* UNDO: x"
