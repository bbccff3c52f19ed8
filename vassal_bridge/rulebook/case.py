"""A case: a small position, what is done in it, and the verdict that a referee must reach."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from typing import Any

from vassal_bridge.board.actions import ForcePart
from vassal_bridge.board.knowledge import UNKNOWN
from vassal_bridge.board.units import UnitId
from vassal_bridge.rulebook.notation import Statement
from vassal_bridge.rulebook.words import Vocabulary

__all__ = ["Case", "CaseFile", "CaseVerdict", "PastEvent", "RunKind", "Step", "StepKind", "UnitLine"]


class CaseVerdict(StrEnum):
    """What a case expects."""

    LEGAL = "legal"
    ILLEGAL = "illegal"
    SUSPICIOUS = "suspicious"
    BOOKKEEPING = "bookkeeping"
    UNKNOWN = "unknown"


class RunKind(StrEnum):
    """How far a machine can decide a case."""

    FULL = "full"
    PARTIAL = "partial"
    STORY = "story"


class StepKind(StrEnum):
    """What an entry of ``a`` is; SKIPPED is an event that is told but cannot be executed."""

    EVENT = "event"
    SKIPPED = "skipped"
    QUERY = "query"
    CLAIM = "claim"
    SAY = "say"


@dataclass(frozen=True, slots=True, kw_only=True)
class Step:
    """One entry of ``a``; free text has no statement."""

    kind: StepKind
    text: str
    statement: Statement | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class PastEvent:
    """One entry of ``h``: an event before the actions, with its turn or month and phase where they are stated."""

    statement: Statement
    turn: str | None = None
    phase: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class UnitLine:
    """One entry of ``u``; ``factors`` None where they do not matter, ``attributes`` as read by their kinds."""

    id: UnitId
    type: str
    factors: str | None
    place: str
    flags: frozenset[str]
    attributes: Mapping[str, Any]


@dataclass(frozen=True, slots=True, kw_only=True)
class Case:
    """One case.

    Attributes:
        verdict: What a referee must say.
        run: How far a machine can decide it.
        rules: Rule ids without the prefix; a finding must cite the first.
        also: Further rules that a finding may cite.
        phase: In force when the actions begin.
        turn: Game-Turn or month, None if it does not matter.
        weather: In force, None if it does not matter.
        scenario: The scenario, None if it does not matter.
        options: Optional rules in use.
        units: Where everybody stands before the history.
        facts: What else holds.
        history: What was done before.
        steps: What is done, asked and claimed.
        given: An assumption that no fact can express.
        reading: The ambiguity under whose recommended reading the verdict holds.
        is_checked: An independent program confirmed verdict and numbers.
        why: The reasoning, with its arithmetic.
        section: Title of its section.
    """

    id: str
    verdict: CaseVerdict
    run: RunKind
    rules: tuple[str, ...]
    also: tuple[str, ...]
    phase: str
    turn: str | None
    weather: str | None
    scenario: str | None
    options: tuple[str, ...]
    units: tuple[UnitLine, ...]
    facts: tuple[Statement, ...]
    history: tuple[PastEvent, ...]
    steps: tuple[Step, ...]
    given: str | None
    reading: str | None
    is_checked: bool
    why: str
    section: str

    @property
    def leaves_something_open(self) -> bool:
        """True if the case states that something is not known."""
        return (
            any(fact.verb == "unknown" or "unknown" in fact.arguments.values() for fact in self.facts)
            or any(past.statement.verb == "gap" for past in self.history)
            or any(unit.type.endswith(".any") for unit in self.units)
            or any(_has_open_force(step) for step in self.steps)
        )


def _has_open_force(step: Step) -> bool:
    force = step.statement.arguments.get("force", ()) if step.statement else ()
    if force is UNKNOWN:
        return True
    return any(isinstance(part, ForcePart) and not part.is_certain for part in force)


@dataclass(frozen=True, slots=True, kw_only=True)
class CaseFile:
    """The cases of one file with the vocabulary that they are written in."""

    name: str
    vocabulary: Vocabulary
    cases: tuple[Case, ...]
