"""Which steps of a log are in force after all undoing and redoing."""

from __future__ import annotations

from collections.abc import Iterable

__all__ = ["steps_in_force"]


def steps_in_force(steps: Iterable[tuple[int, int | None]]) -> frozenset[int]:
    """Return the steps that are neither undone nor undo steps themselves.

    An undo of an undo is a redo: it brings back what the first one took away.

    Args:
        steps: Number of each step in the order of the log, and the number of the step that it undoes, if any.
    """
    target: dict[int, int] = {}
    in_force: set[int] = set()
    for number, undone in steps:
        if undone is None:
            in_force.add(number)
            continue
        target[number] = undone
        is_off = True
        while undone in target:
            undone, is_off = target[undone], not is_off
        if is_off:
            in_force.discard(undone)
        else:
            in_force.add(undone)
    return frozenset(in_force)
