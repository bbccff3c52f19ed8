from __future__ import annotations

import hashlib
import io
import random
import zipfile
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from vassal_bridge.errors import BridgeError, ContainerError, LimitError
from vassal_bridge.vassal.container import (
    FileKind,
    Limits,
    Metadata,
    VassalFile,
    open_bytes,
    open_file,
    write_game,
)
from vassal_bridge.vassal.obfuscation import Encoding, conceal

SAVE = "begin_save\x1b\x1bend_save"
LOG = SAVE + "\x1bLOG\tCHATwords"
BUILD_FILE = b'<?xml version="1.0"?>\n<VASSAL.build.GameModule name="Test" version="1.0"/>'
OLD_BUILD_FILE = b'<VASSAL.launch.BasicModule name="Old"/>'
EXTENSION_FILE = b'<VASSAL.build.module.ModuleExtension module="Test"/>'
MODULE_DATA = b"<data version='1'><version>1.2</version><VassalVersion>3.6.5</VassalVersion><name> Test </name></data>"


def archive(**entries: bytes) -> bytes:
    return archive_of({name.replace("_", "."): content for name, content in entries.items()})


def archive_of(entries: dict[str, bytes]) -> bytes:
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w", zipfile.ZIP_DEFLATED) as target:
        for name, content in entries.items():
            target.writestr(name, content)
    return buffer.getvalue()


@pytest.mark.parametrize(
    ("data", "kind"),
    [
        (archive(savedGame=SAVE.encode()), FileKind.SAVE),
        (archive(savedGame=conceal(LOG)), FileKind.LOG),
        (archive(savedGame=SAVE.encode(), buildFile=BUILD_FILE), FileKind.SAVE),
        (archive(buildFile_xml=BUILD_FILE, moduledata=MODULE_DATA), FileKind.MODULE),
        (archive(buildFile=OLD_BUILD_FILE), FileKind.MODULE),
        (archive(buildFile=EXTENSION_FILE), FileKind.EXTENSION),
        (archive(buildFile=EXTENSION_FILE, extensiondata=b"<data/>", moduledata=MODULE_DATA), FileKind.EXTENSION),
        (archive(moduledata=MODULE_DATA), FileKind.MODULE),
        (BUILD_FILE, FileKind.BUILDFILE),
        (EXTENSION_FILE, FileKind.BUILDFILE),
        (SAVE.encode(), FileKind.SAVEDGAME),
        (conceal(LOG), FileKind.SAVEDGAME),
        (conceal(LOG, Encoding.VOBS), FileKind.SAVEDGAME),
    ],
)
def test_content_decides_what_a_file_is(data: bytes, kind: FileKind) -> None:
    assert open_bytes(data, "no suffix at all").kind is kind


def test_a_log_without_steps_is_told_by_its_suffix() -> None:
    assert open_bytes(archive(savedGame=SAVE.encode()), "empty.vlog").kind is FileKind.LOG


def test_metadata_of_all_three_kinds() -> None:
    data = archive(
        savedGame=SAVE.encode(),
        savedata=b"<data><version/><VassalVersion>3.7.1</VassalVersion><dateSaved>1795984489472</dateSaved>"
        b"<description lang='de'>nein</description><description>yes</description><new/></data>",
        moduledata=MODULE_DATA,
        extensiondata=b"<data><version>2</version><universal>true</universal></data>",
    )
    file = open_bytes(data, "game.vsav")
    assert file.save_metadata == Metadata(vassal_version="3.7.1", saved_at=1795984489472, description="yes")
    assert file.module_metadata == Metadata(name="Test", version="1.2", vassal_version="3.6.5")
    assert file.extension_metadata == Metadata(version="2", universal=True)
    assert file.vassal_version == "3.7.1"


@pytest.mark.parametrize(
    "metadata", [b"", b"<data>", b"not xml", b"\xff\xfe\x00", b"<data><dateSaved>soon</dateSaved></data>"]
)
def test_bad_metadata_are_no_reason_to_give_up(metadata: bytes) -> None:
    assert open_bytes(archive(savedGame=SAVE.encode(), savedata=metadata), "game.vsav").saved is not None


