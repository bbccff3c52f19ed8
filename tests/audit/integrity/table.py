"""A table at which two players play a small game of our own, and may cheat; writes saves and logs as VASSAL would."""

from __future__ import annotations

import copy
from dataclasses import dataclass, field

from vassal_bridge.vassal.commands import (
    AddPiece,
    ChangePiece,
    Chat,
    Command,
    MovePiece,
    PieceId,
    PlayerAdd,
    PlayerId,
    RemovePiece,
    SetProperty,
    TurnUpdate,
    UndoBracket,
    format_atom,
)
from vassal_bridge.vassal.container import Metadata, VassalFile, open_bytes, write_game
from vassal_bridge.vassal.sequence import encode, join_chain

__all__ = ["PASSWORDS", "Log", "Table", "identity"]

PASSWORDS = {"Bob": "bobs-secret-word", "Ann": "anns-secret-word"}
_SIDES = {"Bob": "Axis", "Ann": "Soviet"}
_MAP = "Main"
_LAYER = (
    "emb2;;128;;Flip;128;;;128;;Reset;82,130;1;false;0;0;front.png,back.png;,+ (reduced);true;Step;;;false;;1;1;true;;"
    "70,130;;;1.0;;true"
)
_MASK = "obs;77,130;mask.png;Mask;I;?;player:;Peek"
_METADATA = (
    '<?xml version="1.0" encoding="UTF-8"?><data version="1"><version>{}</version><name>A small game</name></data>'
)


@dataclass(slots=True)
class Counter:
    """A counter on the table; ``masked_by`` is a player's name."""

    name: str
    x: int
    y: int
    step: int = 1
    masked_by: str | None = None

    @property
    def type(self) -> str:
        return join_chain([_LAYER, _MASK, f"piece;;;{self.name}.png;{self.name}"])

    @property
    def state(self) -> str:
        owner = PASSWORDS[self.masked_by] if self.masked_by else "null"
        return join_chain([str(self.step), f"{owner};", f"{_MAP};{self.x};{self.y};7;0"])


@dataclass(slots=True)
class Table:
    """The position; a deep copy of it is what a player has saved."""

    counters: dict[str, Counter] = field(default_factory=dict)
    turn: int = 1
    sides: dict[str, str] = field(default_factory=lambda: dict(_SIDES))
    module_version: str = "1.0"
    engine: str = "3.7.9"

    @classmethod
    def of(cls, *names: str) -> Table:
        """Set counters up, in a row."""
        return cls(counters={name: Counter(name, 100 * number, 100) for number, name in enumerate(names, 1)})

    def saved(self) -> Table:
        """Return the position as it is now, as a save keeps it."""
        return copy.deepcopy(self)

    def position(self) -> list[str]:
        atoms: list[Command] = [
            AddPiece(id=identity(name), type=each.type, state=each.state) for name, each in self.counters.items()
        ]
        atoms += [
            PlayerAdd(player_id=PlayerId(PASSWORDS[name]), name=name, side=side) for name, side in self.sides.items()
        ]
        atoms.append(TurnUpdate(tracker="TurnTracker0", state=self.turn_state()))
        return ["begin_save", *map(format_atom, atoms), "end_save"]

    def turn_state(self) -> str:
        return f"0|{self.turn};0;false;-1"

    def file(self, name: str, tokens: list[str] | None = None) -> VassalFile:
        """Return the position as a save, or what the tokens hold."""
        data = write_game(
            encode(tokens or self.position(), "\x1b"),
            save_metadata=Metadata(version=self.module_version, vassal_version=self.engine),
            module_metadata=_METADATA.format(self.module_version).encode(),
        )
        return open_bytes(data, name)


