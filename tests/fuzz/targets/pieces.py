"""Types and states of pieces: ``type LF state``."""

from __future__ import annotations

from tests.fuzz.samples import COMMAND_WORDS, PIECES
from tests.fuzz.targets.reader import look_at
from vassal_bridge.vassal.commands import AddPiece, PieceId
from vassal_bridge.vassal.container import FileKind, VassalFile
from vassal_bridge.vassal.game import Game
from vassal_bridge.vassal.pieces import (
    PieceState,
    format_basic_state,
    format_stack_state,
    parse_basic_state,
    parse_stack_state,
)
from vassal_bridge.vassal.players import Aliases
from vassal_bridge.vassal.replay import Replay

__all__ = ["WORDS", "seeds", "try_one"]

WORDS = tuple(word.encode() for word in COMMAND_WORDS)

_FILE = VassalFile(name="piece", kind=FileKind.SAVE, sha256="")


def seeds() -> list[bytes]:
    return [f"{kind}\n{state}".encode() for kind, state in PIECES]


def try_one(data: bytes) -> None:
    kind, _, state = data.decode("utf-8", "replace").partition("\n")
    piece = PieceState.parse(kind, state)
    if piece.text != state:
        raise AssertionError("a state is written otherwise than it was read")
    repr(piece.piece_type)
    for index in range(len(piece.states)):
        piece.values(index)
    basic = parse_basic_state(state)
    if parse_basic_state(format_basic_state(basic)) != basic and "\\;" not in format_basic_state(basic):
        raise AssertionError("a basic state changes when it is written")
    for of_deck in (False, True):
        format_stack_state(parse_stack_state(state, of_deck=of_deck), of_deck=of_deck)
    added = AddPiece(id=PieceId("1"), type=kind, state=state)
    look_at(Replay(Game(file=_FILE, setup=(added,), steps=(), aliases=Aliases())).board)
