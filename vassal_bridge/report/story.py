"""A record as a story that a referee can follow: step by step, who did what, in the words of the game."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator
from dataclasses import dataclass
from itertools import groupby

from vassal_bridge.report.events import Told, tell
from vassal_bridge.report.plain import count, visible
from vassal_bridge.vassal.changes import StepRecord
from vassal_bridge.vassal.game import Game
from vassal_bridge.vassal.players import Player
from vassal_bridge.vassal.replay import Replay

__all__ = ["Passage", "StoryLine", "passages", "players_line", "story"]


@dataclass(frozen=True, slots=True, kw_only=True)
class StoryLine:
    """One line; what was undone later is to be struck out."""

    text: str
    is_undone: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Passage:
    """One step: its heading, and what happened in it."""

    number: int
    heading: str
    sentences: tuple[str, ...]
    is_undone: bool = False


def story(replay: Replay, log: str) -> Iterator[StoryLine]:
    """Do the steps that are left and tell them; ``log`` is the name of the file."""
    yield StoryLine(text=f"{visible(log)}: {count(len(replay.game.steps), 'step')}")
    if line := players_line(replay.game):
        yield StoryLine(text=line)
    for record, told in tell(replay, log):
        is_undone = record.undone_by is not None
        yield StoryLine(text="")
        yield StoryLine(text=_heading(record, told), is_undone=is_undone)
        for sentence in _sentences(told):
            yield StoryLine(text=f"    {sentence}", is_undone=is_undone)


def passages(replay: Replay, log: str, steps: Collection[int]) -> Iterator[Passage]:
    """Do the steps that are left up to the last one wanted, and tell those that are wanted."""
    last = max(steps, default=0)
    for record, told in tell(replay, log):
        if record.number > last:
            return
        if record.number in steps:
            yield Passage(
                number=record.number,
                heading=_heading(record, told),
                sentences=tuple(_sentences(told)),
                is_undone=record.undone_by is not None,
            )


def players_line(game: Game) -> str:
    """Name the players with their sides; empty if the file names none."""
    return ", ".join(_player(player) for player in game.players)


def _player(player: Player) -> str:
    name = f"{player.alias} {visible(player.name)}" if player.name else player.alias
    return f"{name} ({visible(player.side)})" if player.side else name


def _heading(record: StepRecord, told: list[Told]) -> str:
    who = next((each.event.who for each in told if each.event.who), None)
    parts = [f"step {record.number}", *([visible(who)] if who else [])]
    if record.undoes is not None:
        parts.append(f"undoes step {record.undoes}")
    if record.undone_by is not None:
        parts.append(f"undone by step {record.undone_by}")
    return ", ".join(parts)


def _sentences(told: Iterable[Told]) -> Iterator[str]:
    """Tell the events; what happens to several pieces alike is told in one sentence."""
    spoken = [each for each in told if not (each.event.kind == "undo" and each.predicate.startswith("undoes step"))]
    moved = {each.event.piece for each in spoken if each.event.kind == "move"}
    spoken = [each for each in spoken if not (each.is_trace and each.event.piece in moved)]
    for is_named, run in groupby(spoken, key=lambda each: bool(each.subject)):
        if not is_named:
            yield from (visible(each.predicate) for each in run)
            continue
        alike: dict[str, list[str]] = {}
        for each in run:
            alike.setdefault(each.predicate, []).append(each.subject)
        for predicate, subjects in alike.items():
            yield visible(f"{', '.join(subjects)}: {predicate}")
