"""The case notation: signatures of facts, events and queries, and the reading of a string by them.

Every word of a string is of the kind that its signature asks for, or it is a fault. What the statements mean is said in
:mod:`vassal_bridge.rulebook.position` (facts) and :mod:`vassal_bridge.rulebook.acts` (events, queries).
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from types import MappingProxyType
from typing import Any, NamedTuple

from vassal_bridge.rulebook.words import KINDS, LISTED, Fault, Scope, as_kind

__all__ = ["EVENTS", "FACTS", "QUERIES", "Statement", "Table", "Token", "option", "parse", "read", "tokens"]

# A line of signatures: verbs, a colon, their arguments; "..." is another signature of the verbs above. An argument is
# a kind or name:kind, with ? optional, * any number, + at least one. k/l is a union of kinds, a|b a choice of literal
# words, "x" a literal sign. [key=kind] is an option that may stand anywhere after the verb, [key!=kind] a required one.
_EVENTS = """
state, end, over, continue:
phase:            phase
turn:             span
move:             units path [cost=int] [min=int] [face=face/factors]
wd, advance:      units path [cost=int]
rail:             units path [rmp=int]
retreat:          units path [n=int] [by=side]
enter:            units hex [cost=int]
stay, evacuate:   units
load:             units at:hex/box
place:            units at:hex/box face/factors? [as=role] [cost=int]
arrive:           n:int type factors? at:area/hex?
remove:           units [to=box]
flip:             unit face/factors
form:             unit from:units face?
break:            unit into:units
lose:             unit n:int
marker:           marker add|del|at target*
...:              marker move from:hex to:hex
control:          hexes owner
attack:           label? force "->" target [att=int] [def=int] [odds=odds] [air=int] [table=table] [opt=choice]
overrun:          label? force hex? "->" target [att=int] [def=int] [odds=odds] [air=int]
retarget:         label "->" target
cancel:           label
roll:             labels? [die=int] [for=use] [by=side]
result:           label? result [on=target]
choose:           choice by:side/units?
disband, breakout: units path? [points=int] [ezoc=int] [snow=int] [rf=num]
air-point:        unit use target? [mod=sint]
air-supply:       units [points=int]
directive:        letter
weather:          weather
income, spend:    side n:num [for=use]
vp, rf:           entry+ [for=use/rule]
count:            scope? tally+
option:           side variant
cite:             any
win:              owner level?
gap:              phase
"""

_FACTS = """
track:            path
ctl, cleared:     hexes owner? [since=when]
ctl0, last, src:  hexes owner
int, baseline:    hexes side
marker:           marker hexes
land, used:       hexes
isolated:         hexes [since=when] [until=when] [turn=side]
river:            river hexes
river-end:        river from:hex to:hex
card:             weather n:int is:int
crt:              odds die:int result
port, coast:      hexes sea
sea:              sea owner
cost:             hexes n:int
vp, rf:           entry+
fuel:             side yes|no
front:            side ok|broken
directive:        letter [since=when]
mandate, value:   hexes n:int? [due=when] [paid=int] [value=int]
accel, thaw, siberia, invasion: [since=when] [deficit=int]
ends:             when
october:          weather
active:           area [since=when]
count:            scope? tally+
unknown:          what:topic/unit/edge/hexes+ [may=possible]
"""

_QUERIES = """
zoc:              of:side/unit covers|spares|unknown hexes
...:              of:side/unit "=" hexes
supply:           unit in|out|unknown [cost=int]
loc:              unit hq:unit [len!=int]
stack:            hex side ok|over|unknown [n=int]
dist:             pair [n!=int]
line:             pair [n!=reach] [for=side]
threat:           hex side [n!=reach]
reach:            unit hex yes|no|unknown [cost=int] [rule=rule]
exits:            unit to:nobody/hexes
open, frozen, encircled: at:edge/hex yes|no|unknown
odds:             of:ratio/label "=" odds [side=side]
...:              label "=" unknown
att, def:         label "=" n:int
allowed:          label yes|no|unknown
column:           a:odds cmp factor? b:odds
shift:            a:odds steps:sint "=" b:odds [side=side]
mf:               side int weather "=" n:int [class=class] [date=when]
loss:             hx|dx numbers "/" of:num "=" n:num
pays:             numbers "of" from:numbers "/" n:num yes|no
duty:             side ok
...:              side open rule units?
rail-line, coast: of:side/sea hex yes|no
front:            side ok|broken
control, sea:     of:sea/hexes owner
weather:          when "=" weather
active:           area yes|no
class:            unit class yes|no
pocket:           units yes|no
value, cost:      units "=" n:num
points, income, deficit: side "=" n:num
count:            scope? tally+
calc:             any+
"""


class Token(NamedTuple):
    """A word and the column, from 1, at which it stands in its string."""

    text: str
    column: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Statement:
    """One fact, event or query.

    Attributes:
        verb: Its first word.
        arguments: By the names in the signature; values of the kinds named there, tuples where several may stand. A
            choice of literal words is called ``is``.
        text: As written.
    """

    verb: str
    arguments: Mapping[str, Any]
    text: str


class _Item(NamedTuple):
    """An argument by place: its name (empty for a sign), its kind, and how many: "", "?", "*" or "+"."""

    name: str
    kind: str
    many: str


class _Signature(NamedTuple):
    items: tuple[_Item, ...]
    options: Mapping[str, str]
    required: tuple[str, ...]


Table = Mapping[str, tuple[_Signature, ...]]


def parse(table: Table, what: str, text: str, scope: Scope, *, start: int = 0) -> Statement:
    """Read a string, from an offset on, as a statement of a table; ``what`` names it in faults.

    Raises:
        Fault: The string fits no signature; of several the one that gets furthest complains.
    """
    found = tokens(text, start=start)
    if not found:
        raise Fault(f"the {what} is empty", len(text) + 1)
    verb, *rest = found
    if verb.text not in table:
        raise Fault(f"unknown {what} '{verb.text}'", verb.column)
    faults: list[Fault] = []
    for signature in table[verb.text]:
        try:
            arguments = _match(signature, rest, scope, len(text) + 1)
        except Fault as fault:
            faults.append(fault)
        else:
            return Statement(verb=verb.text, arguments=MappingProxyType(arguments), text=text)
    raise max(faults, key=lambda fault: fault.column)


def _match(signature: _Signature, given: list[Token], scope: Scope, end: int) -> dict[str, Any]:
    items, options, required = signature
    pairs = [(token, option(token, options, scope)) for token in given]
    arguments: dict[str, Any] = {}
    for token, pair in pairs:
        if pair and pair[0] in arguments:
            raise Fault(f"'{pair[0]}=' stands twice", token.column)
        if pair:
            arguments[pair[0]] = pair[1]
    plain = [token for token, pair in pairs if not pair]
    doubt = Fault("")
    for item in items:
        taken, doubt = _take(item, plain, scope, doubt)
        if not taken and item.many in ("", "+"):
            raise Fault(f"missing {item.kind.removeprefix('=')}", end)
        if item.name and taken:
            arguments[item.name] = tuple(taken) if item.many in ("*", "+") else taken[0]
    for text, column in plain:
        raise doubt if doubt.column == column else Fault(f"'{text}' is too much", column)
    for key in required:
        if key not in arguments:
            raise Fault(f"missing {key}=", end)
    return arguments


def _take(item: _Item, plain: list[Token], scope: Scope, doubt: Fault) -> tuple[list[Any], Fault]:
    """Take the words of one argument off the list; the fault is that of a word that might have been one more."""
    taken: list[Any] = []
    while plain and (not taken or item.many in ("*", "+")):
        try:
            taken.append(read(item.kind, plain[0], scope))
        except Fault as fault:
            if item.many in ("?", "*") or taken:
                return taken, fault
            raise
        plain.pop(0)
    return taken, doubt


def tokens(text: str, *, start: int = 0) -> list[Token]:
    """Split a string at blanks, from an offset on."""
    return [Token(match[0], match.start() + 1) for match in re.compile(r"\S+").finditer(text, start)]


def read(kind: str, token: Token, scope: Scope) -> Any:
    """Read a word as a kind; its fault bears the word's column."""
    try:
        return as_kind(kind, token.text, scope)
    except Fault as fault:
        raise Fault(fault.message, token.column) from None


