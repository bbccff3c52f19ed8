"""Run the service: bind the port, tell this user's programs where it is, answer until told to stop."""

from __future__ import annotations

import logging
import os
import signal
import socket
from collections.abc import Callable, Iterator, Mapping
from contextlib import closing, contextmanager, suppress
from pathlib import Path

import waitress.server

from vassal_bridge.datadirs import service_file
from vassal_bridge.errors import OptionError
from vassal_bridge.web.app import create_app
from vassal_bridge.web.settings import Settings, new_token

__all__ = ["ADDRESS", "run_service"]

ADDRESS = "127.0.0.1"
_THREADS = 4
_SLACK = 2  # what the server itself refuses, as a multiple of what we refuse with a proper answer


def run_service(port: int, limits: Mapping[str, int], started: Callable[[str, Path], None]) -> None:
    """Serve until interrupted.

    Args:
        port: The port to bind; 0 for a free one.
        limits: Settings that differ from their defaults.
        started: Told the address and the file with the token, once both are there.

    Raises:
        OptionError: The port is taken.
    """
    # That requests wait for one another is what they are meant to do.
    logging.getLogger("waitress.queue").setLevel(logging.ERROR)
    listener = _bind(port)
    settings = Settings(token=new_token(), port=listener.getsockname()[1], **limits)
    server = waitress.server.create_server(
        create_app(settings),
        sockets=[listener],
        threads=_THREADS,
        max_request_body_size=settings.max_bytes * _SLACK,
        ident="vassal-bridge",
    )
    with _published(settings) as file, _stopped_by_signals(), closing(server), suppress(KeyboardInterrupt):
        started(f"http://{ADDRESS}:{settings.port}", file)
        server.run()


def _bind(port: int) -> socket.socket:
    listener = socket.socket(socket.AF_INET, socket.SOCK_STREAM)
    try:
        if os.name == "posix":
            listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        listener.bind((ADDRESS, port))
    except OSError as error:
        listener.close()
        reason = (error.strerror or "not free").lower()
        raise OptionError(f"port {port} of {ADDRESS} cannot be had: {reason}") from None
    return listener


@contextmanager
def _published(settings: Settings) -> Iterator[Path]:
    """Write port and token to a file of this user only, while the service runs."""
    file = service_file()
    file.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
    content = f"port={settings.port}\ntoken={settings.token}\n"
    # A file left behind by a killed service goes; created anew, so that its mode is ours from the first byte.
    file.unlink(missing_ok=True)
    with os.fdopen(os.open(file, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "w", encoding="ascii") as stream:
        stream.write(content)
    try:
        yield file
    finally:
        # Another service may have replaced it since.
        if file.is_file() and file.read_text(encoding="ascii", errors="replace") == content:
            file.unlink()


@contextmanager
def _stopped_by_signals() -> Iterator[None]:
    """Let a polite kill end the service like an interrupt, so that its file is removed."""

    def stop(number: int, frame: object) -> None:
        raise KeyboardInterrupt

    before = signal.signal(signal.SIGTERM, stop)
    try:
        yield
    finally:
        signal.signal(signal.SIGTERM, before)
