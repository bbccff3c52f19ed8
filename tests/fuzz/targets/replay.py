"""The text of a log behind a sound header: steps on a board with pieces, stacks and a deck."""

from __future__ import annotations

from tests.fuzz.samples import COMMAND_WORDS, ESC, LOG, SAVE
from tests.fuzz.targets.reader import play
from vassal_bridge.vassal.container import FileKind, VassalFile
from vassal_bridge.vassal.obfuscation import Encoding, SavedText

__all__ = ["WORDS", "seeds", "try_one"]

WORDS = tuple(word.encode() for word in COMMAND_WORDS)


def seeds() -> list[bytes]:
    return [LOG.removeprefix(SAVE + ESC).encode(), SAVE.encode()]


def try_one(data: bytes) -> None:
    text = SAVE + ESC + data.decode("utf-8", "replace")
    saved = SavedText(text=text, encoding=Encoding.PLAIN)
    play(VassalFile(name="savedGame", kind=FileKind.LOG, sha256="", saved=saved))
