"""Replay a log step by step, by the engine's own rules.

Source: the ``execute`` methods of ``AddPiece``, ``RemovePiece``, ``ChangePiece`` and ``MovePiece`` in
``VASSAL.command``, ``Stack``, ``StackMetrics.merge`` and ``Decorator.mergeState``. What a step did is derived once as
it is done, from notes on the pieces that it touched; the board is never copied.

Where the engine is exact this is exact. Known to differ, because the engine itself differs from client to client: who
could see a hidden piece at the moment of a merge, what an undo leaves behind of clones and cards.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from vassal_bridge.vassal.changes import (
    Change,
    ChatSaid,
    DiceShown,
    OtherChange,
    PieceAdded,
    PieceChanged,
    PieceMoved,
    PieceRemoved,
    PlayerJoined,
    PlayerLeft,
    PropertyChanged,
    StepRecord,
    TurnChanged,
)
from vassal_bridge.vassal.chat import is_undo, speaker
from vassal_bridge.vassal.commands import (
    AddPiece,
    BeginSave,
    BoardSetup,
    ChangePiece,
    Chat,
    Command,
    DiceResult,
    EndSave,
    GlobalProperty,
    Logged,
    MovePiece,
    NullCommand,
    PieceId,
    PlayerAdd,
    PlayerRemove,
    RemovePiece,
    SetProperty,
    SetupStack,
    TurnUpdate,
    UndoBracket,
    UnknownCommand,
)
from vassal_bridge.vassal.game import Game, Step
from vassal_bridge.vassal.module import Module
from vassal_bridge.vassal.pieces import (
    Layer,
    StackState,
    parse_basic_state,
    parse_piece_type,
    parse_stack_state,
    split_state,
)
from vassal_bridge.vassal.players import Player
from vassal_bridge.vassal.position import Board, Deck, Piece, Place, Snapshot, Stack

__all__ = ["Board", "Replay"]


class Replay:
    """A game being replayed.

    Attributes:
        game: The game.
        board: The board after the steps done so far; it changes with each further step.
        done: Number of steps done.
    """

    def __init__(self, game: Game, module: Module | None = None) -> None:
        self.game = game
        self.board = Board(game.aliases, module)
        self.done = 0
        self._changes: list[Change | PieceId] = []
        self._undone_by = {undone: number for number, undone in game.undone.items()}
        self._speakers = {player.name: player.alias for player in game.players}
        #: Stacks on a map whose state named pieces that did not exist yet. The engine would leave those out, but it
        #: never writes a stack before its members there, so whoever did meant them to be in it.
        self._incomplete: list[tuple[Stack, StackState]] = []
        for command in game.setup:
            self._execute(command)
        self._complete_stacks()
        self._changes.clear()

    def __iter__(self) -> Iterator[StepRecord]:
        while (record := self.step()) is not None:
            yield record

    def run(self, to: int | None = None) -> Board:
        """Do all steps, or those up to step ``to`` (0 is the position before the first), and return the board."""
        while (to is None or self.done < to) and self.step() is not None:
            pass
        return self.board

    def step(self) -> StepRecord | None:
        """Do the next step; return None if there is none."""
        if self.done == len(self.game.steps):
            return None
        step = self.game.steps[self.done]
        self.done += 1
        # A piece is told of where it was first touched, between what was said before and after.
        self._changes = []
        before = self.board.watch(self._changes.append)
        for command in step.commands:
            self._execute(command)
        return StepRecord(
            number=step.number,
            commands=step.commands,
            changes=tuple(self._net_changes(before)),
            author=self._author(step),
            undoes=self.game.undone.get(step.number),
            undone_by=self._undone_by.get(step.number),
        )

    def _execute(self, command: Command) -> None:
        match command:
            case NullCommand():
                pass
            case MovePiece():
                self._move(command)
            case ChangePiece():
                self._change(command)
            case AddPiece():
                self._add(command)
            case Chat(text=text):
                text = self.game.aliases.redact(text)
                self._changes.append(ChatSaid(text=text, undo=is_undo(text)))
            case SetProperty(name=name, new=new, container=container):
                self._set_property(name, new, container)
            case RemovePiece(id=identity):
                self._remove(identity)
            case _:
                self._execute_rare(command)

    def _execute_rare(self, command: Command) -> None:
        match command:
            case TurnUpdate(tracker=tracker, state=state):
                before, after = self.board.set_turn(tracker, state)
                if before != after:
                    self._changes.append(TurnChanged(tracker=after.tracker, before=before, after=after))
            case GlobalProperty(id=identity, value=value, container=container):
                self._set_property(identity.partition("\t")[0], value, container)
            case BoardSetup():
                self.board.set_boards(command)
            case PlayerAdd():
                self._join(command)
            case PlayerRemove():
                alias = self.game.aliases.alias(command.player_id)
                self.board.players.pop(alias, None)
                self._changes.append(PlayerLeft(player=alias))
            case DiceResult(button=button, faces=faces):
                self._changes.append(DiceShown(button=button, faces=faces))
            case BeginSave():
                self.board.clear()
            case EndSave() | SetupStack() | UndoBracket() | Logged():
                pass
            case UnknownCommand(prefix=prefix):
                self._changes.append(OtherChange(text=f"unknown command {prefix.strip()}"))
            case _:
                self._changes.append(OtherChange(text=type(command).__name__))

    def _add(self, command: AddPiece) -> None:
        if command.id is None:
            return
        piece_type = parse_piece_type(command.type)
        if piece_type.is_stack or piece_type.is_deck:
            stack = Deck(command.id, piece_type) if piece_type.is_deck else Stack(command.id)
            self.board.add_stack(stack)
            self._set_stack(stack, parse_stack_state(command.state, of_deck=piece_type.is_deck))
            return
        piece = Piece(command.id, piece_type, command.state, self.board.around)
        self.board.add_piece(piece)
        basic = parse_basic_state(piece.basic_state)
        piece.gpid = basic.gpid
        self.board.put_alone(piece, basic.map, basic.x, basic.y)

    def _remove(self, identity: PieceId) -> None:
        if identity in self.board.pieces:
            self.board.remove_piece(identity)
        else:
            self.board.remove_stack(identity)

    def _change(self, command: ChangePiece) -> None:
        board = self.board
        if (piece := board.pieces.get(command.id)) is not None:
            self._change_piece(piece, command)
        elif (stack := board.stacks.get(command.id) or board.decks.get(command.id)) is not None:
            new = parse_stack_state(command.state, of_deck=stack.is_deck)
            members = new.members
            if command.old is not None and not stack.is_deck:
                members = _merged_members(stack.members, parse_stack_state(command.old).members, members)
            self._set_stack(stack, new, members)
        else:
            self._tell_without_effect(command, command.id)

    def _change_piece(self, piece: Piece, command: ChangePiece) -> None:
        new = split_state(piece.piece_type, command.state)
        if command.old is None:
            self.board.set_states(piece, new)
            self._place_by_state(piece, new[-1], None)
            return
        old = split_state(piece.piece_type, command.old)
        merged = [
            current if after == before else after for current, after, before in zip(piece.states, new, old, strict=True)
        ]
        self.board.set_states(piece, merged)
        if new[-1] != old[-1]:
            self._place_by_state(piece, new[-1], old[-1])

    def _place_by_state(self, piece: Piece, new: str, old: str | None) -> None:
        """Move a piece whose innermost state puts it on another map, or elsewhere while it lies alone."""
        after = parse_basic_state(new)
        before = parse_basic_state(old) if old is not None else None
        piece.gpid = after.gpid
        if before is not None and (before.map, before.x, before.y) == (after.map, after.x, after.y):
            return
        is_elsewhere = after.map is not None and after.map != piece.map
        # A member of a stack may have no map in its own state; that says nothing.
        says_nothing = after.map is None and before is not None and before.map is None
        if is_elsewhere or (piece.holder is None and not says_nothing):
            self.board.put_alone(piece, after.map, after.x, after.y)

    def _set_stack(self, stack: Stack, state: StackState, members: tuple[str, ...] | None = None) -> None:
        wanted = state.members if members is None else members
        pieces = self.board.pieces
        # An id that is listed twice counts once.
        found = {PieceId(identity): pieces[PieceId(identity)] for identity in wanted if identity in pieces}
        if len(found) < len(wanted) and state.map is not None and not self.done:
            self._incomplete.append((stack, state))
        if state.layer is not None:
            stack.layer = state.layer
        if isinstance(stack, Deck):
            stack.face_down = state.face_down
        # The engine reads no position of a stack that is on no map.
        x, y = (0, 0) if state.map is None else (state.x, state.y)
        self.board.set_stack(stack, state.map, x, y, tuple(found.values()))

    def _complete_stacks(self) -> None:
        incomplete, self._incomplete = self._incomplete, []
        for stack, state in incomplete:
            here = set(stack.members)
            pieces = [self.board.pieces.get(PieceId(identity)) for identity in state.members]
            free = [piece for piece in pieces if piece and (piece.holder is None or piece.id in here)]
            self.board.set_stack(stack, state.map, state.x, state.y, free)
        self._incomplete.clear()

    def _move(self, command: MovePiece) -> None:
        board = self.board
        piece = board.pieces.get(command.id)
        if piece is None:
            self._move_stack(command)
        elif command.map is None:
            # Taking a piece off its map does not take it out of a stack.
            if piece.holder is None:
                board.put_alone(piece, None, command.x, command.y)
        else:
            if not self._merge_at((piece,), command, command.map):
                self._place(piece, command, command.map)
            if command.under is None and piece.holder is not None:
                board.insert(piece.holder, piece, 0)

    def _move_stack(self, command: MovePiece) -> None:
        """Move a whole stack by its id, as old logs do."""
        board = self.board
        stack = board.stacks.get(command.id) or board.decks.get(command.id)
        if stack is None:
            self._tell_without_effect(command, command.id)
            return
        pieces = tuple(stack.pieces)
        if command.map is None or not pieces or not self._merge_at(pieces, command, command.map):
            board.set_stack(stack, command.map, command.x, command.y, pieces)

    def _merge_at(self, moving: tuple[Piece, ...], command: MovePiece, map_name: str) -> bool:
        """Put pieces onto whatever lies exactly where they go and will take them; tell whether anything did."""
        board = self.board
        under = board.pieces.get(command.under) if command.under else None
        if under is not None and (under.map, under.x, under.y) == (map_name, command.x, command.y):
            self._merge(under, moving)
            return True
        may_stack = board.stacking(map_name).is_enabled and not moving[0].is_non_stacking
        for target in board.at(map_name, command.x, command.y):
            if not may_stack and not isinstance(target, Deck):
                continue
            if (base := self._base(target, moving[0], command)) is not None:
                self._merge(base, moving)
                return True
        return False

    def _base(self, target: Piece | Stack, moving: Piece, command: MovePiece) -> Piece | Deck | None:
        """Return what a piece comes to lie on if it is put onto ``target``, None if the two do not merge.

        The mover merges only with what he can see.
        """
        if isinstance(target, Deck):
            return target
        if isinstance(target, Stack):
            base = next((piece for piece in reversed(target.pieces) if _sees(command.player_id, piece)), None)
        else:
            base = target if _sees(command.player_id, target) and not target.is_non_stacking else None
        layer_of = self.board.stacking(command.map or "").layer_of
        return base if base is not None and layer_of(base) == layer_of(moving) else None

    def _merge(self, base: Piece | Deck, moving: tuple[Piece, ...]) -> None:
        """Put pieces directly above another, or on top of a deck."""
        board = self.board
        if isinstance(base, Deck):
            for piece in moving:
                board.insert(base, piece, len(base.pieces) - (piece.holder is base))
            return
        if base in moving:
            return
        stack = base.holder or board.stack_alone(base)
        for piece in moving:
            index = stack.pieces.index(base) + 1
            if piece.holder is stack and stack.pieces.index(piece) < index:
                index -= 1
            board.insert(stack, piece, index)
            base = piece

    def _place(self, piece: Piece, command: MovePiece, map_name: str) -> None:
        was_stacked = piece.holder is not None or piece.is_orphan
        self.board.put_alone(piece, map_name, command.x, command.y)
        if not was_stacked and not piece.is_non_stacking and self.board.stacking(map_name).is_enabled:
            self.board.stack_alone(piece)

    def _tell_without_effect(self, command: Command, identity: PieceId) -> None:
        self._changes.append(OtherChange(text=f"{type(command).__name__} of {identity}, which is not in the game"))

    def _set_property(self, name: str, new: str, container: str | None) -> None:
        properties = self.board.around.properties
        old = properties.get(name)
        properties[name] = new
        redact = self.game.aliases.redact
        if old != new:
            self._changes.append(
                PropertyChanged(
                    name=name, container=container or "", old=None if old is None else redact(old), new=redact(new)
                )
            )

    def _join(self, command: PlayerAdd) -> None:
        alias = self.game.aliases.alias(command.player_id)
        player = Player(alias=alias, name=command.name or "", side=command.side)
        self.board.players[alias] = player
        self._changes.append(PlayerJoined(player=alias, name=player.name, side=player.side))

    def _author(self, step: Step) -> str | None:
        """Name whoever moved something in the step, or else spoke in it."""
        for command in step.commands:
            if isinstance(command, MovePiece) and command.player_id is not None:
                return self.game.aliases.alias(command.player_id)
        for command in step.commands:
            if isinstance(command, Chat) and (name := speaker(command.text)) is not None:
                return self._speakers.get(name)
        return None

    def _net_changes(self, before: Mapping[PieceId, Snapshot]) -> Iterator[Change]:
        for item in self._changes:
            if isinstance(item, Change):
                yield item
            else:
                yield from self._piece_changes(item, before[item])

    def _piece_changes(self, identity: PieceId, snapshot: Snapshot) -> Iterator[Change]:
        piece = self.board.pieces.get(identity)
        old = snapshot.piece
        # A piece may be overwritten by one of another type under the same id.
        is_another = piece is None or old is None or piece.piece_type.text != old.piece_type.text
        if old is not None and is_another:
            gone = old.with_states(snapshot.states)
            yield PieceRemoved(
                piece=identity, name=old.name, shown_name=gone.shown_name, place=self._place_before(snapshot)
            )
        if piece is None:
            return
        place = self.board.place(piece)
        if old is None or is_another:
            yield PieceAdded(piece=identity, name=piece.name, shown_name=piece.shown_name, place=place)
            return
        if (place.map, place.x, place.y) != snapshot.point or place.stack != snapshot.stack:
            yield PieceMoved(
                piece=identity,
                name=piece.name,
                shown_name=piece.shown_name,
                from_=self._place_before(snapshot),
                to=place,
            )
        if piece.states is not snapshot.states:
            change = _state_change(piece, old.with_states(snapshot.states), place)
            if change is not None:
                yield change

    def _place_before(self, snapshot: Snapshot) -> Place:
        map_name, x, y = snapshot.point
        location = self.board.location_at(map_name, x, y)
        return Place(map=map_name, x=x, y=y, location=location, stack=snapshot.stack)


def _state_change(piece: Piece, old: Piece, place: Place) -> PieceChanged | None:
    before, after = old.states, piece.states
    # The innermost state only repeats where the piece is and was.
    changed = {index for index in range(len(after) - 1) if before[index] != after[index]}
    if not changed:
        return None
    kind = piece.piece_type
    marks = not changed.isdisjoint(kind.mark_indices)
    layers = kind.has_following or not changed.isdisjoint(kind.layer_indices)
    owners = not changed.isdisjoint(kind.owner_indices)
    moved = not changed.isdisjoint(kind.moved)
    return PieceChanged(
        piece=piece.id,
        name=piece.name,
        shown_name=piece.shown_name,
        shown_name_before=old.shown_name,
        place=place,
        layers=_differing_layers(old, piece) if layers else (),
        marks=_differing_marks(old, piece) if marks else {},
        masked=(old.masked, piece.masked) if owners else None,
        hidden=(old.hidden, piece.hidden) if owners else None,
        owner=piece.owner if owners else None,
        moved=(old.moved, piece.moved) if moved else None,
        others=tuple(kind.traits[index].name for index in sorted(changed - kind.seen_indices)),
    )


def _differing_layers(old: Piece, new: Piece) -> tuple[tuple[Layer, Layer], ...]:
    return tuple(pair for pair in zip(old.layers, new.layers, strict=True) if pair[0] != pair[1])


def _differing_marks(old: Piece, new: Piece) -> dict[str, tuple[str | None, str | None]]:
    before, after = old.marks, new.marks
    pairs = {name: (before.get(name), after.get(name)) for name in {**before, **after}}
    return {name: pair for name, pair in pairs.items() if pair[0] != pair[1]}


def _merged_members(current: tuple[PieceId, ...], old: tuple[str, ...], new: tuple[str, ...]) -> tuple[str, ...]:
    """Return the new members, with those that joined behind the log's back put after their predecessors."""
    members, known = list(new), {*old, *new}
    for index, identity in enumerate(current):
        if identity not in known:
            below = current[index - 1] if index else None
            members.insert(members.index(below) + 1 if below in members else 0, identity)
    return tuple(members)


def _sees(player_id: str | None, piece: Piece) -> bool:
    hidden_by = piece.hidden_by
    return hidden_by is None or hidden_by == player_id
