"""What can be told from the opening of a chat line.

Chat is a hint, never evidence: its formats are the module author's, and its fixed words are translated. Source:
``VASSAL.build.module.Chatter`` and ``BasicLogger``, the engine's translations of ``BasicLogger.undo_message``.
"""

from __future__ import annotations

import html
import re
from typing import Final

__all__ = ["is_roll", "is_undo", "speaker", "undone_text"]

_UNDO_PREFIXES: Final = (
    "* UNDO: ",
    "* FORTRYD: ",
    "* DESHACER: ",
    "* Annulation: ",
    "* ANNULLA: ",
    "* 巻き戻し: ",
    "* ONGEDAAN MAKEN: ",
    "* WSTECZ: ",
    "* 撤销: ",
    "* 撤销\uff1a ",
)
_ROLL: Final = re.compile(r" rolls \d+ (?:die|dice)\b")
_SPEAKER: Final = re.compile(r"(?:<|&lt;)(.*?)(?:>|&gt;) - ", re.DOTALL)


def is_undo(text: str) -> bool:
    """Tell whether the line says that another was undone."""
    return text.startswith(_UNDO_PREFIXES)


def undone_text(text: str) -> str | None:
    """Return the line that was undone, None if ``text`` says no such thing."""
    prefix = next((prefix for prefix in _UNDO_PREFIXES if text.startswith(prefix)), None)
    return None if prefix is None else text[len(prefix) :]


def is_roll(text: str) -> bool:
    """Tell whether the line looks like a die roll: the usual report of a dice button, or typed in its manner."""
    return (text.startswith("*** ") or _ROLL.search(text) is not None) and not is_undo(text)


def speaker(text: str) -> str | None:
    """Return the name in front of typed words, None for automatic reports."""
    match = _SPEAKER.match(text)
    return html.unescape(match[1]) if match else None
