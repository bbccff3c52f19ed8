"""Keep book of what the rules said: findings, how often each rule was asked, what would decide the unknown verdicts."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace

from vassal_bridge.audit.finding import Finding, Occasions, Place, Undecided
from vassal_bridge.audit.referee import Judgement
from vassal_bridge.board.units import UnitId
from vassal_bridge.rulebook.outcome import Verdict

__all__ = ["Entry", "Ledger"]


@dataclass(slots=True)
class Entry:
    """A violation, as long as the audit may still learn more about it.

    Attributes:
        order: Where it was done: number of the log, step; rolls of a higher order came later.
        units: The units that did it; more than the outcome names where a stack moved.
        mended_at: Where the players put it right.
        depends_on: Fingerprints of the earlier findings that caused it.
    """

    judgement: Judgement
    place: Place
    order: tuple[int, int]
    units: tuple[UnitId, ...]
    mended_at: Place | None = None
    depends_on: tuple[str, ...] = ()

    @property
    def finding(self) -> Finding:
        """The finding as it stands now, not yet sealed."""
        return Finding(
            rule=self.judgement.rule,
            outcome=self.judgement.outcome,
            place=self.place,
            mended_at=self.mended_at,
            depends_on=self.depends_on,
        )


@dataclass(slots=True)
class Ledger:
    """Collects verdicts in the order of the record."""

    entries: list[Entry] = field(default_factory=list)
    rolls: list[tuple[tuple[int, int], Place]] = field(default_factory=list)
    remarks: list[str] = field(default_factory=list)
    _asked: dict[str, Counter[Verdict]] = field(default_factory=dict)
    _open: Counter[tuple[str, str]] = field(default_factory=Counter)

    def count(self, judgement: Judgement) -> None:
        """Count a verdict, and what would decide it if it is unknown."""
        outcome = judgement.outcome
        self._asked.setdefault(judgement.rule.id, Counter())[outcome.verdict] += 1
        if outcome.verdict is not Verdict.UNKNOWN:
            return
        because = ", ".join(outcome.because)
        for what in _would_decide(outcome.facts):
            self._open[what, because] += 1

    def enter(self, judgement: Judgement, place: Place, *, order: tuple[int, int], units: Iterable[UnitId]) -> Entry:
        """Note a violation."""
        entry = Entry(judgement=judgement, place=place, order=order, units=tuple(units))
        self.entries.append(entry)
        return entry

    def withdraw(self, entry: Entry) -> None:
        """Take a violation back: it was put right before anything was built on it."""
        self.entries.remove(entry)
        asked = self._asked[entry.judgement.rule.id]
        asked[Verdict.VIOLATION] -= 1
        asked[Verdict.LEGAL] += 1

    def leave_open(self, what: str, because: str, count: int) -> None:
        """Note something unknown on which verdicts turn that no rule could even be asked for."""
        if count:
            self._open[what, because] += count

    def findings(self) -> tuple[Finding, ...]:
        """Return the violations in the order of the record, each with the roll that sealed it."""
        ordered = sorted(self.entries, key=lambda entry: entry.order)
        return tuple(replace(entry.finding, sealed_by=self._sealing_roll(entry)) for entry in ordered)

    def occasions(self) -> Mapping[str, Occasions]:
        """Return how often each rule was asked, by rule id."""
        return {
            rule: Occasions(
                legal=count[Verdict.LEGAL], violation=count[Verdict.VIOLATION], unknown=count[Verdict.UNKNOWN]
            )
            for rule, count in sorted(self._asked.items())
        }

    def undecided(self) -> tuple[Undecided, ...]:
        """Return what is not known, the facts that would decide most first."""
        ranked = sorted(self._open.items(), key=lambda item: (-item[1], item[0]))
        return tuple(Undecided(what=what, because=because, would_decide=count) for (what, because), count in ranked)

    def _sealing_roll(self, entry: Entry) -> Place | None:
        return next((place for order, place in self.rolls if order > entry.order), None)


def _would_decide(facts: Mapping[str, object]) -> list[str]:
    named = facts.get("would_decide")
    if isinstance(named, str):
        return [named]
    if isinstance(named, list | tuple) and named:
        return [str(each) for each in named]
    return ["more than can be named"]
