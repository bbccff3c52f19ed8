"""The files of a game in their order, and how each is joined to one before."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from enum import StrEnum

from vassal_bridge.audit.integrity.differences import Difference
from vassal_bridge.audit.integrity.record import FileRecord

__all__ = ["Chain", "Joint", "JointKind", "Link"]


class JointKind(StrEnum):
    """How a file is joined to the one before."""

    CONTINUES = "continues"
    DIFFERS = "differs"
    MISSING = "something is missing"
    """It differs by as much as a whole file of this chain changes, or another turn is shown."""
    APPENDS = "appended"
    """It repeats all steps of the earlier one and goes on."""
    RELOADS = "starts in the middle"
    """It starts from a position in the middle of the earlier one."""
    BRANCHES = "branches"
    """It starts where the earlier one starts, and does something else."""
    SAME_SESSION = "same session"
    """Both record the same acts, each in its own order."""
    SNAPSHOT = "saved in the middle"
    """A save made during the earlier one, which another file does not go on from."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Joint:
    """How a file is joined to an earlier one.

    Attributes:
        earlier: Index of the earlier file in the chain.
        later: Index of the later one.
        kind: How.
        difference: What differs, if the two ought to meet.
        at_step: Step of the earlier file after which the later one starts, where that is not its end.
        common: Steps that both hold, where they have some in common.
        nearer: Index of a file before both at whose end less differs than at the end of ``earlier``, and how many
            pieces; as if the files between had never been.
    """

    earlier: int
    later: int
    kind: JointKind
    difference: Difference = field(default_factory=Difference)
    at_step: int | None = None
    common: int = 0
    nearer: tuple[int, int] | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Link:
    """A file in its place.

    Attributes:
        record: The file.
        is_side: It does not lie on the main line of the game: a branch, or a second record of the same.
        skip: Steps at its beginning that an earlier file holds already.
    """

    record: FileRecord
    is_side: bool = False
    skip: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class Chain:
    """The files of one game in their order.

    Attributes:
        links: The files; those off the main line come after the file that they hang on.
        joints: How each is joined to an earlier one; the first file has none.
        doubles: Files that hold the same as another: pairs of the superfluous name and the one that is kept.
    """

    links: tuple[Link, ...]
    joints: tuple[Joint, ...]
    doubles: tuple[tuple[FileRecord, FileRecord], ...] = ()

    def with_records(self, records: Sequence[FileRecord]) -> Chain:
        """Return the same chain with other records in place of its own, in the same order."""
        links = [replace(link, record=record) for link, record in zip(self.links, records, strict=True)]
        return replace(self, links=tuple(links))

    def following(self, index: int) -> FileRecord | None:
        """Return the next file on the main line; None after the last, or for a file beside it."""
        if self.links[index].is_side:
            return None
        return next((link.record for link in self.links[index + 1 :] if not link.is_side), None)

    def into(self, later: int) -> Joint | None:
        """Return the joint that leads to a file, None for the first of the chain."""
        return next((joint for joint in self.joints if joint.later == later), None)
