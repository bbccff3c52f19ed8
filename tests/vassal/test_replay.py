"""Each rule by which the engine replays a log, and the complete small log of the format notes."""

from __future__ import annotations

import pytest

from tests.vassal.games import deck, game, move, piece, stack, step
from vassal_bridge.vassal.changes import (
    ChatSaid,
    DiceShown,
    OtherChange,
    PieceAdded,
    PieceChanged,
    PieceMoved,
    PieceRemoved,
    PlayerJoined,
    PlayerLeft,
    PropertyChanged,
    TurnChanged,
)
from vassal_bridge.vassal.commands import PieceId
from vassal_bridge.vassal.container import open_bytes
from vassal_bridge.vassal.game import read_game
from vassal_bridge.vassal.position import Board
from vassal_bridge.vassal.replay import Replay

HERE, THERE = "Main;100;100", "Main;200;200"

# A unit moves from one hex to another, and the move is undone; what the real engine makes of it is known.
SMALL_LOG = (
    (
        "begin_save<ESC><ESC>\\<ESC>+/101/mark;Side<TAB>piece;;;u.png;Alpha/Axis<TAB>Main;238;185;7;0\\<ESC>"
        "+/102/stack/Main;238;185;101;@@1<ESC>PLAYER<TAB>pw<TAB>Bob<TAB>Axis<ESC>MainBoardPicker<TAB>West<TAB>0<TAB>0<ESC>"
        "SETUP_STACK<TAB><ESC>end_save<ESC>LOG<TAB>M/101/Main/580/317/null/Main/238/185/null/pw\\<ESC>"
        "LOG<TAB>+/103/stack/Main;580;317;101;@@1\\<ESC>LOG<TAB>CHAT* Alpha moves 0503 -> 1105 *<ESC>"
        "LOG<TAB>UNDO<TAB>true\\<ESC>LOG<TAB>CHAT* UNDO: * Alpha moves 0503 -> 1105 *\\\\<ESC>LOG<TAB>-/103\\\\<ESC>"
        "LOG<TAB>M/101/Main/238/185/null/Main/580/317/null/pw\\<ESC>LOG<TAB>UNDO<TAB>false"
    )
    .replace("<ESC>", "\x1b")
    .replace("<TAB>", "\t")
)


def position(board: Board, identity: str) -> tuple[str | None, int, int, tuple[str, ...] | None]:
    """Map, x, y and the members of the stack or deck that holds a piece."""
    piece = board.pieces[PieceId(identity)]
    return piece.map, piece.x, piece.y, None if piece.holder is None else piece.holder.members


def after(setup: list[str], *steps: str) -> Board:
    return Replay(game(setup, *steps)).run()


def test_the_small_log_ends_as_in_the_engine() -> None:
    replay = Replay(read_game(open_bytes(SMALL_LOG.encode(), "small.vlog")))
    assert position(replay.board, "101") == ("Main", 238, 185, ("101",))
    first = replay.step()
    assert position(replay.board, "101") == ("Main", 580, 317, ("101",))
    assert replay.board.pieces[PieceId("101")].stack == "103"
    assert replay.board.stacks[PieceId("102")].members == ()
    second = replay.step()
    assert position(replay.board, "101") == ("Main", 238, 185, None)
    assert PieceId("103") not in replay.board.stacks
    assert replay.step() is None
    assert first is not None
    assert second is not None
    assert (first.undoes, first.undone_by, second.undoes, second.undone_by) == (None, 2, 1, None)
    assert (first.author, second.author) == ("P1", "P1")
    moved, said = first.changes
    assert isinstance(moved, PieceMoved)
    assert (moved.name, moved.from_.x, moved.to.x, moved.to.stack) == ("Alpha", 238, 580, "103")
    assert said == ChatSaid(text="* Alpha moves 0503 -> 1105 *", undo=False)


