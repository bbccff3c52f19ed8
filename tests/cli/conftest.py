"""Small files made here, and the program run as a user runs it."""

from __future__ import annotations

import contextlib
import io
import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest

from vassal_bridge.cli import run
from vassal_bridge.vassal.commands import (
    AddPiece,
    BeginSave,
    Chat,
    Command,
    EndSave,
    MovePiece,
    PieceId,
    PlayerAdd,
    PlayerId,
    format_atom,
)
from vassal_bridge.vassal.container import Metadata, write_game
from vassal_bridge.vassal.obfuscation import Encoding
from vassal_bridge.vassal.sequence import encode

PASSWORDS = ("correct-horse", "battery-staple")
Run = Callable[..., subprocess.CompletedProcess[str]]


def piece(identity: str, name: str, x: int, y: int, *, extra_type: str = "", extra_state: str = "") -> AddPiece:
    return AddPiece(
        id=PieceId(identity),
        type=f"{extra_type}piece;;;{name}.png;{name}",
        state=f"{extra_state}Main Map;{x};{y};{identity};0",
    )


def move(identity: str, start: tuple[int, int], end: tuple[int, int], player: str) -> MovePiece:
    return MovePiece(
        id=PieceId(identity),
        map="Main Map",
        x=end[0],
        y=end[1],
        under=None,
        old_map="Main Map",
        old_x=start[0],
        old_y=start[1],
        old_under=None,
        player_id=PlayerId(player),
    )


def game_text(setup: list[Command], steps: list[list[Command]]) -> str:
    """The text of a log: a position, then one LOG token a step."""
    tokens = [format_atom(each) for each in (BeginSave(), *setup, EndSave())]
    tokens += [encode([f"LOG\t{format_atom(each)}" for each in step], "\x1b") for step in steps]
    return encode(tokens, "\x1b")


SETUP: list[Command] = [
    PlayerAdd(player_id=PlayerId(PASSWORDS[0]), name="Anna", side="Axis"),
    PlayerAdd(player_id=PlayerId(PASSWORDS[1]), name="Boris", side="Soviet"),
    piece("101", "97 Jg", 100, 100),
    piece("102", "76 Inf", 100, 100),
    piece("103", "5 Gds", 300, 100),
    piece(
        "104", "secret unit", 500, 100, extra_type="hide;130,0;Invisible;;player:\t", extra_state=f"{PASSWORDS[1]}\t"
    ),
]
STEPS: list[list[Command]] = [
    [move("101", (100, 100), (200, 100), PASSWORDS[0]), move("102", (100, 100), (200, 100), PASSWORDS[0])],
    [Chat(text="<Anna> - I attack \x1b[31m now")],
    [Chat(text="*** 1d6 = 4 *** <Anna>")],
    [move("103", (300, 100), (400, 100), PASSWORDS[1]), Chat(text="* 5 Gds moves *")],
    [Chat(text="* UNDO: * 5 Gds moves *"), move("103", (400, 100), (300, 100), PASSWORDS[1])],
    [move("104", (500, 100), (600, 100), PASSWORDS[1])],
]


@pytest.fixture
def log(tmp_path: Path) -> Path:
    """A log of six steps by two players; the fifth undoes the fourth, the sixth moves a hidden piece."""
    path = tmp_path / "small.vlog"
    path.write_bytes(
        write_game(
            game_text(SETUP, STEPS),
            encoding=Encoding.VCSK,
            save_metadata=Metadata(vassal_version="3.7.9", version="1.0", description="a test"),
        )
    )
    return path


@pytest.fixture
def bridge(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Run:
    """Runs the program in this process, away from the checkout, with streams like those of a process of its own."""
    monkeypatch.chdir(tmp_path)

    def command(*arguments: str | Path) -> subprocess.CompletedProcess[str]:
        words = [str(word) for word in arguments]
        out, error = (io.TextIOWrapper(io.BytesIO(), encoding="utf-8", errors="backslashreplace") for _ in range(2))
        with contextlib.redirect_stdout(out), contextlib.redirect_stderr(error):
            code = run(words)
        texts = []
        for stream in (out, error):
            stream.flush()
            texts.append(stream.buffer.getvalue().decode())
        return subprocess.CompletedProcess(words, code, *texts)

    return command
