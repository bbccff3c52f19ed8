"""What an audit found, and the whole of its result."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from vassal_bridge.rulebook.outcome import Outcome, Verdict
from vassal_bridge.rulebook.rule import Rule, Severity

if TYPE_CHECKING:
    from vassal_bridge.audit.integrity.result import Integrity

__all__ = ["AuditResult", "Coverage", "Finding", "InputFile", "Occasions", "Place", "Undecided"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Place:
    """Where in the record something was done.

    Attributes:
        log: The file's name as given, without folders.
        step: Step in that log, from 1; 0 for its first position.
        turn: The game-turn as the game counts.
        phase: Phase id; ``is_inferred`` if no tracker and no player said so.
    """

    log: str
    step: int
    turn: str | None = None
    phase: str | None = None
    is_inferred: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Finding:
    """A broken rule, with its place in the record.

    Attributes:
        sealed_by: The later roll after which it can no longer be put right.
        mended_at: Where the players put it right after that.
        depends_on: Fingerprints of earlier findings without which this act would be legal.
        mark: What tells it from another of the same rule, where turn, hexes and units do not.
    """

    rule: Rule
    outcome: Outcome
    place: Place
    sealed_by: Place | None = None
    mended_at: Place | None = None
    depends_on: tuple[str, ...] = ()
    mark: str = ""

    @property
    def severity(self) -> Severity:
        """SUSPICIOUS where another reading of the rules would excuse the act, else the rule's own."""
        if self.outcome.reading:
            return Severity.SUSPICIOUS
        # A row that only computes is broken by a wrong claim, and that is illegal.
        return Severity.ILLEGAL if self.rule.severity is Severity.NONE else self.rule.severity

    @property
    def fingerprint(self) -> str:
        """A hash over rule, turn, phase, hexes and units, not over the file: a later log of that turn has the same."""
        key = [self.rule.id, self.place.turn, self.place.phase, self.outcome.hexes, self.outcome.units]
        if self.mark:
            key.append(self.mark)
        return hashlib.sha256(json.dumps(key).encode()).hexdigest()[:16]


@dataclass(frozen=True, slots=True, kw_only=True)
class Undecided:
    """One thing that is not known, and how many verdicts would become certain if it were stated."""

    what: str
    because: str
    would_decide: int


@dataclass(frozen=True, slots=True, kw_only=True)
class InputFile:
    """One file of the audit."""

    file: str
    sha256: str
    kind: str
    steps: int
    from_turn: str | None = None
    to_turn: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Occasions:
    """How often a rule was asked, by verdict."""

    legal: int = 0
    violation: int = 0
    unknown: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class Coverage:
    """What was looked at and what was not.

    Attributes:
        checked, planned, not_checkable: Numbers of rules of the rule set; zero without one.
        occasions: Rule id -> how often it was asked.
        unread: Kind (``commands``, ``traits``, ``pieces``, ``places``) -> name -> how often met and not understood.
    """

    checked: int = 0
    planned: int = 0
    not_checkable: int = 0
    occasions: Mapping[str, Occasions] = field(default_factory=dict)
    unread: Mapping[str, Mapping[str, int]] = field(default_factory=dict)


@dataclass(frozen=True, slots=True, kw_only=True)
class AuditResult:
    """Everything that an audit has to say; the reports only render it.

    Attributes:
        game: Rule-set id, None where no rules fitted.
        rules_version: Its version.
        profile: Name of the module profile.
        phases: Phase id -> name as printed.
        remarks: What limits the audit, one sentence each ("no module profile fits: rules were not checked").
        integrity: What the record itself shows, for any module: chain of files, dice, undo, hidden information.
    """

    tool_version: str
    inputs: tuple[InputFile, ...]
    coverage: Coverage
    findings: tuple[Finding, ...] = ()
    undecided: tuple[Undecided, ...] = ()
    game: str | None = None
    rules_version: str | None = None
    profile: str | None = None
    phases: Mapping[str, str] = field(default_factory=dict)
    remarks: tuple[str, ...] = ()
    integrity: Integrity | None = None

    @property
    def has_violations(self) -> bool:
        """True if any finding is a violation, of whatever severity."""
        return any(finding.outcome.verdict is Verdict.VIOLATION for finding in self.findings)
