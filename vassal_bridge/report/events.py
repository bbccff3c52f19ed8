"""What a record tells, as events: one JSON object each, with a sentence that a referee can read.

A hidden piece is never named, nor where it goes, and a masked one is called what its mask shows.
"""

from __future__ import annotations

import html
import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace

from vassal_bridge.audit.integrity.throws import DiceReader
from vassal_bridge.report.board import HIDDEN
from vassal_bridge.report.models import EventKind, EventPlace, TranscriptEvent
from vassal_bridge.report.plain import clean
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
from vassal_bridge.vassal.chat import is_roll, speaker
from vassal_bridge.vassal.commands import Chat, PieceId
from vassal_bridge.vassal.pieces import Layer
from vassal_bridge.vassal.position import Board, Place
from vassal_bridge.vassal.replay import Replay

__all__ = ["Told", "event_json", "tell", "tell_step"]


# Dice buttons write what their author likes: most forms are known, if not the common one.
_DICE = DiceReader()


@dataclass(frozen=True, slots=True, kw_only=True)
class Told:
    """An event; its text is ``subject`` and ``predicate``, apart so that what happens to many can be told at once.

    ``is_trace`` is true of a change that only records that the piece was moved: its mark or its trail.
    """

    event: TranscriptEvent
    subject: str
    predicate: str
    is_trace: bool = False


def event_json(event: TranscriptEvent) -> str:
    """Return an event as one line of JSON."""
    return json.dumps(event.model_dump(mode="json"), ensure_ascii=False) + "\n"


def tell(replay: Replay, log: str) -> Iterator[tuple[StepRecord, list[Told]]]:
    """Do the steps that are left and tell each of them; ``log`` is the name of the file.

    Every step gives at least one event.
    """
    names = {player.alias: clean(player.name) or player.alias for player in replay.game.players}
    for record in replay:
        yield record, list(tell_step(record, replay.board, names, log))


def tell_step(record: StepRecord, board: Board, names: Mapping[str, str], log: str) -> Iterator[Told]:
    """Tell one step, the board being as it is after it; ``names`` are the players' names by alias."""
    teller = _Teller(record=record, board=board, names=names, log=log)
    if record.undoes is not None:
        yield teller.event("undo", "", f"undoes step {record.undoes}")
    for change in record.changes:
        yield from teller.told(change)
    if not record.changes and record.undoes is None:
        yield teller.event("other", "", "nothing changes")


