"""The engine's ``$name$`` formats, as far as they need no expression language."""

from __future__ import annotations

from collections.abc import Mapping
from enum import StrEnum
from functools import lru_cache

from vassal_bridge.vassal.sequence import decode

__all__ = ["UnknownWord", "fill", "is_expression", "split_format"]


class UnknownWord(StrEnum):
    """What becomes of a ``$word$`` that has no value."""

    BARE = "bare"
    """The word without its dollar signs stays (``FormattedString.getText``)."""
    DROPPED = "dropped"
    """Nothing stays (``FormattedString.getLocalizedText``)."""


def fill(text: str, values: Mapping[str, str], *, unknown: UnknownWord = UnknownWord.BARE) -> str:
    """Put values into a format (``FormattedStringExpression.evaluate``).

    Leaves out: properties of the module, which the engine looks up for words that have no value, and BeanShell.
    """
    if "$" not in text:
        return text
    out = []
    for part, is_word in split_format(text):
        if not is_word:
            out.append(part)
        elif part in values:
            out.append(values[part])
        elif unknown is UnknownWord.BARE:
            out.append(part)
    return "".join(out)


@lru_cache(maxsize=1024)
def split_format(text: str) -> tuple[tuple[str, bool], ...]:
    """Cut a format into its parts, in order; ``True`` marks a word that stood between dollar signs."""
    tokens = decode(text, "$")
    last = len(tokens) - 1
    return tuple((token, index % 2 == 1 and index < last) for index, token in enumerate(tokens) if token)


def is_expression(text: str) -> bool:
    """Tell whether the engine evaluates the text as BeanShell, which nothing here does."""
    return text.strip().startswith("{")
