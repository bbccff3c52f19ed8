"""Read what VASSAL writes: modules, extensions, saves and logs, and replay a log exactly. Knows no war game."""

from vassal_bridge.vassal.container import FileKind, Limits, Metadata, VassalFile, open_bytes, open_file, write_game
from vassal_bridge.vassal.game import Game, Step, read_game
from vassal_bridge.vassal.obfuscation import Encoding, SavedText
from vassal_bridge.vassal.position import Board, Deck, Piece, Place, Stack
from vassal_bridge.vassal.replay import Replay

__all__ = [
    "Board",
    "Deck",
    "Encoding",
    "FileKind",
    "Game",
    "Limits",
    "Metadata",
    "Piece",
    "Place",
    "Replay",
    "SavedText",
    "Stack",
    "Step",
    "VassalFile",
    "open_bytes",
    "open_file",
    "read_game",
    "write_game",
]
