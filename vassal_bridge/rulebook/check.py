"""A check: a pure function from a state to outcomes, with a name, parameters and occasions."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from enum import StrEnum
from typing import Generic, TypeVar

from vassal_bridge.board.state import GameState
from vassal_bridge.rulebook.outcome import Outcome

__all__ = ["Check", "NoParams", "When", "check"]

P = TypeVar("P")


class When(StrEnum):
    """The occasion that a rule is asked on."""

    MOVE = "move"
    RAIL = "rail"
    OVERRUN = "overrun"
    ATTACK = "attack"
    ROLL = "roll"
    RESULT = "result"
    RETREAT = "retreat"
    ADVANCE = "advance"
    PLACE = "place"
    REMOVE = "remove"
    FLIP = "flip"
    MARK = "mark"
    DECLARE = "declare"
    SEGMENT_END = "segment-end"
    PHASE_END = "phase-end"
    PLAYER_TURN_END = "player-turn-end"
    GAME_TURN_END = "game-turn-end"
    STATE = "state"
    GAME_END = "game-end"


@dataclass(frozen=True, slots=True, kw_only=True)
class NoParams:
    """Parameters of a check that has none: its numbers are definitions of the game."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Check(Generic[P]):
    """A named check.

    Attributes:
        name: As rule files call it.
        params: Its parameter class; a rule gives exactly these fields.
        when: Occasions it can be asked on; a rule names one of them.
        run: The function; ``state.act`` is the act being judged, where the occasion is one.
    """

    name: str
    params: type[P]
    when: frozenset[When]
    run: Callable[[GameState, P], Iterator[Outcome]]

    @property
    def doc(self) -> str:
        """What the check does and leaves out, for ``explain``."""
        return self.run.__doc__ or ""


def check(
    name: str, *, params: type[P], when: set[When]
) -> Callable[[Callable[[GameState, P], Iterator[Outcome]]], Check[P]]:
    """Make a check of the decorated function. Nothing is registered: ``checks/__init__.py`` lists them."""

    def make(run: Callable[[GameState, P], Iterator[Outcome]]) -> Check[P]:
        return Check(name=name, params=params, when=frozenset(when), run=run)

    return make