def test_the_board_before_the_first_step_and_after_any() -> None:
    steps = [step(move("1", f"Main;{number};0")) for number in range(1, 6)]
    replay = Replay(game([piece("1", HERE)], *steps))
    assert replay.run(to=0).pieces[PieceId("1")].x == 100
    assert replay.run(to=3).pieces[PieceId("1")].x == 3
    assert replay.done == 3
    assert replay.run().pieces[PieceId("1")].x == 5


class TestMoves:
    def test_above_the_piece_named_as_below(self) -> None:
        setup = [*(piece(name, HERE) for name in "abc"), stack("s", HERE, "a", "b", "c"), piece("d", THERE)]
        board = after(setup, step(move("d", HERE, under="b")))
        assert position(board, "d") == ("Main", 100, 100, ("a", "b", "d", "c"))

    def test_within_a_stack_from_below_and_from_above(self) -> None:
        setup = [*(piece(name, HERE) for name in "abc"), stack("s", HERE, "a", "b", "c")]
        assert position(after(setup, step(move("a", HERE, under="b"))), "a")[3] == ("b", "a", "c")
        assert position(after(setup, step(move("c", HERE, under="a"))), "a")[3] == ("a", "c", "b")

    def test_onto_a_single_piece_named_as_below_makes_a_stack(self) -> None:
        board = after([piece("a", HERE), piece("b", THERE)], step(move("b", HERE, under="a")))
        assert position(board, "b") == ("Main", 100, 100, ("a", "b"))

    def test_the_piece_below_counts_only_at_the_target(self) -> None:
        board = after([piece("a", "Main;1;1"), piece("b", THERE)], step(move("b", HERE, under="a")))
        assert position(board, "b") == ("Main", 100, 100, ("b",))

    def test_merging_by_position_goes_on_top_if_something_is_named_as_below(self) -> None:
        setup = [piece("a", HERE), piece("b", HERE), stack("s", HERE, "a", "b"), piece("c", THERE)]
        assert position(after(setup, step(move("c", HERE, under="gone"))), "c")[3] == ("a", "b", "c")

    def test_merging_by_position_with_nothing_below_goes_to_the_bottom(self) -> None:
        setup = [piece("a", HERE), piece("b", HERE), stack("s", HERE, "a", "b"), piece("c", THERE)]
        assert position(after(setup, step(move("c", HERE))), "c")[3] == ("c", "a", "b")

    def test_only_the_very_same_point_merges(self) -> None:
        board = after([piece("a", HERE), piece("b", THERE)], step(move("b", "Main;101;100")))
        assert position(board, "b") == ("Main", 101, 100, ("b",))

    def test_a_single_piece_gets_a_stack_of_its_own(self) -> None:
        assert position(after([piece("a", HERE)], step(move("a", THERE))), "a") == ("Main", 200, 200, ("a",))

    def test_out_of_a_stack_it_lies_alone(self) -> None:
        setup = [piece("a", HERE), piece("b", HERE), stack("s", HERE, "a", "b")]
        board = after(setup, step(move("b", THERE)))
        assert position(board, "b") == ("Main", 200, 200, None)
        assert position(board, "a") == ("Main", 100, 100, ("a",))

    def test_out_of_a_stack_into_one_that_the_step_adds(self) -> None:
        setup = [piece("a", HERE), piece("b", HERE), stack("s", HERE, "a", "b")]
        board = after(setup, step(move("b", THERE), stack("t", THERE, "b")))
        assert board.pieces[PieceId("b")].stack == "t"

    def test_out_of_a_deck_it_lies_alone(self) -> None:
        setup = [piece("a", "null;0;0"), deck("d", HERE, "a")]
        board = after(setup, step(move("a", THERE)))
        assert position(board, "a") == ("Main", 200, 200, None)
        assert board.decks[PieceId("d")].members == ()

    def test_into_a_deck_even_an_empty_one(self) -> None:
        board = after([deck("d", HERE), piece("a", THERE)], step(move("a", HERE, under="gone")))
        assert board.decks[PieceId("d")].members == ("a",)

    def test_to_the_bottom_and_to_the_top_of_a_deck(self) -> None:
        setup = [piece("a", "null;0;0"), piece("b", "null;0;0"), deck("d", HERE, "a", "b"), piece("c", THERE)]
        assert after(setup, step(move("c", HERE))).decks[PieceId("d")].members == ("c", "a", "b")
        assert after(setup, step(move("c", HERE, under="b"))).decks[PieceId("d")].members == ("a", "b", "c")

    def test_off_the_map(self) -> None:
        assert position(after([piece("a", HERE)], step(move("a", "null;0;0"))), "a") == (None, 0, 0, None)

    def test_off_the_map_is_not_out_of_the_stack(self) -> None:
        setup = [piece("a", HERE), stack("s", HERE, "a")]
        assert position(after(setup, step(move("a", "null;0;0"))), "a") == ("Main", 100, 100, ("a",))

    def test_a_whole_stack_by_its_id(self) -> None:
        setup = [piece("a", HERE), piece("b", HERE), stack("s", HERE, "a", "b"), piece("c", THERE)]
        board = after(setup, step(move("s", "Main;5;5")))
        assert position(board, "a") == ("Main", 5, 5, ("a", "b"))
        board = after(setup, step(move("s", THERE)))
        assert position(board, "a") == ("Main", 200, 200, ("c", "a", "b"))

    def test_unknown_ids_do_nothing(self) -> None:
        board = after([piece("a", HERE)], step(move("x", THERE), "-/x", "D/x/new/old"))
        assert position(board, "a") == ("Main", 100, 100, None)
        assert list(board.pieces) == ["a"]

    def test_what_has_no_effect_is_told(self) -> None:
        record = Replay(game([piece("a", HERE)], step(move("x", THERE), "D/x/new/old"))).step()
        assert record is not None
        assert record.changes == (
            OtherChange(text="MovePiece of x, which is not in the game"),
            OtherChange(text="ChangePiece of x, which is not in the game"),
        )

    @pytest.mark.parametrize(
        "trait", ["immob;g;N", "immob;g;N;R;", "mat;Boat;"], ids=["before 3.6", "never stacks", "mat"]
    )
    def test_what_does_not_stack(self, trait: str) -> None:
        alone = piece("a", THERE, traits=((trait, ""),))
        board = after([alone, piece("b", HERE)], step(move("a", HERE)))
        assert position(board, "a") == ("Main", 100, 100, None)
        board = after([alone, piece("b", HERE)], step(move("b", THERE)))
        assert position(board, "b") == ("Main", 200, 200, ("b",))

    def test_what_is_told_to_stack_does(self) -> None:
        one = piece("a", THERE, traits=(("immob;g;N;L;", ""),))
        assert position(after([one, piece("b", HERE)], step(move("a", HERE))), "a")[3] == ("a", "b")

    def test_a_piece_that_the_mover_cannot_see_takes_nothing(self) -> None:
        hidden = piece("h", HERE, traits=(("hide;73,130;Hide;", "other"),))
        assert position(after([hidden, piece("a", THERE)], step(move("a", HERE, by="pw"))), "a")[3] == ("a",)
        assert position(after([hidden, piece("a", THERE)], step(move("a", HERE, by="other"))), "a")[3] == ("a", "h")


