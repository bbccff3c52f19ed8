"""The formats of an audit's report, by the name that users give."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Final

from vassal_bridge.audit.finding import AuditResult
from vassal_bridge.report.audit_json import as_json, as_ndjson
from vassal_bridge.report.excerpts import Excerpts
from vassal_bridge.report.html import as_html
from vassal_bridge.report.text import as_text

__all__ = ["FORMATS", "WITH_EXCERPTS", "render"]

FORMATS: Final[Mapping[str, Callable[[AuditResult], str]]] = {
    "text": as_text,
    "json": as_json,
    "ndjson": as_ndjson,
    "html": as_html,
}

WITH_EXCERPTS: Final = frozenset({"html"})
"""Formats that show the steps around each finding."""


def render(name: str, result: AuditResult, excerpts: Excerpts | None = None) -> str:
    """Return the report in a format; ``excerpts`` count only for those that show them."""
    return as_html(result, excerpts) if name in WITH_EXCERPTS else FORMATS[name](result)
