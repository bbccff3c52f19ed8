"""Write saves and logs of our schematic module as VASSAL would, for tests: by hex and by counter name."""

from __future__ import annotations

from vassal_bridge.audit.shipped import shipped_module
from vassal_bridge.datadirs import data_dir
from vassal_bridge.profiles import Profile, load_profile
from vassal_bridge.vassal.commands import (
    AddPiece,
    ChangePiece,
    Chat,
    Command,
    MovePiece,
    PieceId,
    PlayerId,
    RemovePiece,
    SetProperty,
    TurnUpdate,
    UndoBracket,
    format_atom,
)
from vassal_bridge.vassal.components import ListLevel
from vassal_bridge.vassal.container import VassalFile, open_bytes, write_game
from vassal_bridge.vassal.module import Module
from vassal_bridge.vassal.pieces import BasicState, format_basic_state, parse_piece_type, split_state
from vassal_bridge.vassal.sequence import encode, join_chain

__all__ = ["Scribe", "profile"]

_MAP = "North Sheet"
_METADATA = '<?xml version="1.0" encoding="UTF-8"?><data version="1"><version>1.0</version><name>{}</name></data>'


def profile() -> Profile:
    """The profile of the module that these files are of."""
    return load_profile(data_dir("modules") / "drive-on-stalingrad")


