"""Follow the dice of one log: each roll, whether it stands, what it repeats, and what came of it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import Final

from vassal_bridge.audit.finding import Place
from vassal_bridge.audit.integrity.record import Event, EventKind, FileRecord, Roll
from vassal_bridge.audit.integrity.steps import StepView, Who
from vassal_bridge.audit.integrity.throws import DiceReader, Source, Throw
from vassal_bridge.audit.integrity.words import number_of, readable, shortened
from vassal_bridge.vassal.changes import ChatSaid, PieceChanged, TurnChanged
from vassal_bridge.vassal.chat import is_roll

__all__ = ["RollWatch", "paired_across"]

#: A roll that comes more steps than this after one of the same dice was taken back is not called its repetition.
_SOON: Final = 25
#: Of several rolls that are made again one after the other, how far apart they may be.
_NEXT: Final = 10
_LINE: Final = 80


@dataclass(slots=True)
class _Open:
    """A roll whose consequences are still being counted."""

    place: Place
    throw: Throw
    player: str | None
    is_in_force: bool
    undone_at: int | None
    counts: Counter[str] = field(default_factory=Counter)
    line: str = ""


class RollWatch:
    """Watches one log."""

    def __init__(self, reader: DiceReader) -> None:
        self._reader = reader
        self._rolls: list[_Open] = []
        self._current: list[_Open] = []

    def see(self, step: StepView) -> Sequence[Throw]:
        """Take note of a step; return the rolls in it."""
        throws = [] if step.is_undo else self._reader.throws(step.record.commands)
        if throws:
            throws = [_redacted(throw, step.who) for throw in throws]
            self._current = [self._open(step, throw) for throw in throws]
            self._rolls += self._current
        elif self._current and step.is_in_force and not step.is_undo:
            self._count(step)
        return throws

    def rolls(self) -> tuple[Roll, ...]:
        """Return the rolls of the log in their order."""
        rolls = [
            Roll(
                place=each.place,
                player=each.player,
                button=each.throw.button,
                result=each.throw.result,
                faces=each.throw.faces,
                sides=each.throw.sides,
                source=each.throw.source,
                is_in_force=each.is_in_force,
                undone_at=each.undone_at,
                followed_by=_told(each),
            )
            for each in self._rolls
        ]
        return tuple(_with_repeats(rolls))

    def unbacked(self) -> list[Event]:
        """Return the lines that look like a roll of a button which otherwise leaves its result in properties."""
        backed = Counter(each.throw.button for each in self._rolls if each.throw.source is Source.BOTH)
        return [
            Event(
                kind=EventKind.UNBACKED,
                place=each.place,
                text=f"the line says that {each.throw.button} gave {each.throw.result}, but the button left no result",
                player=each.player,
            )
            for each in self._rolls
            if each.throw.source is Source.REPORT and backed[each.throw.button] > 2
        ]

    def _open(self, step: StepView, throw: Throw) -> _Open:
        player = throw.player or self._author(step)
        return _Open(step.place, throw, player, step.is_in_force, step.record.undone_by)

    def _author(self, step: StepView) -> str | None:
        return step.who.name(step.record.author)

    def _count(self, step: StepView) -> None:
        deeds = step.deeds
        found = {
            "moved": len(deeds.moved),
            "changed": sum(not _is_trace(change) for change in deeds.changed),
            "added": len(deeds.made),
            "removed": len(deeds.gone),
        }
        line = ""
        for change in step.record.changes:
            if isinstance(change, ChatSaid):
                if not line and not is_roll(change.text):
                    line = change.text
            elif isinstance(change, TurnChanged):
                found["turn"] = 1
        for each in self._current:
            each.counts.update(found)
            if line and not each.line:
                each.line = shortened(readable(line), _LINE)


def _redacted(throw: Throw, who: Who) -> Throw:
    redact = who.redact
    return replace(
        throw,
        button=redact(throw.button),
        result=redact(throw.result),
        player=None if throw.player is None else redact(throw.player),
        text=redact(throw.text),
    )


def _is_trace(change: PieceChanged) -> bool:
    """Tell a change that only records that the piece was moved."""
    return not (change.layers or change.marks or change.masked or change.hidden)


def _told(roll: _Open) -> str:
    counts = roll.counts
    parts = [
        f"{number_of(counts[kind], 'piece')} {kind}"
        for kind in ("moved", "changed", "added", "removed")
        if counts[kind]
    ]
    if counts["turn"]:
        parts.append("the turn tracker was moved")
    if roll.line:
        parts.append(f'"{roll.line}"')
    return ", ".join(parts)


def _with_repeats(rolls: Sequence[Roll]) -> list[Roll]:
    """Say of each roll which one, taken back before, it was made in place of.

    The same result once more is no new roll as a rule: a player who steps forward again after an undo brings back what
    he took back.
    """
    waiting: list[int] = []
    out: list[Roll] = []
    last = -_NEXT
    for number, roll in enumerate(rolls):
        first = next((index for index in waiting if _is_in_place_of(roll, out[index], last)), None)
        if first is not None:
            waiting.remove(first)
            last = roll.place.step
            roll = replace(roll, repeats=out[first].place.step)
            if out[first].result == roll.result:
                out[first] = replace(out[first], restored_at=last)
        if not roll.is_in_force:
            waiting.append(number)
        out.append(roll)
    return out


def _is_in_place_of(roll: Roll, undone: Roll, last: int) -> bool:
    step = roll.place.step
    if undone.undone_at is None or step <= undone.undone_at:
        return False
    is_soon = step <= undone.undone_at + _SOON or step <= last + _NEXT
    return is_soon and _is_same_throw(undone, roll)


def paired_across(earlier: FileRecord, later: FileRecord) -> tuple[FileRecord, FileRecord]:
    """Say of rolls taken back at the end of a log whether they were made again at the start of the next.

    A player may end his turn, think again, and take the last steps back before he sends the log.
    """
    repeated = {roll.repeats for roll in earlier.rolls}
    waiting = [
        index
        for index, roll in enumerate(earlier.rolls)
        if not roll.is_in_force
        and roll.restored_at is None
        and roll.place.step not in repeated
        and (roll.undone_at or 0) > earlier.steps - _SOON
    ]
    before, after = list(earlier.rolls), list(later.rolls)
    for number, roll in enumerate(after):
        if not waiting or roll.place.step > _SOON:
            break
        first = next((index for index in waiting if _is_same_throw(before[index], roll)), None)
        if first is None or roll.repeats is not None:
            continue
        waiting.remove(first)
        if before[first].result == roll.result:
            before[first] = replace(before[first], restored_at=roll.place.step, restored_in=later.name)
        else:
            after[number] = replace(roll, repeats=before[first].place.step, repeats_in=earlier.name)
    return replace(earlier, rolls=tuple(before)), replace(later, rolls=tuple(after))


def _is_same_throw(one: Roll, two: Roll) -> bool:
    return one.button == two.button and (one.player is None or two.player is None or one.player == two.player)
