"""What a check says about one occasion."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum

from vassal_bridge.board.hexes import HexId
from vassal_bridge.board.knowledge import Reason
from vassal_bridge.board.units import UnitId

__all__ = ["Outcome", "Verdict"]


class Verdict(StrEnum):
    """The three answers; an undecidable occasion is neither a crime nor checked and fine."""

    LEGAL = "legal"
    UNKNOWN = "unknown"
    VIOLATION = "violation"


@dataclass(frozen=True, slots=True, kw_only=True)
class Outcome:
    """A verdict on one occasion, without id, citation or place in the log: the audit adds them.

    Attributes:
        verdict: LEGAL, UNKNOWN or VIOLATION.
        message: One sentence for a player, with the numbers compared; empty if legal.
        hexes: Printed numbers of the hexes concerned.
        units: The units concerned.
        facts: The numbers compared, by name; what would decide an unknown verdict stands under ``would_decide``.
        because: Reasons of an unknown verdict, non-empty exactly then.
        reading: The ambiguity under whose reading in use, and only that, the act is a violation; it makes the finding
            suspicious.
    """

    verdict: Verdict
    message: str = ""
    hexes: tuple[HexId, ...] = ()
    units: tuple[UnitId, ...] = ()
    facts: Mapping[str, object] = field(default_factory=dict)
    because: tuple[Reason, ...] = ()
    reading: str | None = None

    def __post_init__(self) -> None:
        if bool(self.because) != (self.verdict is Verdict.UNKNOWN):
            raise ValueError(f"an outcome has reasons exactly if it is unknown: {self.verdict}, {self.because}")
