"""Follow what happens off the usual ways in one log: pieces made and deleted, steps that do not fit the record.

A step of a log holds what was before it as well: where a moved piece came from, which states a changed one had. In
files of today's engines this always agrees with what the steps before have led to (7,000 moves of engine-made logs,
none differs). Where it does not, something was done that no step of the file holds, or steps were cut out of it. Files
of VASSAL 2 repeat a move now and then, or its reverse, when it was undone; that is no difference.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Final

from vassal_bridge.audit.finding import Place
from vassal_bridge.audit.integrity.record import Event, EventKind
from vassal_bridge.audit.integrity.steps import StepView
from vassal_bridge.audit.integrity.words import listed, seen_as, spot
from vassal_bridge.errors import BridgeError
from vassal_bridge.vassal.changes import TurnChanged
from vassal_bridge.vassal.commands import (
    AddPiece,
    BeginSave,
    ChangePiece,
    Chat,
    Command,
    MovePiece,
    NullCommand,
    PieceId,
    RemovePiece,
    SetProperty,
)
from vassal_bridge.vassal.game import Step
from vassal_bridge.vassal.pieces import split_state
from vassal_bridge.vassal.position import Board, Piece, Stack
from vassal_bridge.vassal.turns import TurnState

__all__ = ["DeedWatch", "turn_number"]

Point = tuple[str | None, int, int]
_SHEETS: Final = frozenset({"Text Label", "Property Sheet", "Spreadsheet"})


class DeedWatch:
    """Watches one log."""

    def __init__(self, board: Board) -> None:
        self._board = board
        self._events: list[Event] = []
        self._journeys: set[tuple[str, Point, Point]] = set()
        self._states: set[tuple[str, str, str | None]] = set()
        self._odd: list[str] = []
        self._odd_pieces: list[PieceId] = []
        self._values: dict[tuple[str, str], tuple[float, int]] = {}
        self._turns: list[tuple[Place, TurnState, TurnState]] = []
        makes = Counter(piece.piece_type for piece in board.pieces.values())
        self._unique = {piece.piece_type: piece.id for piece in board.pieces.values() if makes[piece.piece_type] == 1}
        self._twins: list[Event] = []

    def before(self, step: Step) -> None:
        """Hold what a step says of the past against the board, before it is done."""
        self._odd, self._odd_pieces = [], []
        touched: set[str] = set()
        for command in step.commands:
            match command:
                case MovePiece():
                    self._check_move(command, touched)
                case ChangePiece():
                    self._check_change(command, touched)
                case AddPiece() | RemovePiece():
                    if command.id is not None:
                        touched.add(command.id)

    def see(self, step: StepView) -> None:
        """Take note of a step that was done."""
        if self._odd and step.is_in_force and not step.is_undo:
            text = "the step sets out from something else than the steps before it led to: " + "; ".join(self._odd[:4])
            self._events.append(_event(step, EventKind.DISLOCATED, text, pieces=tuple(dict.fromkeys(self._odd_pieces))))
        if step.is_undo or not step.is_in_force:
            return
        commands = step.record.commands
        if any(isinstance(command, BeginSave) for command in commands):
            self._events.append(_event(step, EventKind.RELOADED, "a saved position was loaded while the log went on"))
            return
        if step.deeds.made or step.deeds.gone:
            self._events += self._made(step)
        if step.deeds.moved:
            self._events += self._teleported(step, commands)
        if step.deeds.changed:
            self._events += _edited(step)
        self._watch_values(step, commands)
        self._turns += [
            (step.place, change.before, change.after)
            for change in step.record.changes
            if isinstance(change, TurnChanged) and change.before is not None
        ]

    def events(self) -> list[Event]:
        """Return what was seen."""
        return [*self._events, *self._turned_back(), *self._doubled()]

    # --- what a step says of the past ----------------------------------------------------------------------------

    def _check_move(self, command: MovePiece, touched: set[str]) -> None:
        if command.id in touched:
            return
        touched.add(command.id)
        old, new = (command.old_map, command.old_x, command.old_y), (command.map, command.x, command.y)
        is_repeated = (command.id, old, new) in self._journeys
        self._journeys.add((command.id, old, new))
        self._journeys.add((command.id, new, old))
        board = self._board
        moved: Piece | Stack | None = board.pieces.get(command.id) or board.stacks.get(command.id)
        if moved is None or is_repeated:
            return
        here = (moved.map, moved.x, moved.y)
        if here in (old, new) or None in (here[0], old[0]):
            return
        pieces = [moved] if isinstance(moved, Piece) else moved.pieces
        is_visible = all(piece.shown_name for piece in pieces)
        ends = f"{self._spot(old)} but stood at {self._spot(here)}" if is_visible else "elsewhere than it stood"
        self._odd.append(f"{listed([seen_as(piece.shown_name) for piece in pieces], 3)} moves from {ends}")
        self._odd_pieces += [piece.id for piece in pieces]

    def _check_change(self, command: ChangePiece, touched: set[str]) -> None:
        key = f"state of {command.id}"
        piece = self._board.pieces.get(command.id)
        if piece is None or command.old is None or key in touched or command.id in touched:
            return
        touched.add(key)
        new, old = _outer(command.state), _outer(command.old)
        is_repeated = (command.id, old, new) in self._states
        self._states.add((command.id, old, new))
        self._states.add((command.id, new, old))
        if is_repeated or old == (now := _outer(_text(piece))) or new == now:
            return
        if names := _unlike(piece, command.old, command.state):
            self._odd.append(f"{seen_as(piece.shown_name)} changes from another state ({', '.join(names)})")
            self._odd_pieces.append(piece.id)

    def _spot(self, point: Point) -> str:
        map_name, x, y = point
        location = self._board.location_at(map_name, x, y)
        return location if location and location != "offboard" else f"{map_name} ({x}, {y})"

    # --- what a step does ----------------------------------------------------------------------------------------

    def _made(self, step: StepView) -> Iterator[Event]:
        made, gone = step.deeds.made, step.deeds.gone
        for change in made:
            piece = step.board.pieces.get(change.piece)
            if piece is not None and piece.piece_type in self._unique:
                self._twins.append(_event(step, EventKind.DOUBLED, "", pieces=(change.piece,)))
        if made and gone:
            names = listed([seen_as(change.shown_name) for change in gone], 4)
            yield _event(
                step,
                EventKind.REPLACED,
                f"{names} replaced by {listed([seen_as(change.shown_name) for change in made], 4)}",
                pieces=tuple(change.piece for change in made),
            )
            return
        for kind, verb, changes in ((EventKind.MADE, "made", made), (EventKind.DELETED, "deleted", gone)):
            if changes:
                names = listed([seen_as(change.shown_name) for change in changes])
                where = "" if not all(change.shown_name for change in changes) else f" at {spot(changes[0].place)}"
                yield _event(step, kind, f"{names} {verb}{where}", pieces=tuple(change.piece for change in changes))

    def _doubled(self) -> Iterator[Event]:
        """Find pieces of which there was one at the start and are two at the end; of more, they are markers."""
        pieces = self._board.pieces
        makes = Counter(piece.piece_type for piece in pieces.values())
        for event in self._twins:
            twin = pieces.get(PieceId(event.pieces[0]))
            if twin is None or makes[twin.piece_type] != 2 or not twin.shown_name:
                continue
            first = pieces.get(self._unique[twin.piece_type])
            if first is not None and twin.map is not None and first.map is not None:
                here, there = (spot(self._board.place(piece)) for piece in (twin, first))
                text = f"a second {twin.shown_name} was made; at the end of the log one is at {there}, one at {here}"
                yield replace(event, text=text)

    def _teleported(self, step: StepView, commands: Sequence[Command]) -> Iterator[Event]:
        """Find pieces that are elsewhere though neither they nor their stack were moved."""
        carriers = {
            command.id for command in commands if isinstance(command, MovePiece | AddPiece | RemovePiece | ChangePiece)
        }
        # A change of the piece's own state is the one way to put it elsewhere without a move.
        movers = {command.id for command in commands if isinstance(command, MovePiece | AddPiece)}
        lone = [
            change
            for change in step.deeds.moved
            if change.piece not in movers and change.from_.stack not in carriers and change.to.stack not in carriers
        ]
        if lone:
            names = listed([seen_as(change.shown_name) for change in lone], 3)
            ends = "" if not lone[0].shown_name else f" from {spot(lone[0].from_)} to {spot(lone[0].to)}"
            yield _event(
                step,
                EventKind.TELEPORTED,
                f"{names} was put elsewhere{ends} by a change of its state, not by a move",
                pieces=tuple(change.piece for change in lone),
            )

    def _watch_values(self, step: StepView, commands: Sequence[Command]) -> None:
        """Find numbers that are set back by hand: what a button or a trait does besides other things is no hand's."""
        if not all(isinstance(command, SetProperty | Chat | NullCommand) for command in commands):
            return
        for command in commands:
            if not isinstance(command, SetProperty) or command.name.endswith(("_result", "_total", "_keep")):
                continue
            before, now = _number(command.old), _number(command.new)
            if before is None or now is None:
                continue
            key = (command.name, command.container or "")
            earlier = self._values.get(key)
            if earlier is not None and earlier[0] == now != before:
                text = f"{command.name}{f' of {key[1]}' if key[1] else ''} is set back from {before:g} to {now:g}"
                self._events.append(
                    _event(step, EventKind.PROPERTY_BACK, f"{text}, as it was before step {earlier[1]}")
                )
            self._values[key] = (before, step.record.number)

    def _turned_back(self) -> Iterator[Event]:
        for index, (place, before, after) in enumerate(self._turns):
            old, new = turn_number(before.state), turn_number(after.state)
            if old is None or new is None or new >= old:
                continue
            following = [
                number
                for later, _, state in self._turns[index + 1 : index + 4]
                if later.step <= place.step + 3 and (number := turn_number(state.state)) is not None
            ]
            if any(number >= old for number in following):
                continue
            texts = (before.text, after.text) if before.text != before.state else (str(old), str(new))
            yield Event(
                kind=EventKind.TURN_BACK,
                place=place,
                text=f"the turn tracker {after.tracker} is set back from {texts[0]} to {texts[1]}",
            )


