"""Read one file from end to end, once, and keep what the integrity audit needs of it."""

from __future__ import annotations

import hashlib
from array import array
from collections.abc import Iterable, Mapping
from pathlib import PurePath

from vassal_bridge.audit.integrity.deeds import DeedWatch
from vassal_bridge.audit.integrity.hidden import HiddenWatch
from vassal_bridge.audit.integrity.positions import Pool, Track
from vassal_bridge.audit.integrity.record import Event, FileRecord, Moment, Versions
from vassal_bridge.audit.integrity.rolls import RollWatch
from vassal_bridge.audit.integrity.steps import StepView, Who, sort_changes
from vassal_bridge.audit.integrity.tallies import TallyWatch
from vassal_bridge.audit.integrity.throws import DiceReader
from vassal_bridge.audit.integrity.undos import UndoWatch
from vassal_bridge.audit.undo import steps_in_force
from vassal_bridge.vassal.chat import is_undo
from vassal_bridge.vassal.commands import (
    Chat,
    Command,
    GlobalProperty,
    PieceId,
    SetProperty,
    UndoBracket,
    VersionCheck,
)
from vassal_bridge.vassal.container import VassalFile
from vassal_bridge.vassal.game import Game, Step, read_game
from vassal_bridge.vassal.module import Module
from vassal_bridge.vassal.position import Board
from vassal_bridge.vassal.replay import Replay

__all__ = ["read_record"]

_MASK = (1 << 64) - 1
_RUNNING = "runningVassalVersion<"
_MODULE = "version<"


def read_record(file: VassalFile, pool: Pool, module: Module | None = None, *, index: int = 0) -> FileRecord:
    """Replay a save or log and return what is to be kept of it.

    Args:
        file: The file.
        pool: Holds its positions together with those of other files.
        module: Its module, if it is at hand.
        index: Which of the files given it is, from 0.

    Raises:
        ContainerError: The file is neither.
    """
    game = read_game(file)
    return _Pass(game, pool, module).run(index)


class _Pass:
    """One walk through a file."""

    def __init__(self, game: Game, pool: Pool, module: Module | None) -> None:
        self._game = game
        self._replay = Replay(game, module)
        self._name = PurePath(game.file.name).name
        self._who = Who(game)
        board = self._replay.board
        self._track = Track(pool, board.pieces.values())
        self._values = dict(_saved_values(game.setup))
        self._rolls = RollWatch(DiceReader(module.dice if module else ()))
        self._undos = UndoWatch()
        self._hidden = HiddenWatch(board, self._who)
        self._deeds = DeedWatch(board)
        self._tallies = TallyWatch(self._name)
        self._in_force = steps_in_force((step.number, game.undone.get(step.number)) for step in game.steps)

    def run(self, index: int) -> FileRecord:
        game, board, file = self._game, self._replay.board, self._game.file
        start, before, oldest = self._track.position(), self._moment(), _newest(board.pieces)
        digests, acts = array("Q", [self._track.digest]), array("Q")
        for step in game.steps:
            self._step(step)
            digests.append(self._track.digest)
            acts.append(hash(step.commands) & _MASK)
        metadata = file.save_metadata
        saved = file.saved
        assert saved is not None
        return FileRecord(
            index=index,
            name=self._name,
            path=file.name,
            sha256=file.sha256,
            content=hashlib.sha256(saved.text.encode("utf-8", "surrogatepass")).hexdigest(),
            kind=str(file.kind),
            steps=len(game.steps),
            saved_at=metadata.saved_at if metadata else None,
            newest=(oldest, _newest(board.pieces)),
            start=start,
            end=self._track.position(),
            digests=digests,
            acts=acts,
            before=before,
            after=self._moment(),
            versions=_versions(game),
            metadata=file.module_metadata,
            rolls=self._rolls.rolls(),
            undo_runs=self._undos.runs(),
            events=self._events(),
            segments=self._tallies.segments(),
            loose_undos=self._undos.loose,
            damage=saved.damage,
            unread=_unread(game),
            aliases=game.aliases,
        )

    def _step(self, step: Step) -> None:
        self._deeds.before(step)
        record = self._replay.step()
        assert record is not None
        board = self._replay.board
        deeds = sort_changes(record.changes)
        for identity, is_only_moved in deeds.touched.items():
            self._track.note(identity, board.pieces.get(identity), is_only_moved=is_only_moved)
        for command in step.commands:
            if type(command) is SetProperty:
                self._values[command.name, command.container or ""] = command.new
        view = StepView(
            record=record,
            deeds=deeds,
            board=board,
            log=self._name,
            turn=_turn(board),
            who=self._who,
            is_in_force=step.number in self._in_force,
            is_undo=record.undoes is not None or _takes_back(step.commands),
        )
        throws = self._rolls.see(view)
        self._undos.see(view, throws)
        self._hidden.see(view)
        self._deeds.see(view)
        self._tallies.see(view, throws)

    def _events(self) -> tuple[Event, ...]:
        events = [*self._hidden.events(), *self._deeds.events(), *self._rolls.unbacked()]
        return tuple(sorted(events, key=lambda event: event.place.step))

    def _moment(self) -> Moment:
        board = self._replay.board
        return Moment(
            turns={name: state.state for name, state in board.turn.items()},
            turn_texts={name: state.text for name, state in board.turn.items() if state.text != state.state},
            properties=dict(self._values),
            players={player.name or player.alias: player.side for player in board.players.values()},
            boards=dict(board.boards),
        )


def _takes_back(commands: Iterable[Command]) -> bool:
    return any(
        isinstance(command, UndoBracket) or (isinstance(command, Chat) and is_undo(command.text))
        for command in commands
    )


def _turn(board: Board) -> str | None:
    """Return what the trackers show; without the module their states mean nothing to a reader."""
    texts = [" ".join(state.text.split()) for state in board.turn.values() if state.text != state.state]
    return ", ".join(text for text in texts if text) or None


def _saved_values(setup: Iterable[Command]) -> Iterable[tuple[tuple[str, str], str]]:
    """Yield the properties that a file saves, by name and container; those of zones as ``SetProperty`` names them."""
    for command in setup:
        if isinstance(command, GlobalProperty):
            name, *place = command.id.split("\t")
            container = f"{place[2]}:{place[0]}" if len(place) > 2 else command.container or ""
            yield (name, container), command.value


def _newest(pieces: Mapping[PieceId, object]) -> int:
    return max((int(identity) for identity in pieces if identity.isdecimal() and len(identity) < 20), default=0)


def _versions(game: Game) -> Versions:
    file = game.file
    module, save = file.module_metadata, file.save_metadata
    checks = [command.text for command in game.setup if isinstance(command, VersionCheck)]
    return Versions(
        engine=(save.vassal_version if save else None) or _checked(checks, _RUNNING),
        module=module.name if module else None,
        module_version=(module.version if module else None)
        or (save.version if save else None)
        or _checked(checks, _MODULE),
        extensions=tuple((extension.name, extension.version) for extension in game.extensions),
    )


def _checked(checks: Iterable[str], opening: str) -> str | None:
    """Return the version in a check of VASSAL 2, ``runningVassalVersion<2.9.8``."""
    for check in checks:
        if check.startswith(opening):
            return check[len(opening) :].partition("\t")[0] or None
    return None


def _unread(game: Game) -> Mapping[str, Mapping[str, int]]:
    found = {"commands": game.unknown_commands(), "traits": game.unknown_traits()}
    return {kind: dict(sorted(counts.items())) for kind, counts in found.items() if counts}