def option(token: Token, kinds: Mapping[str, str], scope: Scope) -> tuple[str, Any] | None:
    """Return key and value of a ``key=value`` word, None if it is not one of the keys."""
    key, equals, value = token.text.partition("=")
    if not equals or key not in kinds:
        return None
    return key, read(kinds[key], Token(value, token.column + len(key) + 1), scope)


@cache
def _signatures(table: str) -> Table:
    result: dict[str, tuple[_Signature, ...]] = {}
    verbs: list[str] = []
    for line in table.strip().splitlines():
        names, parts = re.split(r":(?:\s+|$)", line, maxsplit=1)
        verbs = verbs if names == "..." else names.split(", ")
        signature = _signature(parts)
        for verb in verbs:
            result[verb] = (*result.get(verb, ()), signature)
    return MappingProxyType(result)


def _signature(text: str) -> _Signature:
    items: list[_Item] = []
    options: dict[str, str] = {}
    required: list[str] = []
    for part in text.split():
        core, many = (part[:-1], part[-1]) if part[-1] in "?*+" else (part, "")
        name, _, kind = core.rpartition(":")
        if part.startswith("["):
            key, value = part.strip("[]").split("=")
            options[key.rstrip("!")] = value
            required += [key.rstrip("!")] * key.endswith("!")
        elif core.startswith('"'):
            items.append(_Item("", "=" + core.strip('"'), many))
        elif kind.split("/")[0] in KINDS or kind.split("/")[0] in LISTED:
            items.append(_Item(name or kind.split("/")[0], kind, many))
        else:
            items.append(_Item("is", "=" + core, many))
    return _Signature(tuple(items), options, tuple(required))


EVENTS: Table = _signatures(_EVENTS)
FACTS: Table = _signatures(_FACTS)
QUERIES: Table = _signatures(_QUERIES)
