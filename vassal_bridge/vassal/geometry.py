"""The arithmetic of the engine's grids, kept apart because Java rounds otherwise than Python.

All coordinates are pixels, x to the right and y down. ``int()`` in the grids stands for Java's cast to int: both drop
the fraction towards zero.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import pairwise
from math import floor

__all__ = [
    "Point",
    "Size",
    "UnknownNameError",
    "bounding_size",
    "contains",
    "interior_points",
    "java_round",
    "mean_point",
]

Point = tuple[int, int]
"""A place in pixels: x, y."""

Size = tuple[int, int]
"""An extent in pixels: width, height."""


class UnknownNameError(Exception):
    """A point has a name, but what decides it is not known (the size of a board whose image is missing).

    Never leaves this package: who asks for a location gets ``None``.
    """


def java_round(value: float) -> int:
    """Round halves upwards, as Java's ``Math.round`` does, also below zero."""
    return floor(value + 0.5)


def contains(polygon: Sequence[Point], x: float, y: float) -> bool:
    """Tell whether a point lies in a polygon, by the even-odd rule of ``java.awt.Polygon``.

    Left and top borders belong to the polygon, right and bottom ones do not.
    """
    inside = False
    x1, y1 = polygon[-1] if polygon else (0, 0)
    for x2, y2 in polygon:
        if (y1 <= y) != (y2 <= y) and x < x1 + (y - y1) * (x2 - x1) / (y2 - y1):
            inside = not inside
        x1, y1 = x2, y2
    return inside


def bounding_size(polygon: Sequence[Point]) -> Size:
    """Measure the smallest upright rectangle around a polygon."""
    if not polygon:
        return (0, 0)
    xs = [x for x, _ in polygon]
    ys = [y for _, y in polygon]
    return (max(xs) - min(xs), max(ys) - min(ys))


def mean_point(polygon: Sequence[Point]) -> Point:
    """Average the corners of a polygon; where that falls outside, take the first corner (``Zone.getLocation``)."""
    if not polygon:
        return (0, 0)
    mean = (int(sum(x for x, _ in polygon) / len(polygon)), int(sum(y for _, y in polygon) / len(polygon)))
    return mean if contains(polygon, *mean) else polygon[0]


def interior_points(polygon: Sequence[Point]) -> Iterator[Point]:
    """Yield points spread over a polygon: in the middle of each stretch, halfway between the heights of its corners."""
    heights = sorted({y for _, y in polygon})
    for top, bottom in pairwise(heights):
        y = (top + bottom) // 2
        ends = sorted(
            x1 + (y - y1) * (x2 - x1) / (y2 - y1)
            for (x1, y1), (x2, y2) in zip(polygon, (*polygon[1:], polygon[0]), strict=True)
            if (y1 <= y) != (y2 <= y)
        )
        for left, right in zip(ends[::2], ends[1::2], strict=False):
            yield (int((left + right) / 2), y)
