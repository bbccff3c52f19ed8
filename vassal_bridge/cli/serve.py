"""``serve``: the local HTTP service."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import click

from vassal_bridge.cli.exits import OK
from vassal_bridge.cli.output import emit
from vassal_bridge.errors import BridgeError

__all__ = ["Service", "Started", "serve"]

Started = Callable[[str, Path], None]
"""Told the address of the service and the file with its token, once it answers."""
Service = Callable[[int, dict[str, int], Started], None]
"""Runs the service on a port, within limits, until interrupted."""

_DEFAULT_PORT = 8437


@click.command()
@click.option(
    "--port",
    metavar="N",
    type=click.IntRange(0, 65535),
    default=_DEFAULT_PORT,
    show_default=True,
    help="The port on 127.0.0.1; 0 takes a free one.",
)
@click.option("--max-megabytes", metavar="N", type=click.IntRange(1), help="Largest request, in millions of bytes.")
@click.option("--max-seconds", metavar="N", type=click.IntRange(1), help="Longest time that one audit may take.")
@click.pass_obj
def serve(service: Service | None, port: int, max_megabytes: int | None, max_seconds: int | None) -> int:
    """Answer audits over HTTP on 127.0.0.1 until interrupted.

    Port and token are written to the file rules-service.properties in VASSAL's own folder, readable by you only. It is
    removed at the end.
    """
    if service is None:
        raise BridgeError("this program was put together without its service")
    given = {"max_megabytes": max_megabytes, "max_seconds": max_seconds}
    limits = {name: value for name, value in given.items() if value is not None}
    service(port, limits, _announce)
    return OK


def _announce(address: str, token_file: Path) -> None:
    emit(f"vassal-bridge answers at {address}\nits token is in {token_file}\n")
