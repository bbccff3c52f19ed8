"""Lay things in a line so that neighbours fit together: a shortest path through all of them, nearly."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Final

__all__ = ["shortest_line"]

_LONGEST_PART: Final = 4


def shortest_line(nodes: Sequence[int], cost: Callable[[int, int], int]) -> list[int]:
    """Return an order in which the sum of costs from each to the next is as small as moving parts of it can make it.

    Begins with the nearest pairs, then takes out up to ``_LONGEST_PART`` neighbours at a time and puts them where they
    fit better, until nothing helps.
    """
    line = _nearest_pairs(nodes, cost)
    is_better = True
    while is_better:
        is_better = False
        for length in range(1, min(_LONGEST_PART, len(line) - 1) + 1):
            for start in range(len(line) - length + 1):
                part, rest = line[start : start + length], line[:start] + line[start + length :]
                best = min(range(len(rest) + 1), key=lambda place: (_insertion(rest, place, part, cost), place))
                if _insertion(rest, best, part, cost) < _insertion(rest, start, part, cost):
                    line = [*rest[:best], *part, *rest[best:]]
                    is_better = True
    return line


def _insertion(rest: Sequence[int], place: int, part: Sequence[int], cost: Callable[[int, int], int]) -> int:
    before = rest[place - 1] if place else None
    after = rest[place] if place < len(rest) else None
    added = (cost(before, part[0]) if before is not None else 0) + (cost(part[-1], after) if after is not None else 0)
    return added - (cost(before, after) if before is not None and after is not None else 0)


def _nearest_pairs(nodes: Sequence[int], cost: Callable[[int, int], int]) -> list[int]:
    lines = [[node] for node in nodes]
    pairs = sorted((cost(one, two), one, two) for one in nodes for two in nodes if one != two)
    for _, one, two in pairs:
        first = next((line for line in lines if line[-1] == one), None)
        second = next((line for line in lines if line[0] == two), None)
        if first is not None and second is not None and first is not second:
            first += second
            lines.remove(second)
    return [node for line in lines for node in line]
