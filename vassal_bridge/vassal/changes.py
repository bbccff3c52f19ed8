"""What a step changed, as a reader of the game wants to hear it.

One change per piece and step: several commands that touch a piece in one step are netted, and a piece that ends as it
began is not mentioned. Coordinates are map pixels. Names are the engine's ``BasicName`` and, as ``shown_name``, what an
onlooker without a side sees; for a hidden or masked piece only the latter may be told.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from vassal_bridge.vassal.commands import Command, PieceId
from vassal_bridge.vassal.pieces import Layer
from vassal_bridge.vassal.position import Place
from vassal_bridge.vassal.turns import TurnState

__all__ = [
    "Change",
    "ChatSaid",
    "DiceShown",
    "OtherChange",
    "PieceAdded",
    "PieceChanged",
    "PieceMoved",
    "PieceRemoved",
    "PlayerJoined",
    "PlayerLeft",
    "PropertyChanged",
    "StepRecord",
    "TurnChanged",
]


@dataclass(frozen=True, slots=True, kw_only=True)
class Change:
    """Something that a step changed or said."""


@dataclass(frozen=True, slots=True, kw_only=True)
class PieceAdded(Change):
    """A piece is new in the game."""

    piece: PieceId
    name: str
    shown_name: str
    place: Place


@dataclass(frozen=True, slots=True, kw_only=True)
class PieceRemoved(Change):
    """A piece has left the game."""

    piece: PieceId
    name: str
    shown_name: str
    place: Place


@dataclass(frozen=True, slots=True, kw_only=True)
class PieceMoved(Change):
    """A piece is somewhere else, or in another stack at the same point."""

    piece: PieceId
    name: str
    shown_name: str
    from_: Place
    to: Place


@dataclass(frozen=True, slots=True, kw_only=True)
class PieceChanged(Change):
    """The states of a piece's traits are different.

    Attributes:
        piece: The piece.
        name: Its name.
        shown_name: Its displayed name now.
        shown_name_before: Its displayed name before.
        place: Where it is.
        layers: Layers that changed, before and after.
        marks: Markers and properties that changed, before and after; None where there was or is none.
        masked: Whether it is masked, before and after, if that or the owner changed.
        hidden: Whether it is invisible, before and after, if that or the owner changed.
        owner: Who may see it now.
        moved: The mark that it has moved, before and after, if that changed.
        others: Names of the other traits whose states changed, such as trails.
    """

    piece: PieceId
    name: str
    shown_name: str
    shown_name_before: str
    place: Place
    layers: tuple[tuple[Layer, Layer], ...] = ()
    marks: Mapping[str, tuple[str | None, str | None]] = field(default_factory=dict)
    masked: tuple[bool, bool] | None = None
    hidden: tuple[bool, bool] | None = None
    owner: str | None = None
    moved: tuple[bool | None, bool | None] | None = None
    others: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class TurnChanged(Change):
    """A turn tracker shows another turn."""

    tracker: str
    before: TurnState | None
    after: TurnState


@dataclass(frozen=True, slots=True, kw_only=True)
class PropertyChanged(Change):
    """A property of the module, a map or a zone has another value; so dice buttons leave their results."""

    name: str
    container: str
    old: str | None
    new: str


@dataclass(frozen=True, slots=True, kw_only=True)
class ChatSaid(Change):
    """A line in the chat; ``undo`` if it says that another line was undone."""

    text: str
    undo: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class PlayerJoined(Change):
    """A player takes a side."""

    player: str
    name: str
    side: str | None


@dataclass(frozen=True, slots=True, kw_only=True)
class PlayerLeft(Change):
    """A player gives up his side."""

    player: str


@dataclass(frozen=True, slots=True, kw_only=True)
class DiceShown(Change):
    """Special dice were rolled; the index of each die's face, from 0."""

    button: str
    faces: tuple[int, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class OtherChange(Change):
    """Anything else, named by its kind; its contents may be private and are not told."""

    text: str


@dataclass(frozen=True, slots=True, kw_only=True)
class StepRecord:
    """What one step of a log did.

    Attributes:
        number: The step, counted from 1.
        commands: Its commands.
        changes: What they changed, in the order in which it was first touched.
        author: Alias of whoever made it; None if nothing tells.
        undoes: The step that it undoes.
        undone_by: The step that undoes it.
    """

    number: int
    commands: tuple[Command, ...] = field(repr=False)
    changes: tuple[Change, ...]
    author: str | None = None
    undoes: int | None = None
    undone_by: int | None = None
