"""Measure speed and memory, and print one table.

    python tests/bench/run.py [--huge] [--folder CORPUS]

Each measure runs in processes of its own, the best of them counts; times are CPU seconds. The generated games are the
same on every machine. Where the corpus lies beside the project (VASSAL_BRIDGE_CORPUS), its large save and log are
measured too; pywargame is fetched with pip, the engine must be installed (``.ci/engine.sh``). What cannot run says so.
"""

from __future__ import annotations

import argparse
import os
import sys
import tempfile
import time
from collections.abc import Iterator
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass
from multiprocessing import get_context
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT))

from tests.bench import games, measures, peer  # noqa: E402

COMMANDS = 80_096
STEPS = 20_000
HUGE = 465_000_000
TURNS = 25
PROCESSES = 5


@dataclass(frozen=True, slots=True, kw_only=True)
class Row:
    """A line of the table."""

    subject: str
    measure: str
    value: str
    ratio: str = ""
    promise: str = ""
    is_kept: bool | None = None


def main() -> None:
    options = _options()
    with tempfile.TemporaryDirectory(prefix="bench-") as scratch:
        for line in _table(list(_rows(options, Path(scratch)))):
            sys.stdout.write(line + "\n")


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("--huge", action="store_true", help="also show a save of 465 MB of text; takes some minutes")
    parser.add_argument(
        "--folder", type=Path, default=Path(os.environ.get("VASSAL_BRIDGE_CORPUS", ROOT / "../shared/corpus"))
    )
    return parser.parse_args()


def _rows(options: argparse.Namespace, scratch: Path) -> Iterator[Row]:
    save, log = scratch / "save.vsav", scratch / "game.vlog"
    save.write_bytes(games.written(games.position_of(COMMANDS)))
    log.write_bytes(games.written(games.Table(size=600).log(STEPS)))
    saves = {f"save of {COMMANDS:,} commands": save}
    logs = {f"log of {STEPS:,} steps": log}
    if options.folder.is_dir():
        saves |= {f"{path.stem[:20]}": path for path in options.folder.glob("ccn/R213*.vsav")}
        logs |= {path.name: path for path in options.folder.glob("engine-made/big.vlog")}
    package = _peer(scratch)
    for name, path in saves.items():
        yield from _decoding(name, path, package)
        yield from _pieces(name, path)
    for name, path in logs.items():
        yield from _replay(name, path)
    yield _rules()
    module = options.folder / "engine-made" / "steppe.vmod"
    yield from _engine(module, saves, logs)
    if options.huge:
        yield from _huge(scratch / "huge.vsav")


def _decoding(name: str, path: Path, package: Path | str) -> Iterator[Row]:
    floor = _apart(measures.decode_bare, path)["seconds"]
    text = _apart(measures.decode_text, path)["seconds"]
    atoms = _apart(measures.decode_tokens, path)["seconds"]
    yield Row(subject=name, measure="bare floor: unzip, unhex, XOR, UTF-8, split", value=_ms(floor))
    yield Row(
        subject=name,
        measure="decoded by us",
        value=_ms(text),
        ratio=f"{text / floor:.2f} x floor",
        promise="at most 2 x",
        is_kept=text <= 2 * floor,
    )
    yield Row(
        subject=name, measure="decoded by us to single atoms", value=_ms(atoms), ratio=f"{atoms / floor:.2f} x floor"
    )
    if isinstance(package, str):
        yield Row(subject=name, measure=f"pywargame {peer.VERSION}", value="not run", ratio=package)
        return
    theirs = _apart(measures.decode_peer, path, processes=2, peer=package)["seconds"]
    yield Row(
        subject=name,
        measure=f"decoded by pywargame {peer.VERSION}",
        value=_ms(theirs),
        ratio=f"{theirs / text:.0f} x ours",
        promise="at least 40 x",
        is_kept=theirs >= 40 * text,
    )


def _pieces(name: str, path: Path) -> Iterator[Row]:
    found = _apart(measures.read_pieces, path)
    seconds, share = found["seconds"], found["peak"] / found["text"]
    rate = found["commands"] / seconds
    yield Row(
        subject=name,
        measure="from file to pieces",
        value=f"{seconds:.2f} s",
        ratio=f"{rate:,.0f} commands/s",
        promise="at most 1.5 s",
        is_kept=seconds < 1.5,
    )
    yield Row(
        subject=name,
        measure="peak memory above the interpreter's",
        value=_mb(found["peak"]),
        ratio=f"{share:.1f} x text",
        promise="at most 6 x",
        is_kept=share < 6,
    )


