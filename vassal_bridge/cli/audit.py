"""``audit``: which rules were broken."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path

import click

from vassal_bridge.audit.audit import audit_files
from vassal_bridge.audit.finding import AuditResult
from vassal_bridge.audit.integrity import files_in
from vassal_bridge.cli import options
from vassal_bridge.cli.exits import OK, VIOLATIONS
from vassal_bridge.cli.output import emit, protect, waiting, write_file
from vassal_bridge.cli.reading import module_of
from vassal_bridge.report.excerpts import excerpts_of
from vassal_bridge.report.formats import FORMATS, WITH_EXCERPTS, render
from vassal_bridge.vassal.container import VassalFile, open_file
from vassal_bridge.vassal.module import Module

__all__ = ["audit"]


@click.command()
@click.argument("files", metavar="LOG|SAVE...", type=options.FILE, nargs=-1, required=True)
@options.module
@click.option(
    "--rules",
    metavar="GAME",
    help="The rule set: a game of ours or a folder with another; default: the one of the module's profile.",
)
@click.option(
    "--profile",
    metavar="DIR",
    help="The module profile: one of ours or a folder with another; default: the one that fits the module.",
)
@click.option("--format", "format_", type=click.Choice(sorted(FORMATS)), default="text", show_default=True)
@options.output
@click.option("--fail-on", type=click.Choice(["unknown"]), help="Exit with 1 if anything could not be decided, too.")
def audit(
    files: tuple[Path, ...],
    module_file: Path | None,
    rules: str | None,
    profile: str | None,
    format_: str,
    output: Path | None,
    fail_on: str | None,
) -> int:
    """Audit the logs of one game, or a save: name each broken rule, where, and on what facts.

    The record itself is audited too: the chain of files, the dice, what was taken back. The files are put in order by
    what they hold; a folder stands for the saves and logs in it. Exit code 1 if anything was found.
    """
    games = files_in(files)
    protect(output, [*games, module_file])
    sources = [partial(open_file, file) for file in games]
    with waiting("auditing"):
        module = open_file(module_file) if module_file is not None else None
        result = audit_files(sources, module=module, rules=rules, profile=profile)
        around = excerpts_of(result, sources, _places(sources, module_file)) if format_ in WITH_EXCERPTS else None
        text = render(format_, result, around)
    if output is None:
        emit(text)
    else:
        write_file(output, text)
    return _exit_code(result, fail_on)


def _places(sources: Sequence[Callable[[], VassalFile]], module_file: Path | None) -> Module | None:
    return module_of(sources[0](), module_file)


def _exit_code(result: AuditResult, fail_on: str | None) -> int:
    is_open = fail_on == "unknown" and any(each.unknown for each in result.coverage.occasions.values())
    return VIOLATIONS if result.has_violations or is_open else OK
