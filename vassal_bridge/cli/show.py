"""``show``: what a file is and holds."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

import click

from vassal_bridge.cli import options
from vassal_bridge.cli.exits import OK
from vassal_bridge.cli.output import emit, emit_lines, print_table, remark
from vassal_bridge.cli.reading import module_of
from vassal_bridge.report.board import board_lines, board_of, pieces_of
from vassal_bridge.report.board_text import board_tables, board_text
from vassal_bridge.report.models import BoardPiece, BoardReport
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
    report, pieces = _describe(opened, module_file)
    if is_json:
        emit_lines(board_lines(report, pieces))
    else:
        print_board(report, pieces)
    return OK


def _describe(opened: VassalFile, module_file: Path | None) -> tuple[BoardReport, Iterable[BoardPiece]]:
    if opened.saved is None:
        return board_of(opened, module=read_module(opened) if opened.build_file is not None else None), ()
    game = read_game(opened)
    return board_of(opened, game=game), pieces_of(Replay(game, module_of(opened, module_file)).board)


def print_board(report: BoardReport, pieces: Iterable[BoardPiece]) -> None:
    """Print a report in words, its lists as tables."""
    emit(board_text(report))
    for title, columns, rows in board_tables(pieces):
        emit("\n")
        print_table(title, columns, rows)
