"""Options and arguments that several commands share."""

from __future__ import annotations

from pathlib import Path

import click

__all__ = ["as_json", "module", "output", "source", "sources", "tolerant"]

FILE = click.Path(path_type=Path)

source = click.argument("file", type=FILE)
sources = click.argument("logs", metavar="LOG...", type=FILE, nargs=-1, required=True)
module = click.option(
    "--module",
    "module_file",
    metavar="M",
    type=FILE,
    help="The module (.vmod) of the game: gives places their names. For our schematic modules it is found without.",
)
as_json = click.option("--json", "is_json", is_flag=True, help="Write JSON.")
tolerant = click.option(
    "--tolerant", "is_tolerant", is_flag=True, help="Read a damaged file as far as it goes, and say so."
)
output = click.option("-o", "--output", metavar="FILE", type=FILE, help="Write the result to a file.")