def test_the_version_decides_which_build_file_counts() -> None:
    both = {"buildFile": OLD_BUILD_FILE, "buildFile.xml": BUILD_FILE}
    old = b"<data><VassalVersion>3.4.13</VassalVersion></data>"
    assert open_bytes(archive_of({**both, "moduledata": old}), "m").build_file == OLD_BUILD_FILE
    assert open_bytes(archive_of({**both, "moduledata": MODULE_DATA}), "m").build_file == BUILD_FILE


def test_entries_by_name() -> None:
    file = open_bytes(archive_of({"buildFile": OLD_BUILD_FILE, "images/a.png": b"PNG"}), "m")
    assert file.entry("images/a.png") == b"PNG"
    assert file.entry("images/b.png") is None
    assert file.entry_names == ("buildFile", "images/a.png")


def test_names_in_utf_8_without_the_flag_for_it() -> None:
    data = archive_of({"buildFile": OLD_BUILD_FILE, "images/Panzer-Größe.png": b"PNG"})
    # Clear bit 11 of the general-purpose flags in both headers, as Java 6 left it.
    plain = bytearray(data)
    for signature, offset in ((b"PK\x03\x04", 7), (b"PK\x01\x02", 9)):
        position = plain.find(signature, plain.find(b"images/") - 60)
        plain[position + offset] &= ~0x08
    file = open_bytes(bytes(plain), "m")
    assert "images/Panzer-Größe.png" in file.entry_names


def test_a_written_game_reads_back() -> None:
    metadata = Metadata(version="1.2", vassal_version="3.6.0", saved_at=1, description="a & b")
    for encoding in (Encoding.PLAIN, Encoding.VCSK, Encoding.VOBS):
        data = write_game(LOG, encoding=encoding, save_metadata=metadata, module_metadata=MODULE_DATA)
        file = open_bytes(data, "game.vlog")
        assert file.kind is FileKind.LOG
        assert file.saved is not None
        assert (file.saved.text, file.saved.encoding) == (LOG, encoding)
        assert file.save_metadata == metadata
        assert file.module_metadata is not None
        assert file.module_metadata.name == "Test"
        assert file.entry_names == ("savedGame", "savedata", "moduledata")


def test_the_same_game_gives_the_same_bytes() -> None:
    assert write_game(LOG) == write_game(LOG)


def fails(data: bytes, *, limits: Limits | None = None) -> BridgeError:
    with pytest.raises(BridgeError) as caught:
        open_bytes(data, "bad.vlog", limits=limits)
    assert str(caught.value).startswith("bad.vlog: ")
    assert "\n" not in str(caught.value)
    return caught.value


@pytest.mark.parametrize(
    "data",
    [
        b"",
        b"PK",
        b"PK\x03\x04",
        b"\x89PNG\r\n\x1a\n" + bytes(100),
        b"hello",
        b"<html/>",
        archive(),
        archive(readme=b"text"),
        archive(buildFile=b"<html/>"),
        archive(savedGame=conceal(LOG))[:-30],
        archive(savedGame=conceal(LOG))[30:],
    ],
)
def test_what_is_no_vassal_file_ends_in_one_line(data: bytes) -> None:
    assert isinstance(fails(data), ContainerError)


def test_a_damaged_entry_is_named_with_its_place() -> None:
    data = bytearray(archive(savedGame=bytes(random.Random(1).randbytes(5000))))
    data[2000] ^= 0xFF
    error = fails(bytes(data))
    assert error.entry == "savedGame"
    assert error.place is not None


def test_damage_in_the_text_is_named_with_its_place() -> None:
    error = fails(archive(savedGame=conceal(LOG) + b"7"))
    assert (error.entry, error.place) == ("savedGame", f"byte {len(conceal(LOG))}")


