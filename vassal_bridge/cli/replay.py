"""``replay``: the board after a step."""

from __future__ import annotations

from pathlib import Path

import click

from vassal_bridge.cli import options
from vassal_bridge.cli.exits import OK
from vassal_bridge.cli.output import emit, emit_lines, progress
from vassal_bridge.cli.reading import game_of, module_of
from vassal_bridge.cli.show import print_board
from vassal_bridge.errors import OptionError
from vassal_bridge.report.board import board_lines, board_of, pieces_of
from vassal_bridge.report.plain import count
from vassal_bridge.vassal.replay import Replay

__all__ = ["replay"]


@click.command()
@click.argument("log", type=options.FILE)
@options.module
@click.option(
    "--to",
    metavar="STEP",
    type=click.IntRange(0),
    help="How many steps to do: 0 is the position before the first; default: all.",
)
@options.as_json
def replay(log: Path, module_file: Path | None, to: int | None, is_json: bool) -> int:
    """Show the board of LOG after a step."""
    game = game_of(log)
    if to is not None and to > len(game.steps):
        raise OptionError(f"the log has only {count(len(game.steps), 'step')}", file=str(log), place=f"step {to}")
    replayed = Replay(game, module_of(game.file, module_file))
    end = len(game.steps) if to is None else to
    with progress("replaying") as advance:
        while replayed.done < end and replayed.step() is not None:
            advance(replayed.done, end)
    report, pieces = board_of(game.file, game=game), pieces_of(replayed.board)
    if is_json:
        emit_lines(board_lines(report, pieces))
    else:
        emit(f"after step {replayed.done} of {len(game.steps)}\n")
        print_board(report, pieces)
    return OK
