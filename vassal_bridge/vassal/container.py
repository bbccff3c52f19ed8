"""Open any file that VASSAL writes: module, extension, save or log, zipped or as a bare entry.

What a file is, is decided by its content in the engine's order (``VASSAL.launch``, ``AbstractMetaData``), not by its
suffix. Whatever is wrong with a file ends in one ``BridgeError`` that names file, entry and place. Nothing is ever
unpacked to disk.
"""

from __future__ import annotations

import hashlib
import io
import re
import stat
import zipfile
import zlib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from enum import StrEnum
from pathlib import Path

from lxml import etree

from vassal_bridge.errors import BridgeError, ContainerError, DecodeError, LimitError
from vassal_bridge.vassal.obfuscation import (
    CHUNK,
    DEFAULT_TEXT_LIMIT,
    Encoding,
    SavedText,
    conceal,
    is_saved_text,
    reveal,
)

__all__ = ["FileKind", "Limits", "Metadata", "VassalFile", "open_bytes", "open_file", "write_game"]

_BUILD_FILES = ("buildFile.xml", "buildFile")
_MODULE_ROOTS = re.compile(rb"<VASSAL\.(launch\.BasicModule|build\.GameModule)\b")
_EXTENSION_ROOT = re.compile(rb"<VASSAL\.build\.module\.ModuleExtension\b")
_END_SAVE = "\x1bend_save"
_HEAD = 4096
_DAMAGE = (zipfile.BadZipFile, zlib.error, EOFError, OSError, RuntimeError, NotImplementedError, ValueError)
# Fixed, so that the same game always gives the same bytes.
_ZIP_DATE = (1980, 1, 1, 0, 0, 0)


class FileKind(StrEnum):
    """What a file is."""

    MODULE = "module"
    EXTENSION = "extension"
    SAVE = "save"
    LOG = "log"
    BUILDFILE = "buildfile"
    SAVEDGAME = "savedgame"


@dataclass(frozen=True, slots=True, kw_only=True)
class Limits:
    """What a file may cost, so that a small file cannot fill the memory.

    The defaults let the largest real files pass (a save of 465 MB of text is 930 MB of hex digits in 20 MB of zip).

    Attributes:
        file: Bytes of the file itself.
        entry: Unpacked bytes of one entry.
        text: Decoded bytes of a saved game.
        total: Unpacked bytes of all entries together, as the archive declares them.
        ratio: Unpacked to packed bytes of one entry, for entries that unpack to more than ``ratio_floor``.
        ratio_floor: Unpacked bytes below which the ratio does not matter.
        entries: Number of entries.
    """

    file: int = 2_000_000_000
    entry: int = 2_000_000_000
    text: int = DEFAULT_TEXT_LIMIT
    total: int = 8_000_000_000
    ratio: int = 250
    ratio_floor: int = 50_000_000
    entries: int = 100_000


@dataclass(frozen=True, slots=True, kw_only=True)
class Metadata:
    """One of the metadata entries; what the file does not say is None.

    Attributes:
        name: Module name (``moduledata`` only).
        version: Version of the module or extension; in a save that of the module, since 3.6.6.
        vassal_version: The engine that wrote the file.
        description: Free text, untranslated.
        saved_at: Milliseconds since 1970-01-01 UTC.
        universal: Whether an extension fits any module (``extensiondata`` only).
        extra: The module's two free attributes.
    """

    name: str | None = None
    version: str | None = None
    vassal_version: str | None = None
    description: str | None = None
    saved_at: int | None = None
    universal: bool | None = None
    extra: tuple[str | None, str | None] = (None, None)


@dataclass(frozen=True, slots=True, kw_only=True)
class VassalFile:
    """An opened file.

    Attributes:
        name: The file as the user named it.
        kind: What it is.
        sha256: Hash of its bytes, hexadecimal.
        saved: Command text of a save or log.
        build_file: Build file of a module or extension, XML bytes.
        module_metadata: ``moduledata``; in a save or extension a copy of the module's.
        save_metadata: ``savedata``.
        extension_metadata: ``extensiondata``.
        entry_names: Names of all entries, in the order of the archive; empty for a bare file.
        remarks: What was odd but could be lived with.
    """

    name: str
    kind: FileKind
    sha256: str
    saved: SavedText | None = None
    build_file: bytes | None = None
    module_metadata: Metadata | None = None
    save_metadata: Metadata | None = None
    extension_metadata: Metadata | None = None
    entry_names: tuple[str, ...] = ()
    remarks: tuple[str, ...] = ()
    _archive: _Archive | None = field(default=None, repr=False, compare=False)

    def entry(self, name: str) -> bytes | None:
        """Return the bytes of an entry, None if there is no such entry."""
        return self._archive.read(name) if self._archive else None

    @property
    def vassal_version(self) -> str | None:
        """The engine that wrote this file, if its metadata say so."""
        own = {FileKind.MODULE: self.module_metadata, FileKind.EXTENSION: self.extension_metadata}
        metadata = own.get(self.kind, self.save_metadata)
        return metadata.vassal_version if metadata else None


