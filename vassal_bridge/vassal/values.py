"""How single values stand in the fields of traits and build files: numbers, key strokes, colours, lists.

Source: ``VASSAL.tools.SequenceEncoder.Decoder`` and the configurers of each kind. Every kind reads any text: what does
not parse gives the kind's default, as in the engine. Writing is the inverse for every value that reading can give.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Final, NamedTuple

from vassal_bridge.vassal.sequence import decode, encode

__all__ = ["KINDS", "AccessSpec", "Colour", "KeyStroke", "Kind", "PropertyCommand", "read_list"]

_INT = re.compile(r"[+-]?\d{1,18}\Z", re.ASCII)


@dataclass(frozen=True, slots=True, kw_only=True)
class KeyStroke:
    """A key stroke, or a named command.

    Attributes:
        code: Java key code; of a named command a number that means nothing outside the session that wrote it.
        modifiers: Java modifier mask.
        name: Name of a named command, else empty.
    """

    code: int
    modifiers: int
    name: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Colour:
    """A colour, each part from 0 to 255; ``alpha`` None where the file has three parts only."""

    red: int
    green: int
    blue: int
    alpha: int | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class AccessSpec:
    """Whose a mask or an invisibility is: ``player`` by id, ``side`` by his side, ``sides`` by a list of sides."""

    kind: str
    sides: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class PropertyCommand:
    """A menu entry that changes a property.

    Attributes:
        menu_text: Its words.
        key: Its key stroke as text.
        changer: ``P``, value: set; ``I``, n: increment; ``R``, prompt: ask; ``E``, prompt, choices: choose.
    """

    menu_text: str
    key: str
    changer: tuple[str, ...]


class Kind(NamedTuple):
    """How one kind of value is read and written."""

    read: Callable[[str], Any]
    write: Callable[[Any], str]


def read_list(text: str | None, delimiter: str = ",") -> tuple[str, ...]:
    """Read a string array; an empty text, or none, is an empty array."""
    return tuple(decode(text, delimiter)) if text else ()


def _write_list(items: tuple[str, ...], delimiter: str = ",") -> str:
    return encode(items, delimiter)


def _read_int(text: str) -> int | None:
    return int(text) if _INT.match(text) else None


def _read_float(text: str) -> float | None:
    try:
        return float(text)
    except ValueError:
        return None


def _read_number(text: str) -> float | None:
    number = _read_int(text)
    return _read_float(text) if number is None else number


def _write_number(number: float | None) -> str:
    return "" if number is None else str(number)


def _read_bool(text: str) -> bool:
    return text == "true"


def _write_bool(value: bool) -> str:
    return "true" if value else "false"


def _read_key(text: str) -> KeyStroke | None:
    if not text:
        return None
    code, *rest = text.split(",", 2)
    if not rest:
        # Before key strokes could be chosen freely, one letter meant Ctrl and that letter.
        return KeyStroke(code=ord(text[0].upper()), modifiers=130)
    numbers = _read_int(code), _read_int(rest[0])
    if numbers[0] is None or numbers[1] is None:
        return None
    return KeyStroke(code=numbers[0], modifiers=numbers[1], name=rest[1] if len(rest) > 1 else "")


def _write_key(key: KeyStroke | None) -> str:
    if key is None:
        return ""
    return f"{key.code},{key.modifiers}" + (f",{key.name}" if key.name else "")


def _read_keys(text: str) -> tuple[KeyStroke | None, ...]:
    if text and "," not in text:
        return tuple(_read_key(letter) for letter in text)
    keys = tuple(_read_key(key) for key in read_list(text))
    # Written, one key stroke that is none is the same as no key stroke.
    return () if keys == (None,) else keys


def _write_keys(keys: tuple[KeyStroke | None, ...]) -> str:
    return encode([_write_key(key) for key in keys], ",")


def _read_colour(text: str) -> Colour | None:
    if text.lower().startswith("0x"):
        try:
            value = int(text, 16)
        except ValueError:
            return None
        return Colour(red=value >> 16 & 255, green=value >> 8 & 255, blue=value & 255)
    parts = [_read_int(part) for part in text.split(",")]
    if len(parts) not in (3, 4) or None in parts:
        return None
    return Colour(red=parts[0] or 0, green=parts[1] or 0, blue=parts[2] or 0, alpha=parts[3] if parts[3:] else None)


def _write_colour(colour: Colour | None) -> str:
    if colour is None:
        return ""
    parts = (colour.red, colour.green, colour.blue, colour.alpha)
    return ",".join(str(part) for part in parts if part is not None)


def _read_access(text: str) -> AccessSpec:
    kind, *sides = decode(text or "player:", ":")
    return AccessSpec(kind=kind, sides=tuple(sides) if kind == "sides" else ())


def _write_access(access: AccessSpec) -> str:
    return encode((access.kind, *(access.sides or ("",))), ":")


def _read_lines(text: str) -> str:
    return "\n".join(decode(text, "|"))


def _write_lines(text: str) -> str:
    return encode(text.split("\n"), "|")


def _read_commands(text: str) -> tuple[PropertyCommand, ...]:
    commands = []
    for item in read_list(text):
        parts = (*decode(item, ":"), "", "")
        commands.append(PropertyCommand(menu_text=parts[0], key=parts[1], changer=read_list(parts[2])))
    return tuple(commands)


def _write_commands(commands: tuple[PropertyCommand, ...]) -> str:
    items = [encode((command.menu_text, command.key, encode(command.changer, ",")), ":") for command in commands]
    return encode(items, ",")


def _text(text: str) -> str:
    return text


KINDS: Final[dict[str, Kind]] = {
    "text": Kind(_text, _text),
    "int": Kind(_read_int, _write_number),
    "float": Kind(_read_float, _write_number),
    "number": Kind(_read_number, _write_number),
    "bool": Kind(_read_bool, _write_bool),
    "list": Kind(read_list, _write_list),
    "key": Kind(_read_key, _write_key),
    "keys": Kind(_read_keys, _write_keys),
    "colour": Kind(_read_colour, _write_colour),
    "access": Kind(_read_access, _write_access),
    "lines": Kind(_read_lines, _write_lines),
    "bars": Kind(lambda text: read_list(text, "|"), lambda items: _write_list(items, "|")),
    "tildes": Kind(lambda text: read_list(text, "~"), lambda items: _write_list(items, "~")),
    "commands": Kind(_read_commands, _write_commands),
}
"""By the word that stands behind a field's name in the table of traits."""
