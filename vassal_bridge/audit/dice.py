"""Dice thrown in a log, as its chat reports them; for any module, without a profile."""

from __future__ import annotations

import html
import re

from vassal_bridge.vassal.chat import is_undo

__all__ = ["roll_in"]

# The engine's default report of a dice button: its name and result, whatever else the line says.
_REPORT = re.compile(r"\*+\s*(?P<button>[^=*]+?) = (?P<result>[\d, ]+?)\s*(?:\*|$)")


def roll_in(chat: str) -> tuple[str, str] | None:
    """Return button and result of a chat line that reports a roll in the engine's default form, else None."""
    match = _REPORT.match(html.unescape(chat))
    return (match["button"], match["result"]) if match and not is_undo(chat) else None
