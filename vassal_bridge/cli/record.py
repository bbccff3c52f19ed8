"""``chain`` and ``dice``: views of the integrity audit."""

from __future__ import annotations

from functools import partial
from pathlib import Path

import click

from vassal_bridge.audit.integrity import Integrity, audit_integrity, files_in
from vassal_bridge.cli import options
from vassal_bridge.cli.exits import OK, VIOLATIONS
from vassal_bridge.cli.output import emit, print_table, progress
from vassal_bridge.cli.reading import module_of
from vassal_bridge.report.record_json import chains_of, dice_of
from vassal_bridge.report.record_text import (
    LUCK_COLUMNS,
    ROLL_COLUMNS,
    chain_json,
    chain_lines,
    dice_csv,
    dice_json,
    luck_rows,
    roll_rows,
)
from vassal_bridge.vassal.container import open_file

__all__ = ["chain", "dice"]


@click.command()
@options.sources
@options.module
@options.as_json
def chain(logs: tuple[Path, ...], module_file: Path | None, is_json: bool) -> int:
    """Put logs and saves in order by what they hold, and say where one does not continue the one before.

    A folder stands for the files in it. Exit code 1 if something does not fit.
    """
    integrity = _audit(logs, module_file)
    chains = chains_of(integrity)
    emit(chain_json(chains) if is_json else "".join(f"{line}\n" for line in chain_lines(chains, with_pieces=True)))
    return VIOLATIONS if any(each.rule.id.startswith("INT-CHAIN") for each in integrity.findings) else OK


@click.command()
@options.sources
@options.module
@options.as_json
@click.option("--csv", "is_csv", is_flag=True, help="Write one line a roll, for a spreadsheet.")
def dice(logs: tuple[Path, ...], module_file: Path | None, is_json: bool, is_csv: bool) -> int:
    """List every roll, with those that were taken back, and say how the dice fell by player."""
    found = dice_of(_audit(logs, module_file))
    if is_json or is_csv:
        emit(dice_json(found) if is_json else dice_csv(found))
        return OK
    print_table("", LUCK_COLUMNS, luck_rows(found))
    emit("\n")
    print_table("", ROLL_COLUMNS, roll_rows(found))
    return OK


def _audit(logs: tuple[Path, ...], module_file: Path | None) -> Integrity:
    files = files_in(logs)
    module = module_of(open_file(files[0]), module_file)
    with progress("reading") as advance:
        return audit_integrity(
            [partial(open_file, file) for file in files], module, lambda done: advance(done, len(files))
        )
