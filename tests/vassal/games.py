"""Small logs written as their commands, for the tests of replay and undo."""

from __future__ import annotations

from vassal_bridge.vassal.container import open_bytes
from vassal_bridge.vassal.game import Game, read_game
from vassal_bridge.vassal.sequence import encode
from vassal_bridge.vassal.tree import ESC

SETUP_END = ["SETUP_STACK\t", "end_save"]


def step(*atoms: str) -> str:
    """One step of a log: the first atom with the others below it."""
    return encode([f"LOG\t{atom}" for atom in atoms], ESC)


def log_text(setup: list[str], *steps: str) -> str:
    """The command text of a log: a position of these pieces, and these steps."""
    return encode(["begin_save", "", encode(["", *setup], ESC), *SETUP_END, *steps], ESC)


def game(setup: list[str], *steps: str) -> Game:
    """The game of such a log."""
    return read_game(open_bytes(log_text(setup, *steps).encode(), "test.vlog"))


def piece(identity: str, where: str, *, traits: tuple[tuple[str, str], ...] = (), name: str = "") -> str:
    """The atom that adds a piece; ``where`` is ``map;x;y``."""
    types = [trait for trait, _ in traits]
    states = [state for _, state in traits]
    chain, state = f"piece;;;{identity}.png;{name or identity}", f"{where};7;0"
    for outer, outer_state in reversed(list(zip(types, states, strict=True))):
        chain, state = encode([outer, chain], "\t"), encode([outer_state, state], "\t")
    return "+/" + encode([identity, chain, state], "/")


def stack(identity: str, where: str, *members: str) -> str:
    """The atom that adds a stack, members bottom to top."""
    return "+/" + encode([identity, "stack", ";".join([where, *members, "@@1"])], "/")


def deck(identity: str, where: str, *members: str) -> str:
    """The atom that adds a face-down deck, top card last."""
    options = ["false", "", "10", "10", "Always", "Never", "false", "false", "false", "", "", "", "Events"]
    state = [*where.split(";"), "true", *([",".join(members)] if members else [])]
    return "+/" + encode([identity, "deck;" + encode(options, ";"), encode(state, ";")], "/")


def move(
    identity: str, to: str, *, under: str = "null", back: str = "null;0;0", back_under: str = "null", by: str = "pw"
) -> str:
    """The atom that moves a piece; ``to`` and ``back`` are ``map;x;y``."""
    return "M/" + encode([identity, *to.split(";"), under, *back.split(";"), back_under, by], "/")
