"""Put prototypes into pieces, as the engine does when a piece goes from the palette into a game.

Each ``prototype;Name`` trait gives way to the traits of the prototype, without its basic piece and with their states as
the prototype has them; ``cmt;`` comments go (``PieceCloner.clonePiece``, ``UsePrototype``). Parameters
(``prototype;Name;key=value,...``) are put into the prototype's whole text first. A prototype that uses itself, at
whatever distance, is left out the second time, and said so.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from vassal_bridge.vassal.components import PieceDefinition, Prototype
from vassal_bridge.vassal.formats import UnknownWord, fill
from vassal_bridge.vassal.readpieces import read_definition
from vassal_bridge.vassal.sequence import decode, join_chain, split_chain

__all__ = ["ExpandedPiece", "expand"]

MAX_TRAITS = 5000
"""Most traits of one piece, prototypes counted; prototypes of prototypes can multiply without end."""

MAX_TEXT = 20_000_000
"""Most characters of all the prototypes put into one piece."""

MAX_DEPTH = 100
"""Most prototypes inside each other."""

_PROTOTYPE = "prototype;"
_COMMENT = "cmt;"

_Trait = tuple[str, str]


@dataclass(frozen=True, slots=True, kw_only=True)
class ExpandedPiece:
    """A piece with its prototypes put in.

    Attributes:
        piece: Type and state, as a piece in a game has them.
        prototypes: Names of the prototypes used, in the order in which they were met, those of prototypes included.
        problems: Prototypes that are missing, go round in a circle, or grow too large; the piece lacks their traits.
    """

    piece: PieceDefinition
    prototypes: tuple[str, ...] = ()
    problems: tuple[str, ...] = ()


def expand(piece: PieceDefinition, prototypes: Mapping[str, Prototype]) -> ExpandedPiece:
    """Replace the prototype traits of a piece by what they stand for."""
    if _PROTOTYPE not in piece.type and _COMMENT not in piece.type:
        return ExpandedPiece(piece=piece)
    expansion = _Expansion(prototypes)
    types, states = split_chain(piece.type), split_chain(piece.state)
    traits = list(expansion.run(_pair(types, states)[:-1], ()))
    innermost = (types[-1], states[-1])
    return ExpandedPiece(
        piece=PieceDefinition(
            type=join_chain([type_ for type_, _ in (*traits, innermost)]),
            state=join_chain([state for _, state in (*traits, innermost)]),
        ),
        prototypes=tuple(expansion.used),
        problems=tuple(expansion.problems),
    )


class _Expansion:
    """One expansion under way: what was used, what went wrong."""

    def __init__(self, prototypes: Mapping[str, Prototype]) -> None:
        self._prototypes = prototypes
        self._count = 0
        self._length = 0
        self.used: dict[str, None] = {}
        self.problems: dict[str, None] = {}

    def run(self, traits: list[_Trait], inside: tuple[str, ...]) -> Iterator[_Trait]:
        """Yield the traits with prototypes replaced; ``inside`` names those that are being expanded."""
        for trait in traits:
            self._count += 1
            if self._count > MAX_TRAITS or self._length > MAX_TEXT:
                self.problems[f"has more than {MAX_TRAITS} traits, or more than {MAX_TEXT} characters of them"] = None
                return
            if trait[0].startswith(_PROTOTYPE):
                yield from self._traits_of(trait[0], inside)
            elif not trait[0].startswith(_COMMENT):
                yield trait

    def _traits_of(self, use: str, inside: tuple[str, ...]) -> Iterator[_Trait]:
        fields = decode(use, ";")
        name = fields[1]
        prototype = self._prototypes.get(name)
        if prototype is None:
            self.problems[f"prototype {name!r} is not in the module"] = None
            return
        if name in inside or len(inside) >= MAX_DEPTH:
            self.problems[f"prototype {name!r} uses itself, or lies too deep"] = None
            return
        self.used[name] = None
        text = prototype.text
        if len(fields) > 2:
            text = fill(text, _parameters(fields[2]), unknown=UnknownWord.BARE)
        self._length += len(text)
        definition = read_definition(text)
        if definition is None:
            self.problems[f"prototype {name!r} cannot be read"] = None
            return
        traits = _pair(split_chain(definition.type), split_chain(definition.state))[:-1]
        yield from self.run(traits, (*inside, name))


def _pair(types: list[str], states: list[str]) -> list[_Trait]:
    """Give each trait its state; one that has none, in a damaged piece, an empty one."""
    return list(zip(types, states + [""] * (len(types) - len(states)), strict=False))


def _parameters(text: str) -> dict[str, str]:
    pairs = (decode(part, "=") for part in decode(text, ","))
    return {pair[0]: pair[1] for pair in pairs if len(pair) > 1}
