"""Walk through a game's logs, judge what was done, and carry it out, legal or not."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace

from vassal_bridge.audit.acts import GONE, Correction, Staging, acts_of
from vassal_bridge.audit.combat import Declarations, contradicts
from vassal_bridge.audit.control import Holdings, holdings_of
from vassal_bridge.audit.events import LogRecord, Position, Threw
from vassal_bridge.audit.fights import Fights
from vassal_bridge.audit.finding import Place
from vassal_bridge.audit.hints import after_turn_of, disrupted, revealed, undisrupted, withdrawn
from vassal_bridge.audit.journeys import Change, net_changes
from vassal_bridge.audit.judging import Bench
from vassal_bridge.audit.ledger import Ledger
from vassal_bridge.audit.memory import (
    MEMORIES,
    cleared_hexes,
    ends_passed,
    forgetting,
    is_forward,
    is_unlike,
    last_side,
    moved_by,
    taken_back,
)
from vassal_bridge.audit.mending import Moment
from vassal_bridge.audit.referee import Referee
from vassal_bridge.audit.segments import Seal, Segment, cut
from vassal_bridge.board.actions import (
    Action,
    Advance,
    Enter,
    MarkerChange,
    Move,
    Overrun,
    PhaseChange,
    Remove,
    Retreat,
    Roll,
    TurnChange,
    Unexplained,
)
from vassal_bridge.board.apply import apply, remember
from vassal_bridge.board.game import Phase, PhaseId, PhaseKind
from vassal_bridge.board.hexes import Hex, distance
from vassal_bridge.board.knowledge import UNKNOWN, Reason
from vassal_bridge.board.state import GameState
from vassal_bridge.board.terrain import Terrain
from vassal_bridge.board.units import Flag, Unit, UnitId
from vassal_bridge.profiles import Clock
from vassal_bridge.rulebook.check import When
from vassal_bridge.rulebook.rule import RuleSet

__all__ = ["Walk"]

# One counter of the other side that is moved may be a slip of the hand; more of them are its turn.
_TOO_MANY = 2


@dataclass(slots=True)
class Walk:
    """A walk through the logs of one game, in their order.

    Nothing here knows a rule: the referee is asked about each act against the state before it, and about the position
    where a segment, phase or turn ends.

    Attributes:
        rules: The rule set.
        terrain: The map.
        ledger: Takes what the rules say.
        declarations: Those made in the chat.
        unexplained: Place of each change on the board that fits no act.
        differences: Counters that stand elsewhere than the record of steps led to expect, by log.
        remarks: Where the turn tracker was not kept up, one sentence each.
    """

    rules: RuleSet
    terrain: Terrain
    ledger: Ledger = field(default_factory=Ledger)
    declarations: Declarations = field(default_factory=Declarations)
    unexplained: list[Place] = field(default_factory=list)
    differences: Counter[str] = field(default_factory=Counter)
    remarks: list[str] = field(default_factory=list)
    _holdings: Holdings = field(init=False)
    _bench: Bench = field(init=False)
    _state: GameState = field(init=False)
    _log: str = ""
    _number: int = 0
    _fights: Fights = field(default_factory=lambda: Fights(lost={}))
    _doubted: Clock | None = None
    _is_opening: bool = False
    _unknown_phase: str = ""
    _starts: dict[tuple[str | None, PhaseId], Mapping[UnitId, Unit]] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self._holdings = holdings_of(self.rules.game, self.terrain)
        self._bench = Bench(referee=Referee(self.rules), ledger=self.ledger)

    def add(self, record: LogRecord) -> None:
        """Walk through the next log."""
        self._log = record.log
        self._number += 1
        if self._number == 1:
            self._state = self._opening(record.start)
            self._is_opening = record.start.is_opening
        else:
            self._resume(record.start, f"start of {record.log}", 0)
        if record.damage:
            self._state = replace(self._state, unseen=self._state.unseen | {Reason.REPLAY})
        for segment in cut(record):
            self._walk(segment)
        self._resume(record.end, record.log, record.steps)

    def inspect_only(self, record: LogRecord) -> None:
        """Judge a position alone, as a saved game holds it: in mid-phase nothing but what must always hold."""
        self._log = record.log
        self._number += 1
        self._state = self._opening(record.start)
        self._bench.inspect_alone(self._state, self._place(0), is_moving=self._is_moving())

    def close(self) -> None:
        """End the record: what was declared and never rolled is told."""
        self.declarations.forget()

    # --- positions that are read and not reached -----------------------------------------------------------------

    def _opening(self, position: Position) -> GameState:
        units = dict(position.units)
        opens = position.is_opening
        control = self._holdings.at_opening() if opens else self._holdings.in_mid_game(units)
        phase = position.clock.phase
        return GameState(
            game=self.rules.game,
            terrain=self.terrain,
            units=units,
            phase=self.rules.game.phases[phase] if phase else None,
            turn=position.clock.turn,
            control=control,
            control_at_start=control,
            cleared=cleared_hexes(position.markers),
            markers=position.markers,
            phase_start=units,
            unseen=frozenset() if opens else frozenset({Reason.HISTORY}),
        )

    def _resume(self, position: Position, where: str, step: int) -> None:
        """Take the board as it is where it is not as the steps before have left it, and count the differences."""
        state = self._state
        changed = [
            unit if known is None else replace(unit, flags=unit.flags | (known.flags & MEMORIES))
            for key, unit in position.units.items()
            if (known := state.units.get(key)) is None or is_unlike(known, unit)
        ]
        gone = [key for key, unit in state.units.items() if key not in position.units and unit.at != GONE]
        if changed or gone:
            self.differences[where] += len(changed) + len(gone)
            units = {**state.units, **{unit.id: unit for unit in changed}}
            for key in gone:
                units[key] = replace(units[key], at=GONE)
            moment = Moment((self._number, step), self._place(step))
            moved = [unit.id for unit in changed if unit.id not in state.units or state.units[unit.id].at != unit.at]
            self._bench.moved_at.update(dict.fromkeys([*moved, *gone], moment))
            state = replace(state, units=units, phase_memo={}, unseen=state.unseen | {Reason.HISTORY})
        if step == 0 and (changed or gone or position.clock.turn != state.turn):
            # Something was played between the logs, and with it hexes may have changed hands.
            control = self._holdings.in_mid_game(position.units)
            state = replace(
                state,
                control=control,
                control_at_start=control,
                control_at_phase_start=control,
                last_passed={},
                phase_memo={},
            )
        if position.markers != state.markers:
            state = replace(state, markers=position.markers)
        self._state = self._set_clock(state, position.clock)

    # --- one segment ---------------------------------------------------------------------------------------------

    def _walk(self, segment: Segment) -> None:
        changes = net_changes(self._state.units, segment.events)
        if segment.roll is not None:
            self._resolve(segment, segment.roll, changes)
        for event in segment.events:
            self.declarations.hear(self._log, event)
            if isinstance(event, Threw):
                self._throw(event, ())
        acts = self._carry_out(segment, changes)
        if segment.roll is None:
            by_hand = (act for act in acts if isinstance(act, Correction | Staging | Unexplained | Remove))
            self._bench.excuse(self._state, [unit for act in by_hand for unit in moved_by(act)])
        self._end(segment, is_astray=any(isinstance(act, Unexplained) for act in acts))

    def _carry_out(self, segment: Segment, changes: Mapping[UnitId, Change]) -> list[Action]:
        """Judge and carry out the acts of a segment; where the other side begins to move, the phase is in doubt."""
        self._fights = self._fights.with_changes(self._state, changes)
        acts = acts_of(self._state, segment, changes, fights=self._fights)
        strange = sorted(act.step or 0 for act in acts if isinstance(act, Unexplained) and self._is_strange(act))
        if len(strange) < _TOO_MANY:
            self._do_all(acts, changes)
            return acts
        early = [act for act in acts if (act.step or 0) < strange[0]]
        self._do_all(early, changes)
        why = f"the other side moved (steps {', '.join(map(str, strange[:_TOO_MANY]))})"
        self._doubt(segment, strange[0], why)
        rest = acts_of(self._state, segment, changes, fights=self._fights)
        late = [act for act in rest if (act.step or 0) >= strange[0]]
        self._do_all(late, changes)
        return [*early, *late]

    def _do_all(self, acts: Iterable[Action], changes: Mapping[UnitId, Change]) -> None:
        for act in acts:
            before = self._state
            if before.phase is None and isinstance(act, Unexplained):
                what = self._unknown_phase if self._is_doubted() else f"phases of {self._log}"
                self.ledger.leave_open(what, Reason.PHASE, 1)
            self._do(act)
            self._settle(before, act, changes)

    def _is_strange(self, act: Unexplained) -> bool:
        phase = self._state.phase
        is_played = phase is not None and phase.kind in (PhaseKind.MOVEMENT, PhaseKind.COMBAT)
        return is_played and act.by != self._state.phasing and self._state.units[act.units[0]].type.is_combat

    def _doubt(self, segment: Segment, step: int, why: str) -> None:
        """Take the phase as unknown until the turn tracker is moved: it was not kept up."""
        if self._state.phase is None:
            return
        shown = self._state.phase.name
        self.remarks.append(
            f"{self._log}, step {step}: the turn tracker shows {shown}, but {why}; until it is moved the phase is not "
            "known and no move, retreat or stack is judged"
        )
        self._unknown_phase = f"phase from step {step} of {self._log} on"
        self._doubted = segment.clock
        self._state = replace(self._state, phase=None)

    def _settle(self, before: GameState, act: Action, changes: Mapping[UnitId, Change]) -> None:
        """Note what an act shows beyond itself: whose the hexes on its way are, and who withdrew."""
        if isinstance(act, Move | Retreat | Advance):
            self._state = self._settle_control(self._state, before, act, changes[act.units[0]].trail)
        elif isinstance(act, Enter):
            self._state = self._settle_entry(self._state, act, changes[act.units[0]])
        if isinstance(act, Move):
            units = [self._state.units[unit] for unit in withdrawn(before, act)]
            flagged = (replace(unit, flags=unit.flags | {Flag.WITHDREW}) for unit in units)
            self._state = self._state.with_units(*flagged) if units else self._state

    def _resolve(self, segment: Segment, roll: Threw, changes: Mapping[UnitId, Change]) -> None:
        """Judge the attack or overrun that a combat die was thrown for, on the board as it stood then."""
        self._state = self._state.with_units(*revealed(self._state, changes))
        declared = self.declarations.take(self._state, segment, changes)
        if declared is not None and contradicts(declared.declaration, self._state):
            why = f"an {declared.declaration.kind} was declared (step {declared.step})"
            self._doubt(segment, roll.step, why)
        found = self.declarations.act_of(declared, self._state, segment, changes)
        self._fights = self._fights.with_roll(found)
        if found is None:
            phase = self._state.phase
            when = When.OVERRUN if phase and phase.kind is PhaseKind.MOVEMENT else When.ATTACK
            what = f"who attacked whom in step {roll.step} of {self._log}"
            self.ledger.leave_open(what, Reason.ATTACKERS, sum(1 for _ in self.rules.asked_on(when)))
            # Somebody fought; who did may have to go back, and nobody knows who did.
            unknown = Overrun(step=roll.step, force=UNKNOWN, targets=(), target_hexes=())
            self._state = remember(self._state, unknown) if when is When.OVERRUN else self._state
        else:
            self._do(found)
            if isinstance(found, Overrun):
                self._state = self._state.with_units(*disrupted(self._state, found, changes))
        self._throw(roll, (found.label,) if found is not None and found.label else ())

    def _throw(self, roll: Threw, labels: tuple[str, ...]) -> None:
        act = Roll(step=roll.step, labels=labels, die=roll.die, purpose=roll.use or roll.button)
        self.ledger.rolls.append(((self._number, roll.step), self._place(roll.step)))
        self._do(act)

    def _do(self, act: Action) -> None:
        state, step = self._state, act.step or 0
        place = self._place(step)
        moment = Moment((self._number, step), place)
        match act:
            case Correction():
                self._state = taken_back(state, act)
                self._bench.blame.put_back(act.units, moment)
            case Staging():
                self._state = state.with_units(act.unit)
                if not act.is_explained:
                    self.unexplained.append(place)
            case Unexplained():
                self.unexplained.append(place)
                self._state = apply(state, act)
            case _:
                if isinstance(act, Remove):
                    # A unit that should not be there is off the map: that mends how it came there.
                    self._bench.blame.put_back(act.units, moment)
                self._bench.judge(state, act, place, (self._number, step))
                self._state = apply(state, act)
                if isinstance(act, MarkerChange) and act.units and not act.is_added:
                    self._state = undisrupted(self._state, act.units)
        for unit in moved_by(act):
            self._bench.moved_at[unit] = moment

    def _settle_control(
        self, after: GameState, before: GameState, act: Move | Retreat | Advance, trail: tuple[Hex, ...] | None
    ) -> GameState:
        """Give a unit the hexes that it was dragged over one by one; else doubt those it may have entered unseen."""
        unit = before.units[act.units[0]]
        start, end = act.path.start, act.path.end
        if not isinstance(start, Hex) or not isinstance(end, Hex) or not unit.type.is_combat:
            return after
        if trail is not None:
            entered = trail[1:]
            control = {**after.control, **dict.fromkeys(entered, unit.side)}
            return replace(
                after, control=control, last_passed={**after.last_passed, **dict.fromkeys(entered, unit.side)}
            )
        reach = self._holdings.longest_way(unit) if isinstance(act, Move) else distance(start, end) or 1
        return self._doubt_control(after, unit, start, end, reach)

    def _settle_entry(self, after: GameState, act: Enter, change: Change) -> GameState:
        """Doubt the hexes that a reinforcement may have entered on its way from where it first touched the map."""
        unit = after.units[act.units[0]]
        first = next((place for place in change.rests if isinstance(place, Hex)), act.at)
        if not unit.type.is_combat:
            return after
        return self._doubt_control(after, unit, first, act.at, self._holdings.longest_way(unit))

    def _doubt_control(self, after: GameState, unit: Unit, start: Hex, end: Hex, reach: int) -> GameState:
        hexes = self._holdings.perhaps_entered(start, end, reach)
        doubtful = [at for at in hexes if after.control.get(at) != unit.side]
        return replace(after, control={**after.control, **dict.fromkeys(doubtful, UNKNOWN)}) if doubtful else after

    # --- where a segment ends ------------------------------------------------------------------------------------

    def _end(self, segment: Segment, *, is_astray: bool) -> None:
        then = segment.then
        # In mid-movement anything may still stand anywhere.
        whens = [] if self._is_moving() else [When.SEGMENT_END]
        if then is not None and not self._is_doubted():
            whens += ends_passed(self.rules.game, segment.clock, then)
        if self._is_set_up_in(segment):
            whens = [when for when in whens if when is not When.PHASE_END]
        if is_astray and segment.seal is not Seal.ROLL:
            # Units moved that may not move in this phase: the next movement phase may have begun already.
            whens = [when for when in whens if when not in (When.SEGMENT_END, When.PHASE_END)]
        self._inspect(whens, self._place(segment.until))
        if segment.seal is Seal.PHASE and then is not None:
            self._begin(then, segment.until, is_back=not is_forward(self.rules.game, segment.clock, then))

    def _is_set_up_in(self, segment: Segment) -> bool:
        """Tell whether a game is still being set up: its first phases, before anybody moves by rule."""
        if not self._is_opening:
            return False
        phases = self.rules.game.phases
        self._is_opening = segment.clock.phase is not None and phases[segment.clock.phase].kind is PhaseKind.OTHER
        return self._is_opening

    def _is_doubted(self) -> bool:
        return self._state.phase is None and self._doubted is not None

    def _is_moving(self) -> bool:
        return self._state.phase is None or self._state.phase.kind is PhaseKind.MOVEMENT

    def _inspect(self, whens: Iterable[When], place: Place) -> None:
        self._bench.inspect(self._state, whens, place, (self._number, place.step))

    def _begin(self, clock: Clock, step: int, *, is_back: bool) -> None:
        state = self._state
        if state.phase is not None:
            self._starts[state.turn, state.phase.id] = state.phase_start
        old_side = state.phasing
        if clock.turn is not None and clock.turn != state.turn:
            state = apply(forgetting(state), TurnChange(step=step, turn=clock.turn))
            state = after_turn_of(state, last_side(self.rules.game))
            state = replace(state, cleared=cleared_hexes(state.markers))
            self._bench.blame.clear()
            self._starts.clear()
        if clock.phase is not None:
            state = apply(state, PhaseChange(step=step, phase=clock.phase))
            if is_back:
                # The tracker had been moved on too early: the phase goes on as it began.
                state = replace(state, phase_start=self._starts.get((clock.turn, clock.phase), state.phase_start))
        else:
            state = _with_phase(state, None)
        if state.phasing != old_side:
            self.declarations.forget()
            state = after_turn_of(state, old_side)
        self._fights, self._doubted = Fights(lost={}), None
        self._state = state

    def _set_clock(self, state: GameState, clock: Clock) -> GameState:
        phase = self.rules.game.phases[clock.phase] if clock.phase else None
        if clock.turn == state.turn and (phase == state.phase or clock == self._doubted):
            return state
        self._fights, self._doubted = Fights(lost={}), None
        return replace(_with_phase(state, phase), turn=clock.turn)

    def _place(self, step: int) -> Place:
        phase = self._state.phase
        return Place(log=self._log, step=step, turn=self._state.turn, phase=phase.id if phase else None)


def _with_phase(state: GameState, phase: Phase | None) -> GameState:
    return replace(state, phase=phase, phase_start=state.units, control_at_phase_start=state.control, phase_memo={})
