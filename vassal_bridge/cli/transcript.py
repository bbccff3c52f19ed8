"""``transcript``: a readable account of every step."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from pathlib import Path

import click
from rich.text import Text

from vassal_bridge.cli import options
from vassal_bridge.cli.exits import OK
from vassal_bridge.cli.output import console, emit_lines
from vassal_bridge.cli.reading import game_of, module_of
from vassal_bridge.report.events import event_json, tell
from vassal_bridge.report.story import StoryLine, story
from vassal_bridge.vassal.replay import Replay

__all__ = ["transcript"]


@click.command()
@options.sources
@options.module
@options.as_json
def transcript(logs: tuple[Path, ...], module_file: Path | None, is_json: bool) -> int:
    """Tell the story of each LOG: numbered steps, who did what, rolls, chat; what was undone is struck out."""
    if is_json:
        emit_lines(_events(logs, module_file))
    elif sys.stdout.isatty():
        screen = console()
        for line in _story(logs, module_file):
            screen.print(Text(line.text, style="strike" if line.is_undone else ""))
    else:
        emit_lines(
            f"{line.text}{' (undone)' if line.is_undone and line.text else ''}\n" for line in _story(logs, module_file)
        )
    return OK


def _events(logs: tuple[Path, ...], module_file: Path | None) -> Iterator[str]:
    for log in logs:
        for _, told in tell(_replay(log, module_file), log.name):
            yield from (event_json(each.event) for each in told)


def _story(logs: tuple[Path, ...], module_file: Path | None) -> Iterator[StoryLine]:
    for number, log in enumerate(logs):
        if number:
            yield StoryLine(text="")
        yield from story(_replay(log, module_file), log.name)


def _replay(log: Path, module_file: Path | None) -> Replay:
    game = game_of(log)
    return Replay(game, module_of(game.file, module_file))
