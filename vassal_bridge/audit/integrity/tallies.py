"""Count what each player did, turn by turn."""

from __future__ import annotations

from collections.abc import Sequence

from vassal_bridge.audit.integrity.record import PlayerTally, Segment
from vassal_bridge.audit.integrity.steps import StepView
from vassal_bridge.audit.integrity.throws import Throw
from vassal_bridge.vassal.changes import ChatSaid
from vassal_bridge.vassal.chat import speaker

__all__ = ["TallyWatch"]


class TallyWatch:
    """Watches one log."""

    def __init__(self, log: str) -> None:
        self._log = log
        self._segments: list[Segment] = []

    def see(self, step: StepView, throws: Sequence[Throw]) -> None:
        """Take note of a step; ``throws`` are the rolls in it."""
        segment = self._segment(step)
        author = step.who.name(step.record.author)
        for throw in throws:
            self._player(segment, throw.player or author).rolls += 1
        if step.is_undo:
            actor = step.actor
            self._player(segment, actor.name if actor else None).undos += 1
            return
        deeds = step.deeds
        moves = len(deeds.moved)
        changes = len(deeds.made) + len(deeds.gone)
        for change in deeds.changed:
            changes += bool(change.layers or change.marks or change.masked or change.hidden)
        for other in step.record.changes:
            if isinstance(other, ChatSaid) and (name := speaker(other.text)) is not None:
                self._player(segment, name).lines += 1
        if moves or changes:
            if author is None:
                actor = step.actor
                author = actor.name if actor else None
            tally = self._player(segment, author)
            tally.moves += moves
            tally.changes += changes

    def segments(self) -> tuple[Segment, ...]:
        """Return the counts by turn, in the order of the log."""
        return tuple(self._segments)

    def _segment(self, step: StepView) -> Segment:
        number = step.record.number
        if not self._segments or self._segments[-1].turn != step.turn:
            self._segments.append(Segment(log=self._log, turn=step.turn, first=number, last=number))
        self._segments[-1].last = number
        return self._segments[-1]

    def _player(self, segment: Segment, name: str | None) -> PlayerTally:
        return segment.players.setdefault(name or "", PlayerTally())
