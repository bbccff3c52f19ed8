"""Which declaration a combat roll belongs to, and what can be told of an attack that nobody declared."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from vassal_bridge.audit.declarations import Declaration, DeclarationKind, Unreadable, read_declaration
from vassal_bridge.audit.events import Event, Said
from vassal_bridge.audit.fights import can_be_retreat, is_beside_enemy
from vassal_bridge.audit.forces import UnresolvedError, declared_act
from vassal_bridge.audit.journeys import Change
from vassal_bridge.audit.segments import Seal, Segment
from vassal_bridge.board.actions import Attack, Overrun
from vassal_bridge.board.game import PhaseKind
from vassal_bridge.board.hexes import Hex
from vassal_bridge.board.knowledge import UNKNOWN
from vassal_bridge.board.state import GameState
from vassal_bridge.board.units import UnitId

__all__ = ["Declarations", "Declared", "contradicts"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Declared:
    """A declaration with the log and step in which it was made."""

    log: str
    step: int
    declaration: Declaration

    @property
    def target_names(self) -> frozenset[str]:
        """The target hexes as written."""
        return frozenset(stand.hex.upper() for stand in self.declaration.targets)

    @property
    def attacker_names(self) -> frozenset[str]:
        """The attackers' hexes as written."""
        return frozenset(group.stand.hex.upper() for group in self.declaration.groups)


@dataclass(slots=True)
class Declarations:
    """The declarations that wait for their roll.

    Attributes:
        remarks: What could not be read, or was declared and never rolled, one sentence each.
    """

    remarks: list[str] = field(default_factory=list)
    _waiting: list[Declared] = field(default_factory=list)
    _heard: set[tuple[str, int]] = field(default_factory=set)

    def hear(self, log: str, event: Event) -> None:
        """Take note of a chat line if it is a declaration; one with the same target replaces the one before it."""
        if not isinstance(event, Said) or (log, event.step) in self._heard:
            return
        self._heard.add((log, event.step))
        read = read_declaration(event.words)
        if isinstance(read, Unreadable):
            self.remarks.append(f"{log}, step {event.step}: declaration not understood: {read.why} ({read.text})")
        elif read is not None:
            new = Declared(log=log, step=event.step, declaration=read)
            self._waiting = [each for each in self._waiting if each.target_names != new.target_names]
            self._waiting.append(new)

    def take(self, state: GameState, segment: Segment, changes: Mapping[UnitId, Change]) -> Declared | None:
        """Return the declaration that a segment's roll was thrown for, which then waits no longer.

        Of several that wait, the one whose target or attackers were affected is meant, else the first. A declaration
        made after the roll counts if no other roll follows it in the phase.

        Args:
            state: The board as it stood when the die was thrown.
            segment: The segment that begins with the roll.
            changes: What was done in it.
        """
        if not self._waiting and segment.seal is not Seal.ROLL:
            for event in segment.events:
                self.hear(segment.log, event)
        if not self._waiting:
            return None
        chosen = self._waiting[0]
        if len(self._waiting) > 1:
            chosen = self._affected_one(state, changes) or chosen
        self._waiting.remove(chosen)
        return chosen

    def act_of(
        self, declared: Declared | None, state: GameState, segment: Segment, changes: Mapping[UnitId, Change]
    ) -> Attack | Overrun | None:
        """Return the attack or overrun that was declared, or what the board shows of an undeclared one.

        Returns None if nobody said and nothing shows whom the attack was made on.
        """
        if declared is not None:
            try:
                return declared_act(declared.declaration, state, step=declared.step)
            except UnresolvedError as error:
                where = f"{declared.log}, step {declared.step}"
                self.remarks.append(f"{where}: declaration does not fit the board: {error}")
        return _undeclared(state, segment, changes)

    def forget(self) -> None:
        """Give up what waits: its phase is over."""
        for each in self._waiting:
            self.remarks.append(f"{each.log}, step {each.step}: declared, but no die was thrown for it")
        self._waiting.clear()

    def _affected_one(self, state: GameState, changes: Mapping[UnitId, Change]) -> Declared | None:
        defenders, attackers = (
            {state.game.numbering.name(at).upper() for at in _affected(state, changes, attackers=is_attacker)}
            for is_attacker in (False, True)
        )
        return next(
            (each for each in self._waiting if each.target_names & defenders),
            next((each for each in self._waiting if each.attacker_names & attackers), None),
        )


def contradicts(declaration: Declaration, state: GameState) -> bool:
    """Tell whether a declaration belongs to another phase than the one that the turn tracker shows.

    An attack is made in a combat phase, an overrun in a movement phase, both by the side whose phase it is.
    """
    if state.phase is None:
        return False
    fits = PhaseKind.COMBAT if declaration.kind is DeclarationKind.ATTACK else PhaseKind.MOVEMENT
    if state.phase.kind is not fits:
        return True
    numbering = state.game.numbering
    starts = [numbering.parse(group.stand.hex.upper()) for group in declaration.groups]
    units = [unit for at in starts if at is not None for unit in state.units_at(at)]
    return bool(units) and all(unit.side != state.phasing for unit in units)


def _affected(state: GameState, changes: Mapping[UnitId, Change], *, attackers: bool = False) -> list[Hex]:
    """Return the hexes of units that were moved, lost steps or were removed, in order.

    Those of the side that is not phasing, or else of the phasing one. What only bears another marker was not affected.
    """
    return list(
        dict.fromkeys(
            change.before.hex
            for change in changes.values()
            if change.before is not None
            and change.before.hex is not None
            and (change.before.side == state.phasing) is attackers
            and (change.has_moved or change.factors is not None)
        )
    )


def _undeclared(state: GameState, segment: Segment, changes: Mapping[UnitId, Change]) -> Attack | Overrun | None:
    """Return an attack by nobody knows whom on the hexes that were affected, if one attack can have been on all."""
    assert segment.roll is not None
    step, hexes = segment.roll.step, tuple(_affected(state, changes))
    if not hexes or state.phase is None or state.phasing is None or not _are_results(state, changes):
        return None
    targets = tuple(unit.id for at in hexes for unit in state.units_at(at) if unit.side != state.phasing)
    if state.phase.kind is PhaseKind.MOVEMENT:
        return Overrun(step=step, force=UNKNOWN, targets=targets, target_hexes=hexes)
    if state.phase.kind is PhaseKind.COMBAT:
        return Attack(step=step, force=UNKNOWN, targets=targets, target_hexes=hexes)
    return None


def _are_results(state: GameState, changes: Mapping[UnitId, Change]) -> bool:
    """Tell whether all that happened to the side that is not phasing can be the result of combat."""
    for change in changes.values():
        before, after = change.before, change.after
        if before is None or before.hex is None or before.side == state.phasing or not before.type.is_combat:
            continue
        if not (change.has_moved or change.factors is not None):
            continue
        if not is_beside_enemy(state, before.hex, before.side):
            return False
        if after is not None and after.hex is not None and not can_be_retreat(before.hex, after.hex):
            return False
    return True
