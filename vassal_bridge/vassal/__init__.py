"""Read what VASSAL writes: modules, extensions, saves and logs, and replay a log exactly. Knows no war game.

``open_file`` tells what a file is and takes it out of its container; ``read_module`` and ``read_game`` read it;
``Replay`` plays a game step by step on a ``Board``. Each step gives a ``StepRecord`` of what it changed.
"""

from vassal_bridge.vassal.changes import StepRecord
from vassal_bridge.vassal.container import FileKind, Limits, Metadata, VassalFile, open_bytes, open_file, write_game
from vassal_bridge.vassal.game import Game, Step, read_game
from vassal_bridge.vassal.live import Deck, Piece, Place, Stack
from vassal_bridge.vassal.module import Module, read_module
from vassal_bridge.vassal.obfuscation import Encoding, SavedText
from vassal_bridge.vassal.players import Player
from vassal_bridge.vassal.position import Board
from vassal_bridge.vassal.replay import Replay
from vassal_bridge.vassal.turns import TurnState

__all__ = [
    "Board",
    "Deck",
    "Encoding",
    "FileKind",
    "Game",
    "Limits",
    "Metadata",
    "Module",
    "Piece",
    "Place",
    "Player",
    "Replay",
    "SavedText",
    "Stack",
    "Step",
    "StepRecord",
    "TurnState",
    "VassalFile",
    "open_bytes",
    "open_file",
    "read_game",
    "read_module",
    "write_game",
]
