"""One step of a log as the watchers see it: what it did, and who did it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from vassal_bridge.audit.finding import Place
from vassal_bridge.vassal.changes import Change, PieceAdded, PieceChanged, PieceMoved, PieceRemoved, StepRecord
from vassal_bridge.vassal.commands import MovePiece, PieceId
from vassal_bridge.vassal.game import Game
from vassal_bridge.vassal.position import Board

__all__ = ["Actor", "Deeds", "StepView", "Who", "sort_changes"]


@dataclass(frozen=True, slots=True)
class Actor:
    """Somebody who did something: alias, the name to show, and whether the step itself tells."""

    alias: str
    name: str
    is_certain: bool


class Who:
    """Finds out who made a step.

    A log has no author per step. A move holds its mover, typed words their speaker; else those who moved before and
    after are asked: if it was the same one, it was probably he.
    """

    def __init__(self, game: Game) -> None:
        self._game = game
        self._names = {player.alias: player.name or player.alias for player in game.players}

    def name(self, alias: str | None) -> str | None:
        """Return the name to show for an alias; what is no alias, such as a side, stays."""
        return None if alias is None else self._names.get(alias, alias)

    def redact(self, text: str) -> str:
        """Return a text out of the file without players' ids."""
        return self._game.aliases.redact(text)

    def of(self, record: StepRecord) -> Actor | None:
        """Return who made a step, None if nothing tells."""
        if record.author is not None:
            return Actor(record.author, self._names.get(record.author, record.author), True)
        before, after = self._mover(record.number, -1), self._mover(record.number, 1)
        alias = before or after
        if alias is None or (None not in (before, after) and before != after):
            return None
        return Actor(alias, self._names.get(alias, alias), False)

    def _mover(self, number: int, direction: int) -> str | None:
        steps = self._game.steps
        index = number - 1 + direction
        while 0 <= index < len(steps):
            for command in steps[index].commands:
                if isinstance(command, MovePiece) and command.player_id is not None:
                    return self._game.aliases.alias(command.player_id)
            index += direction
        return None


@dataclass(slots=True)
class Deeds:
    """What a step did to pieces, sorted once for all who ask.

    Attributes:
        moved: Pieces that are at another point; those that only came into another stack are left out.
        changed: Pieces whose states are others.
        made: Pieces that are new.
        gone: Pieces that have left the game.
        touched: All pieces touched; True for one that was moved or stacked and nothing else.
    """

    moved: list[PieceMoved] = field(default_factory=list)
    changed: list[PieceChanged] = field(default_factory=list)
    made: list[PieceAdded] = field(default_factory=list)
    gone: list[PieceRemoved] = field(default_factory=list)
    touched: dict[PieceId, bool] = field(default_factory=dict)


def sort_changes(changes: Sequence[Change]) -> Deeds:
    """Sort what a step did to pieces."""
    deeds = Deeds()
    for change in changes:
        if isinstance(change, PieceMoved):
            start, end = change.from_, change.to
            if (start.x, start.y, start.map) != (end.x, end.y, end.map):
                deeds.moved.append(change)
            deeds.touched.setdefault(change.piece, True)
        elif isinstance(change, PieceChanged):
            deeds.changed.append(change)
            deeds.touched[change.piece] = False
        elif isinstance(change, PieceAdded):
            deeds.made.append(change)
            deeds.touched[change.piece] = False
        elif isinstance(change, PieceRemoved):
            deeds.gone.append(change)
            deeds.touched[change.piece] = False
    return deeds


@dataclass(frozen=True, slots=True)
class StepView:
    """A step that has just been done.

    Attributes:
        record: What it did.
        deeds: What it did to pieces.
        board: The board after it.
        log: Name of the log.
        turn: The turn that the trackers show, None if they show none.
        who: Finds its author.
        is_in_force: False if it was taken back for good.
        is_undo: It takes something back.
    """

    record: StepRecord
    deeds: Deeds
    board: Board
    log: str
    turn: str | None
    who: Who
    is_in_force: bool
    is_undo: bool

    @property
    def place(self) -> Place:
        """Where it stands in the record."""
        return Place(log=self.log, step=self.record.number, turn=self.turn)

    @property
    def actor(self) -> Actor | None:
        """Who made it."""
        return self.who.of(self.record)