class Log:
    """A log that is being recorded at a table."""

    def __init__(self, table: Table, name: str, player: str = "Bob") -> None:
        self.table = table
        self.name = name
        self.player = player
        self._start = table.position()
        self.steps: list[list[Command]] = []
        self._last_result = "1"

    @property
    def step(self) -> int:
        """Number of the step recorded last."""
        return len(self.steps)

    def move(self, name: str, x: int, y: int) -> int:
        counter = self.table.counters[name]
        old = (counter.x, counter.y)
        counter.x, counter.y = x, y
        return self._add(self._moved(name, old, (x, y)))

    def flip(self, name: str) -> int:
        counter = self.table.counters[name]
        return self._change(name, step=3 - counter.step)

    def mask(self, name: str, owner: str) -> int:
        return self._change(name, masked_by=owner)

    def unmask(self, name: str) -> int:
        return self._change(name, masked_by=None)

    def make(self, name: str, x: int, y: int) -> int:
        counter = self.table.counters[name] = Counter(name, x, y)
        return self._add(AddPiece(id=identity(name), type=counter.type, state=counter.state))

    def delete(self, name: str) -> int:
        del self.table.counters[name]
        return self._add(RemovePiece(id=identity(name)))

    def say(self, words: str) -> int:
        return self._add(Chat(text=f"&lt;{self.player}&gt; - {words}"))

    def roll(self, result: int, *, button: str = "1d6") -> int:
        old, self._last_result = self._last_result, str(result)
        return self._add(
            Chat(text=f"*** {button} = {result} *** &lt;{self.player}&gt;"),
            SetProperty(name=f"{button}_result", old=old, new=str(result), container="Module"),
            SetProperty(name=f"{button}_total", old=old, new=str(result), container="Module"),
        )

    def set_turn(self, turn: int) -> int:
        self.table.turn = turn
        return self._add(TurnUpdate(tracker="TurnTracker0", state=self.table.turn_state()))

    def join(self, player: str, side: str) -> int:
        self.table.sides[player] = side
        return self._add(PlayerAdd(player_id=PlayerId(PASSWORDS[player]), name=player, side=side))

    def undo(self, step: int | None = None) -> int:
        """Undo a step, by default the last one."""
        done = self.steps[(step or self.step) - 1]
        inverse = [self._inverse(command) for command in reversed(done) if not isinstance(command, UndoBracket)]
        return self._add(UndoBracket(is_begin=True), *inverse, UndoBracket(is_begin=False))

    def cut(self, first: int, last: int) -> None:
        """Cut steps out of the record, as one who edits a file does; the table stays as it is."""
        del self.steps[first - 1 : last]

    def file(self) -> VassalFile:
        steps = [encode([f"LOG\t{format_atom(command)}" for command in step], "\x1b") for step in self.steps]
        return self.table.file(self.name, [*self._start, *steps])

    def _add(self, *commands: Command) -> int:
        self.steps.append(list(commands))
        return self.step

    def _change(self, name: str, *, step: int | None = None, masked_by: str | None = "?") -> int:
        counter = self.table.counters[name]
        old = counter.state
        counter.step = step or counter.step
        counter.masked_by = counter.masked_by if masked_by == "?" else masked_by
        # The engine writes a null move of the piece along, which names the player.
        here = (counter.x, counter.y)
        return self._add(ChangePiece(id=identity(name), state=counter.state, old=old), self._moved(name, here, here))

    def _moved(self, name: str, old: tuple[int, int], new: tuple[int, int]) -> MovePiece:
        return MovePiece(
            id=identity(name),
            map=_MAP,
            x=new[0],
            y=new[1],
            under=None,
            old_map=_MAP,
            old_x=old[0],
            old_y=old[1],
            old_under=None,
            player_id=PlayerId(PASSWORDS[self.player]),
        )

    def _inverse(self, command: Command) -> Command:
        match command:
            case MovePiece(id=key, x=x, y=y, old_x=old_x, old_y=old_y):
                counter = self.table.counters[_name(key)]
                counter.x, counter.y = old_x, old_y
                return self._moved(_name(key), (x, y), (old_x, old_y))
            case ChangePiece(id=key, state=state, old=str(old)):
                counter = self.table.counters[_name(key)]
                counter.step, counter.masked_by = _states(old)
                return ChangePiece(id=key, state=old, old=state)
            case Chat(text=text):
                return Chat(text=f"* UNDO: {text}")
            case SetProperty():
                return SetProperty(name=command.name, old=command.new, new=command.old, container=command.container)
            case _:
                raise NotImplementedError(type(command))


_IDS: dict[str, int] = {}


def identity(name: str) -> PieceId:
    """Return a counter's id; counters that are made later have higher ones, as VASSAL's have."""
    return PieceId(str(1_700_000_000_000 + _IDS.setdefault(name, len(_IDS))))


def _name(key: PieceId) -> str:
    return next(name for name, number in _IDS.items() if int(key) == 1_700_000_000_000 + number)


def _states(state: str) -> tuple[int, str | None]:
    step, _, rest = state.partition("\t")
    owners = {word: name for name, word in PASSWORDS.items()}
    return int(step), owners.get(rest.partition(";")[0])
