"""Pieces, stacks and decks as they stand on the board.

Readers use the properties; only ``position.Board`` puts a piece or a stack anywhere. A piece keeps its states as the
file wrote them and splits them when first asked, since most pieces of a large save are never looked at.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType

from vassal_bridge.vassal.commands import PieceId
from vassal_bridge.vassal.formats import split_format
from vassal_bridge.vassal.pieces import Layer, LayerTrait, PieceType, parse_basic_state, split_state
from vassal_bridge.vassal.players import Aliases
from vassal_bridge.vassal.sequence import decode, join_chain
from vassal_bridge.vassal.traits import Trait

__all__ = ["Deck", "Piece", "Place", "Stack", "Surroundings"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Place:
    """Where something is.

    Attributes:
        map: Identifier of the map, None if on none.
        x: Map pixels.
        y: Map pixels.
        location: The engine's ``LocationName``; None without a module.
        stack: Id of the stack or deck it is in; None if it stands alone.
    """

    map: str | None
    x: int
    y: int
    location: str | None = None
    stack: PieceId | None = None


class Stack:
    """A stack, bottom to top; see the properties for what it shows."""

    __slots__ = ("id", "is_local", "layer", "map", "pieces", "x", "y")

    is_deck = False

    def __init__(self, identity: PieceId, *, is_local: bool = False) -> None:
        self.id = identity
        self.map: str | None = None
        self.x = 0
        self.y = 0
        self.pieces: list[Piece] = []
        self.layer: int | None = None
        #: Made by the replay and not by the log, as the engine makes one for a piece that comes to lie alone.
        self.is_local = is_local

    def __repr__(self) -> str:
        return f"{type(self).__name__}({self.id}, {len(self.pieces)} pieces)"

    @property
    def members(self) -> tuple[PieceId, ...]:
        """Ids of its pieces, bottom to top; the top card of a deck is the last."""
        return tuple(piece.id for piece in self.pieces)


class Deck(Stack):
    """A deck of cards."""

    __slots__ = ("face_down", "piece_type")

    is_deck = True

    def __init__(self, identity: PieceId, piece_type: PieceType) -> None:
        super().__init__(identity)
        self.piece_type = piece_type
        self.face_down = False

    @property
    def name(self) -> str:
        """Name of the deck."""
        return self.piece_type.deck_name or ""


class Surroundings:
    """What a piece asks of the game around it: names for players, and properties of the module, maps and zones."""

    __slots__ = ("aliases", "properties")

    def __init__(self, aliases: Aliases) -> None:
        self.aliases = aliases
        self.properties: dict[str, str] = {}


class Piece:
    """A piece on the board, or off all maps."""

    __slots__ = (
        "_around",
        "_asked_around",
        "_map",
        "_shown",
        "_states",
        "_text",
        "_x",
        "_y",
        "gpid",
        "holder",
        "id",
        "is_orphan",
        "piece_type",
    )

    def __init__(self, identity: PieceId, piece_type: PieceType, state: str, around: Surroundings) -> None:
        self.id = identity
        self.piece_type = piece_type
        #: The stack or deck that holds it.
        self.holder: Stack | None = None
        #: Its stack was removed under it, or left it out, and nothing has placed it since.
        self.is_orphan = False
        self._around = around
        self._asked_around = False
        self._text = state
        self._states: list[str] | None = None
        self._shown: str | None = None
        self._map: str | None = None
        self._x = 0
        self._y = 0
        self.gpid = ""

    def __repr__(self) -> str:
        return f"Piece({self.id}, {self.shown_name!r})"

    @property
    def name(self) -> str:
        """The engine's ``BasicName``."""
        return self.piece_type.basic_name

    @property
    def shown_name(self) -> str:
        """The name that an onlooker without a side sees; empty for an invisible piece.

        A part that only the engine's expression language could tell is left out.
        """
        if self._shown is not None:
            return self._shown
        self._asked_around = False
        name = self._around.aliases.redact(self._name_from_inside()) if self.piece_type.named_by else self.name
        if not self._asked_around:
            self._shown = name
        return name

    @property
    def map(self) -> str | None:
        """Identifier of the map it is on, None if on none."""
        return self._map if self.holder is None else self.holder.map

    @property
    def x(self) -> int:
        """Map pixels."""
        return self._x if self.holder is None else self.holder.x

    @property
    def y(self) -> int:
        """Map pixels."""
        return self._y if self.holder is None else self.holder.y

    @property
    def own_place(self) -> tuple[str | None, int, int]:
        """Map and point of the piece itself, which count while no stack holds it."""
        return self._map, self._x, self._y

    @own_place.setter
    def own_place(self, place: tuple[str | None, int, int]) -> None:
        self._map, self._x, self._y = place

    @property
    def stack(self) -> PieceId | None:
        """Id of the stack or deck that holds it."""
        return None if self.holder is None else self.holder.id

    @property
    def stack_index(self) -> int | None:
        """Its place in the stack, 0 at the bottom."""
        return None if self.holder is None else self.holder.pieces.index(self)

    @property
    def states(self) -> Sequence[str]:
        """States of its traits, outermost first."""
        if self._states is None:
            self._states = split_state(self.piece_type, self._text)
            self._text = ""
        return self._states

    @states.setter
    def states(self, states: list[str]) -> None:
        self._states = states
        self._text = ""
        self._shown = None

    @property
    def state_text(self) -> str:
        """Its whole state in one string, as a file holds it.

        Raises:
            EncodingLossError: A state ends in a backslash; no file holds such a one.
        """
        return self._text if self._states is None else join_chain(self._states)

    @property
    def basic_state(self) -> str:
        """State of its basic piece, without reading all the others if that can be helped."""
        if self._states is None:
            last = len(self.piece_type.traits) - 1
            head, _, tail = self._text.rpartition("\t")
            if last and not tail.endswith("'") and len(head) - len(head.rstrip("\\")) == last - 1:
                return tail
        return self.states[-1]

    @property
    def is_non_stacking(self) -> bool:
        """Whether it never stacks; the outermost trait that has a say decides."""
        for index in self.piece_type.non_stacking:
            trait = self.piece_type.traits[index]
            if trait.prefix == "matPiece;":
                if self.states[index] not in ("", "noMat"):
                    return True
            else:
                return trait.prefix == "mat;" or trait.get("stacking", "") != "L"
        return False

    @property
    def traits(self) -> tuple[tuple[Trait, str], ...]:
        """Its traits with their states, outermost first."""
        return tuple(zip(self.piece_type.traits, self.states, strict=True))

    @property
    def layers(self) -> tuple[Layer, ...]:
        """Its layers, outermost first."""
        states = self.states
        return tuple(layer.at(self._layer_value(layer, states)) for layer in self.piece_type.layers)

    @property
    def marks(self) -> Mapping[str, str]:
        """Values of its markers and dynamic properties by name; of two with one name the outermost counts."""
        return MappingProxyType(dict(self._marks()))

    @property
    def moved(self) -> bool | None:
        """Whether it is marked as moved; None if it bears no such mark."""
        return self.states[self.piece_type.moved[0]] == "true" if self.piece_type.moved else None

    @property
    def hidden(self) -> bool:
        """Whether it is invisible to others than its owner."""
        return self.hidden_by is not None

    @property
    def hidden_by(self) -> str | None:
        """Whoever made it invisible, as the file has it: a player's id, never to be shown, or a side."""
        states = self.states
        for index, _ in self.piece_type.hides:
            if (owner := states[index]) not in ("null", ""):
                return owner
        return None

    @property
    def masked(self) -> bool:
        """Whether it shows others only its mask, as a card face down does."""
        return self._mask_owner() is not None

    @property
    def owner(self) -> str | None:
        """Who may see it while it is masked or invisible: an alias, a side, or ``nobody``."""
        for index, access in self.piece_type.hides:
            if (owner := self.states[index]) not in ("null", ""):
                return (
                    self._around.aliases.alias(owner) if access.kind == "player" else self._around.aliases.redact(owner)
                )
        mask = self._mask_owner()
        if mask is None or mask == "nobody":
            return mask
        by_player = all(access.kind == "player" for _, access in self.piece_type.masks)
        return self._around.aliases.alias(mask) if by_player else self._around.aliases.redact(mask)

    def with_states(self, states: Sequence[str]) -> Piece:
        """Return a piece of the same type with other states, that is on no board."""
        piece = Piece(self.id, self.piece_type, "", self._around)
        piece.states = list(states)
        return piece

    def property(self, name: str) -> str | None:
        """Return the value of a property that its own traits give; None if none of them does."""
        if (mark := dict(self._marks()).get(name)) is not None:
            return mark
        for layer in self.piece_type.layers:
            if layer.name and name.startswith(layer.name + "_"):
                value = self._layer_value(layer, self.states)
                shown = layer.at(value)
                answers = {
                    "_Level": str(value),
                    "_Active": "true" if shown.active else "false",
                    "_Name": shown.level_name if shown.active else "",
                    "_Image": shown.image if shown.active else "",
                }
                if (answer := answers.get(name[len(layer.name) :])) is not None:
                    return answer
        if name == "BasicName":
            return self.name
        return parse_basic_state(self.states[-1]).properties.get(name)

    def _layer_value(self, layer: LayerTrait, states: Sequence[str]) -> int:
        value = _number(states[layer.index].partition(";")[0], 1)
        if layer.follows is not None and (followed := self._lookup(layer.follows)) is not None:
            level = (_number(followed, 0) if followed else layer.first_level) - layer.first_level + 1
            value = max(1, min(level, len(layer.images))) * (1 if value > 0 else -1)
        return abs(value) if layer.always_active else value

    def _marks(self) -> Iterator[tuple[str, str]]:
        """Yield names and values, innermost first, so that a mapping keeps the outermost."""
        states = self.states
        redact = self._around.aliases.redact
        found = [
            (index, name, value)
            for index, names in self.piece_type.markers
            for name, value in zip(names, _padded(decode(states[index], ","), len(names)), strict=False)
        ]
        found += [(index, name, states[index]) for index, name in self.piece_type.properties]
        for _, name, value in sorted(found, key=lambda item: -item[0]):
            yield name, redact(value)

    def _mask_owner(self) -> str | None:
        states = self.states
        for index, _ in self.piece_type.masks:
            owner = decode(states[index], ";")[0]
            if owner not in ("null", ""):
                return owner
        return None

    def _name_from_inside(self) -> str:
        name = self.name
        states = self.states
        for index, trait, layer in self.piece_type.named_by:
            if layer is not None:
                name = self._named_by_layer(layer, name)
            elif trait.prefix == "label;":
                name = self._named_by_label(trait, states[index], name)
            elif decode(states[index], ";")[0] not in ("null", ""):
                name = str(trait.get("mask_name", "") or "?") if trait.prefix == "obs;" else ""
        return name

    def _named_by_layer(self, layer: LayerTrait, name: str) -> str:
        shown = layer.at(self._layer_value(layer, self.states))
        if not shown.active or not shown.level_name:
            return name
        first, *rest = (self._filled(part) or "" for part in decode(shown.level_name, "+"))
        if not rest:
            return first
        return first + name if first else name + rest[0]

    def _named_by_label(self, trait: Trait, state: str, name: str) -> str:
        label = state.strip()
        if not label:
            return name
        text = self._filled(label)
        if text is None:
            return name
        name_format = trait.get("name_format", None)
        name_format = "$pieceName$ ($label$)" if name_format is None else str(name_format).strip()
        filled = self._filled(name_format, {"pieceName": name, "label": text})
        return name if filled is None else filled

    def _filled(self, text: str, words: Mapping[str, str] | None = None) -> str | None:
        """Return a format with its words filled in; None if it holds an expression or a word that nothing explains."""
        if text.startswith("{"):
            return None
        if "$" not in text:
            return text
        out: list[str] = []
        for part, is_word in split_format(text):
            value = ((words or {}).get(part) or self._lookup(part)) if is_word else part
            if value is None:
                return None
            out.append(value)
        return "".join(out)

    def _lookup(self, name: str) -> str | None:
        """Return the value of a property as the engine looks it up: the piece's own, then those around it."""
        if (value := self.property(name)) is not None:
            return value
        self._asked_around = True
        return self._around.properties.get(name)


def _padded(values: list[str], length: int) -> list[str]:
    return values + [""] * (length - len(values))


def _number(text: str, default: int) -> int:
    try:
        return int(text)
    except ValueError:
        return default
