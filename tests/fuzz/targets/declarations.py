"""Chat lines: what players declare, what the dice show."""

from __future__ import annotations

from vassal_bridge.audit.declarations import read_declaration, spoken_words
from vassal_bridge.audit.dice import roll_in
from vassal_bridge.vassal.chat import is_roll, is_undo, speaker, undone_text

__all__ = ["WORDS", "seeds", "try_one"]

WORDS = tuple(
    word.encode()
    for word in ("!attack ", "!overrun ", "->", ">", "odds=", "att=", "def=", "air=", "#1", "&lt;", "&gt; - ", "*** ")
)


def seeds() -> list[bytes]:
    return [
        b"&lt;Bob&gt; - !attack N2030,N2031 -> N2029 #1 odds=3:1 air=2",
        b"<Bob> - !attack N2030(97 Jg; 6 Inf)+N2028(5 HQ) > N2029",
        b"&lt;Bob&gt; - !overrun N2030 -> N2029 att=16 def=9",
        b"*** 2d6 = 6,6 *** &lt;Bob&gt;",
        b"* UNDO: * Alpha moves 0503 -> 1105 *",
        b"<Bob> rolls 2 dice: 3, 4",
    ]


def try_one(data: bytes) -> None:
    line = data.decode("utf-8", "replace")
    read_declaration(line)
    read_declaration("!attack " + line)
    if (words := spoken_words(line)) is not None:
        read_declaration(words)
    roll_in(line)
    speaker(line)
    undone_text(line)
    if is_roll(line) and is_undo(line):
        raise AssertionError("the undoing of a roll is no roll")
