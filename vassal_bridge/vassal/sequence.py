"""Lists of strings in one string, as VASSAL writes them at every level of its files.

Source: ``VASSAL.tools.SequenceEncoder``. A delimiter inside an element gets a backslash in front, backslashes
themselves are not doubled, and an element that starts with a backslash, or both starts and ends with ``'``, is put in
quotes. So an element that *ends* in a backslash merges with the next one when it is read back; that loss is the
engine's, and ``encode`` refuses such an element rather than write it.

Nested lists with one delimiter can be read in a single pass: the separator of level *k* is the delimiter behind
exactly *k* backslashes. ``split_chain`` and ``join_chain`` do that for the trait chains of pieces, 160 levels deep in
real files, where decoding level by level would copy the rest of the text at each level.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Final

from vassal_bridge.errors import BridgeError, LimitError

__all__ = ["EncodingLossError", "decode", "encode", "join_chain", "split_chain"]


_MOST_COPIED: Final = 200_000_000
"""Characters that splitting one chain level by level may copy; real chains take a few million."""


class EncodingLossError(BridgeError):
    """An element ends in a backslash and others follow: the engine would read the two as one."""


def decode(text: str | None, delimiter: str) -> list[str]:
    """Return the elements of ``text``; none for None, one empty element for an empty text."""
    if text is None:
        return []
    parts = text.split(delimiter)
    if "\\" in text:
        parts = _rejoin_escaped(parts, delimiter)
    if "'" in text:
        parts = [_unquoted(part) for part in parts]
    return parts


def encode(items: Iterable[str | None], delimiter: str) -> str:
    """Return the one string that holds ``items``; None and "" are written alike.

    An empty list gives "", where the engine has no value at all and its callers print the word ``null``.

    Raises:
        EncodingLossError: An element other than the last ends in a backslash and would swallow the delimiter.
    """
    parts = [_escaped(item, delimiter) if item else "" for item in items]
    if any(part.endswith("\\") for part in parts[:-1]):
        raise EncodingLossError("an element that ends in a backslash would merge with the next one")
    return delimiter.join(parts)


def split_chain(text: str, delimiter: str = "\t", *, most: int | None = None) -> list[str]:
    """Return the elements of a chain of pairs ``encode([first, encode([second, ...])])``, outermost first.

    Elements beyond the second of a level, which the engine ignores, are left out.

    Args:
        text: The chain.
        delimiter: One character.
        most: Highest number of elements; the last one may then hold the delimiter as data.
    """
    regular = _split_regular(text, delimiter)
    if regular is None or (most is not None and len(regular) > most):
        return _split_by_level(text, delimiter, most)
    return regular


def join_chain(elements: Sequence[str], delimiter: str = "\t") -> str:
    """Return the chain of pairs that ``split_chain`` reads.

    Raises:
        EncodingLossError: An element other than the last ends in a backslash.
    """
    if any(element[0] in "\\'" for element in elements if element):
        return _join_by_level(elements, delimiter)
    out: list[str] = []
    last = len(elements) - 1
    for level, element in enumerate(elements):
        escapes = "\\" * level
        if level < last:
            if element.endswith("\\"):
                raise EncodingLossError("an element that ends in a backslash would merge with the next one")
            out.append(element.replace(delimiter, "\\" + escapes + delimiter) + escapes + delimiter)
        else:
            out.append(element.replace(delimiter, escapes + delimiter))
    return "".join(out)


def _rejoin_escaped(parts: list[str], delimiter: str) -> list[str]:
    joined: list[str] = []
    pending: list[str] = []
    last = len(parts) - 1
    for index, part in enumerate(parts):
        if part.endswith("\\") and index < last:
            pending.append(part[:-1])
        elif pending:
            pending.append(part)
            joined.append(delimiter.join(pending))
            pending = []
        else:
            joined.append(part)
    return joined


def _unquoted(text: str) -> str:
    return text[1:-1] if len(text) > 1 and text[0] == "'" == text[-1] else text


def _escaped(item: str, delimiter: str) -> str:
    escaped = item.replace(delimiter, "\\" + delimiter) if delimiter in item else item
    return f"'{escaped}'" if item[0] == "\\" or (item[0] == "'" and item[-1] == "'") else escaped


def _split_regular(text: str, delimiter: str) -> list[str] | None:
    """Split a chain without quotes around anything in one pass; None if it is another.

    In the element of level *k* a delimiter that is data, as in a definition inside a trait, has more than *k*
    backslashes in front.
    """
    parts = text.split(delimiter)
    last = parts.pop()
    chain: list[str] = []
    data: list[str] = []
    for part in parts:
        level = len(chain)
        end = len(part) - level
        escapes = len(part) - len(part.rstrip("\\"))
        if escapes < level:
            return None
        if escapes > level:
            data.append(part)
        elif data:
            chain.append(delimiter.join([*(each[: len(each) - level - 1] for each in data), part[:end]]))
            data = []
        else:
            chain.append(part[:end])
    chain.append(delimiter.join([*(each[: len(each) - len(chain)] for each in data), last]))
    return None if "'" in text and _has_quotes_around(chain) else chain


def _has_quotes_around(chain: Sequence[str]) -> bool:
    """Tell whether an element, or a chain from one element on, may stand in quotes; an apostrophe elsewhere may not."""
    are_open = chain[-1].endswith("'")
    return any(element[0] == "'" and (are_open or element[-1] == "'") for element in chain if element)


def _split_by_level(text: str, delimiter: str, most: int | None) -> list[str]:
    chain: list[str] = []
    cost = 0
    while len(chain) + 1 != most and len(pair := decode(text, delimiter)) > 1:
        cost += len(text)
        if cost > _MOST_COPIED:
            raise LimitError(f"a chain of {len(text)} characters is nested more than {len(chain)} levels deep")
        chain.append(pair[0])
        text = pair[1]
    chain.append(text)
    return chain


def _join_by_level(elements: Sequence[str], delimiter: str) -> str:
    text = elements[-1]
    for element in reversed(elements[:-1]):
        text = encode((element, text), delimiter)
    return text
