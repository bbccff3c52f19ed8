"""How dice fell, player by player, and what that is worth.

Luck alone proves nothing. Each table says whether it holds enough rolls for a test at all, and a test that looks odd is
said to be what it is: among twenty honest players one is as odd.
"""

from __future__ import annotations

import math
from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Final

from vassal_bridge.audit.integrity.record import Roll

__all__ = ["Luck", "chi_square_tail", "lucks"]

#: Each face should be expected this often for the chi-square distribution to hold; the usual rule of thumb.
_EXPECTED: Final = 5
_ODD: Final = 0.05


@dataclass(frozen=True, slots=True, kw_only=True)
class Luck:
    """The dice of one kind that one player threw, those taken back among them.

    Attributes:
        player: The name in the record; None for all rolls whose player is not known.
        sides: Sides of the dice.
        is_inferred: The sides are inferred from the faces that came up.
        rolls: Number of rolls.
        undone: Those of them that were taken back.
        faces: How often each face came up, from 1.
        mean: Of the faces.
        expected_mean: Of fair dice.
        chi_square: Of the faces against fair dice; None if there are too few.
        probability: That fair dice are at least as uneven; None if there are too few.
        caution: What the figures are worth.
    """

    player: str | None
    sides: int
    is_inferred: bool
    rolls: int
    undone: int
    faces: Mapping[int, int]
    mean: float
    expected_mean: float
    chi_square: float | None
    probability: float | None
    caution: str

    @property
    def dice(self) -> int:
        """Number of dice thrown."""
        return sum(self.faces.values())


def lucks(rolls: Iterable[Roll]) -> tuple[Luck, ...]:
    """Count dice by player and sides, players in the order of their names; a roll that was brought back counts once."""
    found: dict[tuple[str | None, int, bool], list[Roll]] = defaultdict(list)
    largest: dict[str, int] = defaultdict(int)
    listed = list(rolls)
    for roll in listed:
        largest[roll.button] = max(largest[roll.button], *roll.faces, 0)
    for roll in listed:
        if not roll.faces or roll.restored_at is not None:
            continue
        sides = roll.sides or _likely_sides(largest[roll.button])
        if sides is not None and all(1 <= face <= sides for face in roll.faces):
            found[roll.player, sides, roll.sides is None].append(roll)
    return tuple(
        _luck(player, sides, members, is_inferred=is_inferred)
        for (player, sides, is_inferred), members in sorted(found.items(), key=lambda item: _order(item[0]))
    )


def chi_square_tail(value: float, degrees: int) -> float:
    """Return the probability that a chi-square variable of so many degrees of freedom is at least ``value``.

    The regularised upper incomplete gamma function, by its series or its continued fraction (Numerical Recipes 6.2).
    """
    if value <= 0:
        return 1.0
    shape, x = degrees / 2, value / 2
    front = math.exp(-x + shape * math.log(x) - math.lgamma(shape))
    if x < shape + 1:
        term = total = 1 / shape
        power = shape
        while abs(term) > abs(total) * 1e-12:
            power += 1
            term *= x / power
            total += term
        return max(0.0, 1 - front * total)
    return front * _fraction(shape, x)


def _fraction(shape: float, x: float) -> float:
    """Return the continued fraction of the upper incomplete gamma function, by Lentz's method."""
    tiny = 1e-300
    b = x + 1 - shape
    c, d = 1 / tiny, 1 / b
    result = d
    for step in range(1, 500):
        a = -step * (step - shape)
        b += 2
        d = 1 / _away_from_zero(a * d + b, tiny)
        c = _away_from_zero(b + a / c, tiny)
        factor = d * c
        result *= factor
        if abs(factor - 1) < 1e-12:
            break
    return result


def _away_from_zero(value: float, tiny: float) -> float:
    return value if abs(value) > tiny else tiny


def _luck(player: str | None, sides: int, rolls: list[Roll], *, is_inferred: bool) -> Luck:
    counts = Counter(face for roll in rolls for face in roll.faces)
    faces = {face: counts[face] for face in range(1, sides + 1)}
    number = sum(faces.values())
    expected = number / sides
    is_enough = expected >= _EXPECTED
    chi = sum((count - expected) ** 2 for count in faces.values()) / expected if is_enough else None
    probability = chi_square_tail(chi, sides - 1) if chi is not None and sides > 1 else None
    return Luck(
        player=player,
        sides=sides,
        is_inferred=is_inferred,
        rolls=len(rolls),
        undone=sum(not roll.is_in_force for roll in rolls),
        faces=faces,
        mean=sum(face * count for face, count in faces.items()) / number,
        expected_mean=(sides + 1) / 2,
        chi_square=chi,
        probability=probability,
        caution=_caution(number, sides, probability),
    )


def _caution(number: int, sides: int, probability: float | None) -> str:
    if probability is None:
        return f"{number} dice are too few to say anything: a test needs {_EXPECTED * sides}"
    if probability < _ODD:
        once = max(2, round(1 / probability)) if probability > 1e-6 else 1_000_000
        return (
            f"uneven: fair dice are so once in about {once:,} such samples. That is no proof of anything; "
            "of many players some are as uneven"
        )
    return "as even as fair dice are"


def _likely_sides(largest: int) -> int | None:
    return next((sides for sides in (6, 8, 10, 12, 20, 100) if largest <= sides), None)


def _order(key: tuple[str | None, int, bool]) -> tuple[bool, str, int, bool]:
    player, sides, is_inferred = key
    return player is None, player or "", sides, is_inferred
