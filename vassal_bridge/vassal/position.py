"""The board while a log is replayed: pieces, stacks and decks, where they are and what they show.

One mutable board stands for every moment of a game in turn; nothing is copied from step to step. Only ``replay``
changes it, through the methods that start with an underscore or are named in its rules; readers use the properties.

The model is the engine's (``VASSAL.build.GameState``, ``VASSAL.counters.Stack``): a member of a stack has the stack's
position, whatever its own state says, and a piece whose stack was removed under it is an *orphan*: it stays where the
stack was, and still counts as stacked until something places it.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType
from typing import NamedTuple

from vassal_bridge.vassal.commands import BoardPlacement, BoardSetup, PieceId
from vassal_bridge.vassal.components import MapDefinition
from vassal_bridge.vassal.formats import split_format
from vassal_bridge.vassal.module import Module
from vassal_bridge.vassal.pieces import Layer, LayerTrait, PieceType, parse_basic_state, split_state
from vassal_bridge.vassal.players import Aliases, Player
from vassal_bridge.vassal.sequence import decode, join_chain
from vassal_bridge.vassal.traits import Trait
from vassal_bridge.vassal.turns import TurnState, read_turn

__all__ = ["Board", "Deck", "Piece", "Place", "Snapshot", "Stack", "Stacking"]

Point = tuple[str, int, int]


class Snapshot(NamedTuple):
    """How a piece was before a step; ``piece`` is None if it was not in the game."""

    piece: Piece | None
    point: tuple[str | None, int, int]
    stack: PieceId | None
    states: Sequence[str]


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
        piece._states = list(states)
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


class Stacking:
    """How a map stacks, as far as the module is known; without it, everything stacks."""

    __slots__ = ("_layers", "is_enabled")

    def __init__(self, definition: MapDefinition | None) -> None:
        self.is_enabled = definition is None or not definition.stacking.is_disabled
        self._layers = definition.layers if definition else None

    def layer_of(self, piece: Piece) -> int:
        """Return the visual layer of a piece; pieces of different layers never stack."""
        return 0 if self._layers is None else self._layers.layer_of(piece.property(self._layers.property))


class Board:
    """All pieces, stacks and decks of a game at one moment of it.

    Attributes:
        pieces: Pieces by id.
        stacks: Stacks by id, emptied ones too.
        decks: Decks by id.
        boards: The boards of each map, by the map's identifier.
        players: Players by alias.
        module: The module, if it is at hand.
    """

    def __init__(self, aliases: Aliases, module: Module | None = None) -> None:
        self.module = module
        self.around = Surroundings(aliases)
        self._trackers = {tracker.id: tracker for tracker in module.turn_trackers} if module else {}
        self._stacking: dict[str, Stacking] = {}
        self.clear()

    def clear(self) -> None:
        """Take everything off."""
        self.pieces: dict[PieceId, Piece] = {}
        self.stacks: dict[PieceId, Stack] = {}
        self.decks: dict[PieceId, Deck] = {}
        self.around.properties.clear()
        self.boards: dict[str, tuple[BoardPlacement, ...]] = {}
        self.players: dict[str, Player] = {}
        self._turns: dict[str, str] = {}
        self._at: dict[Point, list[Piece | Stack]] = {}
        self._places: dict[Point, str | None] = {}
        self._before: dict[PieceId, Snapshot] | None = None
        self._made = 0

    @property
    def properties(self) -> dict[str, str]:
        """Values of the properties of the module, its maps and zones, by name; the last one set of a name."""
        redact = self.around.aliases.redact
        return {name: redact(value) for name, value in self.around.properties.items()}

    @property
    def turn(self) -> dict[str, TurnState]:
        """Turn trackers by name; one that the file does not mention shows the first turn."""
        states = dict.fromkeys(self._trackers, "") | self._turns
        turns = [self._read_turn(tracker, state) for tracker, state in states.items()]
        return {turn.tracker: turn for turn in turns}

    def location(self, piece: Piece | Stack) -> str | None:
        """Return the engine's ``LocationName`` of a piece: empty on no map, None if that cannot be known."""
        return self.location_at(piece.map, piece.x, piece.y)

    def location_at(self, map_name: str | None, x: int, y: int) -> str | None:
        """Return the engine's ``LocationName`` of a point in map pixels."""
        if self.module is None:
            return None
        if map_name is None:
            return ""
        point = (map_name, x, y)
        if point not in self._places:
            self._places[point] = self.module.location(map_name, x, y, self._layout(map_name))
        return self._places[point]

    def place(self, piece: Piece) -> Place:
        """Return where a piece is."""
        holder = piece.holder
        stack = None if holder is None else holder.id
        map_name, x, y = piece.map, piece.x, piece.y
        return Place(map=map_name, x=x, y=y, location=self.location_at(map_name, x, y), stack=stack)

    def at(self, map_name: str, x: int, y: int) -> tuple[Piece | Stack, ...]:
        """Return what lies exactly at a point, bottom first: decks, stacks and single pieces."""
        return tuple(self._at.get((map_name, x, y), ()))

    def stacking(self, map_name: str) -> Stacking:
        """Return how a map stacks."""
        if map_name not in self._stacking:
            self._stacking[map_name] = Stacking(self.module.map(map_name) if self.module else None)
        return self._stacking[map_name]

    def set_boards(self, command: BoardSetup) -> None:
        """Lay out the boards of a map."""
        self.boards[command.map] = command.boards
        self._places.clear()

    def set_turn(self, tracker_id: str, state: str) -> tuple[TurnState | None, TurnState]:
        """Set a turn tracker; return what it showed, if the file had told, and what it shows."""
        known = self._turns.get(tracker_id)
        before = None if known is None else self._read_turn(tracker_id, known)
        self._turns[tracker_id] = state
        return before, self._read_turn(tracker_id, state)

    def _read_turn(self, tracker_id: str, state: str) -> TurnState:
        return read_turn(tracker_id, state, self._trackers, self.around.properties)

    def add_piece(self, piece: Piece) -> None:
        """Put a new piece into the game; one with the same id goes."""
        if piece.id in self.pieces:
            self.remove_piece(piece.id)
        self._note_new(piece)
        self.pieces[piece.id] = piece

    def remove_piece(self, identity: PieceId) -> None:
        """Take a piece out of the game."""
        piece = self.pieces[identity]
        self._note(piece)
        self._take_up(piece)
        piece.is_orphan = False
        del self.pieces[identity]

    def add_stack(self, stack: Stack) -> None:
        """Put a stack or deck into the game; one with the same id goes, its pieces become orphans."""
        self.remove_stack(stack.id)
        if isinstance(stack, Deck):
            self.decks[stack.id] = stack
        else:
            self.stacks[stack.id] = stack

    def remove_stack(self, identity: PieceId) -> None:
        """Take a stack or deck out of the game; its pieces stay where they are, as orphans."""
        stack = self.stacks.pop(identity, None) or self.decks.pop(identity, None)
        if stack is None:
            return
        self._lift(stack)
        for piece in tuple(stack.pieces):
            self._orphan(piece)

    def set_stack(self, stack: Stack, map_name: str | None, x: int, y: int, pieces: Sequence[Piece]) -> None:
        """Put a stack or deck somewhere, with these pieces from bottom to top."""
        self._lift(stack)
        keep = set(map(id, pieces))
        for piece in tuple(stack.pieces):
            if id(piece) not in keep:
                self._orphan(piece)
        for piece in pieces:
            self._note(piece)
            if piece.holder is not stack:
                self._take_up(piece)
        stack.pieces = list(pieces)
        for piece in pieces:
            piece.holder = stack
            piece.is_orphan = False
        stack.map, stack.x, stack.y = map_name, x, y
        self._lay(stack)

    def put_alone(self, piece: Piece, map_name: str | None, x: int, y: int) -> None:
        """Put a piece somewhere, in no stack."""
        self._note(piece)
        self._take_up(piece)
        piece.is_orphan = False
        piece._map, piece._x, piece._y = map_name, x, y
        if map_name is not None:
            self._at.setdefault((map_name, x, y), []).append(piece)

    def insert(self, stack: Stack, piece: Piece, index: int) -> None:
        """Put a piece into a stack or deck, 0 being the bottom; ``index`` counts without the piece itself."""
        self._note(piece)
        if piece.holder is stack:
            stack.pieces.remove(piece)
        else:
            self._take_up(piece)
        stack.pieces.insert(index, piece)
        piece.holder = stack
        piece.is_orphan = False
        if len(stack.pieces) == 1 and not stack.is_deck:
            self._lay(stack)

    def stack_alone(self, piece: Piece) -> Stack:
        """Make a stack of a single piece where it lies, as the engine does, and return it."""
        self._made += 1
        stack = Stack(PieceId(f"made-{self._made}"), is_local=True)
        self.stacks[stack.id] = stack
        self.set_stack(stack, piece.map, piece.x, piece.y, (piece,))
        return stack

    def set_states(self, piece: Piece, states: list[str]) -> None:
        """Give a piece new states of its traits."""
        self._note(piece)
        piece._states = states
        piece._text = ""
        piece._shown = None

    def watch(self) -> dict[PieceId, Snapshot]:
        """Begin to note how each piece was before it is first changed; return the notes, which fill as it goes on."""
        self._before = {}
        return self._before

    def _layout(self, map_name: str) -> tuple[tuple[str, bool, int, int], ...] | None:
        boards = self.boards.get(map_name)
        if boards is None:
            return None
        return tuple((placed.board, placed.is_reversed, placed.column, placed.row) for placed in boards)

    def _note(self, piece: Piece) -> None:
        notes = self._before
        if notes is not None and piece.id not in notes:
            notes[piece.id] = Snapshot(piece, (piece.map, piece.x, piece.y), piece.stack, piece.states)

    def _note_new(self, piece: Piece) -> None:
        if self._before is not None and piece.id not in self._before:
            self._before[piece.id] = Snapshot(None, (None, 0, 0), None, ())

    def _take_up(self, piece: Piece) -> None:
        """Take a piece out of its stack, or from the point where it lies alone."""
        stack = piece.holder
        if stack is None:
            self._unlist(piece, piece._map, piece._x, piece._y)
            return
        piece._map, piece._x, piece._y = stack.map, stack.x, stack.y
        piece.holder = None
        stack.pieces.remove(piece)
        if not stack.pieces and not stack.is_deck:
            self._lift(stack)
            if stack.is_local:
                del self.stacks[stack.id]

    def _orphan(self, piece: Piece) -> None:
        self._note(piece)
        stack = piece.holder
        if stack is not None:
            piece._map, piece._x, piece._y = stack.map, stack.x, stack.y
            stack.pieces.remove(piece)
        piece.holder = None
        piece.is_orphan = True

    def _lay(self, stack: Stack) -> None:
        if stack.map is not None and (stack.pieces or stack.is_deck):
            self._at.setdefault((stack.map, stack.x, stack.y), []).append(stack)

    def _lift(self, stack: Stack) -> None:
        self._unlist(stack, stack.map, stack.x, stack.y)

    def _unlist(self, item: Piece | Stack, map_name: str | None, x: int, y: int) -> None:
        if map_name is None or (there := self._at.get((map_name, x, y))) is None or item not in there:
            return
        there.remove(item)
        if not there:
            del self._at[map_name, x, y]