@dataclass(frozen=True, slots=True, kw_only=True)
class _Teller:
    record: StepRecord
    board: Board
    names: Mapping[str, str]
    log: str

    def told(self, change: Change) -> Iterator[Told]:
        match change:
            case PieceMoved():
                yield self._moved(change)
            case PieceAdded(place=place):
                yield self._put("place", change, None, place, f"appears {_at(place)}")
            case PieceRemoved(place=place):
                yield self._put("remove", change, place, None, f"is removed {_at(place)}")
            case PieceChanged():
                yield self._changed(change)
            case ChatSaid():
                yield self._said(change)
            case TurnChanged(after=after):
                yield self.event("turn", "", f"turn ({after.tracker}): {after.text}")
            case PropertyChanged(name=name, container=container, old=old, new=new):
                of = f" of {container}" if container else ""
                yield self.event("property", "", f"property {name}{of}: {_value(old)} -> {_value(new)}")
            case DiceShown(button=button, faces=faces):
                yield self.event("roll", "", f"{button}: face {', '.join(str(face + 1) for face in faces)}")
            case PlayerJoined(player=alias, name=name, side=side):
                yield self.event("other", clean(name) or alias, f"takes the side {side}" if side else "takes no side")
            case PlayerLeft(player=alias):
                yield self.event("other", self.names.get(alias, alias), "gives up the side")
            case OtherChange(text=text):
                yield self.event("other", "", text)
            case _:
                yield self.event("other", "", type(change).__name__)

    def _moved(self, change: PieceMoved) -> Told:
        start, end = change.from_, change.to
        if (start.map, start.x, start.y) == (end.map, end.x, end.y):
            return self._put("change", change, start, end, f"is restacked {_at(end)}")
        named = start.map != end.map
        predicate = f"moves from {_spot(start, named=named)} to {_spot(end, named=named)}"
        return self._put("move", change, start, end, predicate)

    def _put(
        self,
        kind: EventKind,
        change: PieceMoved | PieceAdded | PieceRemoved,
        start: Place | None,
        end: Place | None,
        predicate: str,
    ) -> Told:
        if not change.shown_name:
            verb = {"move": "moves", "place": "appears", "remove": "is removed"}.get(kind, "is restacked")
            return self.event(kind, HIDDEN, verb, piece=change.piece)
        return self.event(kind, change.shown_name, predicate, piece=change.piece, start=start, end=end)

    def _changed(self, change: PieceChanged) -> Told:
        piece = self.board.pieces.get(change.piece)
        subject = change.shown_name_before or change.shown_name or HIDDEN
        is_secret = piece is None or piece.hidden or piece.masked
        parts = [*_revealed(change), *([] if is_secret else _shown(change))]
        traces = [] if is_secret else list(_traces(change))
        told = self.event("change", subject, "; ".join([*parts, *traces]) or "changes", piece=change.piece)
        return replace(told, is_trace=bool(traces) and not parts)

    def _said(self, change: ChatSaid) -> Told:
        throws = _DICE.throws((Chat(text=change.text),))
        kind: EventKind = "undo" if change.undo else "roll" if throws or is_roll(change.text) else "chat"
        who = speaker(change.text) or next((throw.player for throw in throws), None)
        return self.event(kind, "", html.unescape(change.text), who=who)

    def event(
        self,
        kind: EventKind,
        subject: str,
        predicate: str,
        *,
        piece: PieceId | None = None,
        start: Place | None = None,
        end: Place | None = None,
        who: str | None = None,
    ) -> Told:
        author = self.names.get(self.record.author, self.record.author) if self.record.author else None
        subject, predicate = clean(subject), clean(predicate)
        event = TranscriptEvent(
            log=clean(self.log),
            step=self.record.number,
            kind=kind,
            who=clean(who) if who else author,
            piece=piece,
            from_=_place(start),
            to=_place(end),
            text=f"{subject} {predicate}".strip(),
            undone=self.record.undone_by is not None,
        )
        return Told(event=event, subject=subject, predicate=predicate)


def _place(place: Place | None) -> EventPlace | None:
    if place is None:
        return None
    location = clean(place.location) if place.location is not None else None
    return EventPlace(map=clean(place.map) if place.map is not None else None, x=place.x, y=place.y, location=location)


def _at(place: Place) -> str:
    return f"at {_spot(place, named=True)}" if place.map is not None else "off the maps"


def _spot(place: Place, *, named: bool) -> str:
    """Name a place as players do; by its pixels where the grid has no name for it."""
    if place.map is None:
        return "off the maps"
    if place.location and place.location != "offboard":
        return f"{place.location} of {place.map}" if named else place.location
    return f"{place.map} ({place.x}, {place.y})"


def _revealed(change: PieceChanged) -> Iterator[str]:
    for pair, on, off in ((change.masked, "is masked", "is unmasked"), (change.hidden, "is hidden", "is revealed")):
        if pair is not None and pair[0] != pair[1]:
            yield on if pair[1] else off


def _shown(change: PieceChanged) -> Iterator[str]:
    if change.shown_name_before != change.shown_name and change.shown_name:
        yield f"is now {change.shown_name}"
    for before, after in change.layers:
        if not (before.active or after.active):
            continue
        yield f"{after.name or 'layer'}: {_level(before)} -> {_level(after)}"
    for name, (old, new) in change.marks.items():
        yield f"{name}: {_value(old)} -> {_value(new)}"


def _traces(change: PieceChanged) -> Iterator[str]:
    if change.moved is not None and change.moved[0] != change.moved[1]:
        yield "is marked as moved" if change.moved[1] else "is no longer marked as moved"
    if change.others:
        yield f"{', '.join(dict.fromkeys(change.others))} changed"


def _level(layer: Layer) -> str:
    # A plus sign tells the engine to put the level's name before or after the piece's own.
    return (layer.level_name.strip("+ ") or f"level {layer.level}") if layer.active else "off"


def _value(value: str | None) -> str:
    return "nothing" if value in (None, "") else str(value)
