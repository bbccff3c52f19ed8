"""What differs between two positions that ought to be the same, piece by piece, and beside the pieces."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from enum import StrEnum
from typing import Final

from vassal_bridge.audit.integrity.positions import Pool, Position, Standing, piece_of
from vassal_bridge.audit.integrity.record import FileRecord, Moment
from vassal_bridge.audit.integrity.words import readable, seen_as, shortened
from vassal_bridge.vassal.module import Module
from vassal_bridge.vassal.pieces import Layer
from vassal_bridge.vassal.position import Piece, Place, Surroundings

__all__ = ["Change", "Difference", "PieceDifference", "distance", "find_difference"]

_VALUE: Final = 60


class Change(StrEnum):
    """How a piece differs."""

    ADDED = "added"
    REMOVED = "removed"
    MOVED = "moved"
    CHANGED = "changed"
    TRACES = "traces"
    """Only its trail, or another trait that shows nothing."""


@dataclass(frozen=True, slots=True, kw_only=True)
class PieceDifference:
    """A piece that differs; of one that is out of sight for an onlooker neither name nor place are told.

    Attributes:
        piece: Its id.
        name: What an onlooker sees.
        changes: How it differs; a piece may be moved and changed.
        before: Where it was, None if it was not there or is out of sight.
        after: Where it is.
        details: What changed of it, in words.
    """

    piece: str
    name: str
    changes: tuple[Change, ...]
    before: Place | None = None
    after: Place | None = None
    details: tuple[str, ...] = ()

    @property
    def is_trace(self) -> bool:
        """Whether only something differs that shows nothing."""
        return self.changes == (Change.TRACES,)


@dataclass(frozen=True, slots=True, kw_only=True)
class Difference:
    """All that differs between the end of one file and the start of the next.

    Attributes:
        pieces: Pieces that differ, those with traces only left out, by id.
        traces: How many differ only in traits that show nothing.
        others: What differs beside the pieces: trackers, properties, boards; one sentence each.
        turns: Whether a turn tracker differs.
    """

    pieces: tuple[PieceDifference, ...] = ()
    traces: int = 0
    others: tuple[str, ...] = ()
    turns: bool = False

    def __bool__(self) -> bool:
        return bool(self.pieces or self.others)

    def count(self, change: Change) -> int:
        """Return how many pieces differ in this way."""
        return sum(change in each.changes for each in self.pieces)


def distance(before: Position, after: Position) -> int:
    """Return how far two positions are apart: standings that only one of them has."""
    if before.digest == after.digest and len(before) == len(after):
        return 0
    return len(set(before.numbers) ^ set(after.numbers))


def find_difference(earlier: FileRecord, later: FileRecord, pool: Pool, module: Module | None) -> Difference:
    """Compare the end of one file with the start of the next."""
    old, new = set(earlier.end.numbers), set(later.start.numbers)
    before, after = pool.standings(old - new), pool.standings(new - old)
    sides = _Side(earlier.after, _around(earlier, earlier.after)), _Side(later.before, _around(later, later.before))
    found = [
        _compared(before.get(identity), after.get(identity), *sides, module)
        for identity in sorted({*before, *after}, key=_by_number)
    ]
    pieces = [each for each in found if each is not None]
    others = _others(earlier.after, later.before)
    return Difference(
        pieces=tuple(each for each in pieces if not each.is_trace),
        traces=sum(each.is_trace for each in pieces),
        others=tuple(later.aliases.redact(earlier.aliases.redact(each)) for each in others),
        turns=bool(list(_turns(earlier.after, later.before))),
    )


@dataclass(frozen=True, slots=True)
class _Side:
    """One of the two positions: what is beside its pieces, and what their names may ask for."""

    moment: Moment
    around: Surroundings


def _around(record: FileRecord, moment: Moment) -> Surroundings:
    around = Surroundings(record.aliases)
    around.properties.update({name: value for (name, _), value in moment.properties.items()})
    return around


def _compared(
    before: Standing | None, after: Standing | None, earlier: _Side, later: _Side, module: Module | None
) -> PieceDifference | None:
    old = piece_of(before, earlier.around) if before else None
    new = piece_of(after, later.around) if after else None
    shown = new if new is not None else old
    assert shown is not None
    changes = list(_changes(before, after, old, new))
    if not changes:
        return None
    is_visible = bool(shown.shown_name)
    is_open = is_visible and not (shown.masked or (old is not None and old.masked))
    return PieceDifference(
        piece=shown.id,
        name=seen_as(shown.shown_name),
        changes=tuple(changes),
        before=_place(before, earlier.moment, module) if before and is_visible else None,
        after=_place(after, later.moment, module) if after and is_visible else None,
        details=tuple(_details(old, new)) if old and new and is_open else (),
    )


def _changes(before: Standing | None, after: Standing | None, old: Piece | None, new: Piece | None) -> Iterator[Change]:
    if before is None or old is None:
        yield Change.ADDED
        return
    if after is None or new is None:
        yield Change.REMOVED
        return
    if before.point != after.point:
        yield Change.MOVED
    if before.type != after.type:
        yield Change.CHANGED
        return
    unlike = {
        index for index, (one, two) in enumerate(zip(old.states[:-1], new.states[:-1], strict=True)) if one != two
    }
    if unlike & old.piece_type.seen_indices or old.shown_name != new.shown_name:
        yield Change.CHANGED
    elif unlike and before.point == after.point:
        yield Change.TRACES


def _details(old: Piece, new: Piece) -> Iterator[str]:
    if old.shown_name != new.shown_name:
        yield f"was {seen_as(old.shown_name)}"
    if old.piece_type is not new.piece_type:
        yield "is of another kind"
        return
    for one, two in zip(old.layers, new.layers, strict=True):
        if one != two and (one.active or two.active):
            yield f"{one.name or 'layer'}: {_level(one)} -> {_level(two)}"
    before, after = old.marks, new.marks
    for name in after:
        if before.get(name) != after[name]:
            yield f"{name}: {_value(before.get(name))} -> {_value(after[name])}"
    if old.moved != new.moved:
        yield "is marked as moved" if new.moved else "is no longer marked as moved"
    if old.hidden != new.hidden:
        yield "is hidden" if new.hidden else "is no longer hidden"


def _value(value: str | None) -> str:
    return shortened(readable(value), _VALUE) if value else "nothing"


def _level(layer: Layer) -> str:
    return (layer.level_name.strip("+ ") or f"level {layer.level}") if layer.active else "off"


def _others(before: Moment, after: Moment) -> Iterator[str]:
    yield from _turns(before, after)
    for key, value in after.properties.items():
        old = before.properties.get(key)
        if old is not None and old != value:
            name, container = key
            of = f" of {container}" if container else ""
            yield f"property {name}{of}: {_value(old)} -> {_value(value)}"
    for name, boards in after.boards.items():
        if name in before.boards and before.boards[name] != boards:
            yield f"the boards of {name} are others"


def _turns(before: Moment, after: Moment) -> Iterator[str]:
    for name, state in after.turns.items():
        old = before.turns.get(name)
        if old is not None and old != state:
            texts = (
                before.turn_texts.get(name) or _turn_words(old),
                after.turn_texts.get(name) or _turn_words(state),
            )
            yield f"turn tracker {name}: {texts[0]} -> {texts[1]}"


def _turn_words(state: str) -> str:
    """Return what can be told of a tracker's state without the module: the values of its outer levels."""
    _, _, levels = state.partition("|")
    return "/".join(level.split(";")[0] for level in levels.split("|")) or state


def _place(standing: Standing, moment: Moment, module: Module | None) -> Place:
    location = None
    if module is not None and standing.map is not None:
        boards = moment.boards.get(standing.map)
        layout = None if boards is None else [(each.board, each.is_reversed, each.column, each.row) for each in boards]
        location = module.location(standing.map, standing.x, standing.y, layout)
    return Place(map=standing.map, x=standing.x, y=standing.y, location=location)


def _by_number(identity: str) -> tuple[int, str]:
    return len(identity), identity
