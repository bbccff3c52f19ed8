"""Follow what is taken back in one log, and what had been seen by then.

Taking back a plain move is an everyday thing. Taking back something after a die was thrown, a counter turned, a masked
piece shown or a card drawn is another: the player goes on with knowledge that the act gave him.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from vassal_bridge.audit.integrity.record import UndoneAct, UndoRun
from vassal_bridge.audit.integrity.steps import StepView
from vassal_bridge.audit.integrity.throws import Throw
from vassal_bridge.audit.integrity.words import listed, number_of, readable, seen_as, shortened
from vassal_bridge.vassal.changes import (
    Change,
    ChatSaid,
    DiceShown,
    PieceAdded,
    PieceChanged,
    PieceMoved,
    PieceRemoved,
    PropertyChanged,
    TurnChanged,
)
from vassal_bridge.vassal.chat import is_roll, undone_text
from vassal_bridge.vassal.position import Board

__all__ = ["UndoWatch", "drawn_from"]

_LINE = 60


@dataclass(slots=True)
class _Seen:
    """What a step did that was taken back later."""

    words: tuple[str, ...]
    kinds: frozenset[str]
    deeds: tuple[str, ...]


class UndoWatch:
    """Watches one log."""

    def __init__(self) -> None:
        self._seen: dict[int, _Seen] = {}
        self._runs: list[UndoRun] = []
        self._last = -1
        self.loose = 0

    def see(self, step: StepView, throws: Sequence[Throw]) -> None:
        """Take note of a step; ``throws`` are the rolls in it."""
        record = step.record
        if record.undone_by is not None and not step.is_in_force and not step.is_undo:
            self._seen[record.number] = _look(record.changes, throws, step.board)
        if not step.is_undo:
            return
        if record.undoes is None:
            self.loose += 1
            act = UndoneAct(step=None, undone_at=record.number, deeds=tuple(_lines(record.changes)))
        else:
            seen = self._seen.pop(record.undoes, None)
            if seen is None:
                return
            act = UndoneAct(
                step=record.undoes, undone_at=record.number, seen=seen.words, kinds=seen.kinds, deeds=seen.deeds
            )
        self._add(step, act)

    def runs(self) -> tuple[UndoRun, ...]:
        """Return what was taken back, acts that follow each other directly put together."""
        return tuple(self._runs)

    def _add(self, step: StepView, act: UndoneAct) -> None:
        number = step.record.number
        if self._runs and self._last == number - 1:
            run = self._runs[-1]
            self._runs[-1] = UndoRun(place=run.place, last=number, acts=(*run.acts, act), player=run.player)
        else:
            actor = step.actor
            self._runs.append(UndoRun(place=step.place, last=number, acts=(act,), player=actor.name if actor else None))
        self._last = number


def drawn_from(change: Change, board: Board) -> str | None:
    """Return the name of the deck that a piece left by this change, None if it left none."""
    if not isinstance(change, PieceMoved) or change.from_.stack == change.to.stack or change.from_.stack is None:
        return None
    deck = board.decks.get(change.from_.stack)
    return None if deck is None else deck.name or "a deck"


def _look(changes: Sequence[Change], throws: Sequence[Throw], board: Board) -> _Seen:
    found = [*(("roll", f"a roll of {throw.button}: {throw.result}") for throw in throws), *_shown(changes, board)]
    deeds = [*_deeds(changes), *_lines(changes)]
    return _Seen(
        words=tuple(dict.fromkeys(words for _, words in found)),
        kinds=frozenset(kind for kind, _ in found),
        deeds=tuple(deeds),
    )


def _shown(changes: Sequence[Change], board: Board) -> Iterator[tuple[str, str]]:
    drawn = [deck for change in changes if (deck := drawn_from(change, board)) is not None]
    if drawn:
        yield "draw", f"{number_of(len(drawn), 'card')} from {listed(drawn, 3)}"
    for change in changes:
        if not isinstance(change, PieceChanged):
            continue
        if change.masked == (True, False):
            yield "reveal", "a masked piece was shown"
        elif change.hidden == (True, False):
            yield "reveal", "a hidden piece was shown"
        elif not drawn and (change.shown_name or change.shown_name_before) and _is_flip(change):
            # The shorter name is that of the counter without what a face adds to it.
            name = min(change.shown_name_before, change.shown_name, key=len)
            yield "flip", f"{seen_as(name)} was turned"


def _is_flip(change: PieceChanged) -> bool:
    return any(
        before.image != after.image or before.active != after.active
        for before, after in change.layers
        if before.active or after.active
    )


def _deeds(changes: Sequence[Change]) -> Iterator[str]:
    moved = [
        seen_as(change.shown_name)
        for change in changes
        if isinstance(change, PieceMoved)
        and (change.from_.map, change.from_.x, change.from_.y) != (change.to.map, change.to.x, change.to.y)
    ]
    if moved:
        yield f"a move of {listed(moved, 3)}"
    for kind, verb in ((PieceAdded, "made"), (PieceRemoved, "removed")):
        names = [
            seen_as(change.shown_name)
            for change in changes
            if isinstance(change, kind) and isinstance(change, PieceAdded | PieceRemoved)
        ]
        if names:
            yield f"{listed(names, 3)} {verb}"
    if any(isinstance(change, TurnChanged) for change in changes):
        yield "a change of the turn tracker"
    if any(isinstance(change, PropertyChanged | DiceShown) for change in changes):
        yield "a change of properties"


def _lines(changes: Sequence[Change]) -> Iterator[str]:
    for change in changes:
        if isinstance(change, ChatSaid) and not is_roll(change.text):
            text = undone_text(change.text) if change.undo else change.text
            if words := readable(text or ""):
                yield f'the line "{shortened(words, _LINE)}"'
