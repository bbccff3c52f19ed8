"""Open the files that a command is given."""

from __future__ import annotations

from pathlib import Path

from vassal_bridge.audit.shipped import shipped_module
from vassal_bridge.profiles import find_profile
from vassal_bridge.vassal.container import VassalFile, open_file
from vassal_bridge.vassal.game import Game, read_game
from vassal_bridge.vassal.module import Module, read_module

__all__ = ["game_of", "module_of"]


def game_of(path: Path) -> Game:
    """Open a save or log.

    Raises:
        BridgeError: It cannot be read, or is neither.
    """
    return read_game(open_file(path))


def module_of(file: VassalFile, given: Path | None) -> Module | None:
    """Return the module of a game: the one that the user names, or one of ours that the file names.

    Raises:
        BridgeError: The user's file cannot be read, or is no module.
    """
    if given is not None:
        return read_module(open_file(given))
    profile = find_profile(file)
    return shipped_module(profile) if profile is not None else None
