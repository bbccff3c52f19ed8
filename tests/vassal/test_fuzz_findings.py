"""What the fuzzers of tests/fuzz found, as the smallest case of its kind."""

from __future__ import annotations

import io
import zipfile
from pathlib import Path

import pytest

from vassal_bridge.cli import run
from vassal_bridge.errors import CaseError, LimitError
from vassal_bridge.rulebook.casefile import parse_cases
from vassal_bridge.vassal.changes import PieceAdded, PieceRemoved, StepRecord
from vassal_bridge.vassal.commands import Logged, UnknownCommand, format_atom, parse_atom
from vassal_bridge.vassal.container import open_bytes
from vassal_bridge.vassal.game import read_game
from vassal_bridge.vassal.module import read_module
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


NINES = "9" * 5000
"""More digits than Python reads as a number."""


@pytest.mark.parametrize(
    "atom",
    [
        f"CHAT*** 1d6 = {NINES} *** <Bob>",
        f"CHAT*** {NINES}d6 = 3 *** <Bob>",
        f"CHAT<Bob> - !attack N2030 -> N2029 air={NINES} odds={NINES}:1",
        f"MutableProperty\t1d6_result\t1\t{NINES}\tModule",
        f"SHOW_RESULTS\tDie\t{NINES}",
        f"TURNTurnTracker0\t0|{NINES};0;false;-1",
        f"M/1/Main/{NINES}/5/null/Main/5/5/null/player",
        f"D/1/Main;{NINES};5;7;0/Main;5;5;7;0",
        f"+/{NINES}/piece;;;;Two/Main;{NINES};5;7;0",
    ],
)
@pytest.mark.parametrize("command", ["transcript", "replay", "audit", "dice", "chain"])
def test_a_number_too_long_to_read_is_none(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], atom: str, command: str
) -> None:
    path = tmp_path / "long.vlog"
    text = ESC.join(("begin_save", "+/1/piece;;;;One/Main;5;5;7;0", "end_save", f"LOG\t{atom}"))
    path.write_bytes(text.encode())
    assert run([command, str(path)]) in (0, 1)
    assert "internal error" not in capsys.readouterr().err


@pytest.mark.parametrize("words", ["a = " + "9" * 5000, "a = " + "[" * 5000, "a = " + "{b = " * 3000])
def test_toml_beyond_the_limits_of_its_reader_is_refused(words: str) -> None:
    with pytest.raises(CaseError, match="TOML"):
        parse_cases(words, name="cases.toml")


def test_an_old_edge_of_a_map_that_is_no_number_is_none() -> None:
    text = f'<VASSAL.build.GameModule><VASSAL.build.module.Map edge="{NINES},5"/></VASSAL.build.GameModule>'
    (found,) = read_module(open_bytes(text.encode(), "buildFile.xml")).maps
    assert found.edge == (0, 0)


def test_an_engine_version_that_is_no_number_is_none() -> None:
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w") as archive:
        archive.writestr("moduledata", f"<data><VassalVersion>{NINES}.1</VassalVersion></data>")
        archive.writestr("buildFile.xml", "<VASSAL.build.GameModule/>")
    assert open_bytes(buffer.getvalue(), "m.vmod").build_file is not None