def open_file(path: str | Path, *, limits: Limits | None = None, tolerant: bool = False) -> VassalFile:
    """Read a file from disk; see ``open_bytes``."""
    limits = limits or Limits()
    name = str(path)
    try:
        status = Path(path).stat()
        if stat.S_ISDIR(status.st_mode):
            raise ContainerError("this is a directory", file=name)
        if status.st_size > limits.file:
            raise LimitError(f"the file has {status.st_size} bytes, the limit is {limits.file}", file=name)
        data = Path(path).read_bytes()
    except OSError as error:
        raise ContainerError(f"cannot be read: {(error.strerror or 'unknown error').lower()}", file=name) from None
    except ValueError as error:
        raise ContainerError(f"is no name of a file: {error}", file=name) from None
    return open_bytes(data, name, limits=limits, tolerant=tolerant)


def open_bytes(data: bytes, name: str, *, limits: Limits | None = None, tolerant: bool = False) -> VassalFile:
    """Find out what ``data`` is and read it.

    Args:
        data: The bytes of the file.
        name: What to call it in errors and reports.
        limits: What it may cost.
        tolerant: Keep the readable part of a damaged saved game; ``saved.damage`` then says what is wrong.

    Raises:
        ContainerError: It is no VASSAL file, or its container is damaged.
        LimitError: It goes beyond the limits.
        DecodeError: Its saved game is damaged and ``tolerant`` is false.
    """
    limits = limits or Limits()
    try:
        if not data:
            raise ContainerError("the file is empty")
        if data.startswith(b"PK"):
            return _open_archive(_Archive(data, limits), data, name, limits, tolerant=tolerant)
        return _open_bare(data, name, limits, tolerant=tolerant)
    except BridgeError as error:
        raise error.located(file=name) from None


def write_game(
    text: str,
    *,
    encoding: Encoding = Encoding.VCSK,
    key: int = 0x5A,
    save_metadata: Metadata | None = None,
    module_metadata: bytes | None = None,
) -> bytes:
    """Return the bytes of a ``.vsav`` or ``.vlog`` with the command text ``text``.

    Args:
        text: The command text, as ``commands.format_tree`` makes it.
        encoding: How to store it; every engine reads ``VCSK``.
        key: XOR key of the encoding.
        save_metadata: Written as ``savedata``.
        module_metadata: The module's ``moduledata`` entry, copied as it is; the engine knows the module by it.
    """
    entries = {"savedGame": conceal(text, encoding, key=key), "savedata": _format_metadata(save_metadata or Metadata())}
    if module_metadata is not None:
        entries["moduledata"] = module_metadata
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w", zipfile.ZIP_DEFLATED) as archive:
        for entry, content in entries.items():
            info = zipfile.ZipInfo(entry, _ZIP_DATE)
            info.compress_type = zipfile.ZIP_DEFLATED
            archive.writestr(info, content)
    return buffer.getvalue()


