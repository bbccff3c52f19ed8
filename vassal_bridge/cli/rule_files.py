"""``check-rules`` and ``test-rules``: for whoever writes rules."""

from __future__ import annotations

from functools import reduce
from operator import add
from pathlib import Path

import click

from vassal_bridge.audit.casereport import CaseReport
from vassal_bridge.audit.cases import run_cases
from vassal_bridge.checks import CHECKS
from vassal_bridge.cli import options
from vassal_bridge.cli.exits import FAILED, OK, VIOLATIONS
from vassal_bridge.cli.output import emit, remark
from vassal_bridge.errors import OptionError
from vassal_bridge.report.cases import cases_json, cases_text
from vassal_bridge.rulebook.casefile import read_cases
from vassal_bridge.rulebook.load import find_rules, load_rules, problems

__all__ = ["check_rules", "test_rules"]


@click.command("check-rules")
@click.argument("folder", metavar="DIR")
def check_rules(folder: str) -> int:
    """Look for faults in the rule set in DIR (or of a game) and name all of them; silent if there are none.

    Exit code 2 if there are faults.
    """
    faults = problems(_folder(folder), CHECKS)
    for fault in faults:
        remark(fault)
    return FAILED if faults else OK


@click.command("test-rules")
@click.argument("game", metavar="GAME|DIR")
@click.argument("files", metavar="CASES.toml...", type=options.FILE, nargs=-1, required=True)
@options.as_json
def test_rules(game: str, files: tuple[Path, ...], is_json: bool) -> int:
    """Run case files against a rule set: does it reach the verdict that a referee must reach?

    Exit code 1 if a case disagrees.
    """
    rules = load_rules(_folder(game), CHECKS)
    report = reduce(add, (run_cases(rules, read_cases(file)) for file in files), CaseReport())
    emit(cases_json(report) if is_json else cases_text(report))
    return VIOLATIONS if report.disagree else OK


def _folder(name: str) -> Path:
    """Return the folder of a rule set that is given by its path, or by the id of a game of ours."""
    if (Path(name) / "game.toml").is_file():
        return Path(name)
    known = find_rules()
    if name not in known:
        raise OptionError(
            f"this is neither a folder with a game.toml nor one of: {', '.join(sorted(known))}", file=name
        )
    return known[name]