def _replay(name: str, path: Path) -> Iterator[Row]:
    found = _apart(measures.play_log, path)
    rate = found["steps"] / found["seconds"]
    yield Row(subject=name, measure=f"commands of {found['steps']:,.0f} steps read", value=_ms(found["reading"]))
    yield Row(
        subject=name,
        measure="replayed",
        value=_ms(found["seconds"]),
        ratio=f"{rate:,.0f} steps/s",
        promise="at least 20,000/s",
        is_kept=rate >= 20_000,
    )


def _rules() -> Row:
    found = _apart(measures.audit_campaign, TURNS, processes=2)
    seconds, steps = found["seconds"], found["steps"]
    # The promise is for a game of 10,000 steps.
    promised = 3 * steps / 10_000
    return Row(
        subject=f"campaign of {TURNS} turns, {steps:,.0f} steps",
        measure=f"audited, {found['judged']:,.0f} verdicts",
        value=f"{seconds:.2f} s",
        ratio=f"{steps / seconds:,.0f} steps/s",
        promise=f"at most {promised:.1f} s",
        is_kept=seconds <= promised,
    )


def _engine(module: Path, saves: dict[str, Path], logs: dict[str, Path]) -> Iterator[Row]:
    """Measure the engine's wall clock on the games of its own module: saves loaded, logs stepped through."""
    from tests.engine.client import Engine, missing

    lacking = missing() or ("" if module.is_file() else f"{module.name} of the corpus")
    if lacking:
        yield Row(subject="the engine", measure="the real VASSAL", value="not run", ratio=f"missing: {lacking[:40]}")
        return
    log = logs["big.vlog"]
    with Engine(module) as engine:
        start = time.perf_counter()
        engine.do("load", log)
        loading = time.perf_counter() - start
        start = time.perf_counter()
        steps = engine.do("step", 1_000_000)
        seconds = time.perf_counter() - start
    ours = _apart(measures.play_log, log)
    ratio = seconds / steps / (ours["seconds"] / ours["steps"])
    yield Row(subject=log.name, measure="loaded by the engine (wall clock)", value=f"{loading:.2f} s")
    yield Row(
        subject=log.name,
        measure="stepped through by the engine (wall clock)",
        value=f"{seconds:.1f} s",
        ratio=f"{steps / seconds:,.0f} steps/s, {ratio:,.0f} x ours",
    )


def _huge(path: Path) -> Iterator[Row]:
    written = games.write_huge(path, text_bytes=HUGE)
    found = _apart(measures.show, path, processes=1)
    yield Row(
        subject=f"save of {written / 1e6:.0f} MB of text",
        measure=f"show --json, exit code {found['code']:.0f}",
        value=f"{found['seconds']:.0f} s",
        ratio=f"peak {_mb(found['peak'])}",
        promise="under 2 GB",
        is_kept=found["peak"] < 2e9,
    )


def _peer(scratch: Path) -> Path | str:
    try:
        return peer.fetch(scratch)
    except OSError as error:
        return f"not to be had: {error}"[:60]


def _apart(measure: Any, *words: Any, processes: int = PROCESSES, **options: Any) -> dict[str, float]:
    """Run a measure in some fresh interpreters, one after the other, and return the numbers of the fastest."""
    found = []
    for _ in range(processes):
        with ProcessPoolExecutor(1, mp_context=get_context("spawn")) as pool:
            found.append(dict(pool.submit(measure, *words, **options).result()))
    return min(found, key=lambda each: each["seconds"])


def _ms(seconds: float) -> str:
    return f"{1000 * seconds:,.1f} ms"


def _mb(size: float) -> str:
    return f"{size / 1e6:,.0f} MB"


def _table(rows: list[Row]) -> Iterator[str]:
    kept = {True: "kept", False: "MISSED", None: ""}
    lines = [("subject", "measure", "value", "ratio", "promise", "")]
    lines += [(row.subject, row.measure, row.value, row.ratio, row.promise, kept[row.is_kept]) for row in rows]
    widths = [max(len(line[column]) for line in lines) for column in range(6)]
    for line in lines:
        yield "  ".join(cell.ljust(width) for cell, width in zip(line, widths, strict=True)).rstrip()


if __name__ == "__main__":
    main()
