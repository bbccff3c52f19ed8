from __future__ import annotations

import http.client
import os
import signal
import stat
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from vassal_bridge.datadirs import data_dir

pytestmark = pytest.mark.skipif(os.name != "posix", reason="signals and file modes as on POSIX")


@contextmanager
def service(home: Path, *options: str) -> Iterator[tuple[subprocess.Popen[str], dict[str, str], Path]]:
    """A service in a process of its own, with what its file says."""
    file = home / (".VASSAL" if sys.platform != "darwin" else "Library/Application Support/VASSAL")
    file /= "rules-service.properties"
    command = [sys.executable, "-m", "vassal_bridge", "serve", "--port", "0", *options]
    environment = {**os.environ, "HOME": str(home)}
    with subprocess.Popen(
        command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, env=environment
    ) as process:
        try:
            assert process.stdout is not None
            assert "http://127.0.0.1:" in process.stdout.readline()
            assert str(file) in process.stdout.readline()
            yield process, dict(line.split("=", 1) for line in file.read_text().splitlines()), file
        finally:
            process.kill()


def get(port: str, path: str, token: str) -> tuple[int, str]:
    connection = http.client.HTTPConnection("127.0.0.1", int(port), timeout=10)
    try:
        connection.request("GET", path, headers={"Authorization": f"Bearer {token}"})
        response = connection.getresponse()
        return response.status, response.read().decode()
    finally:
        connection.close()


def test_the_service_answers_and_cleans_up(tmp_path: Path) -> None:
    with service(tmp_path) as (process, settings, file):
        assert stat.S_IMODE(file.stat().st_mode) == 0o600
        assert stat.S_IMODE(file.parent.stat().st_mode) == 0o700
        assert len(settings["token"]) >= 22  # 128 random bits in base 64
        status, text = get(settings["port"], "/v1/ping", settings["token"])
        assert (status, text.startswith("rules-service 1 ")) == (200, True)
        assert get(settings["port"], "/v1/ping", "wrong")[0] == 401
        process.send_signal(signal.SIGTERM)
        assert process.wait(timeout=15) == 0
        assert process.stderr is not None
        assert process.stderr.read() == ""
        assert not file.exists()


def test_a_file_left_behind_is_replaced_and_a_newer_one_is_left(tmp_path: Path) -> None:
    folder = tmp_path / ".VASSAL"
    folder.mkdir()
    (folder / "rules-service.properties").write_text("port=1\ntoken=old\n")
    with service(tmp_path) as (process, settings, file):
        assert settings["token"] != "old"
        file.write_text("port=2\ntoken=newer\n")
        process.send_signal(signal.SIGINT)
        assert process.wait(timeout=15) == 0
        assert "newer" in file.read_text()


def test_only_this_machine_can_connect(tmp_path: Path) -> None:
    with service(tmp_path) as (process, settings, _):
        listening = Path(f"/proc/{process.pid}/net/tcp")
        if not listening.exists():
            pytest.skip("no /proc")
        port = f":{int(settings['port']):04X}"
        addresses = [line.split()[1] for line in listening.read_text().splitlines()[1:] if line.split()[3] == "0A"]
        assert [address for address in addresses if address.endswith(port)] == [f"0100007F{port}"]


def test_a_port_that_is_taken_is_one_line(tmp_path: Path) -> None:
    with service(tmp_path) as (_, settings, _file):
        command = [sys.executable, "-m", "vassal_bridge", "serve", "--port", settings["port"]]
        environment = {**os.environ, "HOME": str(tmp_path / "other")}
        done = subprocess.run(command, capture_output=True, text=True, env=environment, check=False, timeout=30)
        assert done.returncode == 2
        assert done.stderr.startswith("vassal-bridge: port ")
        assert done.stderr.count("\n") == 1
        assert not (tmp_path / "other").exists()


def test_a_request_beyond_the_limit_is_told_so(tmp_path: Path) -> None:
    with service(tmp_path, "--max-megabytes", "1") as (_, settings, _file):
        connection = http.client.HTTPConnection("127.0.0.1", int(settings["port"]), timeout=10)
        headers = {"Authorization": f"Bearer {settings['token']}", "Content-Type": "application/octet-stream"}
        connection.request("POST", "/v1/audit", body=b"x" * 1_500_000, headers=headers)
        assert connection.getresponse().status == 413
        connection.close()


def test_the_command_can_ask_the_service(tmp_path: Path) -> None:
    (sample,) = data_dir("modules").glob("*/demo.vlog")
    command = [sys.executable, "-m", "vassal_bridge", "audit", str(sample), "--format", "json"]
    with service(tmp_path) as (_, settings, _file):
        address = f"http://127.0.0.1:{settings['port']}"
        environment = {**os.environ, "HOME": str(tmp_path)}

        def ask(*options: str, **more: str) -> subprocess.CompletedProcess[str]:
            return subprocess.run(
                [*command, *options], capture_output=True, text=True, env={**environment, **more}, check=False
            )

        there, here = ask("--server", address), ask()
        assert (there.returncode, there.stderr) == (1, "")
        assert there.stdout == here.stdout
        refused = ask("--server", address, VASSAL_BRIDGE_TOKEN="wrong")
        unknown = ask("--server", address, "--rules", "no-such-game")
        foreign = ask("--server", "http://[::1]:9")
        text = ask("--server", address, "--format", "text")
    silent = ask("--server", address, VASSAL_BRIDGE_TOKEN="any")
    for done, word in (
        (refused, "token"),
        (unknown, "rules"),
        (foreign, "no service"),
        (text, "json"),
        (silent, "answer"),
    ):
        assert (done.returncode, done.stdout, done.stderr.count("\n")) == (2, "", 1), done.stderr
        assert word in done.stderr
