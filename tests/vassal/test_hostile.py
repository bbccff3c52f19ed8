"""Files made to do harm, through the command line: each ends in one line with file and place, or is read.

What the readers themselves refuse is in the tests of each reader; here every command gets the whole file.
"""

from __future__ import annotations

import contextlib
import io
import resource
import struct
import time
import zipfile
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from tests.bench.games import PASSWORDS, Table
from vassal_bridge.cli import run
from vassal_bridge.vassal.container import Metadata, write_game
from vassal_bridge.vassal.obfuscation import Encoding, conceal

ESC = "\x1b"
COMMANDS = (("show", "--json"), ("replay", "--json"), ("transcript", "--json"), ("audit", "--format", "json"))
LAUGHS = "".join(f'<!ENTITY l{level} "{f"&l{level - 1};" * 10}">' for level in range(1, 12))
BOMB = f'<?xml version="1.0"?><!DOCTYPE data [<!ENTITY l0 "{"ha" * 40}">{LAUGHS}]>'

Outcome = tuple[int, str, str]
Command = Callable[..., Outcome]


@pytest.fixture
def bridge(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Command:
    """Runs the program; returns exit code, output and errors. Anything but an ordinary end fails at once."""
    monkeypatch.chdir(tmp_path)

    def command(*words: str | Path) -> Outcome:
        out, error = io.StringIO(), io.StringIO()
        with contextlib.redirect_stdout(out), contextlib.redirect_stderr(error):
            code = run([str(word) for word in words])
        assert "internal error" not in error.getvalue()
        assert "Traceback" not in out.getvalue() + error.getvalue()
        for password in PASSWORDS:
            assert password not in out.getvalue() + error.getvalue()
        return code, out.getvalue(), error.getvalue()

    return command


def refuses(bridge: Command, path: Path, *parts: str, words: tuple[str, ...] = ("show", "--json")) -> None:
    """The command ends with code 2 and one line that names the file and holds each of ``parts``."""
    code, out, error = bridge(*words, path)
    assert (code, out) == (2, "")
    assert error.count("\n") == 1
    for part in (path.name, *parts):
        assert part in error


def zipped(entries: dict[str, bytes], method: int = zipfile.ZIP_DEFLATED) -> bytes:
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w", method) as archive:
        for name, content in entries.items():
            archive.writestr(name, content)
    return buffer.getvalue()


@pytest.fixture(scope="module")
def log() -> bytes:
    """A small game of ours, zipped as the engine does."""
    text = Table(size=6, width=600, height=600, kinds=3).log(12)
    return write_game(text, save_metadata=Metadata(version="1.0", vassal_version="3.6.7"))


@pytest.fixture(scope="module")
def bare() -> bytes:
    """The same as a bare entry."""
    return conceal(Table(size=6, width=600, height=600, kinds=3).log(12), Encoding.VCSK)


@pytest.mark.parametrize("words", COMMANDS)
def test_a_bomb_packed_too_tightly(bridge: Command, tmp_path: Path, words: tuple[str, ...]) -> None:
    path = tmp_path / "ratio.vlog"
    path.write_bytes(zipped({"savedGame": b"!VCSK00" + b"20" * 40_000_000}))
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    refuses(bridge, path, "savedGame", words=words)
    assert resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before < 300_000  # kilobytes


@pytest.mark.parametrize("name", ["savedGame", "moduledata", "buildFile.xml"])
def test_a_bomb_that_claims_another_size(bridge: Command, tmp_path: Path, name: str) -> None:
    data = bytearray(zipped({name: b"\0" * 80_000_000, "savedata": b"<data/>"}))
    # The sizes in the local header and in the directory say: 100 bytes.
    for signature, offset in ((b"PK\x03\x04", 22), (b"PK\x01\x02", 24)):
        at = data.index(signature)
        data[at + offset : at + offset + 4] = struct.pack("<I", 100)
    path = tmp_path / "liar.vsav"
    path.write_bytes(data)
    code, out, error = bridge("show", "--json", path)
    assert (code, out, error.count("\n")) == (2, "", 1)


def test_entries_that_are_too_large_together(bridge: Command, tmp_path: Path) -> None:
    data = bytearray(zipped({f"images/{number}.png": b"x" for number in range(3)} | {"savedGame": b"begin_save"}))
    at = -1
    while (at := data.find(b"PK\x01\x02", at + 1)) >= 0:
        data[at + 24 : at + 28] = struct.pack("<I", 0xF0000000)
    path = tmp_path / "large.vsav"
    path.write_bytes(data)
    refuses(bridge, path, "limit")


def test_too_many_entries(bridge: Command, tmp_path: Path) -> None:
    path = tmp_path / "many.vmod"
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w") as archive:
        for number in range(100_001):
            archive.writestr(zipfile.ZipInfo(str(number)), b"")
    path.write_bytes(buffer.getvalue())
    refuses(bridge, path, "entries")


@pytest.mark.parametrize("name", ["../savedGame", "/savedGame", "a/../../b", "..\\savedGame", "C:\\..\\x"])
def test_names_that_lead_out_of_the_archive(bridge: Command, tmp_path: Path, name: str) -> None:
    path = tmp_path / "names.vsav"
    path.write_bytes(zipped({"savedGame": b"begin_save\x1bend_save", name: b"x"}))
    refuses(bridge, path)
    assert sorted(each.name for each in tmp_path.iterdir()) == ["names.vsav"]


@pytest.mark.parametrize("entry", ["savedata", "moduledata", "extensiondata"])
def test_an_xml_bomb_in_the_metadata_does_nothing(bridge: Command, tmp_path: Path, entry: str) -> None:
    path = tmp_path / "xml.vsav"
    metadata = f"{BOMB}<data version='1'><name>&l11;</name><VassalVersion>&l11;</VassalVersion></data>"
    path.write_bytes(zipped({"savedGame": b"begin_save\x1bend_save", entry: metadata.encode()}))
    start = time.process_time()
    code, out, _ = bridge("show", "--json", path)
    assert code in (0, 2)
    assert "hahaha" not in out
    assert time.process_time() - start < 20


@pytest.mark.parametrize(
    "text",
    [
        f'{BOMB}<VASSAL.build.GameModule name="&l11;"/>',
        f"{BOMB}<VASSAL.build.GameModule><entry>&l11;</entry></VASSAL.build.GameModule>",
        '<!DOCTYPE m SYSTEM "file:///etc/passwd"><VASSAL.build.GameModule name="x"/>',
        '<!DOCTYPE m [<!ENTITY e SYSTEM "file:///etc/passwd">]><VASSAL.build.GameModule>&e;</VASSAL.build.GameModule>',
        "<VASSAL.build.GameModule>" + "<a>" * 5000,
        "<VASSAL.build.GameModule>" + "<a>" * 5000 + "</a>" * 5000 + "</VASSAL.build.GameModule>",
        '<VASSAL.build.GameModule name="' + "x" * 12_000_000 + '"/>',
    ],
    ids=["bomb in an attribute", "bomb in a text", "foreign file", "entity of a file", "unclosed", "nested", "long"],
)
def test_hostile_build_files(bridge: Command, tmp_path: Path, text: str) -> None:
    for name, data in (("buildFile.xml", text.encode()), ("m.vmod", zipped({"buildFile.xml": text.encode()}))):
        path = tmp_path / name
        path.write_bytes(data)
        start = time.process_time()
        code, out, error = bridge("show", "--json", path)
        assert code in (0, 2)
        assert "root:" not in out + error
        assert "hahaha" not in out + error
        assert (error.count("\n") == 1) == (code == 2)
        assert time.process_time() - start < 20


@pytest.mark.parametrize("words", COMMANDS)
def test_commands_nested_too_deep(bridge: Command, tmp_path: Path, words: tuple[str, ...]) -> None:
    deep = "".join("\\" * (2 * level % 211) + ESC for level in range(400))
    for number, text in enumerate((f"'{ESC}{deep}'{ESC}LOG\tCHATx", f"LOG\t{deep}", "LOG\t" * 9000, "'" * 9000)):
        path = tmp_path / f"deep{number}.vlog"
        path.write_bytes(f"begin_save{ESC}end_save{ESC}{text}".encode())
        code, _, error = bridge(*words, path)
        assert code in (0, 2)
        assert (error.count("\n") == 1 and path.name in error) or code == 0


def sampled(length: int, number: int) -> Iterator[int]:
    yield from range(0, length, max(1, length // number))


@pytest.mark.parametrize("words", COMMANDS)
def test_a_file_cut_anywhere(bridge: Command, tmp_path: Path, log: bytes, words: tuple[str, ...]) -> None:
    path = tmp_path / "cut.vlog"
    for length in sampled(len(log), 25):
        path.write_bytes(log[:length])
        refuses(bridge, path, words=words)


@pytest.mark.parametrize("words", COMMANDS)
def test_bits_flipped_anywhere(bridge: Command, tmp_path: Path, log: bytes, words: tuple[str, ...]) -> None:
    path = tmp_path / "flipped.vlog"
    for number, at in enumerate(sampled(len(log), 40)):
        path.write_bytes(log[:at] + bytes([log[at] ^ 1 << number % 8]) + log[at + 1 :])
        code, _, error = bridge(*words, path)
        # A flip in what nobody reads, a date or an attribute of the archive, is no damage.
        assert code in (0, 1, 2)
        assert code != 2 or (error.count("\n") == 1 and path.name in error)


def test_a_bare_saved_game_cut_anywhere(bridge: Command, tmp_path: Path, bare: bytes) -> None:
    path = tmp_path / "savedGame"
    end = bare.index(conceal(f"{ESC}end_save", Encoding.VCSK)[7:]) + 18
    for length in sampled(end, 60):
        path.write_bytes(bare[:length])
        refuses(bridge, path)


def test_the_readable_part_of_a_cut_bare_saved_game_is_shown(bridge: Command, tmp_path: Path, bare: bytes) -> None:
    path = tmp_path / "savedGame"
    pieces = set()
    for length in sampled(len(bare) // 4, 12):
        path.write_bytes(bare[:length])
        code, out, error = bridge("show", "--json", "--tolerant", path)
        if length < 7:
            assert code == 2
        else:
            assert (code, error.count("\n")) == (0, 1)
            assert "can be read" in error or "key" in error
            pieces.add(out.count('"id"'))
    assert len(pieces) > 2


@pytest.mark.parametrize("words", COMMANDS)
def test_bits_flipped_in_a_bare_saved_game(
    bridge: Command, tmp_path: Path, bare: bytes, words: tuple[str, ...]
) -> None:
    path = tmp_path / "savedGame"
    for number, at in enumerate(sampled(len(bare), 40)):
        path.write_bytes(bare[:at] + bytes([bare[at] ^ 1 << number % 8]) + bare[at + 1 :])
        code, _, error = bridge(*words, path)
        assert code in (0, 1, 2)
        assert code != 2 or (error.count("\n") == 1 and path.name in error)
