"""Words of the case notation: what each is allowed to be, and what it is read as.

A case file names the vocabulary of its game, so that nothing here knows a game. A *kind* is a name for what may stand
at one place: ``hex``, ``units``, ``path``, or a list of words in the file's header such as ``phase`` or ``tag``.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any, Literal, NamedTuple

from vassal_bridge.board.actions import Force, ForcePart
from vassal_bridge.board.knowledge import UNKNOWN, Unknown
from vassal_bridge.board.units import UnitId

__all__ = ["KINDS", "LISTED", "Edge", "Entry", "Fault", "PathText", "Scope", "Tally", "Target", "Vocabulary", "as_kind"]


class Fault(Exception):  # noqa: N818 - gathered and told together; the error is CaseError
    """Something is wrong at a column, counted from 1, of a string of a case; 0 if it is not one word's fault."""

    def __init__(self, message: str, column: int = 0) -> None:
        super().__init__(message)
        self.message, self.column = message, column


@dataclass(frozen=True, slots=True, kw_only=True)
class Vocabulary:
    """The words of one game, from the header of its case file.

    Attributes:
        game: Id of the rule set.
        prefix: Prefix of full rule ids.
        hex: Form of a hex number.
        factors: Forms of printed factors.
        under: What happens to odds below the lowest column.
        columns: Odds columns of the combat table of each side, lowest first.
        words: Kind -> its words; ``type`` and ``rule`` among the kinds.
        attributes: Attributes that units may have: key -> kind of the value.
    """

    game: str
    prefix: str
    hex: re.Pattern[str]
    factors: tuple[re.Pattern[str], ...]
    under: Literal["barred", "lowest"]
    columns: Mapping[str, tuple[str, ...]]
    words: Mapping[str, frozenset[str]]
    attributes: Mapping[str, str] = field(default_factory=dict)

    def knows(self, kind: str, word: str) -> bool:
        """Tell whether a word is in the header's list of that kind."""
        return word in self.words.get(kind, frozenset())


@dataclass(slots=True)
class Scope:
    """What the words of one case may refer to; ``units`` grows while the case is read."""

    vocabulary: Vocabulary
    units: set[UnitId] = field(default_factory=set)


class PathText(NamedTuple):
    """A way as written: hexes or boxes in order, and whether every hex of it is named."""

    points: tuple[str, ...]
    is_complete: bool


class Edge(NamedTuple):
    """A hexside as written; for features of one direction it is crossed from the first hex to the second."""

    first: str
    second: str


class Target(NamedTuple):
    """Defenders, or whatever an act is aimed at, by unit and by hex."""

    units: tuple[UnitId, ...]
    hexes: tuple[str, ...]


class Entry(NamedTuple):
    """An account of a side is set to (``=``), or changed by (``+``, ``-``), a number."""

    side: str
    sign: str
    number: int | Fraction


class Tally(NamedTuple):
    """A number of things of one sort."""

    what: str
    number: int


def as_kind(kind: str, text: str, scope: Scope) -> Any:
    """Read a word as a kind, as one of several (``hex/box``, the first that fits), or as itself (``=in|out``).

    Raises:
        Fault: The word is not of that kind.
    """
    if kind.startswith("="):
        return _literal(text, kind[1:])
    kinds = kind.split("/")
    for one in kinds:
        try:
            return _listed(one, text, scope) if one in LISTED else KINDS[one](text, scope)
        except Fault:
            if len(kinds) == 1:
                raise
    raise Fault(f"expected {' or '.join(kinds)}, found '{text}'")


def _listed(kind: str, text: str, scope: Scope) -> str:
    if not scope.vocabulary.knows(kind, text):
        raise Fault(f"unknown {kind} '{text}'")
    return text


def _literal(text: str, choices: str) -> str:
    if text not in choices.split("|"):
        raise Fault(f"expected {choices.replace('|', ' or ')}, found '{text}'")
    return text


Kind = Callable[[str, Scope], Any]

# Kinds whose words stand in lists of the header; any of them may be missing there, then no word fits.
# fmt: off
LISTED = frozenset({
    "area", "box", "choice", "class", "counted", "face", "feature", "flag", "level", "marker", "nation", "phase",
    "result", "river", "role", "rule", "scenario", "scope", "sea", "side", "table", "tag", "topic", "type", "use",
    "variant", "weather",
})
# fmt: on


def _shape(form: str, what: str, convert: Callable[[str], Any] = str) -> Kind:
    pattern = re.compile(form)

    def read(text: str, scope: Scope) -> Any:
        if not pattern.fullmatch(text):
            raise Fault(f"expected {what}, found '{text}'")
        return convert(text)

    return read


def _several(kind: str, sign: str = ",", count: int = 0) -> Kind:
    def read(text: str, scope: Scope) -> tuple[Any, ...]:
        parts = text.split(sign)
        if count and len(parts) != count:
            raise Fault(f"expected {count} {kind} values with {sign} between, found '{text}'")
        return tuple(as_kind(kind, part, scope) for part in parts)

    return read


def _hex(text: str, scope: Scope) -> str:
    if not scope.vocabulary.hex.fullmatch(text):
        raise Fault(f"expected a hex, found '{text}'")
    return text


