"""Dice thrown in a log, as its chat reports them; for any module, without a profile."""

from __future__ import annotations

import html
import re
from collections import Counter
from collections.abc import Iterable, Mapping

from vassal_bridge.audit.undo import steps_in_force
from vassal_bridge.vassal.chat import is_undo
from vassal_bridge.vassal.commands import Chat, UndoBracket
from vassal_bridge.vassal.game import Game, Step

__all__ = ["count_dice", "roll_in"]

# The engine's default report of a dice button: its name and result, whatever else the line says.
_REPORT = re.compile(r"\*+\s*(?P<button>[^=*]+?) = (?P<result>[\d, ]+?)\s*(?:\*|$)")


def roll_in(chat: str) -> tuple[str, str] | None:
    """Return button and result of a chat line that reports a roll in the engine's default form, else None."""
    match = _REPORT.match(html.unescape(chat))
    return (match["button"], match["result"]) if match and not is_undo(chat) else None


def count_dice(games: Iterable[Game]) -> Mapping[str, object]:
    """Return for each dice button how often it was thrown, how often that was undone, and the results that stand."""
    rolls: Counter[str] = Counter()
    undone: Counter[str] = Counter()
    results: dict[str, Counter[str]] = {}
    for game in games:
        in_force = steps_in_force((step.number, game.undone.get(step.number)) for step in game.steps)
        for step in game.steps:
            for button, result in _rolls(step):
                rolls[button] += 1
                if step.number in in_force:
                    results.setdefault(button, Counter())[result] += 1
                else:
                    undone[button] += 1
    return {
        button: {
            "rolls": count,
            "undone": undone[button],
            "results": dict(sorted(results.get(button, Counter()).items())),
        }
        for button, count in sorted(rolls.items())
    }


def _rolls(step: Step) -> Iterable[tuple[str, str]]:
    if any(isinstance(command, UndoBracket) for command in step.commands):
        return
    for command in step.commands:
        if isinstance(command, Chat) and (roll := roll_in(command.text)) is not None:
            yield roll
