"""The tree in which commands are stored, and the flat order in which they are executed.

Source: ``VASSAL.build.GameModule.encode`` and ``decode``. A node is its atom and its children, separated by ESC, nested
and escaped by the sequence rules; a node whose own command has no encoding has an empty atom. Execution is depth first:
the atom, then each child. So reading needs no tree, only the flat list; rewriting needs it.
"""

from __future__ import annotations

from array import array
from collections.abc import Iterator
from dataclasses import dataclass, field, replace

from vassal_bridge.errors import LimitError
from vassal_bridge.vassal.commands import Command, NullCommand, format_atom, parse_atom
from vassal_bridge.vassal.sequence import EncodingLossError, decode, encode

__all__ = ["ESC", "MAX_DEPTH", "CommandNode", "atoms", "format_tree", "parse_tree", "top_level"]

ESC = "\x1b"
MAX_DEPTH = 200
"""Levels of nesting; real files have fewer than ten."""


@dataclass(frozen=True, slots=True, kw_only=True)
class CommandNode:
    """A command and its children.

    Attributes:
        command: The node's own command; ``NullCommand`` with an empty text if it has no encoding.
        children: Its children, in the order of execution.
        raw: The node's text, where the engine would write the same tree otherwise.
    """

    command: Command
    children: tuple[CommandNode, ...] = ()
    raw: str | None = field(default=None, repr=False, compare=False)

    def walk(self) -> Iterator[Command]:
        """Yield the commands in the order of execution."""
        yield self.command
        for child in self.children:
            yield from child.walk()


def parse_tree(text: str) -> CommandNode:
    """Return the tree that ``text`` holds; ``format_tree`` gives the same text again."""
    return _parse_node(text, 0)


def format_tree(node: CommandNode) -> str:
    """Return the text of a tree.

    Raises:
        EncodingLossError: An atom other than the last ends in a backslash.
    """
    return _format_node(node) if node.raw is None else node.raw


def top_level(text: str) -> Iterator[list[str]]:
    """Yield, for each top-level token of a command text, its atoms in the order of execution.

    A text is read once from front to back: the separator of nesting level *k* is an ESC behind *k* backslashes. Only
    where the text has quotes, or nests in a way that the engine does not write, are its tokens decoded level by level.
    """
    if text.startswith("'") or ESC + "'" in text:
        tokens = decode(text, ESC)
        yield from ([tokens] if len(tokens) == 1 else (list(_atoms_by_level(token)) for token in tokens))
        return
    start = 0
    while start >= 0:
        spans, end, is_regular = _scan_token(text, start)
        if start == 0 and end == len(text):
            # The engine takes a text of one token as an atom, whatever is in it.
            yield decode(text, ESC)
        elif is_regular:
            yield [text[begin:stop] for begin, stop in zip(spans[::2], spans[1::2], strict=True)]
        else:
            yield list(_atoms_by_level(text[start:end].replace("\\" + ESC, ESC)))
        start = end + 1 if end < len(text) else -1


def atoms(text: str) -> Iterator[str]:
    """Yield all atoms of a command text in the order of execution, empty ones too."""
    for token in top_level(text):
        yield from token


def _scan_token(text: str, start: int) -> tuple[array[int], int, bool]:
    """Return where the atoms of the token at ``start`` begin and end, where the token ends, and if it nests regularly.

    A nesting that deepens by one level at a time splits alike in one pass and level by level.
    """
    spans = array("q")
    is_regular = True
    depth = 0
    begin = start
    while (end := text.find(ESC, begin)) >= 0:
        stop = end
        while stop > begin and text[stop - 1] == "\\":
            stop -= 1
        spans.append(begin)
        spans.append(stop)
        if stop == end:
            return spans, end, is_regular
        level = end - stop
        is_regular = is_regular and level <= depth + 1
        depth = level
        begin = end + 1
    spans.append(begin)
    spans.append(len(text))
    return spans, len(text), is_regular


def _atoms_by_level(text: str) -> Iterator[str]:
    pending = [(text, 0)]
    while pending:
        text, depth = pending.pop()
        tokens = decode(text, ESC)
        if len(tokens) == 1:
            yield tokens[0]
        else:
            _check_depth(depth)
            pending.extend((token, depth + 1) for token in reversed(tokens))


def _parse_node(text: str, depth: int) -> CommandNode:
    tokens = decode(text, ESC)
    if len(tokens) == 1:
        return _canonical(CommandNode(command=parse_atom(tokens[0])), text)
    _check_depth(depth)
    if ESC in tokens[0]:
        # The engine takes the whole first branch as the parent; an atom never holds an ESC, so it writes no such tree.
        branches = tuple(_parse_node(token, depth + 1) for token in tokens)
        return CommandNode(command=NullCommand(), children=branches, raw=text)
    children = tuple(_parse_node(token, depth + 1) for token in tokens[1:])
    # The first branch is decoded once more, which matters for its quotes only.
    (atom,) = decode(tokens[0], ESC)
    return _canonical(CommandNode(command=parse_atom(atom), children=children), text)


def _canonical(node: CommandNode, text: str) -> CommandNode:
    try:
        if _format_node(node) == text:
            return node
    except EncodingLossError:
        pass
    return replace(node, raw=text)


def _format_node(node: CommandNode) -> str:
    atom = format_atom(node.command)
    return encode((atom, *map(format_tree, node.children)), ESC) if node.children else atom


def _check_depth(depth: int) -> None:
    if depth >= MAX_DEPTH:
        raise LimitError(f"commands are nested more than {MAX_DEPTH} levels deep")