def _unit(text: str, scope: Scope) -> UnitId:
    unit = UnitId(text)
    if unit not in scope.units:
        raise Fault(f"expected a unit declared in u, found '{text}'")
    return unit


def _factors(text: str, scope: Scope) -> str:
    if not any(form.fullmatch(text) for form in scope.vocabulary.factors):
        raise Fault(f"expected factors, found '{text}'")
    return text


def _hexes(text: str, scope: Scope) -> tuple[str, ...]:
    """Read ``A,B`` and ``A..B``, a run of hexes that differ in the number at their end."""
    found: list[str] = []
    for part in text.split(","):
        ends = [re.fullmatch(r"(.*?)(\d{1,2})", _hex(end, scope)) for end in part.split("..")]
        first, last = ends[0], ends[-1]
        if first is None or last is None or first[1] != last[1] or len(ends) > 2:
            raise Fault(f"'{part}' is not a run of hexes")
        start, stop = int(first[2]), int(last[2])
        step = 1 if stop >= start else -1
        found += [f"{first[1]}{number:0{len(first[2])}d}" for number in range(start, stop + step, step)]
    return tuple(found)


def _path(text: str, scope: Scope) -> PathText:
    """Read ``A>B>C`` step by step (``A..B`` a run), or ``A~B`` with only the ends known."""
    if "~" in text:
        return PathText(as_kind("pair", text, scope), is_complete=False)
    points: list[str] = []
    for part in text.split(">"):
        points += [part] if scope.vocabulary.knows("box", part) else _hexes(part, scope)
    if len(points) < 2 or "," in text:
        raise Fault(f"expected a path A>B, A~B or A..B, found '{text}'")
    return PathText(tuple(points), is_complete=True)


def _force(text: str, scope: Scope) -> Force | Unknown:
    """Read attackers ``A,B``, each with the headquarters that add to it: ``A+H``; ``A?`` may have taken part.

    ``?`` alone: an attack was made, by whom was not declared.
    """
    if text == "?":
        return UNKNOWN
    parts = []
    for part in text.split(","):
        first, *rest = (_unit(name.removesuffix("?"), scope) for name in part.split("+"))
        parts.append(ForcePart(unit=first, headquarters=tuple(rest), is_certain="?" not in part))
    return tuple(parts)


def _target(text: str, scope: Scope) -> Target:
    parts = text.split(",")
    units = tuple(UnitId(part) for part in parts if UnitId(part) in scope.units)
    return Target(units, tuple(at for part in parts if UnitId(part) not in scope.units for at in _hexes(part, scope)))


def _entry(text: str, scope: Scope) -> Entry:
    match = re.fullmatch(r"([a-z]+)([=+-])([\d.]+)", text)
    if match is None:
        raise Fault(f"expected an entry such as ax+1, found '{text}'")
    return Entry(as_kind("side", match[1], scope), match[2], as_kind("num", match[3], scope))


def _tally(text: str, scope: Scope) -> Tally:
    name, _, value = text.partition("=")
    return Tally(as_kind("counted", name, scope), as_kind("int", value, scope))


def _edge(text: str, scope: Scope) -> Edge:
    return Edge(*_several("hex", "|", 2)(text, scope))


def _owner(text: str, scope: Scope) -> str:
    return str(as_kind("side/nation/nobody", text, scope))


def _number(text: str) -> int | Fraction:
    return Fraction(text) if "." in text else int(text)


_WHEN = r"[0-9]{4}-(?:0[1-9]|1[0-2])|[0-9]{1,2}"
_INT = r"[0-9]{1,9}"

KINDS: Mapping[str, Kind] = {
    "hex": _hex,
    "unit": _unit,
    "factors": _factors,
    "hexes": _hexes,
    "path": _path,
    "force": _force,
    "target": _target,
    "owner": _owner,
    "entry": _entry,
    "tally": _tally,
    "units": _several("unit"),
    "numbers": _several("num"),
    "edge": _edge,
    "edges": _several("edge"),
    "pair": _several("hex", "~", 2),
    "link": _several("hex", "=", 2),
    "labels": _several("label"),
    "label": _shape(r"#[a-z0-9]+", "a label such as #1"),
    "when": _shape(_WHEN, "a Game-Turn or a month YYYY-MM"),
    "span": _shape(f"({_WHEN})(>({_WHEN}))?", "a turn or FROM>TO"),
    "any": _shape(r"\S+", "something"),
    "word": _shape(r"[A-Za-z0-9][A-Za-z0-9/.-]*", "a word"),
    "int": _shape(_INT, "a number", int),
    "num": _shape(rf"{_INT}(\.5)?", "a number", _number),
    "sint": _shape(rf"[+-]{_INT}", "a signed number", int),
    "reach": _shape(rf"{_INT}|none", "a number or none"),
    "ratio": _shape(rf"{_INT}:{_INT}", "strengths such as 26:9"),
    "odds": _shape(rf"{_INT}:{_INT}|barred", "odds such as 3:1"),
    "cmp": _shape(r"<=|>=|<|>|==", "a comparison"),
    "factor": _shape(rf"{_INT}x", "a factor such as 2x", lambda text: int(text[:-1])),
    "letter": _shape(r"[A-F]|none", "a directive or none"),
    "nobody": _shape(r"none|draw|unknown", "an owner"),
    "possible": _several("feature/tag/weather/river/factors/type"),
}
