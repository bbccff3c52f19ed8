from __future__ import annotations

import io
import struct
import subprocess
import sys
import zipfile
import zlib
from collections.abc import Callable
from pathlib import Path
from subprocess import CompletedProcess

import pytest

Run = Callable[..., CompletedProcess[str]]
COMMANDS = ("show", "replay", "transcript", "audit")


def png() -> bytes:
    def chunk(kind: bytes, data: bytes) -> bytes:
        return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))

    head = struct.pack(">IIBBBBB", 1, 1, 8, 0, 0, 0, 0)
    return b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", head) + chunk(b"IDAT", zlib.compress(b"\0\0")) + chunk(b"IEND", b"")


def zipped(**entries: bytes) -> bytes:
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in entries.items():
            archive.writestr(name, content)
    return buffer.getvalue()


def flipped(good: bytes) -> bytes:
    return good[:300] + bytes([good[300] ^ 0x10]) + good[301:]


BAD: dict[str, Callable[[bytes], bytes]] = {
    "empty": lambda good: b"",
    "cut": lambda good: good[: len(good) // 2],
    "bit-flipped": flipped,
    "no zip": lambda good: b"what is this?\n" * 100,
    "zip without savedGame": lambda good: zipped(notes=b"nothing here"),
    "png": lambda good: png(),
    "bad digits": lambda good: zipped(savedGame=b"!VCSKzz0a1b"),
    "bomb": lambda good: zipped(savedGame=b"!VCSK00" + b"00" * 30_000_000),
}


def assert_one_line(done: CompletedProcess[str], name: str) -> None:
    assert done.returncode == 2, done.stderr
    assert done.stdout == ""
    assert done.stderr.startswith("vassal-bridge: ")
    assert done.stderr.count("\n") == 1
    assert name in done.stderr
    assert "Traceback" not in done.stderr
    assert "internal error" not in done.stderr


@pytest.mark.parametrize("command", COMMANDS)
@pytest.mark.parametrize("kind", BAD)
def test_bad_bytes_end_in_one_line(bridge: Run, log: Path, kind: str, command: str) -> None:
    bad = log.with_name("bad.vlog")
    bad.write_bytes(BAD[kind](log.read_bytes()))
    assert_one_line(bridge(command, bad), "bad.vlog")


@pytest.mark.parametrize("command", COMMANDS)
def test_a_directory_and_a_missing_file_end_in_one_line(bridge: Run, tmp_path: Path, command: str) -> None:
    assert_one_line(bridge(command, tmp_path), str(tmp_path))
    assert_one_line(bridge(command, tmp_path / "missing.vlog"), "missing.vlog")
    assert_one_line(bridge(command, "zero\\0.vlog"), "vlog")


@pytest.mark.parametrize("command", COMMANDS[1:])
def test_a_module_in_place_of_a_log_ends_in_one_line(bridge: Run, tmp_path: Path, command: str) -> None:
    module = tmp_path / "small.vmod"
    module.write_bytes(zipped(**{"buildFile.xml": b'<VASSAL.build.GameModule name="a" version="1"/>'}))
    assert bridge("show", module).returncode == 0
    assert_one_line(bridge(command, module), "small.vmod")


@pytest.mark.parametrize("command", COMMANDS)
def test_a_log_in_place_of_a_module_ends_in_one_line(bridge: Run, log: Path, command: str) -> None:
    assert_one_line(bridge(command, log, "--module", log), "small.vlog")


@pytest.mark.parametrize("command", COMMANDS)
def test_foreign_bytes_in_the_chat_are_no_error(bridge: Run, tmp_path: Path, command: str) -> None:
    foreign = tmp_path / "foreign.vlog"
    text = b"begin_save\x1bend_save\x1bLOG\tCHAT<Anna> - gr\xfc\xdfe \xff\xfe"
    foreign.write_bytes(zipped(savedGame=text))
    done = bridge(command, foreign)
    assert (done.returncode, "Traceback" in done.stderr) == (0, False), done.stderr


@pytest.mark.parametrize(
    "arguments",
    [
        ["no-such-command"],
        ["show"],
        ["show", "a", "b"],
        ["show", "--no-such-option", "a"],
        ["replay", "a.vlog", "--to", "-1"],
        ["replay", "a.vlog", "--to", "x"],
        ["audit", "a.vlog", "--format", "pdf"],
        ["serve", "--port", "70000"],
        ["explain", "NO-1.1"],
        ["rules", "no-such-game"],
        ["check-rules", "no-such-folder"],
        ["make-module", "no-such-module", "-o", "a.vmod"],
        ["test-rules", "no-such-game", "cases.toml"],
    ],
)
def test_a_bad_option_ends_in_one_line(bridge: Run, arguments: list[str]) -> None:
    assert_one_line(bridge(*arguments), "")


def test_a_step_beyond_the_end_ends_in_one_line(bridge: Run, log: Path) -> None:
    done = bridge("replay", log, "--to", "7")
    assert_one_line(done, "small.vlog")
    assert "step 7" in done.stderr


def test_a_reader_that_goes_away_is_no_error(log: Path) -> None:
    command = [sys.executable, "-m", "vassal_bridge", "transcript", *[str(log)] * 300]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE) as process:
        assert process.stdout is not None
        process.stdout.readline()
        process.stdout.close()
        assert process.stderr is not None
        assert process.stderr.read() == b""
        assert process.wait() == 0


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="needs a full device")
def test_a_full_disk_is_one_line(log: Path) -> None:
    with Path("/dev/full").open("w") as full:
        done = subprocess.run(
            [sys.executable, "-m", "vassal_bridge", "show", str(log)],
            stdout=full,
            stderr=subprocess.PIPE,
            encoding="utf-8",
            check=False,
        )
    assert done.returncode == 2
    assert done.stderr.count("\n") == 1
    assert "space" in done.stderr
