"""``make-module``: build a schematic module."""

from __future__ import annotations

from pathlib import Path

import click

from vassal_bridge.cli import options
from vassal_bridge.cli.exits import OK
from vassal_bridge.cli.output import emit
from vassal_bridge.report.plain import count
from vassal_bridge.schematic.make import build_module

__all__ = ["make_module"]


@click.command("make-module")
@click.argument("name")
@click.option("-o", "--output", metavar="FILE", type=options.FILE, required=True, help="The .vmod file to write.")
def make_module(name: str, output: Path) -> int:
    """Build the schematic module NAME, a .vmod that VASSAL opens.

    The same version always gives the same bytes.
    """
    built = build_module(name, output)
    emit(
        f"{built.path}: {built.name} {built.version}, {count(built.hexes, 'hex', 'hexes')}, "
        f"{count(built.units, 'unit')}, {count(built.markers, 'marker')}, {count(built.size, 'byte')}\n"
    )
    return OK
