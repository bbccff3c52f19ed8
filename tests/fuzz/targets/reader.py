"""Everything that the commands ask of a game once it is open, shared by the targets that open one."""

from __future__ import annotations

from tests.fuzz.samples import BUILD_FILE
from vassal_bridge.report.board import board_lines, board_of, pieces_of
from vassal_bridge.report.board_text import board_tables, board_text
from vassal_bridge.report.events import event_json, tell
from vassal_bridge.report.story import players_line
from vassal_bridge.vassal.container import VassalFile, open_bytes
from vassal_bridge.vassal.game import read_game
from vassal_bridge.vassal.module import Module, read_module
from vassal_bridge.vassal.position import Board
from vassal_bridge.vassal.replay import Replay

__all__ = ["look_at", "play"]

_MODULE = read_module(open_bytes(BUILD_FILE.encode(), "buildFile.xml"))


def play(file: VassalFile, module: Module | None = None) -> None:
    """Read a save or log, replay it, and describe it in every form."""
    game = read_game(file)
    game.counts()
    game.unknown_commands()
    game.unknown_traits()
    players_line(game)
    replay = Replay(game, module or _MODULE)
    for _, told in tell(replay, file.name):
        for each in told:
            event_json(each.event)
    report = board_of(file, game=game)
    list(board_lines(report, pieces_of(replay.board)))
    board_text(report)
    list(board_tables(pieces_of(replay.board)))
    look_at(replay.board)


def look_at(board: Board) -> None:
    """Ask every piece for everything."""
    for piece in board.pieces.values():
        repr(piece)
        board.place(piece)
        board.location(piece)
        str((piece.layers, dict(piece.marks), piece.moved, piece.owner, piece.masked, piece.stack_index))
        state = [(trait, trait.spec.read_state(text)) for trait, text in piece.traits if trait.spec]
        str(state)
        for trait, _ in piece.traits:
            for field in trait.spec.layout(trait.tokens) if trait.spec else ():
                trait.get(field.name, None)