class _Archive:
    """A zip archive in memory, its limits checked at every step."""

    def __init__(self, data: bytes, limits: Limits) -> None:
        self._limits = limits
        try:
            self._zip = zipfile.ZipFile(io.BytesIO(data))
        except (zipfile.BadZipFile, NotImplementedError, OSError, ValueError, OverflowError) as error:
            raise ContainerError(f"the zip archive is damaged ({_reason(error)})") from None
        infos = self._zip.infolist()
        if len(infos) > limits.entries:
            raise LimitError(f"the archive has {len(infos)} entries, the limit is {limits.entries}")
        total = sum(info.file_size for info in infos)
        if total > limits.total:
            raise LimitError(f"the archive unpacks to {total} bytes, the limit is {limits.total}")
        self._entries: Mapping[str, zipfile.ZipInfo] = _named(infos)

    @property
    def names(self) -> tuple[str, ...]:
        return tuple(self._entries)

    def __contains__(self, name: str) -> bool:
        return name in self._entries

    def read(self, name: str) -> bytes | None:
        return b"".join(self.chunks(name)) if name in self._entries else None

    def chunks(self, name: str) -> Iterator[bytes]:
        info = self._entries[name]
        size = 0
        try:
            self._check(info.file_size, info.compress_size)
            with self._zip.open(info) as stream:
                while chunk := stream.read(CHUNK):
                    size += len(chunk)
                    # The sizes in the directory may lie; count what really comes out.
                    self._check(size, info.compress_size)
                    yield chunk
        except LimitError as error:
            raise error.located(entry=name) from None
        except _DAMAGE as error:
            raise ContainerError(
                f"the entry is damaged ({_reason(error)})", entry=name, place=f"byte {size} of the unpacked entry"
            ) from None

    def _check(self, size: int, packed: int) -> None:
        limits = self._limits
        if size > limits.entry:
            raise LimitError(f"the entry unpacks to more than {limits.entry} bytes")
        if size > limits.ratio_floor and size > limits.ratio * max(packed, 1):
            raise LimitError(f"the entry is packed more than {limits.ratio} to 1")


def _named(infos: list[zipfile.ZipInfo]) -> dict[str, zipfile.ZipInfo]:
    entries: dict[str, zipfile.ZipInfo] = {}
    for info in infos:
        name = _entry_name(info)
        if name.startswith("/") or "\0" in name or ".." in re.split(r"[/\\]", name):
            raise ContainerError("the entry's name leads out of the archive", entry=ascii(name)[1:-1])
        # The engine takes the first entry of a name.
        entries.setdefault(name, info)
    return entries


def _entry_name(info: zipfile.ZipInfo) -> str:
    if info.flag_bits & 0x800:
        return info.filename
    # Java before version 7 wrote UTF-8 names without the flag that says so.
    try:
        return info.filename.encode("cp437").decode("utf-8")
    except (UnicodeEncodeError, UnicodeDecodeError):
        return info.filename


def _open_archive(archive: _Archive, data: bytes, name: str, limits: Limits, *, tolerant: bool) -> VassalFile:
    remarks: list[str] = []
    metadata = {entry: _read_metadata(archive, entry, remarks) for entry in ("moduledata", "savedata", "extensiondata")}
    file = VassalFile(
        name=name,
        kind=FileKind.MODULE,
        sha256=hashlib.sha256(data).hexdigest(),
        module_metadata=metadata["moduledata"],
        save_metadata=metadata["savedata"],
        extension_metadata=metadata["extensiondata"],
        entry_names=archive.names,
        remarks=tuple(remarks),
        _archive=archive,
    )
    if "savedGame" in archive:
        saved = _reveal_entry(archive.chunks("savedGame"), "savedGame", limits, tolerant=tolerant)
        return replace(file, kind=_game_kind(saved, name), saved=saved)
    return _open_built(archive, file)


def _open_built(archive: _Archive, file: VassalFile) -> VassalFile:
    build_file = _build_file(archive, file)
    if build_file is None:
        if file.module_metadata or file.extension_metadata:
            kind = FileKind.EXTENSION if file.extension_metadata else FileKind.MODULE
            return replace(file, kind=kind, remarks=(*file.remarks, "there is no build file"))
        raise ContainerError("the zip archive holds neither a saved game nor a build file")
    for entry, kind in (("extensiondata", FileKind.EXTENSION), ("moduledata", FileKind.MODULE)):
        if entry in archive:
            return replace(file, kind=kind, build_file=build_file)
    if (built := _built_kind(build_file)) is None:
        raise ContainerError("the root element is none of a module or extension", entry="buildFile")
    return replace(file, kind=built, build_file=build_file)


def _build_file(archive: _Archive, file: VassalFile) -> bytes | None:
    metadata = file.extension_metadata or file.module_metadata
    # The engine goes by the version in the metadata: before 3.5 the entry has the older name.
    names = reversed(_BUILD_FILES) if _is_before_3_5(metadata) else _BUILD_FILES
    return next((content for entry in names if (content := archive.read(entry)) is not None), None)


