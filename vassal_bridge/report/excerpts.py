"""The steps around each finding, told as the transcript tells them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from vassal_bridge.audit.finding import AuditResult
from vassal_bridge.audit.integrity import Openable
from vassal_bridge.report.story import Passage, passages
from vassal_bridge.vassal.container import VassalFile
from vassal_bridge.vassal.game import read_game
from vassal_bridge.vassal.module import Module
from vassal_bridge.vassal.replay import Replay

__all__ = ["Excerpts", "excerpts_of"]

_BEFORE: Final = 3
_AFTER: Final = 3


@dataclass(frozen=True, slots=True, kw_only=True)
class Excerpts:
    """Passages by log and step."""

    passages: Mapping[tuple[str, int], Passage]

    def around(self, log: str, step: int) -> tuple[tuple[Passage, bool], ...]:
        """Return the passages around a step, each with whether it is that step itself.

        Before the first step of a file these are its first ones.
        """
        return tuple(
            (passage, number == step)
            for number in range(step - _BEFORE, step + _AFTER + 1)
            if (passage := self.passages.get((log, number))) is not None
        )


def excerpts_of(result: AuditResult, files: Sequence[Openable], module: Module | None = None) -> Excerpts:
    """Read again the files that findings are in, and tell the steps around those.

    Args:
        result: The result.
        files: The files as they were given to the audit.
        module: Their module, for the names of places.
    """
    wanted: dict[str, set[int]] = {}
    for finding in result.findings:
        steps = range(finding.place.step - _BEFORE, finding.place.step + _AFTER + 1)
        wanted.setdefault(finding.place.log, set()).update(steps)
    found: dict[tuple[str, int], Passage] = {}
    for record in result.integrity.records if result.integrity else ():
        if (steps_wanted := wanted.pop(record.name, None)) is None or not record.steps:
            continue
        file = files[record.index]
        game = read_game(file if isinstance(file, VassalFile) else file())
        for passage in passages(Replay(game, module), record.name, steps_wanted):
            found[record.name, passage.number] = passage
    return Excerpts(passages=found)
