"""What a turn tracker shows, from its state in a save or log and its definition in the module.

Source: ``VASSAL.build.module.turn.TurnTracker`` and its levels. The state of the tracker is the index of its current
level and the states of all of them, separated by ``|``; that of a level is its current value or index, the index of its
current sub-level, two fields of its own, and the states of its sub-levels, separated by ``;``.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field

from vassal_bridge.vassal.components import CounterLevel, ListLevel, TurnLevel, TurnTracker
from vassal_bridge.vassal.formats import UnknownWord, fill
from vassal_bridge.vassal.sequence import decode

__all__ = ["TurnState", "read_turn"]


@dataclass(frozen=True, slots=True, kw_only=True)
class TurnState:
    """A turn tracker at one moment.

    Attributes:
        tracker: Its name; its id (``TurnTracker0``) if the module is not known.
        text: The turn as the tracker displays it; its bare state if the module is not known.
        levels: Value of each level, by the level's name and by the property that it sets.
        state: The bare state.
    """

    tracker: str
    text: str
    levels: Mapping[str, str] = field(default_factory=dict)
    state: str = ""


def read_turn(tracker_id: str, state: str, trackers: Mapping[str, TurnTracker]) -> TurnState:
    """Return what a tracker in ``state`` shows; ``trackers`` are the module's, by id."""
    tracker = trackers.get(tracker_id)
    if tracker is None:
        return TurnState(tracker=tracker_id, text=state, state=state)
    current, *texts = decode(state, "|")
    levels = [_read_level(level, text) for level, text in zip(tracker.levels, texts, strict=False)]
    active = _at(levels, current)
    shown = {f"level{number}": text for number, text in enumerate(_active_texts(active), start=1)}
    values: dict[str, str] = {}
    for level in levels:
        values.update(level.values())
    name = tracker.name or tracker_id
    return TurnState(
        tracker=name, text=fill(tracker.turn_format, shown, unknown=UnknownWord.DROPPED), levels=values, state=state
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class _LevelState:
    level: TurnLevel
    value: str
    children: tuple[_LevelState, ...]
    active_child: _LevelState | None

    @property
    def text(self) -> str:
        return fill(self.level.turn_format, {"value": self.value}, unknown=UnknownWord.DROPPED)

    def values(self) -> Iterator[tuple[str, str]]:
        for name in (self.level.name, self.level.property):
            if name:
                yield name, self.value
        for child in self.children:
            yield from child.values()


def _read_level(level: TurnLevel, text: str) -> _LevelState:
    tokens = decode(text, ";")
    current, sub_level, _, _, *texts = (*tokens, *[""] * (4 - len(tokens)))
    children = tuple(_read_level(child, state) for child, state in zip(level.levels, texts, strict=False))
    return _LevelState(
        level=level, value=_value(level, current), children=children, active_child=_at(children, sub_level)
    )


def _value(level: TurnLevel, current: str) -> str:
    if isinstance(level, ListLevel):
        index = _number(current)
        return level.items[index] if index is not None and 0 <= index < len(level.items) else ""
    if isinstance(level, CounterLevel) and _number(current) is None:
        return str(level.start)
    return current


def _active_texts(level: _LevelState | None) -> Iterator[str]:
    while level is not None:
        yield level.text
        level = level.active_child


def _at(levels: tuple[_LevelState, ...] | list[_LevelState], index: str) -> _LevelState | None:
    number = _number(index)
    return levels[number] if number is not None and 0 <= number < len(levels) else None


def _number(text: str) -> int | None:
    try:
        return int(text)
    except ValueError:
        return None
