"""What is measured. Each function runs once in a process of its own and returns its numbers; times are CPU seconds.

A second run in one process would be faster, since the memory is there already; but no command reads its file twice.
"""

from __future__ import annotations

import os
import sys
import time
import zipfile
from binascii import unhexlify
from collections.abc import Callable
from contextlib import redirect_stdout
from pathlib import Path

__all__ = [
    "audit_campaign",
    "decode_bare",
    "decode_peer",
    "decode_text",
    "decode_tokens",
    "play_log",
    "read_pieces",
    "show",
]

ESC = "\x1b"


def decode_bare(path: Path) -> dict[str, float]:
    """Do what no reader can avoid: unzip, unhex, XOR, UTF-8, split."""
    xor: dict[int, bytes] = {key: bytes(byte ^ key for byte in range(256)) for key in range(256)}

    def decode() -> None:
        with zipfile.ZipFile(path) as archive:
            entry = archive.read("savedGame")
        key = int(entry[5:7], 16)
        unhexlify(memoryview(entry)[7:]).translate(xor[key]).decode("utf-8").split(ESC)

    return _timed(decode)


def decode_text(path: Path) -> dict[str, float]:
    """Open the file, hash and metadata included, and split its text."""
    from vassal_bridge.vassal.container import open_file

    def decode() -> None:
        saved = open_file(path).saved
        assert saved is not None
        saved.text.split(ESC)

    return _timed(decode)


def decode_tokens(path: Path) -> dict[str, float]:
    """Open the file and read the tree of its commands down to the single atoms."""
    from vassal_bridge.vassal.container import open_file
    from vassal_bridge.vassal.tree import top_level

    def decode() -> None:
        saved = open_file(path).saved
        assert saved is not None
        for _ in top_level(saved.text):
            pass

    return _timed(decode)


def decode_peer(path: Path, *, peer: Path) -> dict[str, float]:
    """Decode with pywargame's reader of saves, from its wheel."""
    from tests.bench.peer import load_reader

    reader = load_reader(peer)
    return _timed(lambda: reader(str(path)))


def read_pieces(path: Path) -> dict[str, float]:
    """Open a save, read its commands and set up its pieces, each with its name, place and order in the stack."""
    from vassal_bridge.vassal.container import open_file
    from vassal_bridge.vassal.game import read_game
    from vassal_bridge.vassal.replay import Replay

    baseline = _resident()
    start = time.process_time()
    game = read_game(open_file(path))
    board = Replay(game).board
    for piece in board.pieces.values():
        _ = piece.name, piece.map, piece.x, piece.y, piece.stack
    seconds = time.process_time() - start
    peak = _peak() - baseline
    assert game.file.saved is not None
    commands = sum(1 for _ in game.commands())
    return {"seconds": seconds, "peak": peak, "text": sys.getsizeof(game.file.saved.text), "commands": commands}


def show(path: Path) -> dict[str, float]:
    """Run ``show --json`` on a save; the whole process counts."""
    from vassal_bridge.cli import run

    start = time.process_time()
    with Path(os.devnull).open("w", encoding="utf-8") as nowhere, redirect_stdout(nowhere):
        code = run(["show", "--json", str(path)], service=_no_service)
    return {"seconds": time.process_time() - start, "peak": _peak(), "code": float(code)}


def play_log(path: Path) -> dict[str, float]:
    """Read a log and replay every step with a record of what it changed."""
    from vassal_bridge.vassal.container import open_file
    from vassal_bridge.vassal.game import read_game
    from vassal_bridge.vassal.replay import Replay

    file = open_file(path)
    start = time.process_time()
    game = read_game(file)
    read = time.process_time()
    replay = Replay(game)
    ready = time.process_time()
    for _ in replay:
        pass
    return {"seconds": time.process_time() - ready, "reading": read - start, "steps": len(game.steps)}


def _no_service(*_: object) -> None:
    raise AssertionError("show starts no service")


def audit_campaign(turns: int) -> dict[str, float]:
    """Audit a campaign of a number of game-turns, rules and record, from its opened file to the result."""
    from tests.bench.campaign import campaign
    from vassal_bridge.audit.audit import audit_log

    file, steps = campaign(turns)
    judged: list[int] = []

    def audit() -> None:
        occasions = audit_log([file]).coverage.occasions.values()
        judged.append(sum(each.legal + each.violation + each.unknown for each in occasions))

    return {**_timed(audit), "steps": steps, "judged": judged[0]}


def _timed(work: Callable[[], object]) -> dict[str, float]:
    start = time.process_time()
    work()
    return {"seconds": time.process_time() - start}


def _resident() -> int:
    return _memory("VmRSS:")


def _peak() -> int:
    return _memory("VmHWM:")


def _memory(word: str) -> int:
    """Return a line of this process's memory account in bytes (Linux; elsewhere 0)."""
    try:
        lines = Path("/proc/self/status").read_text("ascii").splitlines()
    except OSError:
        return 0
    return next((int(line.split()[1]) * 1024 for line in lines if line.startswith(word)), 0)
