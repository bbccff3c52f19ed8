from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from vassal_bridge.errors import LimitError
from vassal_bridge.vassal.sequence import EncodingLossError, decode, encode, join_chain, split_chain

# Elements and their encoding with a comma, as the real engine writes and reads them.
ENGINE = [
    ([""], ""),
    (["", ""], ","),
    (["", "x"], ",x"),
    (["a", ""], "a,"),
    (["a,b", "c"], "a\\,b,c"),
    ([","], "\\,"),
    (["'x'"], "''x''"),
    (["'"], "'''"),
    (["''"], "''''"),
    (["'a", "b'"], "'a,b'"),
    (["\\a", "b"], "'\\a',b"),
    (["\\", "b"], "'\\',b"),
    (["a\\,b"], "a\\\\,b"),
]

text = st.text(st.sampled_from("ab,'\\\t"), max_size=12)
items = st.lists(text, min_size=1, max_size=6)


@pytest.mark.parametrize(("elements", "encoded"), ENGINE)
def test_engine_vectors_both_ways(elements: list[str], encoded: str) -> None:
    assert encode(elements, ",") == encoded
    assert decode(encoded, ",") == elements


def test_no_text_has_no_elements() -> None:
    assert decode(None, ",") == []


def test_none_is_written_like_an_empty_element() -> None:
    assert encode([None, "x"], ",") == ",x"


def test_an_element_that_ends_in_a_backslash_is_lost_by_the_engine_and_refused_by_us() -> None:
    assert decode("a\\,b", ",") == ["a,b"]
    with pytest.raises(EncodingLossError):
        encode(["a\\", "b"], ",")


def test_nesting_adds_a_backslash_per_level() -> None:
    assert join_chain(["A", "B", "C", "D"]) == "A\tB\\\tC\\\\\tD"
    assert split_chain("A\tB\\\tC\\\\\tD") == ["A", "B", "C", "D"]


def test_a_chain_of_a_thousand_and_more_levels() -> None:
    chain = [f"trait{level}" for level in range(1500)]
    assert split_chain(join_chain(chain)) == chain


def test_the_innermost_state_may_hold_the_delimiter_where_the_number_of_traits_is_known() -> None:
    states = ["a", "b", "name\twith tab"]
    assert split_chain(join_chain(states), most=3) == states


def test_a_chain_that_would_take_forever_is_refused() -> None:
    depth = 2000
    text = "'" + "".join("\\" * level + "\t" for level in range(depth))
    with pytest.raises(LimitError):
        split_chain(text)


def test_elements_beyond_the_second_of_a_level_are_left_out() -> None:
    assert split_chain("a\tb\\\tc\textra") == ["a", "b", "c"]


@given(items)
def test_reading_gives_back_what_was_written(elements: list[str]) -> None:
    try:
        encoded = encode(elements, ",")
    except EncodingLossError:
        assert any(element.endswith("\\") for element in elements[:-1])
        return
    assert decode(encoded, ",") == elements


@given(text)
def test_decoding_agrees_with_a_scan_by_character(encoded: str) -> None:
    assert decode(encoded, ",") == scan(encoded, ",")


@given(text)
def test_a_chain_splits_as_level_by_level(encoded: str) -> None:
    chain, rest = [], encoded
    while len(pair := scan(rest, ",")) > 1:
        chain.append(pair[0])
        rest = pair[1]
    assert split_chain(encoded, ",") == [*chain, rest]


@given(items)
def test_chains_give_back_what_was_written(elements: list[str]) -> None:
    try:
        chain = join_chain(elements)
    except EncodingLossError:
        return
    assert split_chain(chain, most=len(elements)) == elements


def scan(encoded: str, delimiter: str) -> list[str]:
    """Decode the slow way: look at each character and the one before it."""
    tokens = [""]
    for position, letter in enumerate(encoded):
        if letter != delimiter:
            tokens[-1] += letter
        elif encoded[position - 1 : position] == "\\":
            tokens[-1] = tokens[-1][:-1] + delimiter
        else:
            tokens.append("")
    return [token[1:-1] if len(token) > 1 and token[0] == token[-1] == "'" else token for token in tokens]
