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


def read_turn(
    tracker_id: str, state: str, trackers: Mapping[str, TurnTracker], properties: Mapping[str, str] | None = None
) -> TurnState:
    """Return what a tracker in ``state`` shows.

    Args:
        tracker_id: The tracker, as the file calls it.
        state: Its state; empty for that of a new game.
        trackers: The module's, by id.
        properties: Those of the module, which the formats of turns may use.
    """
    tracker = trackers.get(tracker_id)
    if tracker is None:
        return TurnState(tracker=tracker_id, text=state, state=state)
    current, *texts = decode(state, "|")
    texts += [""] * (len(tracker.levels) - len(texts))
    levels = tuple(_read_level(level, text) for level, text in zip(tracker.levels, texts, strict=False))
    values: dict[str, str] = {}
    for level in levels:
        values.update(level.values())
    words = {**(properties or {}), **values}
    active = _active(_at(levels, current))
    shown = {f"level{number}": level.text(words) for number, level in enumerate(active, start=1)}
    return TurnState(
        tracker=tracker.name or tracker_id,
        text=fill(tracker.turn_format, {**words, **shown}, unknown=UnknownWord.DROPPED),
        levels=values,
        state=state,
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class _LevelState:
    level: TurnLevel
    value: str
    children: tuple[_LevelState, ...]
    active_child: _LevelState | None

    def text(self, words: Mapping[str, str]) -> str:
        return fill(self.level.turn_format, {**words, "value": self.value}, unknown=UnknownWord.DROPPED)

    def values(self) -> Iterator[tuple[str, str]]:
        for name in (self.level.name, self.level.property):
            if name:
                yield name, self.value
        for child in self.children:
            yield from child.values()


def _read_level(level: TurnLevel, text: str) -> _LevelState:
    tokens = decode(text, ";")
    current, sub_level, _, _, *texts = (*tokens, *[""] * (4 - len(tokens)))
    texts += [""] * (len(level.levels) - len(texts))
    children = tuple(_read_level(child, state) for child, state in zip(level.levels, texts, strict=False))
    return _LevelState(
        level=level, value=_value(level, current), children=children, active_child=_at(children, sub_level)
    )


def _value(level: TurnLevel, current: str) -> str:
    number = _number(current)
    if isinstance(level, ListLevel):
        index = number or 0
        return level.items[index] if 0 <= index < len(level.items) else ""
    return str(level.start) if isinstance(level, CounterLevel) and number is None else current


def _active(level: _LevelState | None) -> Iterator[_LevelState]:
    while level is not None:
        yield level
        level = level.active_child


def _at(levels: tuple[_LevelState, ...], index: str) -> _LevelState | None:
    number = _number(index) or 0
    return levels[number] if 0 <= number < len(levels) else None


def _number(text: str) -> int | None:
    try:
        return int(text)
    except ValueError:
        return None
