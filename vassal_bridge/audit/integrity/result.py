"""The result of the integrity audit, before any report renders it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from vassal_bridge.audit.finding import Finding, Place
from vassal_bridge.audit.integrity.chain import Chain
from vassal_bridge.audit.integrity.luck import Luck
from vassal_bridge.audit.integrity.record import FileRecord, Roll, Segment
from vassal_bridge.rulebook.rule import Rule

__all__ = ["Integrity", "Note"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Note:
    """Something that a referee may want to know and that is no finding.

    Attributes:
        rule: The entry of the catalogue.
        place: Where in the record.
        message: One sentence.
        player: Who did it, as far as that can be told.
    """

    rule: Rule
    place: Place
    message: str
    player: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Integrity:
    """What the integrity audit has to say of some files.

    Attributes:
        chains: The files in order, by game.
        findings: What is wrong or odd, in the order of the record.
        notes: What is neither, in the same order.
        rolls: All rolls; those that two files hold are told once.
        lucks: How the dice fell, by player.
        segments: What was done by turn and player.
        remarks: What limits the audit, one sentence each.
        unread: Commands and traits that were not understood, by kind and name, in all files together.
    """

    chains: tuple[Chain, ...]
    findings: tuple[Finding, ...]
    notes: tuple[Note, ...]
    rolls: tuple[Roll, ...]
    lucks: tuple[Luck, ...]
    segments: tuple[Segment, ...]
    remarks: tuple[str, ...] = ()
    unread: Mapping[str, Mapping[str, int]] = field(default_factory=dict)

    @property
    def records(self) -> tuple[FileRecord, ...]:
        """All files that were read, in their order; those that hold the same as another last."""
        linked = [link.record for chain in self.chains for link in chain.links]
        return (*linked, *(double for chain in self.chains for double, _ in chain.doubles))

    @property
    def main_line(self) -> tuple[FileRecord, ...]:
        """The files of the longest chain without branches and repetitions: what a game is judged by."""
        links = self.chains[0].links if self.chains else ()
        return tuple(link.record for link in links if not link.is_side)
