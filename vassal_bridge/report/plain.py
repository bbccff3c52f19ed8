"""Turn values of the audit into plain JSON values, and text from files into text that is safe to print.

Text in a game file is written by strangers. It may hold escape sequences for a terminal, or bytes that were no UTF-8.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence, Set
from enum import Enum
from fractions import Fraction

from pydantic import JsonValue

__all__ = ["clean", "count", "plain", "spoken", "visible"]

# Control characters, line and paragraph separators, and the marks that reverse the reading direction.
_UNSAFE = re.compile("[\x00-\x1f\x7f-\x9f\u2028\u2029\u202a-\u202e\u2066-\u2069]")
_SURROGATES = re.compile("[\ud800-\udfff]")


def plain(value: object) -> JsonValue:
    """Return a fact as a JSON value: fractions as ``5/2``, sets sorted, enumerations by value, all else by its text."""
    match value:
        case None | bool() | int() | float():
            return value
        case Enum():
            return plain(value.value)
        case str():
            return clean(value)
        case Fraction():
            return value.numerator if value.denominator == 1 else f"{value.numerator}/{value.denominator}"
        case Mapping():
            return {clean(str(key)): plain(each) for key, each in value.items()}
        case Set():
            return sorted((plain(each) for each in value), key=repr)
        case Sequence():
            return [plain(each) for each in value]
        case _:
            return clean(str(value))


def clean(text: str) -> str:
    """Replace what no UTF-8 text can hold (half surrogate pairs, left by bytes that were no UTF-8)."""
    return _SURROGATES.sub("\ufffd", text)


def visible(text: str) -> str:
    """Return the text with control characters spelled out, so that a file cannot steer the reader's terminal."""
    return _UNSAFE.sub(_spell, clean(text))


def _spell(match: re.Match[str]) -> str:
    code = ord(match[0])
    if match[0] in "\t\n\r":
        return " "
    return f"\\x{code:02x}" if code < 0x100 else f"\\u{code:04x}"


def spoken(value: JsonValue) -> str:
    """Return a JSON value as a reader of prose expects it: lists with commas, mappings as ``key value``."""
    match value:
        case None:
            return "not known"
        case bool():
            return "yes" if value else "no"
        case list():
            return ", ".join(spoken(each) for each in value) or "none"
        case dict():
            return ", ".join(f"{visible(key)} {spoken(each)}" for key, each in value.items()) or "none"
        case _:
            return visible(str(value))


def count(number: int, noun: str, plural: str | None = None) -> str:
    """Return a number with its noun: ``1 step``, ``2 steps``."""
    return f"{number} {noun if number == 1 else plural or noun + 's'}"
