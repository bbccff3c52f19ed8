"""The bytes of a file: zip archives, metadata, what is inside."""

from __future__ import annotations

import io
import zipfile

from tests.fuzz.samples import archives
from tests.fuzz.targets.reader import play
from vassal_bridge.vassal.container import FileKind, Limits, open_bytes
from vassal_bridge.vassal.module import read_module

__all__ = ["WORDS", "seeds", "try_one"]

WORDS = (
    b"PK\x03\x04",
    b"PK\x01\x02",
    b"PK\x05\x06",
    b"PK\x06\x06",
    b"savedGame",
    b"buildFile.xml",
    b"moduledata",
    b"\n----\n",
)

_BREAK = b"\n----\n"
_LIMITS = Limits(file=1 << 24, entry=1 << 22, text=1 << 22, total=1 << 24, ratio_floor=1 << 20, entries=1000)


def seeds() -> list[bytes]:
    """Return archives, and the same as the names and contents of their entries."""
    found = archives()
    return [*found, *map(_spread, found)]


def try_one(data: bytes) -> None:
    file = open_bytes(data if data.startswith(b"PK") else _packed(data), "file.zip", limits=_LIMITS, tolerant=True)
    for name in file.entry_names:
        file.entry(name)
    if file.saved is not None:
        play(file)
    elif file.build_file is not None and file.kind is FileKind.MODULE:
        read_module(file)


def _packed(data: bytes) -> bytes:
    """Return an archive whose entries stand in ``data``, each as a line with its name and then its content.

    A change of an archive's own bytes seldom gives another that can be unpacked, because of its checksums.
    """
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w", zipfile.ZIP_DEFLATED, compresslevel=1) as archive:
        for entry in data.split(_BREAK)[:9]:
            name, _, content = entry.partition(b"\n")
            info = zipfile.ZipInfo(name.decode("latin-1").replace("\0", "0") or "x")
            if info.filename not in archive.NameToInfo:
                archive.writestr(info, content)
    return buffer.getvalue()


def _spread(archive: bytes) -> bytes:
    with zipfile.ZipFile(io.BytesIO(archive)) as opened:
        return _BREAK.join(name.encode() + b"\n" + opened.read(name) for name in opened.namelist())
