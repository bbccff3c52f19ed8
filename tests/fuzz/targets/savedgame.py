"""A bare ``savedGame`` entry: obfuscation, command text, replay, what is told of it."""

from __future__ import annotations

from tests.fuzz.samples import COMMAND_WORDS, saved_games
from tests.fuzz.targets.reader import play
from vassal_bridge.errors import BridgeError
from vassal_bridge.vassal.container import Limits, open_bytes

__all__ = ["WORDS", "seeds", "try_one"]

WORDS = (b"!VCSK", b"!VCSZ", b"VOBS", b"\xfd7zXZ\x00", *(word.encode() for word in COMMAND_WORDS))

_LIMITS = Limits(text=1 << 22)


def seeds() -> list[bytes]:
    return saved_games()


def try_one(data: bytes) -> None:
    try:
        file = open_bytes(data, "savedGame", limits=_LIMITS)
    except BridgeError:
        file = open_bytes(data, "savedGame", limits=_LIMITS, tolerant=True)
    play(file)
