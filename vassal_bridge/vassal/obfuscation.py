"""From the bytes of a ``savedGame`` entry to command text, and back.

Source: ``VASSAL.tools.io.ObfuscatingOutputStream`` and its reader. Every engine reads plain UTF-8 text and ``!VCSK``
(key byte and content as hex digits); engines after September 2026 also ``VOBS`` (the same, raw). ``!VCSZ`` (deflated
first) and a whole XZ stream are known from other programs and only read here, never written.

Real texts reach 465 MB, so the entry is taken in chunks and no second copy of its hex digits is held.
"""

from __future__ import annotations

import lzma
import re
import zlib
from binascii import unhexlify
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from enum import StrEnum

from vassal_bridge.errors import DecodeError, LimitError

__all__ = ["CHUNK", "DEFAULT_TEXT_LIMIT", "Encoding", "SavedText", "conceal", "is_saved_text", "reveal"]

DEFAULT_TEXT_LIMIT = 1_000_000_000
"""Bytes of decoded text; the largest real save known has 465 million."""

CHUNK = 1 << 16
"""Bytes taken at a time, few enough for the processor to keep: more take a seventh longer, for the memory touched."""
_XZ_MAGIC = b"\xfd7zXZ\x00"
_NOT_HEX = re.compile(rb"[^0-9A-Fa-f]")


class Encoding(StrEnum):
    """How the command text of a save or log is stored."""

    PLAIN = "plain"
    VCSK = "vcsk"
    VOBS = "vobs"
    VCSZ = "vcsz"
    XZ = "xz"


@dataclass(frozen=True, slots=True, kw_only=True)
class SavedText:
    """The command text of a save or log.

    Attributes:
        text: The text; bytes that are not UTF-8 became U+FFFD, as in the engine.
        encoding: The form in which it was stored.
        key: The XOR key, 0 to 255; 0 for forms without one.
        damage: What is wrong with the bytes, if only a part could be read.
        replaced: Number of U+FFFD that stand for bytes that are not UTF-8.
    """

    text: str
    encoding: Encoding
    key: int = 0
    damage: str | None = None
    replaced: int = 0

    def __repr__(self) -> str:
        # The text holds the players' passwords.
        return f"SavedText({len(self.text)} characters, {self.encoding}, damage={self.damage!r})"


@dataclass(slots=True)
class _Decoded:
    content: bytearray
    damage: str | None = None
    place: str | None = None


def is_saved_text(data: bytes) -> bool:
    """Tell whether ``data`` starts like a bare ``savedGame`` entry."""
    return data.startswith((b"!VCSK", b"!VCSZ", b"VOBS", _XZ_MAGIC, b"begin_save", b"LOG\t"))


def reveal(data: bytes | Iterable[bytes], *, limit: int = DEFAULT_TEXT_LIMIT, tolerant: bool = False) -> SavedText:
    """Decode a ``savedGame`` entry, given whole or in chunks.

    Args:
        data: The entry's bytes.
        limit: Highest number of decoded bytes.
        tolerant: Keep what can be read of damaged data and say so in ``damage``, instead of raising.

    Raises:
        DecodeError: The data are damaged; the message says how far they could be read.
        LimitError: The text is longer than ``limit``.
    """
    chunks = _chunks(data)
    head = b""
    for chunk in chunks:
        head += chunk
        if len(head) >= 7:
            break
    encoding, key, decoded = _decode(head, chunks, limit)
    if decoded.damage and not tolerant:
        raise DecodeError(decoded.damage, place=decoded.place)
    content, damage = decoded.content, decoded.damage
    if len(head) < 5:
        content = content.rstrip(b"\0")  # the engine pads short entries to five bytes
    return _as_text(content, encoding, key, damage)


def conceal(text: str, encoding: Encoding = Encoding.VCSK, *, key: int = 0x5A) -> bytes:
    """Encode command text as a ``savedGame`` entry: plain, ``!VCSK`` (lower-case hex) or ``VOBS``.

    Args:
        text: The command text.
        encoding: ``PLAIN``, ``VCSK`` or ``VOBS``; the other forms are not written because the engine cannot read them.
        key: XOR key, 0 to 255; ``VOBS`` wants 1 to 255.
    """
    if not 0 <= key <= 255 or (encoding is Encoding.VOBS and key == 0):
        raise ValueError(f"key {key} is out of range for {encoding}")
    content = text.encode("utf-8", errors="replace")
    match encoding:
        case Encoding.PLAIN:
            return content
        case Encoding.VCSK:
            return b"!VCSK" + (bytes([key]) + content.translate(_xor_table(key))).hex().encode("ascii")
        case Encoding.VOBS:
            return b"VOBS" + bytes([key]) + content.translate(_xor_table(key))
        case _:
            raise ValueError(f"{encoding} is never written")


