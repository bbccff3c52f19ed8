"""The atomic commands that make up a save or log, each as a small frozen value.

Source: ``VASSAL.command.CommandEncoder`` and the components that implement it; prefixes, delimiters and field orders
are the engine's. ``parse_atom`` and ``format_atom`` are each other's inverse for every text: an atom that the engine
would not have written like that (a needless quote, a field too many, a number with a leading zero) keeps its own text
in ``raw``. An atom that no layout fits becomes ``UnknownCommand`` and loses nothing either.

One file, because the classes, the table of their layouts and the two functions are one thing: the engine's list.

Many fields hold players' ids, which in VASSAL are passwords in clear text. They and every field that may contain them
are left out of ``repr``.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass, field, fields, replace
from sys import intern
from typing import Any, Final, NamedTuple, NewType

from vassal_bridge.vassal.sequence import EncodingLossError, decode, encode

__all__ = [
    "AddPiece",
    "BeginSave",
    "BoardPlacement",
    "BoardSetup",
    "ChangePiece",
    "Chat",
    "ChessClock",
    "ChessClockControl",
    "Command",
    "DelayedNote",
    "DiceResult",
    "EndSave",
    "ExtensionUsed",
    "Flare",
    "GlobalProperty",
    "LineOfSight",
    "Logged",
    "MovePiece",
    "Notes",
    "NullCommand",
    "PieceId",
    "PlaySound",
    "PlayerAdd",
    "PlayerId",
    "PlayerRemove",
    "PluginUsed",
    "PrivateNote",
    "PublicNotes",
    "RemovePiece",
    "SavedDeck",
    "SecondaryEmail",
    "ServerMessage",
    "SetProperty",
    "SetupStack",
    "StartupKeyCommand",
    "TabLock",
    "TurnUpdate",
    "UndoBracket",
    "UnknownCommand",
    "Unmask",
    "UserActions",
    "VersionCheck",
    "format_atom",
    "parse_atom",
]

PieceId = NewType("PieceId", str)
"""A piece's, stack's or deck's id: milliseconds since 1970, decimal; unique in its game only."""
PlayerId = NewType("PlayerId", str)
"""A player's id, which is his password; see ``players.Aliases``."""

NULL: Final = "null"


@dataclass(frozen=True, slots=True, kw_only=True)
class Command:
    """One atomic command.

    Attributes:
        raw: The atom as it was read, where the engine would write the same fields otherwise.
    """

    raw: str | None = field(default=None, repr=False, compare=False)


@dataclass(frozen=True, slots=True, kw_only=True)
class NullCommand(Command):
    """Nothing; in a log also a command that has no encoding, written as the word ``null``."""

    text: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class UnknownCommand(Command):
    """An atom of a module's own class, or none at all; the engine ignores it too.

    Attributes:
        prefix: What it begins with, for counting; ``?`` if it has no recognisable prefix.
        text: The whole atom.
    """

    prefix: str
    text: str = field(repr=False)


@dataclass(frozen=True, slots=True, kw_only=True)
class Logged(Command):
    """A command in a log (``LOG``), to be executed when the log is stepped through; never itself a ``Logged``."""

    command: Command


@dataclass(frozen=True, slots=True, kw_only=True)
class BeginSave(Command):
    """Wipe the game: a saved position follows."""


@dataclass(frozen=True, slots=True, kw_only=True)
class EndSave(Command):
    """Start the game: the saved position is complete."""


@dataclass(frozen=True, slots=True, kw_only=True)
class AddPiece(Command):
    """Create or overwrite a piece, stack or deck.

    Attributes:
        id: None only in module definitions.
        type: Its trait chain; equal chains share one string.
        state: The traits' states.
    """

    id: PieceId | None
    type: str = field(repr=False)
    state: str = field(repr=False)


@dataclass(frozen=True, slots=True, kw_only=True)
class RemovePiece(Command):
    """Take a piece, stack or deck out of the game."""

    id: PieceId


@dataclass(frozen=True, slots=True, kw_only=True)
class ChangePiece(Command):
    """Give a piece, stack or deck a new state.

    Attributes:
        id: The piece.
        state: The new state.
        old: The state before, if the log tells it.
    """

    id: PieceId
    state: str = field(repr=False)
    old: str | None = field(default=None, repr=False)


