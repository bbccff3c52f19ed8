"""What is kept of one file once it has been read: enough to judge a chain of many, and little enough to hold them all.

The game itself is let go. Nothing here shows a player's id; the aliases, which know them, stay out of every text.
"""

from __future__ import annotations

from array import array
from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum

from vassal_bridge.audit.finding import Place
from vassal_bridge.audit.integrity.positions import Position
from vassal_bridge.audit.integrity.throws import Source
from vassal_bridge.vassal.commands import BoardPlacement
from vassal_bridge.vassal.container import Metadata
from vassal_bridge.vassal.players import Aliases

__all__ = [
    "Event",
    "EventKind",
    "FileRecord",
    "Moment",
    "PlayerTally",
    "Roll",
    "Segment",
    "UndoRun",
    "UndoneAct",
    "Versions",
]


@dataclass(frozen=True, slots=True, kw_only=True)
class Roll:
    """A roll of dice, with its fate.

    Attributes:
        place: Where it was rolled.
        player: Who rolled, as the record names him; None if it does not.
        button: Name of the dice button.
        result: As the log has it.
        faces: The dice one by one; none where only their sum or a text is known.
        sides: Sides of each die, None if not known.
        source: What tells of it.
        is_in_force: False if it was taken back and not brought back.
        undone_at: The step that took it back.
        repeats: Step of the roll, taken back before, in whose place it was made.
        repeats_in: The log of that roll, if it is another one.
        restored_at: The step that brought it back, with the same result.
        restored_in: The log of that step, if it is another one.
        followed_by: What happened until the next roll, in words; empty if nothing did.
    """

    place: Place
    player: str | None
    button: str
    result: str
    faces: tuple[int, ...]
    sides: int | None
    source: Source
    is_in_force: bool = True
    undone_at: int | None = None
    repeats: int | None = None
    repeats_in: str | None = None
    restored_at: int | None = None
    restored_in: str | None = None
    followed_by: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class UndoneAct:
    """A step that was taken back.

    Attributes:
        step: The step; None if it is not in this log.
        undone_at: The step that takes it back.
        seen: What it had brought to light, in words: rolls, faces, cards.
        kinds: Of what kinds that is: ``roll``, ``reveal``, ``draw``, ``flip``.
        deeds: What it did otherwise, in words.
    """

    step: int | None
    undone_at: int
    seen: tuple[str, ...] = ()
    kinds: frozenset[str] = frozenset()
    deeds: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class UndoRun:
    """Acts that were taken back one after the other, without anything else in between.

    Attributes:
        place: The first step of the undoing.
        last: Its last step.
        acts: What was taken back, latest act first.
        player: Who did it, as far as that can be told.
    """

    place: Place
    last: int
    acts: tuple[UndoneAct, ...]
    player: str | None = None

    @property
    def kinds(self) -> frozenset[str]:
        """What kinds of information had come to light."""
        return frozenset().union(*(act.kinds for act in self.acts))


class EventKind(StrEnum):
    """What a referee may want to know of a step; findings and notes are made of these."""

    UNMASKED = "unmasked"
    REVEALED = "revealed"
    PEEKED = "peeked"
    TAKEN_OVER = "taken over"
    DRAWN = "drawn"
    JOINED = "joined"
    LEFT = "left"
    CHANGED_SIDE = "changed side"
    MADE = "made"
    DELETED = "deleted"
    REPLACED = "replaced"
    EDITED = "edited"
    DOUBLED = "doubled"
    TURN_BACK = "turn set back"
    PROPERTY_BACK = "property set back"
    TELEPORTED = "moved without a move"
    DISLOCATED = "not where the record left it"
    RELOADED = "position loaded"
    UNBACKED = "roll without a dice button"


@dataclass(frozen=True, slots=True, kw_only=True)
class Event:
    """Something in a step.

    Attributes:
        kind: What it is.
        place: Where in the record.
        text: One sentence.
        pieces: Ids of the pieces concerned.
        player: Who did it; None if the record does not say.
        is_certain: The step itself names that player; else he is inferred from the steps around.
        is_owner: Whether he is the one who may see the piece; None if that is not known.
    """

    kind: EventKind
    place: Place
    text: str
    pieces: tuple[str, ...] = ()
    player: str | None = None
    is_certain: bool = False
    is_owner: bool | None = None


@dataclass(slots=True, kw_only=True)
class PlayerTally:
    """What one player did in a segment: pieces moved, other changes, rolls, acts taken back, lines written."""

    moves: int = 0
    changes: int = 0
    rolls: int = 0
    undos: int = 0
    lines: int = 0


@dataclass(slots=True, kw_only=True)
class Segment:
    """The steps of one turn in one log; ``players`` by name, the empty name for acts of which nobody is named."""

    log: str
    turn: str | None
    first: int
    last: int
    players: dict[str, PlayerTally] = field(default_factory=dict)


@dataclass(frozen=True, slots=True, kw_only=True)
class Versions:
    """What wrote a file: engine, module, extensions; None where the file does not say."""

    engine: str | None
    module: str | None
    module_version: str | None
    extensions: tuple[tuple[str, str | None], ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Moment:
    """The state of a game beside its pieces: trackers, properties, players with their sides, boards."""

    turns: Mapping[str, str]
    turn_texts: Mapping[str, str]
    properties: Mapping[tuple[str, str], str] = field(repr=False)
    players: Mapping[str, str | None]
    boards: Mapping[str, tuple[BoardPlacement, ...]] = field(repr=False)


@dataclass(frozen=True, slots=True, kw_only=True)
class FileRecord:
    """What is kept of a file.

    Attributes:
        index: Which of the files given it is, from 0.
        name: The file's name, without folders.
        path: The file as the user named it.
        sha256: Of its bytes.
        content: Digest of its command text: the same game in two encodings has the same.
        kind: What it is.
        steps: Number of steps.
        saved_at: Milliseconds since 1970-01-01 UTC, if the file says so.
        newest: The highest creation time of a piece, milliseconds, at its start and at its end.
        start: The position before the first step.
        end: The position after the last.
        digests: Digest of the position after each step, the first being that before step 1.
        acts: A hash of each step's commands.
        before: Trackers, properties and players at its start.
        after: The same at its end.
        versions: What wrote it.
        metadata: The copy of its module's metadata, if it holds one.
        rolls: Its rolls.
        undo_runs: What was taken back.
        events: What else a referee may want to know.
        segments: What was done by turn and player.
        loose_undos: Lines that say that something was undone which is not in this log.
        damage: What is wrong with the file, if it was read only in part.
        unread: Commands and traits that were not understood, by kind and name.
        aliases: The names for its players' ids.
    """

    index: int
    name: str
    path: str
    sha256: str
    content: str
    kind: str
    steps: int
    saved_at: int | None
    newest: tuple[int, int]
    start: Position = field(repr=False)
    end: Position = field(repr=False)
    digests: array[int] = field(repr=False)
    acts: array[int] = field(repr=False)
    before: Moment = field(repr=False)
    after: Moment = field(repr=False)
    versions: Versions
    metadata: Metadata | None = None
    rolls: tuple[Roll, ...] = ()
    undo_runs: tuple[UndoRun, ...] = ()
    events: tuple[Event, ...] = ()
    segments: tuple[Segment, ...] = ()
    loose_undos: int = 0
    damage: str | None = None
    unread: Mapping[str, Mapping[str, int]] = field(default_factory=dict)
    aliases: Aliases = field(repr=False)
