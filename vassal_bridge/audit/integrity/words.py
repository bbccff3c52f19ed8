"""How pieces and places are called in findings: as an onlooker without a side sees them."""

from __future__ import annotations

import html
import re
from collections.abc import Iterable, Sequence
from functools import lru_cache
from typing import Final

from vassal_bridge.vassal.position import Place

__all__ = ["HIDDEN", "listed", "number_of", "readable", "seen_as", "shortened", "spot", "without_markup"]

HIDDEN: Final = "a hidden piece"
_MOST: Final = 6
_NAME: Final = 60
_TAG: Final = re.compile(r"</?(?:img|b|i|u|font|span|br|p|div|center|small|big|em|strong|table|tr|td)\b[^<>]*>", re.I)


def seen_as(shown_name: str) -> str:
    """Return what to call a piece; some modules put whole pages of HTML into a name."""
    return (shortened(readable(shown_name), _NAME) or "a piece without a name") if shown_name else HIDDEN


def spot(place: Place) -> str:
    """Return where something is, in the words of the players; by pixels where the grid has no name for it."""
    if place.map is None:
        return "off the maps"
    if place.location and place.location != "offboard":
        return f"{place.location} ({place.map})"
    return f"{place.map} ({place.x}, {place.y})"


def listed(words: Iterable[str], most: int = _MOST) -> str:
    """Return words with commas; equal ones once with their number, and only so many of them."""
    counts: dict[str, int] = {}
    for word in words:
        counts[word] = counts.get(word, 0) + 1
    parts = [word if number == 1 else f"{number} x {word}" for word, number in counts.items()]
    return ", ".join(_shortened(parts, most))


def number_of(count: int, noun: str, plural: str | None = None) -> str:
    """Return a number with its noun."""
    return f"{count} {noun if count == 1 else plural or noun + 's'}"


@lru_cache(maxsize=4096)
def without_markup(text: str) -> str:
    """Return a chat line without its HTML."""
    return _TAG.sub("", html.unescape(text) if "&" in text else text)


def readable(text: str) -> str:
    """Return a chat line as one line without HTML."""
    return " ".join(without_markup(text).split())


def shortened(text: str, most: int) -> str:
    """Return a text, or its beginning."""
    return text if len(text) <= most else text[: most - 1].rstrip() + "…"


def _shortened(parts: Sequence[str], most: int) -> Sequence[str]:
    if len(parts) <= most + 1:
        return parts
    return [*parts[:most], f"{len(parts) - most} more"]
