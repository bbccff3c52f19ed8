"""An audit's result as one page: no network, no script, readable on paper and by a screen reader."""

from __future__ import annotations

from jinja2 import Environment, PackageLoader, StrictUndefined

from vassal_bridge.audit.finding import AuditResult
from vassal_bridge.report.record_text import LUCK_COLUMNS, TURN_COLUMNS
from vassal_bridge.report.view import view_of

__all__ = ["as_html"]


def as_html(result: AuditResult) -> str:
    """Return the report as a page of HTML that holds everything it needs."""
    environment = Environment(
        loader=PackageLoader("vassal_bridge.report"),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        keep_trailing_newline=True,
    )
    return environment.get_template("report.html.j2").render(
        view=view_of(result), luck_columns=LUCK_COLUMNS, turn_columns=TURN_COLUMNS
    )
