"""``transcript``: a readable account of every step."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import TypeVar

import click
from rich.text import Text

from vassal_bridge.cli import options
from vassal_bridge.cli.exits import OK
from vassal_bridge.cli.output import Advance, console, emit_lines, progress
from vassal_bridge.cli.reading import game_of, module_of
from vassal_bridge.report.events import event_json, tell
from vassal_bridge.report.story import StoryLine, story
from vassal_bridge.vassal.replay import Replay

__all__ = ["transcript"]

T = TypeVar("T")


@click.command()
@options.sources
@options.module
@options.as_json
def transcript(logs: tuple[Path, ...], module_file: Path | None, is_json: bool) -> int:
    """Tell the story of each LOG: numbered steps, who did what, rolls, chat; what was undone is struck out."""
    if sys.stdout.isatty() and not is_json:
        screen = console()
        for line in _told(logs, module_file, _story, _ignore):
            screen.print(Text(line.text, style="strike" if line.is_undone else ""))
        return OK
    with progress("telling") as advance:
        if is_json:
            emit_lines(_told(logs, module_file, _events, advance))
        else:
            emit_lines(_plain(line) for line in _told(logs, module_file, _story, advance))
    return OK


def _told(
    logs: Iterable[Path], module_file: Path | None, teller: Callable[[Replay, str], Iterator[T]], advance: Advance
) -> Iterator[T]:
    """Yield what the teller makes of each log, telling how far it has come."""
    for log in logs:
        game = game_of(log)
        replay = Replay(game, module_of(game.file, module_file))
        for each in teller(replay, log.name):
            advance(replay.done, len(game.steps))
            yield each


def _events(replay: Replay, log: str) -> Iterator[str]:
    for _, told in tell(replay, log):
        yield from (event_json(each.event) for each in told)


def _story(replay: Replay, log: str) -> Iterator[StoryLine]:
    yield from story(replay, log)
    yield StoryLine(text="")


def _plain(line: StoryLine) -> str:
    return f"{line.text}{' (undone)' if line.is_undone and line.text else ''}\n"


def _ignore(done: int, total: int) -> None:
    """Show no progress: the lines themselves do."""
