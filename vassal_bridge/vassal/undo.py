"""Which step undoes which.

The engine's undo (``VASSAL.build.module.BasicLogger``) logs the inverse commands of a step as a new step, since 3.6.7
between two brackets, before that without any. So an undo is found by its content: it is the inverse of an earlier
step, nearest first. Undo pressed repeatedly walks back over the log including earlier undos, so an undo can be undone
in its turn; a stack of undone steps would get that wrong.

What marks a step as an undo: the brackets; a chat line that says so; or, in logs without brackets, something that only
an undo does: it removes a stack, or changes a piece after moving it. The last two count only together with an exact
inverse. Steps between an undo and what it undoes are pairs as well where they mirror each other, since the presses in
between undid the steps in between.

Inverting is exact but for what the engine rewrites as it undoes: the order below in a stack, the stacks that are made
and emptied, and commands that cannot be undone (sounds, notes, players) are left out of the comparison.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
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
    """What is known while the steps are walked.

    Attributes:
        stacks: Ids of all stacks that the log adds.
        turns: State of each turn tracker.
        forward: What each step did.
        backward: What the undoing of each step would do.
        undone_by: Numbers of the steps with a certain inverse.
        said: Numbers of the steps by the chat lines that their undoing would say.
    """

    stacks: set[str] = field(default_factory=set)
    turns: dict[str, str] = field(default_factory=dict)
    forward: dict[int, tuple[_Deed, ...]] = field(default_factory=dict)
    backward: dict[int, tuple[_Deed, ...]] = field(default_factory=dict)
    undone_by: dict[tuple[_Deed, ...], list[int]] = field(default_factory=dict)
    said: dict[tuple[str, ...], list[int]] = field(default_factory=dict)


def pair_undos(steps: Iterable[Sequence[Command]]) -> dict[int, int]:
    """Return for each undo the step that it undoes; both are counted from 1."""
    listed = list(steps)
    trace = _Trace()
    for commands in listed:
        _learn_stacks(commands, trace)
    has_brackets = any(isinstance(command, UndoBracket) for commands in listed for command in commands)
    if not any(_is_told(commands) or (not has_brackets and _is_shaped(commands, trace)) for commands in listed):
        return {}
    pairs: dict[int, int] = {}
    taken: set[int] = set()
    for number, commands in enumerate(listed, start=1):
        undone = _walk(number, commands, trace, taken, by_shape=not has_brackets)
        if undone is not None:
            pairs[number] = undone
            taken.add(undone)
    return dict(sorted((pairs | _mirrored(pairs, trace)).items()))


def _walk(number: int, commands: Sequence[Command], trace: _Trace, taken: set[int], *, by_shape: bool) -> int | None:
    """Learn what a step does; return the step that it undoes if it is an undo."""
    forward, backward = _deeds(commands, trace)
    lines = tuple(command.text for command in commands if isinstance(command, Chat))
    undone = None
    if _is_told(commands):
        undone = _find(forward, lines, trace, taken)
    elif by_shape and _is_shaped(commands, trace):
        undone = _nearest(trace.undone_by.get(forward, []), taken)
    trace.forward[number], trace.backward[number] = forward, backward
    if backward:
        trace.undone_by.setdefault(backward, []).append(number)
    if lines:
        trace.said.setdefault(tuple(_UNDO + _in_english(line) for line in reversed(lines)), []).append(number)
    return undone


def _is_told(commands: Sequence[Command]) -> bool:
    return any(
        (isinstance(command, Chat) and is_undo(command.text)) or isinstance(command, UndoBracket)
        for command in commands
    )


def _is_shaped(commands: Sequence[Command], trace: _Trace) -> bool:
    """Tell whether a step does what only an undo does."""
    moved: set[str] = set()
    for command in commands:
        match command:
            case MovePiece(id=identity):
                moved.add(identity)
            case RemovePiece(id=identity) if identity in trace.stacks:
                return True
            case ChangePiece(id=identity) if identity in moved:
                return True
    return False


def _mirrored(pairs: Mapping[int, int], trace: _Trace) -> dict[int, int]:
    """Return the pairs that lie between an undo and what it undoes."""
    inner: dict[int, int] = {}
    for undo, undone in pairs.items():
        if (undo - undone) % 2 == 0:
            continue
        for late, early in zip(range(undo - 1, undone, -1), range(undone + 1, undo), strict=True):
            if (
                late <= early
                or late in pairs
                or trace.forward[late] != trace.backward[early]
                or not trace.forward[late]
            ):
                break
            inner[late] = early
    return inner


def _learn_stacks(commands: Sequence[Command], trace: _Trace) -> None:
    trace.stacks.update(
        command.id for command in commands if isinstance(command, AddPiece) and command.id and command.type == "stack"
    )


def _find(forward: tuple[_Deed, ...], lines: tuple[str, ...], trace: _Trace, taken: set[int]) -> int | None:
    """Return the nearest step whose inverse these deeds are; by the chat lines alone if the deeds fit none."""
    candidates = trace.undone_by.get(forward, [])
    if not candidates and lines:
        candidates = trace.said.get(tuple(map(_in_english, lines)), [])
    return _nearest(candidates, taken)


def _nearest(candidates: Sequence[int], taken: set[int]) -> int | None:
    last = candidates[-1] if candidates else None
    return next((number for number in reversed(candidates) if number not in taken), last)


def _in_english(line: str) -> str:
    undone = undone_text(line)
    return line if undone is None else _UNDO + undone


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
            line = _in_english(text)
            return ("say", line), ("say", _UNDO + line)
        case _:
            return None