@dataclass(frozen=True, slots=True, kw_only=True)
class MovePiece(Command):
    """Move a piece; coordinates are map pixels, maps are identifiers or None.

    Attributes:
        id: The piece.
        map: Where to.
        x: Where to.
        y: Where to.
        under: The piece directly below it in the stack, None at the bottom.
        old_map: Where from.
        old_x: Where from.
        old_y: Where from.
        old_under: The piece that was directly below it.
        player_id: Who moved it; None in the oldest logs.
    """

    id: PieceId
    map: str | None
    x: int
    y: int
    under: PieceId | None
    old_map: str | None
    old_x: int
    old_y: int
    old_under: PieceId | None
    player_id: PlayerId | None = field(default=None, repr=False)


@dataclass(frozen=True, slots=True, kw_only=True)
class Chat(Command):
    """A line in the chat window: typed words, an automatic report or a die roll."""

    text: str = field(repr=False)


@dataclass(frozen=True, slots=True, kw_only=True)
class SetProperty(Command):
    """Change a property in play (``MutableProperty``).

    Attributes:
        name: The property.
        old: Its value before.
        new: Its value now.
        container: ``Module``, a map's name or ``map:zone``; empty in old files.
    """

    name: str
    old: str = field(repr=False)
    new: str = field(repr=False)
    container: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class GlobalProperty(Command):
    """The full value of a property in a save.

    Attributes:
        id: Its name; of a zone's property ``name<TAB>zone<TAB>board<TAB>map``.
        value: Its value.
        container: As in ``SetProperty``.
    """

    id: str
    value: str = field(repr=False)
    container: str | None = None


class BoardPlacement(NamedTuple):
    """One board of a map: its name, whether it lies upside down, and its column and row among the boards."""

    board: str
    is_reversed: bool
    column: int
    row: int


