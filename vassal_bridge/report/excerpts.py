"""The steps around each finding, told as the transcript tells them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Final

from vassal_bridge.audit.finding import AuditResult, Finding
from vassal_bridge.audit.integrity import Openable
from vassal_bridge.report.plain import visible
from vassal_bridge.report.story import Passage, passages
from vassal_bridge.vassal.container import VassalFile
from vassal_bridge.vassal.game import read_game
from vassal_bridge.vassal.module import Module
from vassal_bridge.vassal.replay import Replay

__all__ = ["Excerpts", "excerpts_of"]

_STEPS: Final = 3
_BEFORE_IT: Final = "before"
"""The fact in which a finding about the start of a file names the file before."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Excerpts:
    """Passages by log and step, and how many steps each log has."""

    passages: Mapping[tuple[str, int], Passage]
    lengths: Mapping[str, int]

    def around(self, finding: Finding) -> tuple[tuple[Passage, bool], ...]:
        """Return the passages around a finding's step, each with whether it is that step itself.

        Where a finding is about the start of a file, these are the last steps of the file before and its own first.
        """
        log, step = finding.place.log, finding.place.step
        before = finding.outcome.facts.get(_BEFORE_IT)
        return (
            *(self._of(str(before), self.lengths.get(str(before), 0), -1, log=str(before)) if before else ()),
            *self._of(log, step, step, log=log if before else ""),
        )

    def _of(self, name: str, step: int, here: int, *, log: str) -> Iterator[tuple[Passage, bool]]:
        for number in range(step - _STEPS, step + _STEPS + 1):
            if (passage := self.passages.get((name, number))) is not None:
                heading = f"{visible(log)}, {passage.heading}" if log else passage.heading
                yield replace(passage, heading=heading), number == here


def excerpts_of(result: AuditResult, files: Sequence[Openable], module: Module | None = None) -> Excerpts:
    """Read again the files that findings are in, and tell the steps around those.

    Args:
        result: The result.
        files: The files as they were given to the audit.
        module: Their module, for the names of places.
    """
    records = result.integrity.records if result.integrity else ()
    lengths = {record.name: record.steps for record in reversed(records)}
    wanted = _wanted(result.findings, lengths)
    found: dict[tuple[str, int], Passage] = {}
    for record in records:
        steps = wanted.pop(record.name, None)
        if not steps:
            continue
        file = files[record.index]
        game = read_game(file if isinstance(file, VassalFile) else file())
        for passage in passages(Replay(game, module), record.name, steps):
            found[record.name, passage.number] = passage
    return Excerpts(passages=found, lengths=lengths)


def _wanted(findings: Sequence[Finding], lengths: Mapping[str, int]) -> dict[str, set[int]]:
    wanted: dict[str, set[int]] = {}
    for finding in findings:
        places = [(finding.place.log, finding.place.step)]
        if (before := finding.outcome.facts.get(_BEFORE_IT)) is not None:
            places.append((str(before), lengths.get(str(before), 0)))
        for log, step in places:
            last = min(step + _STEPS, lengths.get(log, 0))
            wanted.setdefault(log, set()).update(range(max(step - _STEPS, 1), last + 1))
    return wanted
