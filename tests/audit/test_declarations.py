from __future__ import annotations

import pytest

from vassal_bridge.audit.declarations import (
    Declaration,
    DeclarationKind,
    Group,
    Stand,
    Unreadable,
    read_declaration,
    spoken_words,
)


@pytest.mark.parametrize(
    ("chat", "words"),
    [
        ("&lt;Otto&gt; - !attack N2030 -&gt; N2029", "!attack N2030 -> N2029"),
        ("<Otto> - !attack N2030 > N2029", "!attack N2030 > N2029"),
        ("&lt;(anonymous)&gt; - hello", "hello"),
        ("(Otto) - hello", "hello"),
        ("&lt;Otto&gt; - <b>!attack</b> N2030 &gt; N2029", "!attack N2030 > N2029"),
        ("*** Combat die = 4 *** &lt;Otto&gt;", None),
        ("* 57 Inf moves N2030 -&gt; N2029 *", None),
        ("", None),
    ],
)
def test_typed_words_are_told_from_reports(chat: str, words: str | None) -> None:
    assert spoken_words(chat) == words


def test_hexes_alone_mean_everybody_in_them() -> None:
    assert read_declaration("!attack N2030,N2031 -> N2029") == Declaration(
        kind=DeclarationKind.ATTACK,
        groups=(Group(stand=Stand(hex="N2030")), Group(stand=Stand(hex="N2031"))),
        targets=(Stand(hex="N2029"),),
    )


def test_counters_by_name_with_a_headquarters_and_all_options() -> None:
    words = "!attack #1 N2030(97 Jg;  6 Inf)+N2028(5 HQ) > N2029, N2129 odds=3-1 att=20 def=6 air=1"
    assert read_declaration(words) == Declaration(
        kind=DeclarationKind.ATTACK,
        groups=(
            Group(
                stand=Stand(hex="N2030", names=("97 Jg", "6 Inf")),
                headquarters=(Stand(hex="N2028", names=("5 HQ",)),),
            ),
        ),
        targets=(Stand(hex="N2029"), Stand(hex="N2129")),
        label="1",
        claims={"odds": "3:1", "att": "20", "def": "6"},
        air=1,
    )


def test_blanks_do_not_matter_and_an_overrun_is_one() -> None:
    tight = read_declaration("!overrun N2030->N2029")
    assert isinstance(tight, Declaration)
    assert tight.kind is DeclarationKind.OVERRUN
    assert read_declaration("! Overrun  N2030  ->  N2029 ") == tight


@pytest.mark.parametrize(
    ("words", "why"),
    [
        ("!attack N2030 N2029", "no ->"),
        ("!attack N2030 -> N2029 N2031", "N2031"),
        ("!attack N2030", "no ->"),
        ("!attack -> N2029", "missing"),
        ("!attack N2030 ->", "missing"),
        ("!attack N2030(57 Inf -> N2029", "cannot be read"),
        ("!attack N2030() -> N2029", "empty"),
        ("!attack N2030+ -> N2029", "headquarters"),
        ("!attack N2030 -> N2029 odds=good", "number"),
        ("!attack N2030 -> N2029 luck=7", "luck"),
        ("!atack N2030 -> N2029", "!attack"),
    ],
)
def test_what_cannot_be_read_is_told_and_not_guessed(words: str, why: str) -> None:
    read = read_declaration(words)
    assert isinstance(read, Unreadable)
    assert why in read.why


@pytest.mark.parametrize("words", ["good luck!", "!!!", "attack N2030 -> N2029", "! hm", "!roll again please"])
def test_other_talk_is_no_declaration(words: str) -> None:
    assert read_declaration(words) is None