class TestAddAndRemove:
    def test_a_stack_pulls_its_members_from_wherever_they_are(self) -> None:
        setup = [piece("a", HERE), piece("b", THERE), stack("s", THERE, "b")]
        board = after(setup, step(stack("t", "Main;5;5", "a", "unknown", "b")))
        assert position(board, "b") == ("Main", 5, 5, ("a", "b"))
        assert board.stacks[PieceId("s")].members == ()

    def test_a_member_of_two_stacks_is_in_the_later_one(self) -> None:
        board = after([piece("a", HERE), stack("s", HERE, "a"), stack("t", THERE, "a")])
        assert position(board, "a") == ("Main", 200, 200, ("a",))

    def test_members_that_come_after_their_stack(self) -> None:
        board = after([stack("s", HERE, "a", "b"), piece("b", "null;0;0"), piece("a", "null;0;0")])
        assert position(board, "a") == ("Main", 100, 100, ("a", "b"))

    def test_old_layouts_of_states(self) -> None:
        board = after(["+/a/piece;;;a.png;A/null;1;2;3", "+/s/stack/Main;7;8;a"])
        assert position(board, "a") == ("Main", 7, 8, ("a",))
        assert board.pieces[PieceId("a")].gpid == "3"

    def test_removing_an_emptied_stack_and_a_piece(self) -> None:
        setup = [piece("a", HERE), piece("b", HERE), stack("s", HERE, "a", "b")]
        board = after(setup, step("-/a", "-/s"))
        assert PieceId("a") not in board.pieces

    def test_orphans_stay_and_count_as_stacked_until_they_are_placed(self) -> None:
        setup = [piece("a", HERE), stack("s", HERE, "a")]
        board = after(setup, step("-/s"))
        assert position(board, "a") == ("Main", 100, 100, None)
        assert board.pieces[PieceId("a")].is_orphan
        # So the move leaves it unstacked, where a piece that lies alone would get a stack.
        board = after(setup, step("-/s"), step(move("a", THERE)))
        assert position(board, "a") == ("Main", 200, 200, None)
        board = after(setup, step("-/s"), step(move("a", THERE)), step(move("a", HERE)))
        assert position(board, "a") == ("Main", 100, 100, ("a",))

    def test_an_orphan_takes_no_other_piece(self) -> None:
        setup = [piece("a", HERE), stack("s", HERE, "a"), piece("b", THERE)]
        assert position(after(setup, step("-/s"), step(move("b", HERE))), "b")[3] == ("b",)

    def test_a_second_piece_with_an_id_replaces_the_first(self) -> None:
        board = after([piece("a", HERE), stack("s", HERE, "a")], step(piece("a", THERE, name="new")))
        assert position(board, "a") == ("Main", 200, 200, None)
        assert board.stacks[PieceId("s")].members == ()

    def test_begin_save_wipes_the_board(self) -> None:
        assert not after([piece("a", HERE)], step("begin_save", "end_save")).pieces


