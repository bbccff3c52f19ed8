"""Time what design measures promise: ``python tests/bench/run.py``, one table with ratios.

All inputs are made here, so the figures of two machines, or of two versions, are of the same work. Each is the best of
three runs in CPU time of this process. pywargame is measured beside us if it is installed.
"""

from __future__ import annotations

import importlib.util
import io
import sys
import tempfile
import time
import tracemalloc
import zipfile
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from vassal_bridge.audit.audit import audit_files
from vassal_bridge.datadirs import data_dir
from vassal_bridge.vassal.container import open_bytes, open_file, write_game
from vassal_bridge.vassal.game import read_game
from vassal_bridge.vassal.obfuscation import Encoding, conceal, reveal
from vassal_bridge.vassal.replay import Replay
from vassal_bridge.vassal.sequence import encode
from vassal_bridge.vassal.tree import top_level

COMMANDS = 80_000
STEPS = 10_000
RUNS = 3
TRAITS = "emb2;Step;2;;;;;;;;;;;;false;0;0;a.png,b.png;,reduced;false;;;;;false;;1;1;true;65,130\tmark;Type,Side\\\t"


@dataclass(frozen=True, slots=True, kw_only=True)
class Row:
    """One measure; ``rate`` and ``ratio`` in words."""

    what: str
    seconds: float
    rate: str = ""
    ratio: str = ""


def save_text() -> str:
    """A save of many pieces of a few types, in stacks of three."""
    kinds = [f"{TRAITS}piece;;;unit{kind}.png;Unit {kind}" for kind in range(40)]
    tokens = ["begin_save"]
    for number in range(COMMANDS):
        x, y = 60 * (number // 3 % 120), 70 * (number // 360)
        tokens.append(f"+/{1000 + number}/{kinds[number % 40]}/1\tger.inf,ax\\\tMain Map;{x};{y};{number % 40};0")
    return encode([*tokens, "end_save"], "\x1b")


def log_text() -> str:
    """A log in which six hundred pieces move about."""
    tokens = ["begin_save"]
    tokens += [f"+/{n}/piece;;;a.png;Unit {n}/Main Map;{100 * n};100;{n};0" for n in range(1, 601)]
    tokens.append("end_save")
    at = {number: (100 * number, 100) for number in range(1, 601)}
    for step in range(STEPS):
        number = step % 600 + 1
        (old_x, old_y), (x, y) = at[number], (100 * number, 100 + 10 * (step // 600 + 1))
        at[number] = (x, y)
        move = f"M/{number}/Main Map/{x}/{y}/null/Main Map/{old_x}/{old_y}/null/p"
        tokens.append(encode([f"LOG\t{move}", f"LOG\tCHAT* Unit {number} moves"], "\x1b"))
    return encode(tokens, "\x1b")


def best(work: Callable[[], object]) -> float:
    """CPU seconds of the quickest of three runs."""
    return min(_once(work) for _ in range(RUNS))


def _once(work: Callable[[], object]) -> float:
    start = time.process_time()
    work()
    return time.process_time() - start


def floor(data: bytes) -> list[str]:
    """The least that decoding can be: unhex, XOR, UTF-8, split."""
    key = int(data[5:7], 16)
    return bytes.fromhex(data[7:].decode()).translate(bytes(each ^ key for each in range(256))).decode().split("\x1b")


def measure() -> Iterator[Row]:
    """Yield the measures one by one."""
    text = save_text()
    data = conceal(text, Encoding.VCSK, key=0x5A)
    bare = best(lambda: floor(data))
    yield Row(what=f"bare floor, {len(text) / 1e6:.0f} MB of text", seconds=bare)
    ours = best(lambda: sum(1 for _ in top_level(reveal(data, limit=1 << 30).text)))
    yield Row(what="decode", seconds=ours, ratio=f"{ours / bare:.1f} x the floor (at most 2)")
    yield from pywargame(data, ours)
    save = write_game(text)
    pieces = best(lambda: Replay(read_game(open_bytes(save, "save"))).board)
    yield Row(what=f"save to pieces, {COMMANDS} commands", seconds=pieces, ratio="at most 1.5 s")
    yield Row(what="the same, peak memory", seconds=0.0, ratio=f"{peak(save) / len(text):.1f} x the text (below 6)")
    log = open_bytes(write_game(log_text()), "log")
    replayed = best(lambda: Replay(read_game(log)).run())
    yield Row(
        what=f"replay, {STEPS} steps",
        seconds=replayed,
        rate=f"{STEPS / replayed:.0f} steps/s",
        ratio="at least 20,000 steps/s",
    )
    for sample in sorted(data_dir("modules").glob("*/demo.vlog")):
        file = open_file(sample)
        steps = len(read_game(file).steps)
        audited = best(lambda file=file: audit_files([file]))  # type: ignore[misc] # bound at once, used at once
        yield Row(
            what=f"audit of {sample.parent.name}/demo.vlog", seconds=audited, rate=f"{steps / audited:.0f} steps/s"
        )


def peak(save: bytes) -> int:
    """Bytes that reading a save takes at most, above what was there before."""
    tracemalloc.start()
    Replay(read_game(open_bytes(save, "save"))).board  # noqa: B018 (made, and dropped)
    _, most = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    return most


def pywargame(data: bytes, ours: float) -> Iterator[Row]:
    """Measure pywargame's decoding of the same save."""
    if importlib.util.find_spec("pywargame") is None:
        yield Row(what="pywargame", seconds=0.0, ratio="not installed")
        return
    module: Any = importlib.import_module("pywargame.vassal.save")
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w") as archive:
        archive.writestr("savedGame", data)
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, "save.vsav")
        path.write_bytes(buffer.getvalue())
        theirs = _once(lambda: module.SaveIO.readSave(str(path)))
    yield Row(what="pywargame", seconds=theirs, ratio=f"we are {theirs / ours:.0f} x faster (at least 40)")


def main() -> None:
    """Print the table."""
    for row in measure():
        seconds = f"{row.seconds:9.3f} s" if row.seconds else " " * 11
        sys.stdout.write(f"{row.what:<45}{seconds}  {row.rate:<18} {row.ratio}\n")
        sys.stdout.flush()


if __name__ == "__main__":
    main()
