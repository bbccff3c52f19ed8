"""A save or log as a game: the position it starts from, the steps that follow, and who plays."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from functools import cached_property

from vassal_bridge.errors import ContainerError
from vassal_bridge.vassal.chat import is_roll
from vassal_bridge.vassal.commands import (
    AddPiece,
    ChangePiece,
    Chat,
    Command,
    ExtensionUsed,
    Logged,
    MovePiece,
    NullCommand,
    PlayerAdd,
    PlayerRemove,
    RemovePiece,
    SetupStack,
    UnknownCommand,
    parse_atom,
)
from vassal_bridge.vassal.container import VassalFile
from vassal_bridge.vassal.pieces import parse_piece_type
from vassal_bridge.vassal.players import Aliases, Player
from vassal_bridge.vassal.tree import top_level
from vassal_bridge.vassal.undo import pair_undos

__all__ = ["Game", "Step", "read_game"]

_LOG = "LOG\t"
_LOGGED_NULL = "LOG\tnull"


@dataclass(frozen=True, slots=True, kw_only=True)
class Step:
    """One step of a log: one press of the engine's step button, one deed of a player's hand.

    Attributes:
        number: Counted from 1, one for each top-level ``LOG`` token.
        commands: What it does, in the order of execution, without the ``LOG``.
        is_counted_by_engine: False for a step that holds nothing but ``LOG null``; the engine does not step there.
    """

    number: int
    commands: tuple[Command, ...]
    is_counted_by_engine: bool = True


@dataclass(frozen=True, kw_only=True)
class Game:
    """A save or log.

    Attributes:
        file: Where it was read from.
        setup: The commands that make the position before the first step.
        steps: The steps of a log.
        aliases: Names for the players' ids.
    """

    file: VassalFile
    setup: tuple[Command, ...] = field(repr=False)
    steps: tuple[Step, ...] = field(repr=False)
    aliases: Aliases = field(repr=False)

    @cached_property
    def players(self) -> tuple[Player, ...]:
        """Everybody whom the file names as a player, with the name and side he had last."""
        roster: dict[str, Player] = {}
        for command in self.commands():
            if isinstance(command, PlayerAdd):
                alias = self.aliases.alias(command.player_id)
                roster[alias] = Player(alias=alias, name=command.name or "", side=command.side)
        return tuple(roster.values())

    @cached_property
    def extensions(self) -> tuple[ExtensionUsed, ...]:
        """Extensions that were loaded when the file was written."""
        found = {command.name: command for command in self.setup if isinstance(command, ExtensionUsed)}
        return tuple(found.values())

    @cached_property
    def deals_at_start_pieces(self) -> bool:
        """Whether the engine, on loading, also deals the module's at-start stacks, which are not in the file."""
        return not any(isinstance(command, SetupStack) for command in self.setup)

    @cached_property
    def undone(self) -> Mapping[int, int]:
        """For each step that undoes another, which one it undoes; step numbers."""
        return pair_undos(step.commands for step in self.steps)

    def commands(self) -> Iterator[Command]:
        """Yield all commands in the order of execution, those of the steps without the ``LOG``."""
        yield from self.setup
        for step in self.steps:
            yield from step.commands

    def counts(self) -> dict[str, int]:
        """Count the commands of the file, those of the steps included.

        ``commands`` leaves empty atoms out; ``rolls`` counts chat lines that look like a die roll and no undo.
        """
        kinds: Counter[type[Command]] = Counter()
        types: Counter[str] = Counter()
        broken = rolls = empty = 0
        for command in self.commands():
            plain = _unlogged(command)
            kinds[type(plain)] += 1
            if isinstance(plain, AddPiece):
                types[plain.type] += 1
            elif isinstance(plain, Chat):
                rolls += is_roll(plain.text)
            elif isinstance(plain, NullCommand):
                empty += not plain.text
            elif isinstance(plain, UnknownCommand):
                # Where a damaged text breaks off, a piece may lack its state.
                broken += plain.prefix == "+/"
        return _tally(kinds, types, broken, rolls, empty) | {"steps": len(self.steps), "undone": len(self.undone)}

    def unknown_commands(self) -> Counter[str]:
        """Count the commands that only the module's own classes understand, by prefix."""
        return Counter(
            plain.prefix for command in self.commands() if isinstance(plain := _unlogged(command), UnknownCommand)
        )

    def unknown_traits(self) -> Counter[str]:
        """Count the traits that only the module's own classes understand, by prefix."""
        types = Counter(plain.type for command in self.commands() if isinstance(plain := _unlogged(command), AddPiece))
        found: Counter[str] = Counter()
        for text, count in types.items():
            for prefix in parse_piece_type(text).unknown:
                found[prefix] += count
        return found


def read_game(file: VassalFile) -> Game:
    """Read the commands of an opened save or log.

    Raises:
        ContainerError: The file is a module, extension or build file.
        LimitError: Commands are nested too deep.
    """
    if file.saved is None:
        raise ContainerError(f"this is no saved game or log but a {file.kind}", file=file.name)
    setup: list[Command] = []
    steps: list[Step] = []
    for token in top_level(file.saved.text):
        if token[0].startswith(_LOG):
            commands = tuple(parse_atom(atom.removeprefix(_LOG)) for atom in token)
            is_counted = any(atom != _LOGGED_NULL for atom in token)
            steps.append(Step(number=len(steps) + 1, commands=commands, is_counted_by_engine=is_counted))
        else:
            setup += map(parse_atom, token)
    aliases = Aliases()
    game = Game(file=file, setup=tuple(setup), steps=tuple(steps), aliases=aliases)
    _name_players(game)
    return game


def _name_players(game: Game) -> None:
    aliases = game.aliases
    for command in game.commands():
        match command:
            case PlayerAdd():
                aliases.alias(command.player_id)
                aliases.publish(command.name, command.side)
            case PlayerRemove():
                aliases.alias(command.player_id)
            case MovePiece(player_id=str(player_id)):
                aliases.alias(player_id)


def _unlogged(command: Command) -> Command:
    while isinstance(command, Logged):
        command = command.command
    return command


def _tally(kinds: Counter[type[Command]], types: Counter[str], broken: int, rolls: int, empty: int) -> dict[str, int]:
    stacks = decks = unknown_traits = 0
    for text, count in types.items():
        piece_type = parse_piece_type(text)
        stacks += count * piece_type.is_stack
        decks += count * piece_type.is_deck
        unknown_traits += count * len(piece_type.unknown)
    return {
        "commands": kinds.total() - empty,
        "pieces": kinds[AddPiece] - stacks - decks + broken,
        "stacks": stacks,
        "decks": decks,
        "moves": kinds[MovePiece],
        "changes": kinds[ChangePiece],
        "removes": kinds[RemovePiece],
        "chat": kinds[Chat],
        "rolls": rolls,
        "unknown_commands": kinds[UnknownCommand],
        "unknown_traits": unknown_traits,
    }
