from __future__ import annotations

import contextlib
import json
import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from subprocess import CompletedProcess
from typing import Any

import jsonschema
import pytest

from vassal_bridge.report.schema_files import FOLDER

PASSWORDS = ("correct-horse", "battery-staple")
Run = Callable[..., CompletedProcess[str]]
STORY = """\
small.vlog: 6 steps
P1 Anna (Axis), P2 Boris (Soviet)

step 1, Anna
    97 Jg, 76 Inf: moves from Main Map (100, 100) to Main Map (200, 100)

step 2, Anna
    <Anna> - I attack \\x1b[31m now

step 3, Anna
    *** 1d6 = 4 *** <Anna>

step 4, Boris, undone by step 5 (undone)
    5 Gds: moves from Main Map (300, 100) to Main Map (400, 100) (undone)
    * 5 Gds moves * (undone)

step 5, Boris, undoes step 4
    * UNDO: * 5 Gds moves *
    5 Gds: moves from Main Map (400, 100) to Main Map (300, 100)

step 6, Boris
    (hidden piece): moves

"""


def schema(name: str) -> dict[str, Any]:
    return dict(json.loads((FOLDER / f"{name}.json").read_text(encoding="utf-8")))


def test_the_transcript_reads_like_a_story(bridge: Run, log: Path) -> None:
    done = bridge("transcript", log)
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout == STORY


@pytest.mark.skipif(os.name != "posix", reason="needs a pseudo-terminal")
def test_on_a_terminal_what_was_undone_is_struck_out(log: Path) -> None:
    master, slave = os.openpty()
    command = [sys.executable, "-m", "vassal_bridge", "transcript", str(log)]
    environment = {**os.environ, "TERM": "xterm-256color", "COLUMNS": "100"}
    with subprocess.Popen(command, stdin=slave, stdout=slave, stderr=slave, env=environment) as process:
        os.close(slave)
        shown = b""
        with contextlib.suppress(OSError):  # the end of a pseudo-terminal is an error on Linux
            while part := os.read(master, 4096):
                shown += part
        os.close(master)
    assert process.returncode == 0
    text = shown.decode().replace("\r", "")
    assert "\x1b[9m    * 5 Gds moves *\x1b[0m\n" in text
    assert "\n    97 Jg, 76 Inf: moves from" in text
    assert "(undone)" not in text


def test_the_events_tell_the_same(bridge: Run, log: Path) -> None:
    done = bridge("transcript", log, "--json")
    events = [json.loads(line) for line in done.stdout.splitlines()]
    for event in events:
        jsonschema.validate(event, schema("event-1"))
    assert [(event["step"], event["kind"], event["who"], event["undone"]) for event in events] == [
        (1, "move", "Anna", False),
        (1, "move", "Anna", False),
        (2, "chat", "Anna", False),
        (3, "roll", "Anna", False),
        (4, "move", "Boris", True),
        (4, "chat", "Boris", True),
        (5, "undo", "Boris", False),
        (5, "undo", "Boris", False),
        (5, "move", "Boris", False),
        (6, "move", "Boris", False),
    ]
    assert events[0]["piece"] == "101"
    assert events[0]["from"] == {"map": "Main Map", "x": 100, "y": 100, "location": None}
    assert events[0]["to"] == {"map": "Main Map", "x": 200, "y": 100, "location": None}
    assert (events[-1]["from"], events[-1]["to"]) == (None, None)


@pytest.mark.parametrize(("to", "x"), [(0, 300), (3, 300), (4, 400), (5, 300), (6, 300)])
def test_replay_shows_the_board_after_a_step(bridge: Run, log: Path, to: int, x: int) -> None:
    done = bridge("replay", log, "--to", str(to), "--json")
    board = json.loads(done.stdout)
    jsonschema.validate(board, schema("board-1"))
    assert {piece["id"]: piece["x"] for piece in board["pieces"]}["103"] == x


def test_replay_goes_to_the_end_by_default(bridge: Run, log: Path) -> None:
    assert json.loads(bridge("replay", log, "--json").stdout)["pieces"][0]["x"] == 200


def test_show_counts_what_is_there(bridge: Run, log: Path) -> None:
    board = json.loads(bridge("show", log, "--json").stdout)
    jsonschema.validate(board, schema("board-1"))
    assert board["schema"] == "vassal-bridge/board/1"
    assert (board["file"], board["kind"], board["encoding"]) == ("small.vlog", "log", "vcsk")
    assert board["vassal_version"] == "3.7.9"
    assert board["counts"] == {
        "commands": 17,
        "pieces": 4,
        "stacks": 0,
        "decks": 0,
        "steps": 6,
        "moves": 5,
        "changes": 0,
        "chat": 4,
        "rolls": 1,
        "undone": 1,
        "unknown_commands": 0,
        "unknown_traits": 0,
    }
    text = bridge("show", log).stdout
    assert "17 commands, 4 pieces, 0 stacks, 0 decks, 6 steps, 5 moves" in text
    assert "97 Jg" in text


def test_a_hidden_piece_is_not_named(bridge: Run, log: Path) -> None:
    for command in (("show",), ("show", "--json"), ("replay",), ("transcript",), ("transcript", "--json")):
        done = bridge(command[0], log, *command[1:])
        assert "secret unit" not in done.stdout + done.stderr, command


def test_no_password_is_in_any_output(bridge: Run, log: Path) -> None:
    for command in (("show",), ("show", "--json"), ("replay",), ("transcript",), ("transcript", "--json"), ("audit",)):
        done = bridge(command[0], log, *command[1:])
        assert not any(word in done.stdout + done.stderr for word in PASSWORDS), command


def test_a_damaged_log_is_refused_and_read_on_demand(bridge: Run, log: Path) -> None:
    cut = log.with_name("cut")
    cut.write_text("begin_save\x1b+/1/piece;;;a;A/Main Map;1;1;;0\x1bCHAT", encoding="utf-8")
    refused = bridge("show", cut)
    assert refused.returncode == 2
    assert refused.stderr.count("\n") == 1
    read = bridge("show", cut, "--tolerant", "--json")
    assert read.returncode == 0
    assert json.loads(read.stdout)["counts"]["pieces"] == 1
    assert "breaks off" in read.stderr