FLIP = "emb2;;2;;;2;;;2;;;;;false;0;0;front.png,back.png;,+ (reduced);true;Step;;;false;;1;1;true;;;;;1.0;;true"


class TestChanges:
    def test_a_state_without_the_old_one_is_taken_whole(self) -> None:
        board = after([piece("a", HERE, traits=(("PROP;Step;;;", "1"),))], step("D/a/2\tMain;200;200;7;0"))
        assert board.pieces[PieceId("a")].marks == {"Step": "2"}
        assert position(board, "a") == ("Main", 200, 200, None)

    def test_only_the_traits_that_differ_are_set(self) -> None:
        setup = [piece("a", HERE, traits=(("PROP;X;;;", "here"), ("PROP;Y;;;", "0")))]
        board = after(setup, step("D/a/1\t1\\\tMain;1;1;7;0/1\t0\\\tMain;1;1;7;0"))
        assert board.pieces[PieceId("a")].marks == {"X": "here", "Y": "1"}
        assert position(board, "a") == ("Main", 100, 100, None)

    def test_another_map_in_the_innermost_state_moves_the_piece(self) -> None:
        setup = [piece("a", HERE), stack("s", HERE, "a")]
        board = after(setup, step("D/a/Other;5;6;7;0/Main;100;100;7;0"))
        assert position(board, "a") == ("Other", 5, 6, None)

    def test_no_map_in_the_innermost_state_leaves_a_stacked_piece_where_it_is(self) -> None:
        setup = [piece("a", "null;100;100"), stack("s", HERE, "a")]
        board = after(setup, step("D/a/null;200;200;7;0/null;100;100;7;0"))
        assert position(board, "a") == ("Main", 100, 100, ("a",))

    def test_a_stack_takes_the_new_state(self) -> None:
        setup = [piece("a", HERE), piece("b", HERE), stack("s", HERE, "a", "b")]
        board = after(setup, step("D/s/Main;200;200;b;a;@@1/Main;100;100;a;b;@@1"))
        assert position(board, "a") == ("Main", 200, 200, ("b", "a"))

    def test_members_that_the_log_does_not_know_stay_after_their_predecessors(self) -> None:
        setup = [*(piece(name, HERE) for name in "abx"), stack("s", HERE, "a", "x", "b")]
        board = after(setup, step("D/s/Main;100;100;b;a;@@1/Main;100;100;a;b;@@1"))
        assert position(board, "x")[3] == ("b", "a", "x")

    def test_a_deck_takes_the_new_state_whole(self) -> None:
        setup = [*(piece(name, "null;0;0") for name in "abx"), deck("d", HERE, "a", "x", "b")]
        board = after(setup, step("D/d/Main;100;100;true;b,a/Main;100;100;true;a,b"))
        assert board.decks[PieceId("d")].members == ("b", "a")
        assert board.pieces[PieceId("x")].is_orphan

    def test_layers_and_names(self) -> None:
        replay = Replay(
            game([piece("a", HERE, traits=((FLIP, "1"),), name="2 Pz")], step("D/a/2\tMain;1;1/1\tMain;1;1"))
        )
        shown = replay.board.pieces[PieceId("a")]
        assert (shown.layers[0].name, shown.layers[0].level, shown.layers[0].image) == ("Step", 1, "front.png")
        record = replay.step()
        assert record is not None
        (change,) = record.changes
        assert isinstance(change, PieceChanged)
        assert (change.shown_name_before, change.shown_name, change.name) == ("2 Pz", "2 Pz (reduced)", "2 Pz")
        assert [(before.level, now.level) for before, now in change.layers] == [(1, 2)]

    def test_inactive_layers(self) -> None:
        board = after([piece("a", HERE, traits=((FLIP.replace(";true;;;;;1.0", ";false;;;;;1.0"), "-2"),))])
        layer = board.pieces[PieceId("a")].layers[0]
        assert (layer.level, layer.active) == (2, False)
        assert board.pieces[PieceId("a")].shown_name == "a"

    def test_a_layer_that_follows_a_property(self) -> None:
        follow = FLIP.replace(";false;;1;1;true", ";true;Strength;0;1;true")
        board = after([piece("a", HERE, traits=((follow, "1"), ("PROP;Strength;;;", "1")))])
        assert board.pieces[PieceId("a")].layers[0].level == 2

    def test_masked_and_hidden_pieces_show_no_name(self) -> None:
        mask = ("obs;72,130;m.png;Mask;I;Secret;player:;Peek", "pw;|0")
        hide = ("hide;73,130;Hide;;side:;0.3", "Axis")
        board = after([piece("a", HERE, traits=(mask,)), piece("b", HERE, traits=(hide,))])
        masked, hidden = board.pieces[PieceId("a")], board.pieces[PieceId("b")]
        assert (masked.shown_name, masked.masked, masked.hidden, masked.owner) == ("Secret", True, False, "P1")
        assert (hidden.shown_name, hidden.hidden, hidden.masked, hidden.owner) == ("", True, False, "Axis")

    def test_unmasking_is_told(self) -> None:
        setup = [piece("a", HERE, traits=(("obs;72,130;m.png;Mask;I;Secret;player:;Peek", "pw;|0"),))]
        record = Replay(game(setup, step("D/a/null;\tMain;1;1/pw;|0\tMain;1;1"))).step()
        assert record is not None
        (change,) = record.changes
        assert isinstance(change, PieceChanged)
        assert (change.masked, change.hidden, change.owner) == ((True, False), (False, False), None)
        assert (change.shown_name_before, change.shown_name) == ("Secret", "a")

    def test_trails_are_named_and_old_notes_are_not(self) -> None:
        trail = ("footprint;77,130;Trail;false;false;10;;;100;50;20;30;1.0", "false;Map0;0")
        setup = [piece("a", HERE, traits=(trail,))]
        old, new = "false;Map0;0\tMain;100;100;7;0", "false;Map0;1;100,100\tMain;100;100;7;1;OldX;1"
        record = Replay(game(setup, step(f"D/a/{new}/{old}"))).step()
        assert record is not None
        (change,) = record.changes
        assert isinstance(change, PieceChanged)
        assert change.others == ("Movement Trail",)
        assert not change.marks


