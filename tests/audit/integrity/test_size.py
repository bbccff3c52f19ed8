"""A long chain needs hardly more memory than a short one: of a file that has been read only a fraction is kept."""

from __future__ import annotations

import tracemalloc
from collections.abc import Callable
from functools import partial
from pathlib import Path

from tests.audit.integrity.table import Log, Table
from vassal_bridge.audit.integrity import audit_integrity
from vassal_bridge.vassal.container import VassalFile, open_file, write_game


def chain(folder: Path, number: int) -> list[Callable[[], VassalFile]]:
    """Write a chain of logs with 400 counters, and return what opens them."""
    table = Table.of(*(f"Unit {index}" for index in range(400)))
    openers: list[Callable[[], VassalFile]] = []
    for index in range(number):
        log = Log(table, f"{index:02}.vlog")
        for step in range(60):
            log.move(f"Unit {step}", 100 * step, 200 + index)
        log.roll(1 + index % 6)
        saved = log.file().saved
        assert saved is not None
        path = folder / f"{number}-{index:02}.vlog"
        path.write_bytes(write_game(saved.text))
        openers.append(partial(open_file, path))
    return openers


def peak(openers: list[Callable[[], VassalFile]]) -> int:
    tracemalloc.start()
    integrity = audit_integrity(openers)
    _, highest = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert len(integrity.chains[0].links) == len(openers)
    assert integrity.findings == ()
    return highest


def test_what_is_kept_of_a_log_is_little_of_what_it_takes_to_read_one(tmp_path: Path) -> None:
    peak(chain(tmp_path, 2))
    few, many = peak(chain(tmp_path, 4)), peak(chain(tmp_path, 24))
    assert (many - few) / 20 < few / 10
