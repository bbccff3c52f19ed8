from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from vassal_bridge.errors import LimitError
from vassal_bridge.vassal.commands import Chat, NullCommand, PlaySound, parse_atom
from vassal_bridge.vassal.sequence import decode
from vassal_bridge.vassal.tree import ESC, CommandNode, atoms, format_tree, parse_tree, top_level


def chat(text: str, *children: CommandNode) -> CommandNode:
    return CommandNode(command=Chat(text=text), children=children)


NESTED = chat("a", chat("b", chat("c"), chat("d")), chat("e"))
NESTED_TEXT = "CHATa\x1bCHATb\\\x1bCHATc\\\x1bCHATd\x1bCHATe"


def test_a_tree_both_ways() -> None:
    assert format_tree(NESTED) == NESTED_TEXT
    assert parse_tree(NESTED_TEXT) == NESTED


def test_atoms_come_parent_first() -> None:
    assert list(atoms(NESTED_TEXT)) == ["CHATa", "CHATb", "CHATc", "CHATd", "CHATe"]
    assert [command for command in NESTED.walk() if isinstance(command, Chat)] == [
        Chat(text=letter) for letter in "abcde"
    ]


def test_a_node_without_encoding_has_an_empty_atom() -> None:
    node = CommandNode(command=NullCommand(), children=(chat("a"), chat("b")))
    assert format_tree(node) == "\x1bCHATa\x1bCHATb"
    assert parse_tree("\x1bCHATa\x1bCHATb") == node


def test_top_level_tokens_with_their_atoms() -> None:
    text = "begin_save\x1b\x1b\\\x1b+/1/a/b\\\x1b+/2/a/b\x1bend_save\x1bLOG\tCHATx\\\x1bLOG\tCHATy\\\\\x1bLOG\tCHATz"
    assert list(top_level(text)) == [
        ["begin_save"],
        [""],
        ["", "+/1/a/b", "+/2/a/b"],
        ["end_save"],
        ["LOG\tCHATx", "LOG\tCHATy", "LOG\tCHATz"],
    ]


def test_quoted_tokens_are_read_as_the_engine_reads_them() -> None:
    assert list(atoms("'CHATx'\x1bCHATy")) == ["CHATx", "CHATy"]


def test_nesting_that_skips_a_level_is_one_atom_with_an_escape() -> None:
    assert list(atoms("x\x1ba\\\\\x1bb")) == ["x", "a\x1bb"]


def test_deep_nesting_is_an_error_and_no_stack_overflow() -> None:
    text = "a"
    for _ in range(1000):
        text = "x\x1b" + text.replace("\x1b", "\\\x1b")
    with pytest.raises(LimitError):
        parse_tree(text)
    assert len(list(atoms(text))) == 1001


texts = st.text(st.sampled_from("aA\\\x1b'"), max_size=20)


@given(texts)
def test_any_text_is_kept(text: str) -> None:
    assert format_tree(parse_tree(text)) == text


@given(texts)
def test_atoms_agree_with_decoding_level_by_level(text: str) -> None:
    assert list(atoms(text)) == flat(text)


@given(texts)
def test_the_tree_holds_the_same_commands_as_the_flat_list(text: str) -> None:
    walked = [command for command in parse_tree(text).walk() if not isinstance(command, NullCommand)]
    listed = [command for command in map(parse_atom, atoms(text)) if not isinstance(command, NullCommand)]
    assert walked == listed


trees = st.recursive(
    st.builds(lambda text: CommandNode(command=PlaySound(clip=text)), st.text("ab'", max_size=3)),
    lambda nodes: st.builds(
        lambda text, children: CommandNode(command=PlaySound(clip=text), children=tuple(children)),
        st.text("ab'", max_size=3),
        st.lists(nodes, min_size=1, max_size=4),
    ),
    max_leaves=20,
)


@given(trees)
def test_reading_gives_back_what_was_written(tree: CommandNode) -> None:
    assert parse_tree(format_tree(tree)) == tree


def flat(text: str) -> list[str]:
    tokens = decode(text, ESC)
    if len(tokens) == 1:
        return tokens
    return [atom for token in tokens for atom in flat(token)]