def test_a_position_that_breaks_off_is_damage() -> None:
    text = SAVE.removesuffix("end_save")
    assert fails(archive(savedGame=conceal(text))).entry == "savedGame"
    saved = open_bytes(archive(savedGame=conceal(text)), "cut.vsav", tolerant=True).saved
    assert saved is not None
    assert saved.text == text
    assert saved.damage is not None


def test_limits_hold() -> None:
    data = archive_of({"savedGame": conceal(SAVE + "x" * 5000), "a": b"1", "b": b"2"})
    assert isinstance(fails(data, limits=Limits(entry=1000)), LimitError)
    assert isinstance(fails(data, limits=Limits(total=1000)), LimitError)
    assert isinstance(fails(data, limits=Limits(entries=2)), LimitError)
    assert isinstance(fails(data, limits=Limits(text=1000)), LimitError)
    assert isinstance(fails(data, limits=Limits(ratio=2, ratio_floor=1000)), LimitError)


def test_a_zip_bomb_is_stopped_before_it_is_unpacked() -> None:
    bomb = archive_of({"savedGame": bytes(200_000_000)})
    assert len(bomb) < 1_000_000
    assert isinstance(fails(bomb), LimitError)


def test_a_bomb_that_lies_about_its_size_is_stopped() -> None:
    content = bytes(60_000_000)
    data = bytearray(archive_of({"savedGame": content}))
    size = len(content).to_bytes(4, "little")
    while (position := data.find(size)) >= 0:
        data[position : position + 4] = (1000).to_bytes(4, "little")
    fails(bytes(data))


@pytest.mark.parametrize("name", ["../savedGame", "/etc/savedGame", "a/../../b", "..\\savedGame"])
def test_names_that_lead_out_of_the_archive_are_refused(name: str) -> None:
    assert "leads out" in fails(archive_of({name: b"x", "savedGame": SAVE.encode()})).message


def test_an_encrypted_entry_is_no_traceback() -> None:
    data = bytearray(archive(savedGame=SAVE.encode()))
    data[6] |= 1
    data[data.find(b"PK\x01\x02") + 8] |= 1
    assert fails(bytes(data)).entry == "savedGame"


def test_directories_and_missing_files(tmp_path: Path) -> None:
    for path in (tmp_path, tmp_path / "missing.vsav", "nul\0byte"):
        with pytest.raises(ContainerError) as caught:
            open_file(path)
        assert caught.value.file == str(path)


def test_a_file_on_disk_and_its_hash(tmp_path: Path) -> None:
    path = tmp_path / "plain.savedGame"
    path.write_bytes(b"begin_save\x1bend_save")
    file = open_file(path)
    assert (file.kind, file.name) == (FileKind.SAVEDGAME, str(path))
    assert file.sha256 == hashlib.sha256(path.read_bytes()).hexdigest()


def test_xml_bombs_in_the_metadata_do_nothing() -> None:
    laughs = "".join(f"<!ENTITY l{n} '{f'&l{n - 1};' * 10}'>" for n in range(1, 12))
    bomb = f"<!DOCTYPE data [<!ENTITY l0 'ha'>{laughs}]><data><version>&l11;</version></data>".encode()
    file = open_bytes(archive(savedGame=SAVE.encode(), savedata=bomb), "game.vsav")
    assert file.save_metadata is None or not file.save_metadata.version


@given(st.data())
def test_flipped_bits_end_in_a_file_or_in_one_error(data: st.DataObject) -> None:
    content = bytearray(SAMPLE)
    for _ in range(data.draw(st.integers(1, 4))):
        position = data.draw(st.integers(0, len(content) - 1))
        content[position] ^= 1 << data.draw(st.integers(0, 7))
    _open_or_fail(bytes(content[: data.draw(st.integers(0, len(content)))]))
    _open_or_fail(bytes(content))


def _open_or_fail(data: bytes) -> VassalFile | None:
    try:
        return open_bytes(data, "fuzz", tolerant=True)
    except BridgeError as error:
        return None if error.file == "fuzz" else pytest.fail("the error does not name the file")


SAMPLE = archive_of({"savedGame": conceal(LOG), "savedata": MODULE_DATA, "moduledata": MODULE_DATA})
