"""Attacks that players declare in VASSAL's chat, in one line a player can type.

``!attack N2030,N2031 -> N2029``: all units of the phasing side in these hexes attack all units there. ``!attack
N2030(97 Jg; 6 Inf)+N2028(5 HQ) -> N2029``: only these units, by counter name, and a headquarters that lends its
strength. ``!overrun N2030 -> N2029``. Each may bear a label (``#1``) and the options ``odds=3:1``, ``att=20``,
``def=7``, ``air=1``. What cannot be read is told to the players, never guessed.
"""

from __future__ import annotations

import html
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from difflib import get_close_matches
from enum import StrEnum

__all__ = ["Declaration", "DeclarationKind", "Group", "Stand", "Unreadable", "read_declaration", "spoken_words"]


class DeclarationKind(StrEnum):
    """What is declared; the value is the word after the exclamation mark."""

    ATTACK = "attack"
    OVERRUN = "overrun"


@dataclass(frozen=True, slots=True, kw_only=True)
class Stand:
    """Units in a hex: those named, or all of them if none is."""

    hex: str
    names: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Group:
    """Attackers in one hex, and the headquarters that lend them strength."""

    stand: Stand
    headquarters: tuple[Stand, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Declaration:
    """A declared attack or overrun, as written; hexes and names are not yet looked up on the board.

    Attributes:
        claims: Numbers that the player stated: ``odds``, ``att``, ``def``.
        air: Air points spent on it.
    """

    kind: DeclarationKind
    groups: tuple[Group, ...]
    targets: tuple[Stand, ...]
    label: str = ""
    claims: Mapping[str, str] = field(default_factory=dict)
    air: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class Unreadable:
    """A line that was meant as a declaration and cannot be read."""

    text: str
    why: str


# Typed chat is logged as "<Name> - words" up to VASSAL 3.3, since then with entities for the angle brackets.
_SPOKEN = re.compile(r"\s*(?:<[^<>]*>|<\(anonymous\)>|\([^()]*\))\s+-\s+(?P<words>.*)", re.DOTALL)
_TAG = re.compile(r"</?(?:b|i|u|font|span)\b[^<>]*>", re.IGNORECASE)


def spoken_words(chat: str) -> str | None:
    """Return what a player typed, None if the line is an automatic report; entities and simple HTML are resolved."""
    match = _SPOKEN.fullmatch(html.unescape(chat))
    return _TAG.sub("", match["words"]).strip() if match else None


_VERB = re.compile(r"!\s*(?P<verb>[A-Za-z]+)(?P<rest>.*)", re.DOTALL)
_NUMBERS = {"odds": r"\d{1,9}:\d{1,9}", "att": r"\d{1,9}", "def": r"\d{1,9}", "air": r"\d{1,9}"}


def read_declaration(words: str) -> Declaration | Unreadable | None:
    """Read what a player typed; None if it is no declaration at all."""
    match = _VERB.match(words)
    if match is None:
        return None
    verb = match["verb"].lower()
    kinds = [kind.value for kind in DeclarationKind]
    if verb not in kinds:
        meant = get_close_matches(verb, kinds, n=1, cutoff=0.75)
        return Unreadable(text=words, why=f"write !{meant[0]}") if meant else None
    try:
        return _Parser(match["rest"]).parse(DeclarationKind(verb))
    except _SyntaxError as fault:
        return Unreadable(text=words, why=str(fault))


class _SyntaxError(Exception):
    pass


_TOKEN = re.compile(r"\s*(?:(?P<names>\([^()]*\))|(?P<arrow>->|>)|(?P<sign>[,+])|(?P<word>(?:(?!->)[^\s,+()>])+))")


class _Parser:
    """Reads the part after the verb."""

    def __init__(self, text: str) -> None:
        self._label = ""
        self._options: dict[str, str] = {}
        self._tokens = list(self._scan(text))
        self._next = 0

    def parse(self, kind: DeclarationKind) -> Declaration:
        groups = tuple(self._groups())
        if not self._accept("->"):
            raise _SyntaxError("there is no -> between attackers and target")
        targets = tuple(group.stand for group in self._groups())
        if self._next < len(self._tokens):
            raise _SyntaxError(f"{self._tokens[self._next]!r} is one word too many")
        if not groups or not targets:
            raise _SyntaxError("attackers or target are missing")
        air = int(self._options.pop("air", "0"))
        return Declaration(
            kind=kind, groups=groups, targets=targets, label=self._label, claims=dict(self._options), air=air
        )

    def _scan(self, text: str) -> Iterator[str]:
        """Yield names in parentheses, signs and hexes; label and options are put aside wherever they stand."""
        at, end = 0, len(text.rstrip())
        while at < end:
            match = _TOKEN.match(text, at)
            if match is None:
                raise _SyntaxError(f"{text[at:].strip()!r} cannot be read")
            at = match.end()
            if (word := match["word"]) is None:
                yield match["names"] or match["sign"] or "->"
            elif word.startswith("#"):
                self._label = word[1:]
            elif "=" in word:
                self._set_option(word)
            else:
                yield word

    def _set_option(self, word: str) -> None:
        name, _, value = word.partition("=")
        if name not in _NUMBERS:
            raise _SyntaxError(f"there is no option {name}=")
        value = re.sub(r"(?<=\d)-(?=\d)", ":", value)  # players write odds both ways
        if not re.fullmatch(_NUMBERS[name], value):
            raise _SyntaxError(f"{word} has no readable number")
        self._options[name] = value

    def _groups(self) -> Iterator[Group]:
        while (stand := self._stand()) is not None:
            lenders = []
            while self._accept("+"):
                lender = self._stand()
                if lender is None:
                    raise _SyntaxError("+ is not followed by a headquarters")
                lenders.append(lender)
            yield Group(stand=stand, headquarters=tuple(lenders))
            if not self._accept(","):
                return

    def _stand(self) -> Stand | None:
        word = self._peek()
        if word is None or word in (",", "+", "->") or word.startswith("("):
            return None
        self._next += 1
        names = self._peek()
        if names is None or not names.startswith("("):
            return Stand(hex=word)
        self._next += 1
        listed = tuple(" ".join(name.split()) for name in names[1:-1].split(";") if name.strip())
        if not listed:
            raise _SyntaxError(f"the parentheses after {word} are empty")
        return Stand(hex=word, names=listed)

    def _peek(self) -> str | None:
        return self._tokens[self._next] if self._next < len(self._tokens) else None

    def _accept(self, sign: str) -> bool:
        if self._peek() != sign:
            return False
        self._next += 1
        return True
