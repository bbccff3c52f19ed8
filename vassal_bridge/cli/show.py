"""``show``: what a file is and holds."""

from __future__ import annotations

from pathlib import Path

import click

from vassal_bridge.cli import options
from vassal_bridge.cli.exits import OK
from vassal_bridge.cli.output import emit, print_table, remark
from vassal_bridge.cli.reading import module_of
from vassal_bridge.report.board import board_json, board_of
from vassal_bridge.report.board_text import board_tables, board_text
from vassal_bridge.report.models import BoardReport
from vassal_bridge.vassal.container import VassalFile, open_file
from vassal_bridge.vassal.game import read_game
from vassal_bridge.vassal.module import read_module
from vassal_bridge.vassal.replay import Replay

__all__ = ["print_board", "show"]


@click.command()
@options.source
@options.module
@options.as_json
@options.tolerant
def show(file: Path, module_file: Path | None, is_json: bool, is_tolerant: bool) -> int:
    """Tell what FILE is and holds: a module, extension, save or log; of a log the position that it begins with."""
    opened = open_file(file, tolerant=is_tolerant)
    for odd in (*opened.remarks, *([opened.saved.damage] if opened.saved and opened.saved.damage else [])):
        remark(f"{file}: {odd}")
    report = _describe(opened, module_file)
    if is_json:
        emit(board_json(report))
    else:
        print_board(report)
    return OK


def _describe(opened: VassalFile, module_file: Path | None) -> BoardReport:
    if opened.saved is None:
        return board_of(opened, module=read_module(opened) if opened.build_file is not None else None)
    game = read_game(opened)
    return board_of(opened, game=game, board=Replay(game, module_of(opened, module_file)).board)


def print_board(report: BoardReport) -> None:
    """Print a report in words, its lists as tables."""
    emit(board_text(report))
    for title, columns, rows in board_tables(report):
        emit("\n")
        print_table(title, columns, rows)
