"""An audit's result as one page: no network, no script, readable on paper and by a screen reader."""

from __future__ import annotations

from vassal_bridge.audit.finding import AuditResult
from vassal_bridge.report.excerpts import Excerpts
from vassal_bridge.report.page import page_of

__all__ = ["as_html"]


def as_html(result: AuditResult, excerpts: Excerpts | None = None) -> str:
    """Return the report as a page of HTML that holds everything it needs.

    Args:
        result: The result.
        excerpts: The steps around the findings, to be shown with them.
    """
    # Not at the top: every command would start a tenth of a second later.
    from jinja2 import Environment, PackageLoader, StrictUndefined

    environment = Environment(
        loader=PackageLoader("vassal_bridge.report"),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        keep_trailing_newline=True,
    )
    return environment.get_template("report.html.j2").render(page=page_of(result, excerpts))
