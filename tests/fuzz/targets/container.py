"""The bytes of a file: zip archives, metadata, what is inside."""

from __future__ import annotations

from tests.fuzz.samples import archives
from tests.fuzz.targets.reader import play
from vassal_bridge.vassal.container import FileKind, Limits, open_bytes
from vassal_bridge.vassal.module import read_module

__all__ = ["WORDS", "seeds", "try_one"]

WORDS = (b"PK\x03\x04", b"PK\x01\x02", b"PK\x05\x06", b"PK\x06\x06", b"savedGame", b"buildFile.xml", b"moduledata")

_LIMITS = Limits(file=1 << 24, entry=1 << 22, text=1 << 22, total=1 << 24, ratio_floor=1 << 20, entries=1000)


def seeds() -> list[bytes]:
    return archives()


def try_one(data: bytes) -> None:
    # Without this the mutator spends its time on bytes that are no archive.
    data = data if data.startswith(b"PK") else b"PK\x03\x04" + data[4:]
    file = open_bytes(data, "file.zip", limits=_LIMITS, tolerant=True)
    for name in file.entry_names:
        file.entry(name)
    if file.saved is not None:
        play(file)
    elif file.build_file is not None and file.kind is FileKind.MODULE:
        read_module(file)