def _is_before_3_5(metadata: Metadata | None) -> bool:
    match = re.match(r"(\d{1,9})\.(\d{1,9})", (metadata and metadata.vassal_version) or "")
    return match is not None and (int(match[1]), int(match[2])) < (3, 5)


def _open_bare(data: bytes, name: str, limits: Limits, *, tolerant: bool) -> VassalFile:
    sha256 = hashlib.sha256(data).hexdigest()
    if is_saved_text(data):
        saved = _reveal_entry(data, None, limits, tolerant=tolerant)
        return VassalFile(name=name, kind=FileKind.SAVEDGAME, sha256=sha256, saved=saved)
    if _built_kind(data):
        return VassalFile(name=name, kind=FileKind.BUILDFILE, sha256=sha256, build_file=data)
    raise ContainerError("this is no zip archive, and neither a bare build file nor a bare saved game")


def _built_kind(build_file: bytes) -> FileKind | None:
    head = build_file[:_HEAD]
    if head.startswith((b"\xff\xfe", b"\xfe\xff")):
        head = head.decode("utf-16", errors="replace").encode()
    if _MODULE_ROOTS.search(head):
        return FileKind.MODULE
    return FileKind.EXTENSION if _EXTENSION_ROOT.search(head) else None


def _reveal_entry(data: bytes | Iterator[bytes], entry: str | None, limits: Limits, *, tolerant: bool) -> SavedText:
    try:
        saved = reveal(data, limit=limits.text, tolerant=tolerant)
        if saved.damage or not _breaks_off(saved.text):
            return saved
        damage = f"the saved position breaks off before its end; {len(saved.text)} characters can be read"
        if tolerant:
            return replace(saved, damage=damage)
        raise DecodeError(damage, place=f"character {len(saved.text)}")
    except BridgeError as error:
        raise error.located(entry=entry) from None


def _breaks_off(text: str) -> bool:
    return text.startswith("begin_save\x1b") and text.rfind(_END_SAVE) < 0


def _game_kind(saved: SavedText, name: str) -> FileKind:
    text = saved.text
    # Steps follow the position; so the long position need not be searched for them.
    if (
        text.startswith("LOG\t")
        or text.find("\x1bLOG\t", max(0, text.rfind(_END_SAVE))) >= 0
        or name.lower().endswith((".vlog", ".log"))
    ):
        return FileKind.LOG
    return FileKind.SAVE


def _read_metadata(archive: _Archive, entry: str, remarks: list[str]) -> Metadata | None:
    content = archive.read(entry)
    if content is None:
        return None
    try:
        root = etree.fromstring(content, etree.XMLParser(resolve_entities=False, no_network=True, load_dtd=False))
    except (etree.XMLSyntaxError, ValueError):
        remarks.append(f"the metadata entry {entry} cannot be read")
        return None
    return _metadata(root)


def _metadata(root: etree._Element) -> Metadata:
    texts: dict[str, str] = {}
    for child in root:
        if isinstance(child.tag, str) and "lang" not in child.attrib and (text := (child.text or "").strip()):
            texts.setdefault(child.tag, text)
    saved_at = texts.get("dateSaved", "")
    universal = texts.get("universal")
    return Metadata(
        name=texts.get("name"),
        version=texts.get("version"),
        vassal_version=texts.get("VassalVersion"),
        description=texts.get("description"),
        saved_at=int(saved_at) if saved_at.isascii() and saved_at.isdigit() and len(saved_at) < 20 else None,
        universal=None if universal is None else universal == "true",
        extra=(texts.get("extra1"), texts.get("extra2")),
    )


def _format_metadata(metadata: Metadata) -> bytes:
    root = etree.Element("data", version="1")
    texts = {
        "version": metadata.version or "",
        "extra1": metadata.extra[0] or "",
        "extra2": metadata.extra[1] or "",
        "VassalVersion": metadata.vassal_version or "",
        "dateSaved": str(metadata.saved_at or 0),
        "description": metadata.description,
    }
    for tag, text in texts.items():
        if text is not None:
            etree.SubElement(root, tag).text = text
    body: bytes = etree.tostring(root, encoding="UTF-8", xml_declaration=True, standalone=True, pretty_print=True)
    return body


def _reason(error: BaseException) -> str:
    text = str(error).strip().splitlines()
    return text[0] if text else type(error).__name__
