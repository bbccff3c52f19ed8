"""The formats of an audit's report, by the name that users give."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Final

from vassal_bridge.audit.finding import AuditResult
from vassal_bridge.report.audit_json import as_json, as_ndjson
from vassal_bridge.report.html import as_html
from vassal_bridge.report.text import as_text

__all__ = ["FORMATS"]

FORMATS: Final[Mapping[str, Callable[[AuditResult], str]]] = {
    "text": as_text,
    "json": as_json,
    "ndjson": as_ndjson,
    "html": as_html,
}
