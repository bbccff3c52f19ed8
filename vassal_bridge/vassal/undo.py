"""Which step undoes which.

The engine's undo (``VASSAL.build.module.BasicLogger``) logs the inverse commands of a step as a new step, since 3.6.7
between two brackets, before that without any. So an undo is found by its content: it is the inverse of an earlier
step, nearest first. Undo pressed repeatedly walks back over the log including earlier undos, so an undo can be undone
in its turn; a stack of undone steps would get that wrong.

Inverting is exact but for what the engine rewrites as it undoes: the order below in a stack, the stacks that are made
and emptied, and commands that cannot be undone (sounds, notes, players) are left out of the comparison.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

from vassal_bridge.vassal.chat import is_undo, undone_text
from vassal_bridge.vassal.commands import (
    AddPiece,
    ChangePiece,
    Chat,
    Command,
    GlobalProperty,
    MovePiece,
    RemovePiece,
    SetProperty,
    TurnUpdate,
    UndoBracket,
)

__all__ = ["pair_undos"]

_Deed = tuple[object, ...]
_UNDO = "* UNDO: "


@dataclass(slots=True)
class _Trace:
    """What is known while the steps are walked."""

    stacks: set[str] = field(default_factory=set)
    turns: dict[str, str] = field(default_factory=dict)
    done: dict[tuple[_Deed, ...], list[int]] = field(default_factory=dict)
    said: dict[tuple[str, ...], list[int]] = field(default_factory=dict)


def pair_undos(steps: Iterable[Sequence[Command]]) -> dict[int, int]:
    """Return for each undo the step that it undoes; both are counted from 1."""
    listed = list(steps)
    if not any(_is_undo(commands) for commands in listed):
        return {}
    trace = _Trace()
    pairs: dict[int, int] = {}
    for number, commands in enumerate(listed, start=1):
        _learn_stacks(commands, trace)
        forward, backward = _deeds(commands, trace)
        lines = tuple(command.text for command in commands if isinstance(command, Chat))
        if _is_undo(commands) and (undone := _find(forward, lines, trace, set(pairs.values()))) is not None:
            pairs[number] = undone
        if backward:
            trace.done.setdefault(backward, []).append(number)
        if lines:
            trace.said.setdefault(tuple(_UNDO + line for line in reversed(lines)), []).append(number)
    return pairs


def _is_undo(commands: Sequence[Command]) -> bool:
    return any(
        (isinstance(command, Chat) and is_undo(command.text)) or isinstance(command, UndoBracket)
        for command in commands
    )


def _learn_stacks(commands: Sequence[Command], trace: _Trace) -> None:
    trace.stacks.update(
        command.id for command in commands if isinstance(command, AddPiece) and command.id and command.type == "stack"
    )


def _find(forward: tuple[_Deed, ...], lines: tuple[str, ...], trace: _Trace, taken: set[int]) -> int | None:
    """Return the nearest step whose inverse these deeds are; by the chat lines alone if the deeds fit none."""
    english = tuple(line if (undone := undone_text(line)) is None else _UNDO + undone for line in lines)
    candidates = trace.done.get(forward, []) or (trace.said.get(english, []) if english else [])
    free = [number for number in candidates if number not in taken] or candidates
    return free[-1] if free else None


def _deeds(commands: Sequence[Command], trace: _Trace) -> tuple[tuple[_Deed, ...], tuple[_Deed, ...]]:
    """Return what a step does, and what the undoing of it would do."""
    forward: list[_Deed] = []
    backward: list[_Deed] = []
    for command in commands:
        if (pair := _deed(command, trace)) is not None:
            forward.append(pair[0])
            backward.append(pair[1])
    return tuple(forward), tuple(reversed(backward))


def _deed(command: Command, trace: _Trace) -> tuple[_Deed, _Deed] | None:
    match command:
        case MovePiece(id=identity, map=map_, x=x, y=y, old_map=old_map, old_x=old_x, old_y=old_y):
            here, there = (map_, x, y), (old_map, old_x, old_y)
            return ("move", identity, here, there), ("move", identity, there, here)
        case ChangePiece(id=identity, state=state, old=old) if identity not in trace.stacks:
            return ("change", identity, state, old), ("change", identity, old, state)
        case AddPiece(id=identity) if identity not in trace.stacks:
            return ("add", identity), ("remove", identity)
        case RemovePiece(id=identity) if identity not in trace.stacks:
            return ("remove", identity), ("add", identity)
        case SetProperty(name=name, old=old, new=new):
            return ("property", name, old, new), ("property", name, new, old)
        case GlobalProperty(id=identity, value=value):
            return ("value", identity, value), ("value", identity, value)
        case TurnUpdate(tracker=tracker, state=state):
            before = trace.turns.get(tracker)
            trace.turns[tracker] = state
            return ("turn", tracker, state), ("turn", tracker, before)
        case Chat(text=text):
            undone = undone_text(text)
            line = text if undone is None else _UNDO + undone
            return ("say", line), ("say", _UNDO + line)
        case _:
            return None
