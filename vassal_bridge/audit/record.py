"""Read a log or save through a profile: from the replay's changes to events of the game."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import replace

from vassal_bridge.audit.declarations import spoken_words
from vassal_bridge.audit.dice import roll_in
from vassal_bridge.audit.events import (
    Altered,
    Appeared,
    Clocked,
    Event,
    LogRecord,
    MarkerSet,
    Position,
    Relocated,
    Said,
    Threw,
    Vanished,
)
from vassal_bridge.audit.undo import steps_in_force
from vassal_bridge.board.game import PhaseKind
from vassal_bridge.board.hexes import Hex
from vassal_bridge.board.state import Marker
from vassal_bridge.board.units import Place, Unit, UnitId
from vassal_bridge.profiles import MarkerCounter, Reading, Unread
from vassal_bridge.vassal.changes import (
    ChatSaid,
    PieceAdded,
    PieceChanged,
    PieceMoved,
    PieceRemoved,
    PropertyChanged,
    StepRecord,
    TurnChanged,
)
from vassal_bridge.vassal.commands import PieceId, UndoBracket
from vassal_bridge.vassal.components import CounterLevel, ListLevel
from vassal_bridge.vassal.game import Game
from vassal_bridge.vassal.module import Module
from vassal_bridge.vassal.position import Piece
from vassal_bridge.vassal.position import Place as PiecePlace
from vassal_bridge.vassal.replay import Replay

__all__ = ["read_log"]


def read_log(log: str, game: Game, module: Module | None, reading: Reading) -> LogRecord:
    """Replay a log or save and note what happened, in the game's terms.

    Args:
        log: What to call it in findings.
        game: The log.
        module: Its module; without it no place on a map is known.
        reading: The profile, bound to the rule set's definitions.
    """
    return _Recorder(log, game, module, reading).run()


class _Recorder:
    def __init__(self, log: str, game: Game, module: Module | None, reading: Reading) -> None:
        self._log = log
        self._game = game
        self._module = module
        self._reading = reading
        self._replay = Replay(game, module)
        self._units: dict[UnitId, Unit] = {}
        self._markers: dict[str, MarkerCounter] = {}
        self._laid: Counter[tuple[str, Hex]] = Counter()
        self._clock = reading.clock(self._replay.board.turn)
        self._unread: dict[str, Counter[str]] = {"pieces": Counter(), "places": Counter()}
        self._buttons = frozenset(reading.profile.file.dice.values())

    def run(self) -> LogRecord:
        for piece in self._replay.board.pieces:
            # What lies on the board at the start was not done in a step.
            list(self._added(0, piece))
        start = self._position()
        in_force = steps_in_force((step.number, self._game.undone.get(step.number)) for step in self._game.steps)
        events: list[Event] = []
        undone: list[Threw] = []
        for record in self._replay:
            happened = list(self._events(record))
            if record.number in in_force:
                events += happened
            elif record.undoes is None:
                undone += [event for event in happened if isinstance(event, Threw)]
        saved = self._game.file.saved
        return LogRecord(
            log=self._log,
            start=start,
            end=self._position(),
            events=tuple(events),
            steps=len(self._game.steps),
            undone_rolls=tuple(undone),
            unread=self._counts(),
            damage=saved.damage if saved else None,
        )

    def _counts(self) -> Mapping[str, Mapping[str, int]]:
        counts = {
            "commands": self._game.unknown_commands(),
            "traits": self._game.unknown_traits(),
            **self._unread,
        }
        return {kind: dict(sorted(count.items())) for kind, count in counts.items() if count}

    def _position(self) -> Position:
        markers = frozenset(
            Marker(kind=marker.kind, hex=marker.at) for marker in self._markers.values() if isinstance(marker.at, Hex)
        )
        return Position(units=dict(self._units), markers=markers, clock=self._clock, is_opening=self._is_opening())

    def _is_opening(self) -> bool:
        """Tell whether the tracker stands where a game starts: in the first turn, not after a movement phase."""
        if self._clock.turn is None or self._clock.turn != _first_turn(self._module, self._reading):
            return False
        phases = list(self._reading.game.phases.values())
        first_movement = next((phase.id for phase in phases if phase.kind is PhaseKind.MOVEMENT), None)
        for phase in phases:
            if phase.id == self._clock.phase:
                return True
            if phase.id == first_movement:
                return False
        return False

    # --- one step ------------------------------------------------------------------------------------------------

    def _events(self, record: StepRecord) -> Iterator[Event]:
        step = record.number
        thrown: dict[str, Threw] = {}
        is_undo = record.undoes is not None or _looks_undone(record)
        for change in record.changes:
            match change:
                case PieceMoved(piece=piece, to=to):
                    yield from self._moved(step, piece, to)
                case PieceChanged() if change.layers or change.marks or change.masked or change.hidden:
                    yield from self._changed(step, change.piece)
                case PieceAdded(piece=piece):
                    yield from self._added(step, piece)
                case PieceRemoved(piece=piece):
                    yield from self._removed(step, piece)
                case TurnChanged():
                    clock = self._reading.clock(self._replay.board.turn)
                    if clock != self._clock:
                        self._clock = clock
                        yield Clocked(step=step, clock=clock)
                case ChatSaid(text=text) if not is_undo:
                    words = spoken_words(text)
                    if words is not None:
                        yield Said(step=step, words=words)
                    elif (roll := self._roll_shown(step, text)) is not None:
                        thrown[roll.button] = roll
                case PropertyChanged(name=name, new=new) if not is_undo:
                    button = name.removesuffix("_result")
                    if button != name and button in self._buttons:
                        thrown.setdefault(button, self._roll(step, button, new))
                case _:
                    pass
        yield from thrown.values()

    def _moved(self, step: int, piece: str, to: PiecePlace) -> Iterator[Event]:
        unit = self._units.get(UnitId(piece))
        if unit is not None:
            at = self._read_place(to)
            if at != unit.at:
                self._units[unit.id] = replace(unit, at=at)
                yield Relocated(step=step, unit=unit.id, at=at)
        elif (marker := self._markers.get(piece)) is not None:
            yield from self._lay(step, piece, replace(marker, at=self._read_place(to)))

    def _changed(self, step: int, piece: str) -> Iterator[Event]:
        before = self._units.get(UnitId(piece))
        if before is None:
            yield from self._added(step, piece)
            return
        after = self._reading.unit(self._replay.board.pieces[PieceId(piece)], before.at)
        if not isinstance(after, Unit):
            yield from self._removed(step, piece)
        elif after != before:
            self._units[after.id] = after
            yield Altered(step=step, before=before, after=after)

    def _added(self, step: int, piece: str) -> Iterator[Event]:
        read = self._read(self._replay.board.pieces[PieceId(piece)])
        if isinstance(read, Unit):
            self._units[read.id] = read
            yield Appeared(step=step, unit=read)
        elif isinstance(read, MarkerCounter):
            yield from self._lay(step, piece, read)

    def _removed(self, step: int, piece: str) -> Iterator[Event]:
        if self._units.pop(UnitId(piece), None) is not None:
            yield Vanished(step=step, unit=UnitId(piece))
        elif piece in self._markers:
            yield from self._lay(step, piece, None)

    def _lay(self, step: int, piece: str, after: MarkerCounter | None) -> Iterator[Event]:
        """Lay a marker where it is now; two of a kind in a hex are as good as one."""
        before = self._markers.pop(piece, None)
        if before is not None and self._uncount(before) == 0 and isinstance(before.at, Hex):
            yield MarkerSet(step=step, kind=before.kind, at=before.at, is_added=False)
        if after is not None:
            self._markers[piece] = after
            if isinstance(after.at, Hex):
                self._laid[after.kind, after.at] += 1
                if self._laid[after.kind, after.at] == 1:
                    yield MarkerSet(step=step, kind=after.kind, at=after.at, is_added=True)

    def _uncount(self, marker: MarkerCounter) -> int:
        if not isinstance(marker.at, Hex):
            return 0
        self._laid[marker.kind, marker.at] -= 1
        return self._laid[marker.kind, marker.at]

    # --- reading -------------------------------------------------------------------------------------------------

    def _read(self, piece: Piece) -> Unit | MarkerCounter | None:
        """Read a piece and its place; None if it means nothing to the game, or cannot be read, which is counted."""
        read = self._reading.unit(piece, None)
        if isinstance(read, Unread):
            self._unread["pieces"][read.why] += 1
            return None
        return replace(read, at=self._read_place(self._replay.board.place(piece))) if read is not None else None

    def _read_place(self, place: PiecePlace) -> Place | None:
        at = self._reading.place(place.map, place.location)
        if at is None and place.map is not None:
            self._unread["places"][f"{place.map}: {place.location or 'location unknown'}"] += 1
        return at

    def _roll_shown(self, step: int, text: str) -> Threw | None:
        shown = roll_in(text)
        return self._roll(step, *shown) if shown is not None else None

    def _roll(self, step: int, button: str, result: str) -> Threw:
        die = int(result) if result.strip().isdecimal() and len(result) < 10 else None
        return Threw(step=step, button=button, use=self._reading.use_of_die(button), die=die)


def _looks_undone(record: StepRecord) -> bool:
    return any(isinstance(command, UndoBracket) for command in record.commands) or any(
        isinstance(change, ChatSaid) and change.undo for change in record.changes
    )


def _first_turn(module: Module | None, reading: Reading) -> str | None:
    """Return the turn that the module's tracker starts with."""
    how = reading.profile.file.phases
    if module is None or how is None:
        return None
    for tracker in module.turn_trackers:
        for level in tracker.all_levels():
            if tracker.name == how.tracker and how.turn in (level.name, level.property):
                if isinstance(level, CounterLevel):
                    return str(level.start)
                if isinstance(level, ListLevel):
                    return level.items[0] if level.items else None
    return None
