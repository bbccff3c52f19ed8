"""An audit's result as text for a referee: 100 columns, no colour, the same for the same result."""

from __future__ import annotations

import textwrap
from collections.abc import Iterable, Iterator

from vassal_bridge.audit.finding import AuditResult
from vassal_bridge.report.record_text import LUCK_COLUMNS, TURN_COLUMNS, Row
from vassal_bridge.report.view import AuditView, FindingView, Group, RuleRow, view_of

__all__ = ["WIDTH", "as_text"]

WIDTH = 100  # columns


def as_text(result: AuditResult) -> str:
    """Return the report as text: files, findings by turn and phase, what is not known, coverage, remarks."""
    return "\n".join(line.rstrip() for line in _lines(view_of(result))) + "\n"


def _lines(view: AuditView) -> Iterator[str]:
    yield view.tool
    for file in view.inputs:
        yield f"  {file.file}: {file.what}"
        yield f"    sha256 {file.sha256}"
    yield ""
    yield from _wrapped(view.headline)
    for group in view.groups:
        yield from _group(group)
    yield from _section("Not decided", [line for group in view.open_groups for line in _group(group)])
    yield from _section(
        "Not known",
        [line for each in view.unknowns for line in _wrapped(f"{each.what}: {each.gain}", indent=2)],
    )
    yield from _section("Coverage", [*_items(view.coverage), *_occasions(view.occasions)])
    yield from _section("How the files are joined", _items(view.record.chain))
    yield from _section("What was done", _table(TURN_COLUMNS, view.record.turns))
    yield from _section("Dice", _table(LUCK_COLUMNS, view.record.dice))
    yield from _section("Noted besides", _items(view.record.notes))
    yield from _section("Remarks", _items(view.remarks))


def _section(title: str, lines: Iterable[str]) -> Iterator[str]:
    body = list(lines)
    if body:
        yield ""
        yield title
        yield from body


def _group(group: Group) -> Iterator[str]:
    yield ""
    yield group.heading
    for finding in group.findings:
        yield from _finding(finding)


def _finding(finding: FindingView) -> Iterator[str]:
    yield from _wrapped(f"{finding.number}. {finding.rule}  {finding.title}  [{finding.cite}]", indent=2)
    yield from _wrapped(f"{finding.severity}, {finding.place}", indent=5)
    yield from _wrapped(finding.message, indent=5)
    if finding.facts:
        yield from _wrapped("; ".join(f"{name}: {value}" for name, value in finding.facts), indent=5)
    for note in finding.notes:
        yield from _wrapped(note, indent=5)


def _table(columns: Row, rows: tuple[Row, ...]) -> Iterator[str]:
    if not rows:
        return
    widths = [max(map(len, cells)) for cells in zip(columns, *rows, strict=True)]
    for row in (columns, *rows):
        yield "  " + "  ".join(f"{cell:<{width}}" for cell, width in zip(row, widths, strict=True))


def _occasions(rows: tuple[RuleRow, ...]) -> Iterator[str]:
    if not rows:
        return
    wide = max(len(row.rule) for row in rows)
    yield f"  {'asked':<{wide}}  {'legal':>7} {'violation':>9} {'unknown':>7}"
    for row in rows:
        yield f"  {row.rule:<{wide}}  {row.legal:>7} {row.violation:>9} {row.unknown:>7}"


def _items(lines: Iterable[str]) -> Iterator[str]:
    for line in lines:
        yield from _wrapped(line, indent=2)


def _wrapped(text: str, *, indent: int = 0) -> list[str]:
    blank = " " * indent
    return textwrap.wrap(text, WIDTH, initial_indent=blank, subsequent_indent=blank + "  ", break_on_hyphens=False) or [
        ""
    ]