class TestRecords:
    def test_a_file_without_setup_stack_is_a_new_game_to_the_engine(self) -> None:
        assert not game([piece("a", HERE)]).deals_at_start_pieces
        assert read_game(open_bytes(b"begin_save\x1b\x1bend_save", "bot.vlog")).deals_at_start_pieces

    def test_each_kind_of_change(self) -> None:
        steps = [
            step(
                piece("b", THERE),
                "-/a",
                "CHAT<Bob> - hello",
                "MutableProperty\tVP\t0\t1\tModule",
                "TURNTurnTracker0\t0|2;0;false;-1",
                "PLAYER\tpw\tBob\tAxis",
                "PYREMOVE\tpw",
                "SHOW_RESULTS\tDice\t0\t5",
                "HAKA:red",
                "PNOTE\tpw\tsecret plan",
            )
        ]
        record = Replay(game([piece("a", HERE)], *steps)).step()
        assert record is not None
        kinds = [type(change) for change in record.changes]
        assert kinds == [
            PieceAdded,
            PieceRemoved,
            ChatSaid,
            PropertyChanged,
            TurnChanged,
            PlayerJoined,
            PlayerLeft,
            DiceShown,
            OtherChange,
            OtherChange,
        ]
        assert "secret" not in repr(record)
        assert "pw" not in repr(record)

    def test_what_nets_to_nothing_is_not_told(self) -> None:
        setup = [piece("a", HERE), piece("b", HERE), stack("s", HERE, "a", "b")]
        steps = step(move("b", THERE), "CHATlifted", move("b", HERE, under="a"))
        record = Replay(game(setup, steps)).step()
        assert record is not None
        assert record.changes == (ChatSaid(text="lifted", undo=False),)

    def test_several_legs_are_one_move(self) -> None:
        record = Replay(game([piece("a", HERE)], step(move("a", THERE), move("a", "Main;9;9")))).step()
        assert record is not None
        (moved,) = record.changes
        assert isinstance(moved, PieceMoved)
        assert (moved.from_.x, moved.to.x) == (100, 9)

    def test_the_author_is_the_mover_or_else_the_speaker(self) -> None:
        roster = "PLAYER\tpw\tBob\tAxis"
        steps = [step(move("a", THERE)), step("CHAT&lt;Bob&gt; - hi"), step("CHAT* report"), step("CHAT<Eve> - hi")]
        records = list(Replay(game([piece("a", HERE), roster], *steps)))
        assert [record.author for record in records] == ["P1", "P1", None, None]

    def test_steps_of_nothing_are_counted_but_not_by_the_engine(self) -> None:
        played = game([], step("null"), step("null", "null"), step(""), step("null", "CHATx"))
        assert [taken.is_counted_by_engine for taken in played.steps] == [False, False, True, True]
        assert [record.number for record in Replay(played)] == [1, 2, 3, 4]

    def test_passwords_give_way_to_aliases(self) -> None:
        setup = [
            piece("a", HERE, traits=(("PROP;Mover;;;", "pa55word"),)),
            "PLAYER\tpa55word\tBob\tAxis",
            "GlobalProperty\t;Host;pa55word;Module",
        ]
        steps = [step("CHATmy password is pa55word", "MutableProperty\tHost\tx\tpa55word\tModule")]
        replay = Replay(game(setup, *steps))
        record = replay.step()
        assert "pa55word" not in repr(record)
        assert replay.board.pieces[PieceId("a")].marks == {"Mover": "P1"}
        assert replay.board.properties == {"Host": "P1"}
        assert [player.alias for player in replay.board.players.values()] == ["P1"]