def _decode(head: bytes, chunks: Iterator[bytes], limit: int) -> tuple[Encoding, int, _Decoded]:
    if head.startswith((b"!VCSK", b"!VCSZ")):
        encoding = Encoding.VCSK if head[4:5] == b"K" else Encoding.VCSZ
        digits = head[5:7]
        if len(digits) < 2 or _NOT_HEX.search(digits):
            return encoding, 0, _Decoded(bytearray(), "the key after the header is not two hex digits", "byte 5")
        key = int(digits, 16)
        decoded = _unhex(head[7:], chunks, key, limit)
        return encoding, key, _inflate(decoded, limit) if encoding is Encoding.VCSZ else decoded
    if head.startswith(b"VOBS"):
        if len(head) < 5:
            return Encoding.VOBS, 0, _Decoded(bytearray(), "the key after the header is missing", "byte 4")
        key = head[4]
        return Encoding.VOBS, key, _collect(head[5:], chunks, limit, _xor_table(key))
    if head.startswith(_XZ_MAGIC):
        return Encoding.XZ, 0, _unxz(head, chunks, limit)
    return Encoding.PLAIN, 0, _collect(head, chunks, limit, None)


def _chunks(data: bytes | Iterable[bytes]) -> Iterator[bytes]:
    if isinstance(data, bytes | bytearray):
        view = memoryview(data)
        return (bytes(view[start : start + CHUNK]) for start in range(0, len(data), CHUNK))
    return iter(data)


def _unhex(first: bytes, chunks: Iterator[bytes], key: int, limit: int) -> _Decoded:
    table = _xor_table(key)
    content = bytearray()
    rest = first
    more: bytes | None = b""
    while more is not None:
        even = len(rest) & ~1
        pairs = rest[:even]
        try:
            content += unhexlify(pairs).translate(table)
        except ValueError:
            # Looked for only now: the search takes longer than all the rest.
            bad = _first_bad_digit(pairs)
            content += unhexlify(pairs[: bad & ~1]).translate(table)
            return _damaged(content, "is no hex digit", bad & 1)
        _check_limit(content, limit)
        rest = rest[even:]
        more = next(chunks, None)
        rest += more or b""
    if rest:
        return _damaged(content, "is the last one, and half of a pair", 0)
    return _Decoded(content)


def _first_bad_digit(digits: bytes) -> int:
    bad = _NOT_HEX.search(digits)
    return bad.start() if bad else len(digits)


def _damaged(content: bytearray, what: str, offset: int) -> _Decoded:
    place = 7 + 2 * len(content) + offset
    damage = f"the digit at byte {place} {what}; {len(content)} bytes of text before it can be read"
    return _Decoded(content, damage, f"byte {place}")


def _inflate(packed: _Decoded, limit: int) -> _Decoded:
    inflater = zlib.decompressobj()
    try:
        content = bytearray(inflater.decompress(packed.content, limit + 1))
    except zlib.error as error:
        return _Decoded(bytearray(), f"the deflated text is damaged ({error})", "byte 7")
    _check_limit(content, limit)
    if not inflater.eof and packed.damage is None:
        return _Decoded(content, f"the deflated text breaks off after {len(content)} bytes of text", "its end")
    return _Decoded(content, packed.damage, packed.place)


def _unxz(head: bytes, chunks: Iterator[bytes], limit: int) -> _Decoded:
    content = bytearray()
    unpacker = lzma.LZMADecompressor(format=lzma.FORMAT_XZ, memlimit=256 << 20)
    chunk: bytes | None = head
    while chunk is not None and not unpacker.eof:
        try:
            content += unpacker.decompress(chunk, limit + 1 - len(content))
        except lzma.LZMAError as error:
            return _Decoded(content, f"the XZ stream is damaged after {len(content)} bytes of text ({error})", "XZ")
        _check_limit(content, limit)
        chunk = next(chunks, None) if unpacker.needs_input else b""
    if not unpacker.eof:
        return _Decoded(content, f"the XZ stream breaks off after {len(content)} bytes of text", "its end")
    return _Decoded(content)


def _collect(head: bytes, chunks: Iterator[bytes], limit: int, table: bytes | None) -> _Decoded:
    content = bytearray(head.translate(table) if table else head)
    for chunk in chunks:
        content += chunk.translate(table) if table else chunk
        _check_limit(content, limit)
    return _Decoded(content)


def _check_limit(content: bytearray, limit: int) -> None:
    if len(content) > limit:
        raise LimitError(f"the text is longer than {limit} bytes")


def _as_text(content: bytearray, encoding: Encoding, key: int, damage: str | None) -> SavedText:
    try:
        return SavedText(text=content.decode("utf-8"), encoding=encoding, key=key, damage=damage)
    except UnicodeDecodeError:
        text = content.decode("utf-8", errors="replace")
        replaced = max(1, text.count("�") - content.count("�".encode()))
        return SavedText(text=text, encoding=encoding, key=key, damage=damage, replaced=replaced)


def _xor_table(key: int) -> bytes:
    return bytes(byte ^ key for byte in range(256))