class Scribe:
    """Writes one log: first ``place`` and ``clock``, then the steps."""

    def __init__(self, *, name: str = "test.vlog", turn: int = 1, phase: str = "Axis Initial Movement") -> None:
        module = shipped_module(profile())
        assert module is not None
        self._name = name
        self._module = module
        self._slots = {slot.name: slot.gpid for slot in module.all_slots if slot.piece is not None}
        self._at: dict[str, tuple[str, int, int]] = {}
        self._types: dict[str, str] = {}
        self._states: dict[str, list[str]] = {}
        self._turn, self._phase = turn, phase
        self._setup: list[Command] = []
        self._steps: list[list[Command]] = []
        self._die = "1"
        self._started = False

    @property
    def module(self) -> Module:
        """The module that the log is of."""
        return self._module

    @property
    def names(self) -> tuple[str, ...]:
        """The counters of the module."""
        return tuple(self._slots)

    # --- position ------------------------------------------------------------------------------------------------

    def place(self, units: str, where: str, *, face: int = 1, disrupted: bool = False) -> Scribe:
        """Put counters, separated by commas, on a hex or box before the first step."""
        for unit in units.split(", "):
            command = self._new(unit, where, face=face, disrupted=disrupted)
            self._setup.append(command)
        return self

    def clock(self) -> Scribe:
        """State turn and phase; done by ``file`` otherwise."""
        if not self._started:
            self._started = True
            self._setup.append(TurnUpdate(tracker="TurnTracker0", state=self._turn_state()))
        return self

    # --- steps ---------------------------------------------------------------------------------------------------

    @property
    def step(self) -> int:
        """Number of the step written last."""
        return len(self._steps)

    def move(self, units: str, *where: str) -> int:
        """Drag counters as one stack, a step for each place; return the last step."""
        for place in where:
            self._add(*(self._dragged(unit, place) for unit in units.split(", ")))
        return self.step

    def create(self, unit: str, where: str) -> int:
        return self._add(self._new(unit, where))

    def delete(self, unit: str) -> int:
        return self._add(RemovePiece(id=_id(unit)))

    def face(self, unit: str, level: int) -> int:
        """Turn a counter to another face."""
        return self._add(self._shown(unit, "Step", str(level)))

    def disrupt(self, unit: str, *, on: bool) -> int:
        return self._add(self._shown(unit, "Disrupted", "1" if on else "-1"))

    def say(self, words: str) -> int:
        escaped = words.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")
        return self._add(Chat(text=f"&lt;Otto&gt; - {escaped}"))

    def roll(self, number: int, *, button: str = "Combat die") -> int:
        old, self._die = self._die, str(number)
        return self._add(
            Chat(text=f"*** {button} = {number} *** &lt;Otto&gt;"),
            SetProperty(name=f"{button}_result", old=old, new=str(number), container="Module"),
        )

    def phase(self, name: str, *, turn: int | None = None) -> int:
        self.clock()
        self._phase, self._turn = name, turn or self._turn
        return self._add(TurnUpdate(tracker="TurnTracker0", state=self._turn_state()))

    def undo(self) -> int:
        """Undo the step written last: a drag, or a roll."""
        done = self._steps[-1]
        inverse = [_inverse(command) for command in reversed(done)]
        for command in inverse:
            if isinstance(command, MovePiece):
                self._at[command.id] = (command.map or "", command.x, command.y)
        return self._add(UndoBracket(is_begin=True), *inverse, UndoBracket(is_begin=False))

    # --- files ---------------------------------------------------------------------------------------------------

    def file(self) -> VassalFile:
        """Return the log, or the saved game if it has no steps."""
        self.clock()
        tokens = ["begin_save", *map(format_atom, self._setup), "end_save"]
        for step in self._steps:
            tokens.append(encode([f"LOG\t{format_atom(command)}" for command in step], "\x1b"))
        data = write_game(encode(tokens, "\x1b"), module_metadata=_METADATA.format(self._module.name).encode())
        return open_bytes(data, self._name)

    def _add(self, *commands: Command) -> int:
        self.clock()
        self._steps.append(list(commands))
        return self.step

    def _point(self, where: str) -> tuple[str, int, int]:
        if "," in where:
            x, y = where.split(",")
            return _MAP, int(x), int(y)
        map_name = _MAP if where[1:].isdecimal() else "Boxes"
        point = self._module.point(map_name, where)
        assert point is not None, where
        return map_name, *point

    def _new(self, unit: str, where: str, *, face: int = 1, disrupted: bool = False) -> AddPiece:
        gpid = self._slots[unit]
        expanded = self._module.expanded(gpid)
        assert expanded is not None
        piece_type = parse_piece_type(expanded.piece.type)
        states = split_state(piece_type, expanded.piece.state)
        self._at[_id(unit)] = map_name, x, y = self._point(where)
        self._types[unit] = expanded.piece.type
        states[-1] = format_basic_state(BasicState(map=map_name, x=x, y=y, gpid=gpid, properties={}))
        self._states[unit] = states
        self._set(unit, "Step", str(face))
        self._set(unit, "Disrupted", "1" if disrupted else "-1")
        return AddPiece(id=_id(unit), type=expanded.piece.type, state=join_chain(self._states[unit]))

    def _set(self, unit: str, layer: str, value: str) -> None:
        for each in parse_piece_type(self._types[unit]).layers:
            if each.name == layer:
                self._states[unit][each.index] = value

    def _shown(self, unit: str, layer: str, value: str) -> ChangePiece:
        old = join_chain(self._states[unit])
        self._set(unit, layer, value)
        return ChangePiece(id=_id(unit), state=join_chain(self._states[unit]), old=old)

    def _dragged(self, unit: str, where: str) -> MovePiece:
        old_map, old_x, old_y = self._at[_id(unit)]
        map_name, x, y = self._at[_id(unit)] = self._point(where)
        return MovePiece(
            id=_id(unit),
            map=map_name,
            x=x,
            y=y,
            under=None,
            old_map=old_map,
            old_x=old_x,
            old_y=old_y,
            old_under=None,
            player_id=PlayerId("otto's secret"),
        )

    def _turn_state(self) -> str:
        (counter,) = self._module.turn_trackers[0].levels
        phases = next(level for level in counter.levels if isinstance(level, ListLevel)).items
        shown = encode([str(phases.index(self._phase)), "0", phases[0], ",".join("true" for _ in phases)], ";")
        return encode(["0", encode([str(self._turn), "0", "false", "-1", shown], ";")], "|")


def _id(unit: str) -> PieceId:
    return PieceId(unit.replace(" ", "-"))


def _inverse(command: Command) -> Command:
    match command:
        case MovePiece():
            return MovePiece(
                id=command.id,
                map=command.old_map,
                x=command.old_x,
                y=command.old_y,
                under=None,
                old_map=command.map,
                old_x=command.x,
                old_y=command.y,
                old_under=None,
                player_id=command.player_id,
            )
        case Chat(text=text):
            return Chat(text=f"* UNDO: {text}")
        case SetProperty():
            return SetProperty(name=command.name, old=command.new, new=command.old, container=command.container)
        case _:
            raise NotImplementedError(type(command))
