"""Single commands and trees of them: reading never fails, and writing gives the same text again."""

from __future__ import annotations

from tests.fuzz.samples import COMMAND_WORDS, ESC, LOG
from vassal_bridge.errors import LimitError
from vassal_bridge.vassal.commands import format_atom, parse_atom
from vassal_bridge.vassal.tree import atoms, format_tree, parse_tree

__all__ = ["WORDS", "seeds", "try_one"]

WORDS = tuple(word.encode() for word in COMMAND_WORDS)


def seeds() -> list[bytes]:
    return [LOG.encode(), *{atom.encode() for atom in atoms(LOG)}]


def try_one(data: bytes) -> None:
    text = data.decode("utf-8", "replace")
    command = parse_atom(text)
    if format_atom(command) != text:
        raise AssertionError("an atom is written otherwise than it was read")
    repr(command)
    try:
        node = parse_tree(text)
        listed = list(atoms(text))
    except LimitError:
        return
    if format_tree(node) != text:
        raise AssertionError("a tree is written otherwise than it was read")
    if ESC not in text and listed != [text.strip("'") if len(text) > 1 and text[0] == text[-1] == "'" else text]:
        raise AssertionError("a text without ESC is one atom")
