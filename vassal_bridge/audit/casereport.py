"""What a run of case files found."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from vassal_bridge.rulebook.case import CaseVerdict

__all__ = ["Agreement", "CaseReport", "CaseResult", "Disagreement", "Got", "NotRun"]


class Got(StrEnum):
    """What the engine made of a case; QUERY: it found another answer or number than the case states."""

    LEGAL = "legal"
    VIOLATION = "violation"
    UNKNOWN = "unknown"
    QUERY = "query"


@dataclass(frozen=True, slots=True, kw_only=True)
class Agreement:
    """A case whose verdict, rule ids, answers and numbers are the engine's."""

    id: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Disagreement:
    """A case that the engine sees otherwise.

    Attributes:
        rules: Full ids of the rules that the engine's findings cite.
        remarks: What differs, one line each, for people.
    """

    id: str
    expected: CaseVerdict
    got: Got
    rules: tuple[str, ...] = ()
    remarks: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class NotRun:
    """A case that was not decided, and the reason."""

    id: str
    why: str


CaseResult = Agreement | Disagreement | NotRun


@dataclass(frozen=True, slots=True, kw_only=True)
class CaseReport:
    """The results of all cases, in the order of the files."""

    results: tuple[CaseResult, ...] = ()

    def __add__(self, other: CaseReport) -> CaseReport:
        """Return one report over the files of both."""
        return CaseReport(results=(*self.results, *other.results))

    @property
    def agree(self) -> tuple[Agreement, ...]:
        """The cases that agree."""
        return tuple(each for each in self.results if isinstance(each, Agreement))

    @property
    def disagree(self) -> tuple[Disagreement, ...]:
        """The cases that do not."""
        return tuple(each for each in self.results if isinstance(each, Disagreement))

    @property
    def not_run(self) -> tuple[NotRun, ...]:
        """The cases that were not decided."""
        return tuple(each for each in self.results if isinstance(each, NotRun))
