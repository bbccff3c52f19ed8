"""Follow hidden information through one log: what was masked, invisible or face down, and who brought it to light.

A look beneath a mask that changes nothing leaves no trace in a file; the engine shows it on one screen only. What does
leave a trace is a mask taken off, and put on again. Pieces that are out of sight at the end are never named.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace

from vassal_bridge.audit.finding import Place
from vassal_bridge.audit.integrity.record import Event, EventKind
from vassal_bridge.audit.integrity.steps import Actor, StepView, Who
from vassal_bridge.audit.integrity.undos import drawn_from
from vassal_bridge.audit.integrity.words import listed, number_of, seen_as, spot
from vassal_bridge.vassal.changes import PieceChanged, PieceMoved, PlayerJoined, PlayerLeft
from vassal_bridge.vassal.commands import PieceId
from vassal_bridge.vassal.position import Board

__all__ = ["HiddenWatch", "is_observer"]

_NOBODY = "nobody"
_TURNS = ((True, False), (False, True))


def is_observer(side: str | None) -> bool:
    """Tell whether a side is that of an onlooker."""
    return side is None or side.strip() in ("", "<observer>", "observer", "null")


@dataclass(slots=True)
class _Shown:
    """A piece whose mask or invisibility is off for the moment."""

    place: Place
    owner: str
    where: str
    what: str
    actor: Actor | None
    has_moved: bool = False


class HiddenWatch:
    """Watches one log."""

    def __init__(self, board: Board, who: Who) -> None:
        self._who = who
        self._owners: dict[PieceId, str] = {
            piece.id: owner
            for piece in board.pieces.values()
            if (piece.piece_type.masks or piece.piece_type.hides) and (owner := piece.owner) is not None
        }
        self._sides = {player.alias: player.side for player in board.players.values()}
        self._shown: dict[PieceId, _Shown] = {}
        self._events: list[Event] = []

    def see(self, step: StepView) -> None:
        """Take note of a step."""
        decks = [deck for change in step.record.changes if (deck := drawn_from(change, step.board)) is not None]
        if decks and step.is_in_force and not step.is_undo:
            self._events.append(
                _event(EventKind.DRAWN, step, f"{number_of(len(decks), 'card')} drawn from {listed(decks, 3)}")
            )
        for change in step.record.changes:
            if isinstance(change, PieceChanged) and (change.masked or change.hidden):
                self._changed(step, change, is_drawn=bool(decks))
            elif isinstance(change, PieceMoved) and change.piece in self._shown:
                self._shown[change.piece].has_moved = True
            elif isinstance(change, PlayerJoined):
                self._events += self._joined(step, change)
            elif isinstance(change, PlayerLeft):
                name = self._who.name(change.player) or change.player
                self._events.append(_event(EventKind.LEFT, step, f"{name} gives up the side", player=name))
                self._sides.pop(change.player, None)

    def events(self) -> list[Event]:
        """Return what was seen; what befell several pieces alike in one step is told once."""
        open_ = [self._uncovered(shown, identity) for identity, shown in self._shown.items()]
        return list(_together([*self._events, *open_]))

    def _changed(self, step: StepView, change: PieceChanged, *, is_drawn: bool) -> None:
        before = self._owners.pop(change.piece, None)
        if change.owner is not None:
            self._owners[change.piece] = change.owner
        if step.is_undo or not step.is_in_force:
            return
        if before is not None and change.owner is None and not (is_drawn and before == _NOBODY):
            self._shown[change.piece] = _Shown(step.place, before, spot(change.place), _kind(change), step.actor)
        elif before is None and change.owner is not None and (shown := self._shown.pop(change.piece, None)):
            same = shown.owner == change.owner and shown.what == _kind(change) and not shown.has_moved
            self._events.append(self._peeked(step, shown, change) if same else self._uncovered(shown, change.piece))
        elif None not in (before, change.owner) and before != change.owner and _NOBODY not in (before, change.owner):
            self._events.append(self._taken(step, change, before or ""))

    def _peeked(self, step: StepView, shown: _Shown, change: PieceChanged) -> Event:
        place = shown.place
        # Where an invisible piece is now, nobody else may know.
        text = (
            f"a {shown.what} of {self._called(shown.owner)}{_where(shown)} was uncovered in step {place.step} "
            f"and covered again in step {step.record.number}"
        )
        return self._about(EventKind.PEEKED, place, text, shown, change.piece)

    def _uncovered(self, shown: _Shown, identity: PieceId) -> Event:
        kind = EventKind.UNMASKED if shown.what.startswith("masked") else EventKind.REVEALED
        text = f"a {shown.what} of {self._called(shown.owner)} at {shown.where} was uncovered"
        return self._about(kind, shown.place, text, shown, identity)

    def _about(self, kind: EventKind, place: Place, text: str, shown: _Shown, identity: PieceId) -> Event:
        actor = shown.actor
        return Event(
            kind=kind,
            place=place,
            text=text,
            pieces=(identity,),
            player=actor.name if actor else None,
            is_certain=actor is not None and actor.is_certain,
            is_owner=self._is_owner(shown.owner, actor),
        )

    def _taken(self, step: StepView, change: PieceChanged, before: str) -> Event:
        where = f" at {spot(change.place)}" if change.shown_name else ""
        text = (
            f"{seen_as(change.shown_name)}{where} was out of sight for all but "
            f"{self._called(before)} and is now for all but {self._called(change.owner or '')}"
        )
        actor = step.actor
        return Event(
            kind=EventKind.TAKEN_OVER,
            place=step.place,
            text=text,
            pieces=(change.piece,),
            player=actor.name if actor else None,
            is_certain=actor is not None and actor.is_certain,
            is_owner=self._is_owner(before, actor),
        )

    def _joined(self, step: StepView, change: PlayerJoined) -> Iterator[Event]:
        before = self._sides.get(change.player)
        is_known = change.player in self._sides
        self._sides[change.player] = change.side
        name = change.name or change.player
        if is_known and before == change.side:
            return
        if is_known and not is_observer(before) and not is_observer(change.side):
            text = f"{name} changes from the side {before} to {change.side}"
            yield _event(EventKind.CHANGED_SIDE, step, text, player=name)
            return
        role = "as an onlooker" if is_observer(change.side) else f"and takes the side {change.side}"
        yield _event(EventKind.JOINED, step, f"{name} joins {role}", player=name)

    def _called(self, owner: str) -> str:
        return "nobody" if owner == _NOBODY else self._who.name(owner) or owner

    def _is_owner(self, owner: str, actor: Actor | None) -> bool | None:
        if actor is None or owner == _NOBODY:
            return None
        return owner in (actor.alias, self._sides.get(actor.alias))


def _where(shown: _Shown) -> str:
    return f" at {shown.where}" if shown.what.startswith("masked") else ""


def _kind(change: PieceChanged) -> str:
    return "masked piece" if change.masked in _TURNS else "invisible piece"


def _together(events: Iterable[Event]) -> Iterator[Event]:
    alike: dict[tuple[object, ...], list[Event]] = {}
    for event in events:
        key = (event.kind, event.place, event.text, event.player, event.is_certain, event.is_owner)
        alike.setdefault(key, []).append(event)
    for first, *rest in alike.values():
        if rest and first.text.startswith("a "):
            text = f"{1 + len(rest)} times: {first.text}"
            yield replace(first, text=text, pieces=tuple(piece for each in (first, *rest) for piece in each.pieces))
        else:
            yield first


def _event(kind: EventKind, step: StepView, text: str, *, player: str | None = None) -> Event:
    actor = None if player else step.actor
    return Event(
        kind=kind,
        place=step.place,
        text=text,
        player=player or (actor.name if actor else None),
        is_certain=player is not None or (actor is not None and actor.is_certain),
    )
