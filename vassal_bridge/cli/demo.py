"""``demo``: a first look."""

from __future__ import annotations

from pathlib import Path

import click

from vassal_bridge.audit.audit import audit_files
from vassal_bridge.cli import options
from vassal_bridge.cli.exits import OK
from vassal_bridge.cli.output import emit, protect, write_file
from vassal_bridge.cli.reading import module_of
from vassal_bridge.datadirs import data_dir
from vassal_bridge.errors import BridgeError
from vassal_bridge.report.excerpts import excerpts_of
from vassal_bridge.report.html import as_html
from vassal_bridge.report.text import as_text
from vassal_bridge.vassal.container import open_file

__all__ = ["demo"]


@click.command()
@click.option(
    "-o",
    "--output",
    metavar="FILE",
    type=options.FILE,
    default=Path("vassal-bridge-demo.html"),
    show_default=True,
    help="Where to write the report as a page.",
)
def demo(output: Path) -> int:
    """Audit a sample game that comes with the program, print what was found, and write the report as a page."""
    log = _sample()
    protect(output, [log])
    file = open_file(log)
    result = audit_files([file])
    emit(as_text(result))
    write_file(output, as_html(result, excerpts_of(result, [file], module_of(file, None))))
    emit(f"\nThe same report as a page: {output}\n")
    return OK


def _sample() -> Path:
    """Return the sample game."""
    logs = sorted(data_dir("modules").glob("*/demo.vlog"))
    if not logs:
        raise BridgeError("no sample game is installed")
    return logs[0]
