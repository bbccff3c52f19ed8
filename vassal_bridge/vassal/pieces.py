"""What a piece's type says once for all, worked out once per type string.

Thousands of pieces share a few hundred type strings, so everything that can be known from the type alone is compiled
here: which trait in the chain is a layer, a marker, a mask; how the displayed name is put together. A live piece
(``position.Piece``) then only looks into the states of the traits that matter.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Final

from vassal_bridge.vassal.sequence import EncodingLossError, decode, encode, join_chain, split_chain
from vassal_bridge.vassal.traits import Trait, parse_trait
from vassal_bridge.vassal.values import AccessSpec

__all__ = [
    "BasicState",
    "Layer",
    "LayerTrait",
    "PieceState",
    "PieceType",
    "StackState",
    "format_basic_state",
    "format_stack_state",
    "parse_basic_state",
    "parse_piece_type",
    "parse_stack_state",
    "split_state",
]

_DECK: Final = "deck;"
_STACK: Final = "stack"


@dataclass(frozen=True, slots=True, kw_only=True)
class Layer:
    """The level of one layer of a piece.

    Attributes:
        name: The layer's name, empty if it has none.
        level: From 1; 0 if the layer has no level.
        active: Whether it is shown.
        level_name: As the module wrote it: ``+text`` is appended to the piece's name, ``text+`` put in front.
        image: File in the module's ``images`` folder.
    """

    name: str
    level: int
    active: bool
    level_name: str = ""
    image: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class LayerTrait:
    """A layer as its type describes it.

    Attributes:
        index: Of the trait in the chain, outermost 0.
        name: The layer's name.
        images: One for each level.
        level_names: One for each level.
        follows: The property whose value decides the level, if one does; an expression that is more than a property's
            name is not evaluated and gives None.
        first_level: The value of that property at level 1.
        always_active: Whether it is always shown.
    """

    index: int
    name: str
    images: tuple[str, ...]
    level_names: tuple[str, ...]
    follows: str | None
    first_level: int
    always_active: bool
    _levels: dict[int, Layer] = field(default_factory=dict, repr=False, compare=False)

    def at(self, value: int) -> Layer:
        """Return the level that the stored ``value`` means; a negative value is an inactive layer."""
        layer = self._levels.get(value)
        if layer is None:
            level = min(abs(value), len(self.images))
            layer = self._levels[value] = Layer(
                name=self.name,
                level=level,
                active=value > 0,
                level_name=self.level_names[level - 1] if 0 < level <= len(self.level_names) else "",
                image=self.images[level - 1] if level else "",
            )
        return layer


@dataclass(frozen=True, slots=True, kw_only=True)
class BasicState:
    """The innermost state: where a piece is and which slot of the module it came from.

    Attributes:
        map: Identifier of the map, None if on none or if the stack has it.
        x: Map pixels.
        y: Map pixels.
        gpid: Id of its slot; empty if unknown.
        properties: The engine's own notes on the piece (``OldMap``, ``UniqueID``).
    """

    map: str | None
    x: int
    y: int
    gpid: str = ""
    properties: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True, slots=True, kw_only=True)
class StackState:
    """The state of a stack or deck.

    Attributes:
        map: Identifier of the map, None if it is on none.
        x: Map pixels.
        y: Map pixels.
        members: Ids, bottom to top; the top card of a deck is the last.
        layer: Visual layer of a stack, -1 if never set; None in files without it.
        face_down: Of a deck.
    """

    map: str | None
    x: int
    y: int
    members: tuple[str, ...]
    layer: int | None = None
    face_down: bool = False


class PieceType:
    """A trait chain; equal type strings share one object.

    Attributes:
        text: The type string.
        traits: Outermost first, the basic piece last.
        is_stack: Whether it is a stack.
        is_deck: Whether it is a deck.
    """

    __slots__ = (
        "basic_name",
        "has_following",
        "hides",
        "is_deck",
        "is_stack",
        "labels",
        "layer_indices",
        "layers",
        "mark_indices",
        "markers",
        "masks",
        "moved",
        "named_by",
        "non_stacking",
        "owner_indices",
        "properties",
        "seen_indices",
        "text",
        "traits",
        "unknown",
    )

    def __init__(self, text: str) -> None:
        self.text = text
        self.traits: tuple[Trait, ...] = tuple(map(parse_trait, split_chain(text)))
        basic = self.traits[-1]
        self.is_stack = basic.prefix == _STACK
        self.is_deck = basic.prefix == _DECK
        self.unknown: tuple[str, ...] = tuple(trait.prefix for trait in self.traits if trait.spec is None)
        self._compile()
        #: Name of the basic piece, or of the trait that overrides it.
        self.basic_name: str = self._basic_name()

    def __repr__(self) -> str:
        return f"PieceType({self.basic_name!r}, {len(self.traits)} traits)"

    def find(self, prefix: str) -> tuple[int, ...]:
        """Return the positions of the traits with this prefix, outermost first."""
        return tuple(position for position, trait in enumerate(self.traits) if trait.prefix == prefix)

    @property
    def deck_name(self) -> str | None:
        """Name of a deck."""
        name: str | None = self.traits[-1].get("name") if self.is_deck else None
        return name

    def _compile(self) -> None:
        self.layers: tuple[LayerTrait, ...] = tuple(
            layer for index, trait in enumerate(self.traits) if (layer := _layer(index, trait)) is not None
        )
        self.markers: tuple[tuple[int, tuple[str, ...]], ...] = tuple(
            (index, self.traits[index].get("names", ())) for index in self.find("mark;")
        )
        self.properties: tuple[tuple[int, str], ...] = self._named("PROP;", "name")
        self.labels: tuple[tuple[int, str], ...] = self._named("label;", "property_name")
        self.masks: tuple[tuple[int, AccessSpec], ...] = self._with_access("obs;")
        self.hides: tuple[tuple[int, AccessSpec], ...] = self._with_access("hide;")
        self.moved: tuple[int, ...] = self.find("markmoved;")
        self.non_stacking: tuple[int, ...] = tuple(
            index for index, trait in enumerate(self.traits) if trait.prefix in ("immob;", "mat;", "matPiece;")
        )
        by_index = {layer.index: layer for layer in self.layers}
        #: The traits that can change the displayed name, innermost first, with their positions and layers.
        self.named_by: tuple[tuple[int, Trait, LayerTrait | None], ...] = tuple(
            (index, trait, by_index.get(index))
            for index, trait in reversed(tuple(enumerate(self.traits)))
            if trait.prefix in ("label;", "obs;", "hide;") or (index in by_index and any(by_index[index].level_names))
        )
        #: Whether a layer follows a property, so that it may change though its own state does not.
        self.has_following: bool = any(layer.follows is not None for layer in self.layers)
        #: Positions of the traits whose states a reader of the board sees, by what they are to him.
        self.layer_indices = _indices(*by_index)
        self.mark_indices = _indices(*(index for index, _ in self.markers + self.properties))
        self.owner_indices = _indices(*(index for index, _ in self.masks + self.hides))
        self.seen_indices = _indices(*by_index, *self.mark_indices, *self.owner_indices, *self.moved)

    def _named(self, prefix: str, name: str) -> tuple[tuple[int, str], ...]:
        return tuple((index, self.traits[index].get(name, "") or "") for index in self.find(prefix))

    def _with_access(self, prefix: str) -> tuple[tuple[int, AccessSpec], ...]:
        return tuple(
            (index, self.traits[index].get("access", None) or AccessSpec(kind="player")) for index in self.find(prefix)
        )

    def _basic_name(self) -> str:
        for trait in self.traits:
            if trait.prefix == "basicName;" and (name := trait.get("name", "")):
                return str(name)
        basic = self.traits[-1]
        return str(basic.get("name", "")) if basic.prefix == "piece;" else self.deck_name or ""


@dataclass(frozen=True, slots=True, kw_only=True)
class PieceState:
    """A piece's type with a state of it, for reading and rewriting single pieces.

    Attributes:
        piece_type: The type.
        states: One for each trait, outermost first.
        raw: The state string, where the engine would write the same states otherwise.
    """

    piece_type: PieceType
    states: tuple[str, ...] = field(repr=False)
    raw: str | None = field(default=None, repr=False, compare=False)

    @classmethod
    def parse(cls, type_text: str, state_text: str) -> PieceState:
        """Read a type and a state as an ``AddPiece`` holds them."""
        piece_type = parse_piece_type(type_text)
        states = tuple(split_state(piece_type, state_text))
        raw = None if _is_joined(states, state_text) else state_text
        return cls(piece_type=piece_type, states=states, raw=raw)

    @property
    def text(self) -> str:
        """The state string; ``parse`` gives back what it read."""
        return join_chain(self.states) if self.raw is None else self.raw

    @property
    def basic(self) -> BasicState:
        """The innermost state."""
        return parse_basic_state(self.states[-1])

    def values(self, index: int) -> dict[str, object]:
        """Return the fields of the state of the trait at ``index`` by name; none for an unknown trait."""
        spec = self.piece_type.traits[index].spec
        return spec.read_state(self.states[index]) if spec else {}


@lru_cache(maxsize=4096)
def _indices(*indices: int) -> frozenset[int]:
    """Return a set of positions; types that are built alike share one."""
    return frozenset(indices)


@lru_cache(maxsize=65536)
def parse_piece_type(text: str) -> PieceType:
    """Return the type that ``text`` describes."""
    return PieceType(text)


def split_state(piece_type: PieceType, text: str) -> list[str]:
    """Return the states of the traits, outermost first; what a short chain lacks is empty."""
    count = len(piece_type.traits)
    states = split_chain(text, most=count)
    if len(states) < count:
        # A tolerant reader keeps the inner end together: the basic piece's state is the last there is.
        states = [*states[:-1], *[""] * (count - len(states)), states[-1]]
    return states


def parse_basic_state(text: str) -> BasicState:
    """Read the state of a basic piece; numbers that do not parse are 0."""
    tokens = decode(text, ";")
    count = _number(tokens[4]) if len(tokens) > 4 else 0
    pairs = tokens[5 : 5 + 2 * max(count, 0)]
    return BasicState(
        map=_map_name(tokens[0]),
        x=_number(tokens[1]) if len(tokens) > 1 else 0,
        y=_number(tokens[2]) if len(tokens) > 2 else 0,
        gpid=tokens[3] if len(tokens) > 3 else "",
        properties=dict(zip(pairs[::2], pairs[1::2], strict=False)),
    )


def parse_stack_state(text: str, *, of_deck: bool = False) -> StackState:
    """Read the state of a stack or deck."""
    tokens = decode(text, ";")
    name, *rest = tokens
    x, y = (_number(token) for token in (*rest[:2], "", "")[:2])
    if of_deck:
        members = tuple(decode(rest[3], ",")) if len(rest) > 3 and rest[3] else ()
        return StackState(map=_map_name(name), x=x, y=y, members=members, face_down=rest[2:3] == ["true"])
    layers = [token for token in rest[2:] if token.startswith("@@")]
    members = tuple(token for token in rest[2:] if token and not token.startswith("@@"))
    layer = _number(layers[-1][2:]) if layers else None
    return StackState(map=_map_name(name), x=x, y=y, members=members, layer=layer)


def format_basic_state(state: BasicState) -> str:
    """Return the text of a basic piece's state, in the engine's present form."""
    pairs = [word for pair in state.properties.items() for word in pair]
    position = [state.map or "null", str(state.x), str(state.y)]
    return encode([*position, state.gpid, str(len(state.properties)), *pairs], ";")


def format_stack_state(state: StackState, *, of_deck: bool = False) -> str:
    """Return the text of a stack's or deck's state."""
    position = [state.map or "null", str(state.x), str(state.y)]
    if of_deck:
        members = [encode(state.members, ",")] if state.members else []
        return encode([*position, "true" if state.face_down else "false", *members], ";")
    layer = [] if state.layer is None else [f"@@{state.layer}"]
    return encode([*position, *state.members, *layer], ";")


def _is_joined(states: Sequence[str], text: str) -> bool:
    try:
        return join_chain(states) == text
    except EncodingLossError:
        return False


def _map_name(token: str) -> str | None:
    return None if token in ("null", "") else token


def _number(token: str) -> int:
    try:
        return int(token)
    except ValueError:
        return 0


def _layer(index: int, trait: Trait) -> LayerTrait | None:
    if trait.prefix == "emb;":
        return _old_layer(index, trait)
    if trait.prefix != "emb2;":
        return None
    version = trait.get("version", 0) or 0
    always = trait.get("always_active", False) if version else not trait.get("activate_letter", "")
    return LayerTrait(
        index=index,
        name=trait.get("name", "") or "",
        images=trait.get("images", ()),
        level_names=trait.get("level_names", ()),
        follows=_followed(trait) if trait.get("follow", False) else None,
        first_level=_first_level(trait),
        always_active=bool(always),
    )


def _first_level(trait: Trait) -> int:
    first = trait.get("first_level", 1)
    return 1 if first is None else int(first)


def _followed(trait: Trait) -> str | None:
    name = (trait.get("follow_property", "") or "").strip()
    if name.startswith("{") and name.endswith("}"):
        name = name[1:-1].strip()
    return name if name and all(letter.isalnum() or letter in "_ -." for letter in name) else None


def _old_layer(index: int, trait: Trait) -> LayerTrait:
    levels: Sequence[Sequence[str]] = [decode(level, ",") for level in trait.get("images", ())]
    keys: Sequence[str] = decode(trait.get("activate_keys", "") or "", ";")
    return LayerTrait(
        index=index,
        name="",
        images=tuple(level[0] for level in levels),
        level_names=tuple(level[1] if len(level) > 1 else "" for level in levels),
        follows=None,
        first_level=1,
        always_active=not keys[0],
    )
