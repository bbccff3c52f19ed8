"""Open the files that a command is given."""

from __future__ import annotations

from pathlib import Path

from vassal_bridge.vassal.container import open_file
from vassal_bridge.vassal.game import Game, read_game
from vassal_bridge.vassal.module import Module, read_module

__all__ = ["game_of", "module_of"]


def game_of(path: Path) -> Game:
    """Open a save or log.

    Raises:
        BridgeError: It cannot be read, or is neither.
    """
    return read_game(open_file(path))


def module_of(path: Path | None) -> Module | None:
    """Open the module that the user names, if any.

    Raises:
        BridgeError: It cannot be read, or is no module.
    """
    return read_module(open_file(path)) if path is not None else None
