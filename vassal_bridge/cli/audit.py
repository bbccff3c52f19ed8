"""``audit``: which rules were broken."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path

import click

from vassal_bridge.audit.audit import audit_files
from vassal_bridge.audit.integrity import files_in
from vassal_bridge.cli import options
from vassal_bridge.cli.exits import OK, VIOLATIONS
from vassal_bridge.cli.output import emit, protect, waiting, write_file
from vassal_bridge.cli.reading import module_of
from vassal_bridge.cli.remote import audit_at
from vassal_bridge.errors import OptionError
from vassal_bridge.report.excerpts import excerpts_of
from vassal_bridge.report.formats import FORMATS, WITH_EXCERPTS, render
from vassal_bridge.report.models import Report
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
@click.option("--server", metavar="URL", help="Let a running service do it; with --format json only.")
def audit(
    files: tuple[Path, ...],
    module_file: Path | None,
    rules: str | None,
    profile: str | None,
    format_: str,
    output: Path | None,
    fail_on: str | None,
    server: str | None,
) -> int:
    """Audit the logs of one game, or a save: name each broken rule, where, and on what facts.

    The record itself is audited too: the chain of files, the dice, what was taken back. The files are put in order by
    what they hold; a folder stands for the saves and logs in it. Exit code 1 if anything was found.
    """
    games = files_in(files)
    protect(output, [*games, module_file])
    if server is not None and format_ != "json":
        raise OptionError("a service answers with JSON: add --format json")
    with waiting("auditing"):
        if server is None:
            text, code = _here(games, module_file, rules, profile, format_, fail_on)
        else:
            text = audit_at(server, games, module_file, rules, profile)
            summary = Report.model_validate_json(text).summary
            code = _exit_code(summary.violations, summary.unknown, fail_on)
    if output is None:
        emit(text)
    else:
        write_file(output, text)
    return code


def _here(
    games: Sequence[Path],
    module_file: Path | None,
    rules: str | None,
    profile: str | None,
    format_: str,
    fail_on: str | None,
) -> tuple[str, int]:
    sources = [partial(open_file, file) for file in games]
    module = open_file(module_file) if module_file is not None else None
    result = audit_files(sources, module=module, rules=rules, profile=profile)
    around = excerpts_of(result, sources, _places(sources, module_file)) if format_ in WITH_EXCERPTS else None
    unknown = sum(each.unknown for each in result.coverage.occasions.values())
    return render(format_, result, around), _exit_code(int(result.has_violations), unknown, fail_on)


def _places(sources: Sequence[Callable[[], VassalFile]], module_file: Path | None) -> Module | None:
    return module_of(sources[0](), module_file)


def _exit_code(violations: int, unknown: int, fail_on: str | None) -> int:
    return VIOLATIONS if violations or (unknown and fail_on == "unknown") else OK