def _edited(step: StepView) -> Iterator[Event]:
    """Find counters whose text or sheet was changed; not what they say, which may be for their owner only."""
    for change in step.deeds.changed:
        written = sorted(_SHEETS.intersection(change.others))
        if written:
            name = seen_as(change.shown_name_before)
            now = seen_as(change.shown_name)
            text = f"{', '.join(written)} of {name} changed{f', which is now {now}' if now != name else ''}"
            yield _event(step, EventKind.EDITED, text, pieces=(change.piece,))


def _event(step: StepView, kind: EventKind, text: str, *, pieces: tuple[str, ...] = ()) -> Event:
    actor = step.actor
    return Event(
        kind=kind,
        place=step.place,
        text=text,
        pieces=pieces,
        player=actor.name if actor else None,
        is_certain=actor is not None and actor.is_certain,
    )


def _outer(state: str) -> str:
    return state.rpartition("\t")[0]


def _text(piece: Piece) -> str:
    try:
        return piece.state_text
    except BridgeError:
        return ""


def _unlike(piece: Piece, old: str, new: str) -> list[str]:
    """Name the traits that a step changes from another state than they had, as far as a player can see them.

    A mark that a piece has moved is left out, since engines of VASSAL 2 clear it without a word; and a layer that
    follows a property, since its own state then means nothing.
    """
    traits = piece.piece_type.traits
    following = {index for index in piece.piece_type.layer_indices if traits[index].get("follow", False)}
    skipped = following | set(piece.piece_type.moved)
    before, after = split_state(piece.piece_type, old), split_state(piece.piece_type, new)
    return [
        traits[index].name
        for index, (was, becomes, now) in enumerate(zip(before, after, piece.states, strict=True))
        if index in piece.piece_type.seen_indices - skipped and now not in (was, becomes)
    ]


def _number(text: str) -> float | None:
    try:
        return float(text)
    except ValueError:
        return None


def turn_number(state: str) -> int | None:
    """Return the first level of a turn tracker if it is a counter; a list of phases or sides begins anew by itself."""
    _, _, levels = state.partition("|")
    fields = levels.split("|")[0].split(";")
    if len(fields) < 3 or fields[2] not in ("true", "false"):
        return None
    try:
        return int(fields[0])
    except ValueError:
        return None