@dataclass(frozen=True, slots=True, kw_only=True)
class BoardSetup(Command):
    """The boards that a map shows."""

    map: str
    boards: tuple[BoardPlacement, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class SetupStack(Command):
    """This is no new game: the module's at-start stacks are not to be dealt again."""


@dataclass(frozen=True, slots=True, kw_only=True)
class TurnUpdate(Command):
    """The state of a turn tracker; ``turns.read_turn`` interprets it."""

    tracker: str
    state: str


@dataclass(frozen=True, slots=True, kw_only=True)
class PlayerAdd(Command):
    """A player takes a side."""

    player_id: PlayerId = field(repr=False)
    name: str | None = None
    side: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class PlayerRemove(Command):
    """A player gives up his side."""

    player_id: PlayerId = field(repr=False)


@dataclass(frozen=True, slots=True, kw_only=True)
class Unmask(Command):
    """Whose masked pieces others may unmask; None is the engine's empty list."""

    allowed: tuple[str, ...] | None = field(repr=False)


@dataclass(frozen=True, slots=True, kw_only=True)
class Notes(Command):
    """The scenario notes."""

    text: str = field(repr=False)


@dataclass(frozen=True, slots=True, kw_only=True)
class PublicNotes(Command):
    """The public notes."""

    text: str = field(repr=False)


@dataclass(frozen=True, slots=True, kw_only=True)
class PrivateNote(Command):
    """A player's private notes."""

    player_id: PlayerId = field(repr=False)
    text: str | None = field(default=None, repr=False)


@dataclass(frozen=True, slots=True, kw_only=True)
class DelayedNote(Command):
    """A note to be revealed later; ``date`` is ``MM/dd/yyyy h:mm a``."""

    name: str
    player_id: PlayerId | None = field(default=None, repr=False)
    is_hidden: bool | None = None
    text: str | None = field(default=None, repr=False)
    date: str | None = None
    handle: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class DiceResult(Command):
    """A roll of special dice: the button's name, and the index of each die's face from 0."""

    button: str
    faces: tuple[int, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class PlaySound(Command):
    """A sound."""

    clip: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Flare(Command):
    """A flare at a point in map pixels."""

    flare: str
    x: int
    y: int


@dataclass(frozen=True, slots=True, kw_only=True)
class LineOfSight(Command):
    """A line-of-sight thread from an anchor to an arrow, map pixels."""

    thread: str
    anchor_x: int
    anchor_y: int
    arrow_x: int
    arrow_y: int
    is_persisting: bool | None = None
    is_mirroring: bool | None = None
    is_reset: bool | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class StartupKeyCommand(Command):
    """Whether a start-up key command has been applied."""

    id: str
    is_applied: bool | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class ChessClock(Command):
    """A side's chess clock as ``reporter`` sees it; times in milliseconds."""

    reporter: str
    side: str
    elapsed: int
    verified: int
    is_ticking: bool | None = None
    is_restored: bool | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class ChessClockControl(Command):
    """Whether the chess clocks are shown, and whether they run online."""

    is_showing: bool
    is_online: bool | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class TabLock(Command):
    """The lock on a tab of the scenario options; ``password`` is a player's."""

    tab: str
    locked_by: str | None = None
    password: str | None = field(default=None, repr=False)
    date: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class ExtensionUsed(Command):
    """An extension that was loaded when the game was saved."""

    name: str
    version: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class PluginUsed(Command):
    """A plug-in that was loaded when the game was saved."""

    name: str
    version: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class SecondaryEmail(Command):
    """The second e-mail address of an internet dice button."""

    address: str = field(repr=False)


@dataclass(frozen=True, slots=True, kw_only=True)
class SavedDeck(Command):
    """The root of a saved deck; its children add the cards."""

    text: str = field(repr=False)


@dataclass(frozen=True, slots=True, kw_only=True)
class UndoBracket(Command):
    """The beginning or the end of an undo, since 3.6.7."""

    is_begin: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class UserActions(Command):
    """The state of a component that lists what users did; unused since long."""

    text: str = field(repr=False)


@dataclass(frozen=True, slots=True, kw_only=True)
class VersionCheck(Command):
    """A version check of VASSAL 2: what was running, and what to say if it differs."""

    text: str = field(repr=False)


@dataclass(frozen=True, slots=True, kw_only=True)
class ServerMessage(Command):
    """Talk with a game server (``PRIV_CHAT``, ``INVITE``, ``SYNC``, ``PLAY``); not expected in files."""

    prefix: str
    text: str = field(repr=False)


def parse_atom(text: str) -> Command:
    """Return the command that ``text``, an atom without its tree, stands for."""
    parse = _PARSERS.get(text[:2])
    if parse is None:
        if text.startswith("LOG\t") and not text.startswith("LOG\t", 4):
            return Logged(command=parse_atom(text[4:]))
        if text.startswith("CHAT"):
            return Chat(text=text[4:])
        if text in ("", NULL):
            return NullCommand(text=text)
        parse = _parse_other
    try:
        command = parse(text)
    except (ValueError, IndexError):
        command = None
    return UnknownCommand(prefix=_prefix(text), text=text) if command is None else command


def format_atom(command: Command) -> str:
    """Return the atom that the engine reads as ``command``.

    Raises:
        EncodingLossError: A field ends in a backslash and would merge with the next one.
    """
    return _format_fields(command) if command.raw is None else command.raw


class _Codec(NamedTuple):
    parse: Callable[[str], Any]
    format: Callable[[Any], str]


class _Layout(NamedTuple):
    kind: type[Command]
    prefix: str
    delimiter: str
    codecs: tuple[_Codec, ...]
    names: tuple[str, ...]


def _parse_bool(text: str) -> bool:
    return text == "true"


def _format_bool(value: bool) -> str:
    return "true" if value else "false"


_TEXT = _Codec(str, str)
_INT = _Codec(int, str)
_BOOL = _Codec(_parse_bool, _format_bool)

_WHOLE: Final = ""
"""In place of a delimiter: the rest of the atom is one field and nothing in it is escaped."""


def _layout(kind: type[Command], prefix: str, delimiter: str, *codecs: _Codec) -> _Layout:
    names = tuple(item.name for item in fields(kind) if item.name != "raw")
    return _Layout(kind, prefix, delimiter, codecs, names)


_LAYOUTS: Final = (
    _layout(BeginSave, "begin_save", _WHOLE),
    _layout(EndSave, "end_save", _WHOLE),
    _layout(SetupStack, "SETUP_STACK\t", _WHOLE),
    _layout(PlaySound, "AUDIO\t", _WHOLE, _TEXT),
    _layout(ChessClock, "CLOCK\t", "\t", _TEXT, _TEXT, _INT, _INT, _BOOL, _BOOL),
    _layout(ChessClockControl, "CLOCKCONTROL\t", "\t", _BOOL, _BOOL),
    _layout(DelayedNote, "SNOTE\t", "\t", _TEXT, _TEXT, _BOOL, _TEXT, _TEXT, _TEXT),
    _layout(ExtensionUsed, "EXT\t", "\t", _TEXT, _TEXT),
    _layout(Flare, "FLARE\t", "\t", _TEXT, _INT, _INT),
    _layout(LineOfSight, "LOS\t", "\t", _TEXT, _INT, _INT, _INT, _INT, _BOOL, _BOOL, _BOOL),
    _layout(Notes, "NOTES\t", _WHOLE, _TEXT),
    _layout(PlayerAdd, "PLAYER\t", "\t", _TEXT, _TEXT, _TEXT),
    _layout(PlayerRemove, "PYREMOVE\t", "\t", _TEXT),
    _layout(PluginUsed, "PLUGIN\t", "\t", _TEXT, _TEXT),
    _layout(PrivateNote, "PNOTE\t", "\t", _TEXT, _TEXT),
    _layout(PublicNotes, "PNOTES\t", _WHOLE, _TEXT),
    _layout(SavedDeck, "DECK\t", _WHOLE, _TEXT),
    _layout(SecondaryEmail, "SEMAIL\t", _WHOLE, _TEXT),
    _layout(SetProperty, "MutableProperty\t", "\t", _TEXT, _TEXT, _TEXT, _TEXT),
    _layout(GlobalProperty, "GlobalProperty\t;", ";", _TEXT, _TEXT, _TEXT),
    _layout(StartupKeyCommand, "SGKC\t", "\t", _TEXT, _BOOL),
    _layout(TabLock, "LOCKSPOTAB\t", "\t", _TEXT, _TEXT, _TEXT, _TEXT),
    _layout(UndoBracket, "UNDO\t", _WHOLE, _BOOL),
    _layout(UserActions, "Events", _WHOLE, _TEXT),
    _layout(VersionCheck, "CHECK\t", _WHOLE, _TEXT),
)
_BY_PREFIX: Final = {layout.prefix: layout for layout in _LAYOUTS}
_BY_KIND: Final = {layout.kind: layout for layout in _LAYOUTS}
_EXACT: Final = ("begin_save", "end_save")
_SERVER: Final = ("PRIV_CHAT", "INVITE\t", "SYNC", "PLAY\t")
_BOARDS: Final = "BoardPicker"
_PREFIX: Final = re.compile(r"[-+DM]/|[A-Za-z_.]{1,24}[\t:;/]|[A-Za-z_.]{1,24}$")


def _parse_other(text: str) -> Command | None:
    head, tab, rest = text.partition("\t")
    if text in _EXACT:
        return _parse_fields(_BY_PREFIX[text], text)
    if (layout := _BY_PREFIX.get(head + tab)) is not None:
        return _parse_fields(layout, text)
    if text.startswith("GlobalProperty\t;"):
        return _parse_fields(_BY_PREFIX["GlobalProperty\t;"], text)
    if head == "SHOW_RESULTS":
        return _canonical(_parse_dice(rest), text)
    if head == "UNMASK":
        allowed = None if rest == NULL else tuple(decode(rest, "\t"))
        return _canonical(Unmask(allowed=allowed), text)
    if head.endswith(_BOARDS):
        return _canonical(_parse_boards(head, rest if tab else None), text)
    if head.startswith("TURN") and tab:
        return TurnUpdate(tracker=head[4:], state=rest)
    if text.startswith("Events"):
        return _parse_fields(_BY_PREFIX["Events"], text)
    for prefix in _SERVER:
        if text.startswith(prefix):
            return ServerMessage(prefix=prefix, text=text[len(prefix) :])
    return None


def _parse_fields(layout: _Layout, text: str) -> Command:
    rest = text[len(layout.prefix) :]
    if not layout.codecs:
        tokens = []
    elif layout.delimiter == _WHOLE:
        tokens = [rest]
    else:
        tokens = decode(rest, layout.delimiter)
    values = {name: codec.parse(token) for name, codec, token in zip(layout.names, layout.codecs, tokens, strict=False)}
    try:
        command = layout.kind(**values)
    except TypeError:
        raise ValueError("a field that must be there is missing") from None
    return _canonical(command, text)


def _canonical(command: Command, text: str) -> Command:
    """Keep the atom itself where formatting the fields would not give it back."""
    try:
        if _format_fields(command) == text:
            return command
    except EncodingLossError:
        pass
    return replace(command, raw=text)


def _parse_add(text: str) -> Command | None:
    tokens = decode(text[2:], "/")
    if len(tokens) < 3:
        return None
    identity, piece_type, state = tokens[:3]
    command = AddPiece(id=None if identity == NULL else PieceId(identity), type=intern(piece_type), state=state)
    return command if len(tokens) == 3 and _is_plain(text) else _canonical(command, text)


def _parse_remove(text: str) -> Command:
    return RemovePiece(id=PieceId(text[2:]))


def _parse_change(text: str) -> Command | None:
    tokens = decode(text[2:], "/")
    if len(tokens) < 2:
        return None
    old = tokens[2] if len(tokens) > 2 else None
    command = ChangePiece(id=PieceId(tokens[0]), state=tokens[1], old=old)
    return command if len(tokens) < 4 and _is_plain(text) else _canonical(command, text)


def _parse_move(text: str) -> Command | None:
    tokens = decode(text[2:], "/")
    if len(tokens) < 9:
        return None
    command = MovePiece(
        id=PieceId(tokens[0]),
        map=None if tokens[1] == NULL else tokens[1],
        x=int(tokens[2]),
        y=int(tokens[3]),
        under=None if tokens[4] == NULL else PieceId(tokens[4]),
        old_map=None if tokens[5] == NULL else tokens[5],
        old_x=int(tokens[6]),
        old_y=int(tokens[7]),
        old_under=None if tokens[8] == NULL else PieceId(tokens[8]),
        player_id=PlayerId(tokens[9]) if len(tokens) > 9 else None,
    )
    return _canonical(command, text)


def _is_plain(text: str) -> bool:
    """Tell whether no token of an atom with ``/`` between its fields is, or ought to be, in quotes."""
    return "'" not in text and "/\\" not in text


def _parse_dice(rest: str) -> DiceResult:
    button, *faces = decode(rest, "\t")
    return DiceResult(button=button, faces=tuple(int(face) for face in faces))


def _parse_boards(head: str, rest: str | None) -> BoardSetup:
    tokens = decode(rest, "\t")
    boards = []
    for board, column, row in zip(tokens[::3], tokens[1::3], tokens[2::3], strict=False):
        name, *turned = decode(board, "/")
        boards.append(BoardPlacement(board=name, is_reversed="rev" in turned, column=int(column), row=int(row)))
    return BoardSetup(map=head[: -len(_BOARDS)], boards=tuple(boards))


def _format_fields(command: Command) -> str:
    match command:
        case AddPiece():
            return "+/" + encode((NULL if command.id is None else command.id, command.type, command.state), "/")
        case RemovePiece():
            return "-/" + command.id
        case ChangePiece():
            states = (command.state,) if command.old is None else (command.state, command.old)
            return "D/" + encode((command.id, *states), "/")
        case MovePiece():
            return "M/" + encode(_move_tokens(command), "/")
        case Chat():
            return "CHAT" + command.text
        case Logged():
            return "LOG\t" + format_atom(command.command)
        case NullCommand() | UnknownCommand():
            return command.text
        case TurnUpdate():
            return f"TURN{command.tracker}\t{command.state}"
        case DiceResult():
            return "SHOW_RESULTS\t" + encode((command.button, *map(str, command.faces)), "\t")
        case Unmask():
            return "UNMASK\t" + (NULL if command.allowed is None else encode(command.allowed, "\t"))
        case BoardSetup():
            return _format_boards(command)
        case ServerMessage():
            return command.prefix + command.text
        case _:
            return _format_by_layout(command)


def _move_tokens(command: MovePiece) -> list[str]:
    tokens = [
        command.id,
        NULL if command.map is None else command.map,
        str(command.x),
        str(command.y),
        NULL if command.under is None else command.under,
        NULL if command.old_map is None else command.old_map,
        str(command.old_x),
        str(command.old_y),
        NULL if command.old_under is None else command.old_under,
    ]
    return tokens if command.player_id is None else [*tokens, command.player_id]


def _format_boards(command: BoardSetup) -> str:
    tokens: list[str] = []
    for placed in command.boards:
        board = (placed.board, "rev") if placed.is_reversed else (placed.board,)
        tokens += (encode(board, "/"), str(placed.column), str(placed.row))
    return command.map + _BOARDS + ("\t" + encode(tokens, "\t") if tokens else "")


def _format_by_layout(command: Command) -> str:
    layout = _BY_KIND[type(command)]
    tokens: list[str] = []
    for name, codec in zip(layout.names, layout.codecs, strict=True):
        value = getattr(command, name)
        if value is None:
            break
        tokens.append(codec.format(value))
    return layout.prefix + ("".join(tokens) if layout.delimiter == _WHOLE else encode(tokens, layout.delimiter))


def _prefix(text: str) -> str:
    match = _PREFIX.match(text)
    return match[0] if match else "?"


_PARSERS: Final[dict[str, Callable[[str], Command | None]]] = {
    "+/": _parse_add,
    "-/": _parse_remove,
    "D/": _parse_change,
    "M/": _parse_move,
}
