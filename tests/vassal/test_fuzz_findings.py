"""What the fuzzers of tests/fuzz found, as the smallest case of its kind."""

from __future__ import annotations

import pytest

from vassal_bridge.errors import LimitError
from vassal_bridge.vassal.changes import PieceAdded, PieceRemoved, StepRecord
from vassal_bridge.vassal.commands import Logged, UnknownCommand, format_atom, parse_atom
from vassal_bridge.vassal.container import open_bytes
from vassal_bridge.vassal.game import read_game
from vassal_bridge.vassal.players import MAX_PLAYERS
from vassal_bridge.vassal.replay import Replay

ESC = "\x1b"


def records(*steps: str, setup: tuple[str, ...] = ()) -> list[StepRecord]:
    """Replay a log with these atoms, one step each."""
    text = ESC.join(("begin_save", *setup, "end_save", *(f"LOG\t{atom}" for atom in steps)))
    return list(Replay(read_game(open_bytes(text.encode(), "savedGame"))))


def test_a_piece_may_be_overwritten_by_one_of_another_type() -> None:
    (record,) = records("+/1/piece;;;;Two/Main;5;5", setup=("+/1/mark;Side\tpiece;;;;One/x\tMain;5;5",))
    removed, added = record.changes
    assert isinstance(removed, PieceRemoved)
    assert isinstance(added, PieceAdded)
    assert (removed.name, added.name) == ("One", "Two")


def test_a_command_is_logged_once_only() -> None:
    deep = "LOG\t" * 5000 + "CHATx"
    command = parse_atom(deep)
    assert isinstance(command, UnknownCommand)
    assert format_atom(command) == deep
    assert isinstance(parse_atom("LOG\tCHATx"), Logged)
    assert records("LOG\t" * 5000)[0].commands[0] == parse_atom("LOG\t" * 5000)


def test_a_file_with_more_players_than_any_game_has_is_refused() -> None:
    joins = tuple(f"PLAYER\tpassword{number}\tname\tside" for number in range(MAX_PLAYERS + 1))
    assert len(records("CHATx", setup=joins[:-1])) == 1
    with pytest.raises(LimitError, match="players"):
        records("CHATx", setup=joins)
