"""The board while a log is replayed: which pieces, stacks and decks there are, and where.

One mutable board stands for every moment of a game in turn; nothing is copied from step to step. Only ``replay``
changes it, and notes how each piece was before; readers look at its mappings.

The model is the engine's (``VASSAL.build.GameState``, ``VASSAL.counters.Stack``): a member of a stack has the stack's
position, whatever its own state says, and a piece whose stack was removed under it is an *orphan*: it stays where the
stack was, and still counts as stacked until something places it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import NamedTuple

from vassal_bridge.vassal.commands import BoardPlacement, BoardSetup, PieceId
from vassal_bridge.vassal.components import MapDefinition
from vassal_bridge.vassal.live import Deck, Piece, Place, Stack, Surroundings
from vassal_bridge.vassal.module import Module
from vassal_bridge.vassal.players import Aliases, Player
from vassal_bridge.vassal.turns import TurnState, read_turn

__all__ = ["Board", "Deck", "Piece", "Place", "Snapshot", "Stack", "Stacking", "Surroundings"]

Point = tuple[str, int, int]


class Snapshot(NamedTuple):
    """How a piece was before a step; ``piece`` is None if it was not in the game."""

    piece: Piece | None
    point: tuple[str | None, int, int]
    stack: PieceId | None
    states: Sequence[str]


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
        self._at: dict[Point, dict[Piece | Stack, None]] = {}
        self._places: dict[Point, str | None] = {}
        self._before: dict[PieceId, Snapshot] = {}
        self._touched: Callable[[PieceId], None] | None = None
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
            self._places[point] = self.module.location(map_name, x, y, self.boards.get(map_name))
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
        if stack is not None:
            self._lift(stack)
            self._orphan(stack.pieces, stack)
            stack.pieces = []

    def set_stack(self, stack: Stack, map_name: str | None, x: int, y: int, pieces: Sequence[Piece]) -> None:
        """Put a stack or deck somewhere, with these pieces from bottom to top."""
        self._lift(stack)
        members = set(pieces)
        self._orphan([piece for piece in stack.pieces if piece not in members], stack)
        for piece in pieces:
            self._note(piece)
        self._take_up_all(piece for piece in pieces if piece.holder is not stack)
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
        piece.own_place = (map_name, x, y)
        if map_name is not None:
            self._at.setdefault((map_name, x, y), {})[piece] = None

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
        piece.states = states

    def watch(self, touched: Callable[[PieceId], None]) -> dict[PieceId, Snapshot]:
        """Begin to note how each piece was before it is first changed.

        Args:
            touched: Called with the id of each piece as it is first changed.

        Returns:
            The notes, which fill as it goes on.
        """
        self._touched = touched
        self._before = {}
        return self._before

    def _note(self, piece: Piece) -> None:
        if self._touched is not None and piece.id not in self._before:
            self._before[piece.id] = Snapshot(piece, (piece.map, piece.x, piece.y), piece.stack, piece.states)
            self._touched(piece.id)

    def _note_new(self, piece: Piece) -> None:
        if self._touched is not None and piece.id not in self._before:
            self._before[piece.id] = Snapshot(None, (None, 0, 0), None, ())
            self._touched(piece.id)

    def _take_up(self, piece: Piece) -> None:
        """Take a piece out of its stack, or from the point where it lies alone."""
        stack = piece.holder
        if stack is None:
            self._unlist(piece, *piece.own_place)
            return
        piece.own_place = (stack.map, stack.x, stack.y)
        piece.holder = None
        stack.pieces.remove(piece)
        if not stack.pieces:
            self._emptied(stack)

    def _take_up_all(self, pieces: Iterable[Piece]) -> None:
        """Take pieces up, those of one stack all at once."""
        stacks: dict[Stack, set[Piece]] = {}
        for piece in pieces:
            if piece.holder is None:
                self._unlist(piece, *piece.own_place)
            else:
                stacks.setdefault(piece.holder, set()).add(piece)
        for stack, gone in stacks.items():
            stack.pieces = [piece for piece in stack.pieces if piece not in gone]
            if not stack.pieces:
                self._emptied(stack)

    def _orphan(self, pieces: Iterable[Piece], stack: Stack) -> None:
        """Leave pieces where their stack is, held by nothing."""
        for piece in pieces:
            self._note(piece)
            piece.own_place = (stack.map, stack.x, stack.y)
            piece.holder = None
            piece.is_orphan = True

    def _emptied(self, stack: Stack) -> None:
        if not stack.is_deck:
            self._lift(stack)
            if stack.is_local:
                del self.stacks[stack.id]

    def _lay(self, stack: Stack) -> None:
        if stack.map is not None and (stack.pieces or stack.is_deck):
            self._at.setdefault((stack.map, stack.x, stack.y), {})[stack] = None

    def _lift(self, stack: Stack) -> None:
        self._unlist(stack, stack.map, stack.x, stack.y)

    def _unlist(self, item: Piece | Stack, map_name: str | None, x: int, y: int) -> None:
        if map_name is None or (there := self._at.get((map_name, x, y))) is None:
            return
        there.pop(item, None)
        if not there:
            del self._at[map_name, x, y]
