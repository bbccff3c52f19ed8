"""Build the typed state that a case describes: its units, facts and history, and what it leaves to the defaults.

A case is a fragment of a game: what it does not mention is so that it does not matter. The map is clear land, a unit
is in supply unless it bears ``oos``; supply is traced only where the case states a source or asks about supply.
What a case states and this code has no place for is collected, never guessed: such a case cannot be run.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from functools import partial
from itertools import pairwise
from typing import Any

from vassal_bridge.board.actions import Action, Advance, Attack, Enter, Move, Overrun, Retreat
from vassal_bridge.board.apply import remember
from vassal_bridge.board.game import Game, Phase, PhaseId
from vassal_bridge.board.hexes import Hex, Hexside, hexside
from vassal_bridge.board.knowledge import UNKNOWN, Reason, Unknown
from vassal_bridge.board.state import GameState, Marker, Past
from vassal_bridge.board.terrain import ANYTHING, Terrain
from vassal_bridge.board.units import Box, Flag, Place, Side, Unit, UnitId, parse_factors
from vassal_bridge.rulebook.acts import NotModelled, hex_of, place_of, to_action
from vassal_bridge.rulebook.case import Case, PastEvent, StepKind, UnitLine
from vassal_bridge.rulebook.notation import Statement
from vassal_bridge.rulebook.words import Edge

__all__ = ["Position", "build"]

# Facts and questions that make supply a matter of tracing instead of the units' flags.
_TRACING_FACTS = frozenset({"src", "port", "isolated"})
_TRACING_QUERIES = frozenset({"supply", "loc", "pocket"})


@dataclass(frozen=True, slots=True, kw_only=True)
class Position:
    """The state in which the actions of a case begin.

    Attributes:
        gaps: What the case states and the board has no place for, one clause each; empty if the state is the whole.
    """

    state: GameState
    gaps: tuple[str, ...] = ()


def build(case: Case, game: Game) -> Position:
    """Build the state of a case: units and facts first, then the history in its order."""
    board = _Board(game)
    gaps = [*_unplaced_keys(case, game)]
    for line in case.units:
        gaps += _tolerant(partial(board.place, line))
    for fact in case.facts:
        gaps += _tolerant(partial(board.state_fact, fact, turn=case.turn))
    state = board.to_state(case)
    for past in case.history:
        try:
            state = _recall(state, past)
        except NotModelled as gap:
            gaps.append(str(gap))
    return Position(state=_with_phase_start(state), gaps=tuple(gaps))


def _unplaced_keys(case: Case, game: Game) -> Iterator[str]:
    if case.weather is not None:
        yield "weather is not modelled yet"
    if case.scenario is not None:
        yield "scenarios are not modelled yet"
    if case.options:
        yield "optional rules are not modelled yet"
    if case.phase != "any" and PhaseId(case.phase) not in game.phases:
        yield f"the rule set has no phase {case.phase}"


def _tolerant(step: Callable[[], None]) -> Iterator[str]:
    try:
        step()
    except NotModelled as gap:
        yield str(gap)


@dataclass(slots=True)
class _Board:
    """Gathers units and facts."""

    game: Game
    units: dict[UnitId, Unit] = field(default_factory=dict)
    tags: dict[Hex, frozenset[str]] = field(default_factory=dict)
    features: dict[Hexside, frozenset[str]] = field(default_factory=dict)
    tracks: set[Hexside] = field(default_factory=set)
    links: dict[Hexside, int] = field(default_factory=dict)
    costs: dict[Hex, int] = field(default_factory=dict)
    land: set[Hex] | None = None
    unknown_hexes: dict[Hex, frozenset[str]] = field(default_factory=dict)
    unknown_sides: dict[Hexside, frozenset[str]] = field(default_factory=dict)
    control: dict[Hex, Side | Unknown] = field(default_factory=dict)
    control_at_start: dict[Hex, Side | Unknown] = field(default_factory=dict)
    last_passed: dict[Hex, Side] = field(default_factory=dict)
    cleared: set[Hex] = field(default_factory=set)
    markers: set[Marker] = field(default_factory=set)
    sources: dict[Hex, frozenset[str]] | None = None

    def place(self, line: UnitLine) -> None:
        """Put a unit where its line says."""
        if line.type not in self.game.unit_types:
            raise NotModelled(f"the rule set has no unit type {line.type}")
        words = {key: str(value) for key, value in line.attributes.items()}
        division = words.pop("div", None)
        name = words.pop("name", "")
        self.units[line.id] = Unit(
            id=line.id,
            type=self.game.unit_types[line.type],
            at=place_of(line.place, self.game),
            factors=parse_factors(line.factors or "-"),
            name=name,
            division=division,
            flags=line.flags,
            spent=int(words.pop("spent", 0)),
            attributes=words,
        )

    def state_fact(self, fact: Statement, *, turn: str | None) -> None:
        """Take up one fact.

        Raises:
            NotModelled: The board has no place for it.
        """
        arguments = fact.arguments
        match fact.verb:
            case "tags":
                _join(self.tags, self._hexes(arguments["hexes"]), arguments["tags"])
            case "features":
                _join(self.features, self._sides(arguments["edges"]), arguments["features"])
            case "track":
                self._lay_track(arguments["path"].points)
            case "link":
                first, second = self._hexes(arguments["link"])
                self.tracks.add(hexside(first, second))
                self.links[hexside(first, second)] = arguments["n"]
            case "cost":
                self.costs.update(dict.fromkeys(self._hexes(arguments["hexes"]), arguments["n"]))
            case "land":
                self.land = (self.land or set()) | set(self._hexes(arguments["hexes"]))
            case "unknown":
                self._leave_open(arguments["what"], arguments.get("may"))
            case _:
                self._state_ownership(fact, turn)

    def _state_ownership(self, fact: Statement, turn: str | None) -> None:
        arguments = fact.arguments
        match fact.verb:
            case "ctl":
                self._state_control(arguments, turn)
            case "ctl0":
                self.control_at_start.update(self._owned(arguments))
            case "last":
                passed = self._owned(arguments)
                self.last_passed.update({at: side for at, side in passed.items() if side is not UNKNOWN})
            case "cleared" if "owner" not in arguments:
                if turn is None or arguments.get("since") != turn:
                    self.cleared.update(self._hexes(arguments["hexes"]))
            case "src":
                found = self.sources = {} if self.sources is None else self.sources
                _join(found, self._hexes(arguments["hexes"]), [arguments["owner"]])
            case "int":
                for at in self._hexes(arguments["hexes"]):
                    self.markers.add(Marker(kind="interdiction", hex=at, side=Side(arguments["side"])))
            case "marker":
                kind = arguments["marker"]
                self.markers.update(Marker(kind=kind, hex=at) for at in self._hexes(arguments["hexes"]))
            case _:
                raise NotModelled(f"the fact `{fact.verb}` is not modelled yet")

    def _hexes(self, texts: Iterable[str]) -> tuple[Hex, ...]:
        return tuple(hex_of(text, self.game) for text in texts)

    def _sides(self, edges: Iterable[tuple[str, str]]) -> tuple[Hexside, ...]:
        return tuple(hexside(*self._hexes(edge)) for edge in edges)

    def _lay_track(self, points: Iterable[str]) -> None:
        for first, second in pairwise(self._hexes(points)):
            self.tracks.add(hexside(first, second))

    def _owned(self, arguments: Mapping[str, Any]) -> dict[Hex, Side | Unknown]:
        owner = arguments.get("owner")
        if owner == "unknown":
            return dict.fromkeys(self._hexes(arguments["hexes"]), UNKNOWN)
        if owner not in self.game.sides:
            raise NotModelled(f"control by {owner} is not modelled yet")
        return dict.fromkeys(self._hexes(arguments["hexes"]), Side(owner))

    def _state_control(self, arguments: Mapping[str, Any], turn: str | None) -> None:
        owned = self._owned(arguments)
        self.control.update(owned)
        if turn is not None and arguments.get("since") == turn:
            # Gained this turn: at its start it was the other side's.
            before = {at: self.game.enemy(side) for at, side in owned.items() if side is not UNKNOWN}
            self.control_at_start.update(before)

    def _leave_open(self, what: Iterable[Any], may: tuple[str, ...] | None) -> None:
        bound = ANYTHING if may is None else frozenset(may)
        for each in what:
            if isinstance(each, str) and UnitId(each) in self.units:
                if may is not None:
                    raise NotModelled("bounds of an unknown unit are not modelled yet")
                unit = self.units[UnitId(each)]
                # What its line states holds; of the rest nothing is known.
                division = UNKNOWN if unit.division is None else unit.division
                self.units[unit.id] = replace(unit, division=division)
            elif isinstance(each, str):
                raise NotModelled(f"not knowing `{each}` is not modelled yet")
            elif isinstance(each, Edge):
                self.unknown_sides[hexside(*self._hexes(each))] = bound
            else:
                self.unknown_hexes.update(dict.fromkeys(self._hexes(each), bound))

    def to_state(self, case: Case) -> GameState:
        """Return the state before the history."""
        phase = self.game.phases.get(PhaseId(case.phase))
        control = {**self._default_control(phase), **self.control}
        return GameState(
            game=self.game,
            terrain=self._terrain(),
            units=self.units,
            phase=phase,
            turn=case.turn,
            control=control,
            control_at_start={**control, **self.control_at_start},
            last_passed=self.last_passed,
            cleared=frozenset(self.cleared),
            markers=frozenset(self.markers),
            sources=self.sources,
            is_fragment=True,
            traces_supply=_traces_supply(case),
        )

    def _terrain(self) -> Terrain:
        return Terrain(
            tags=self.tags,
            features=self.features,
            tracks=frozenset(self.tracks),
            links=self.links,
            costs=self.costs,
            land=None if self.land is None else frozenset(self.land),
            unknown_hexes={at: self._possible(at, bound) for at, bound in self.unknown_hexes.items()},
            unknown_sides=self.unknown_sides,
        )

    def _possible(self, at: Hex, bound: frozenset[str]) -> frozenset[str]:
        """Leave out what would keep out the units that stand in a hex, or everybody from one said to be enterable."""
        standing = [unit.type.mobility for unit in self.units.values() if unit.at == at]
        is_open = bool(standing) or (self.land is not None and at in self.land)
        needed = {mobility for mobility in standing if mobility}
        entry = self.game.terrain.entry
        barring = {tag for tag, costs in entry.items() if not needed <= costs.keys() or (is_open and not costs)}
        if not barring:
            return bound
        return (self._words() if bound is ANYTHING else bound) - barring

    def _words(self) -> frozenset[str]:
        """Return the words for hexes that the rule set's definitions ask about."""
        game, supply = self.game, self.game.supply
        places = {supply.rail_tag, *supply.city_tags, *supply.barred_tags, *supply.behind_tag.values()}
        return frozenset({*game.terrain.entry, *game.strength.tag_bonus, *game.zoc.kept_out_of, *places})

    def _default_control(self, phase: Phase | None) -> dict[Hex, Side | Unknown]:
        """Give each city to the side in it, else to the side on whose part of the map it lies, else to the phasing one.

        A rail hex needs no entry: in a fragment it is friendly to the side that uses it.
        """
        supply = self.game.supply
        found: dict[Hex, Side | Unknown] = {}
        holders = {unit.at: unit.side for unit in self.units.values() if unit.type.is_combat}
        for at, tags in self.tags.items():
            if tags & supply.city_tags and at not in self.unknown_hexes:
                side = holders.get(at) or self._side_of_map(tags) or (phase.side if phase else None)
                if side is not None:
                    found[at] = side
        return found

    def _side_of_map(self, tags: frozenset[str]) -> Side | None:
        behind = self.game.supply.behind_tag
        owners = [side for side, tag in behind.items() if tag in tags]
        rest = [side for side in self.game.sides if side not in behind]
        return next(iter(owners or rest), None)


def _join(into: dict[Any, frozenset[str]], keys: Iterable[Any], words: Iterable[str]) -> None:
    for key in keys:
        into[key] = into.get(key, frozenset()) | frozenset(words)


def _traces_supply(case: Case) -> bool:
    asked = [step.statement for step in case.steps if step.kind in (StepKind.QUERY, StepKind.CLAIM)]
    return any(fact.verb in _TRACING_FACTS for fact in case.facts) or any(
        query is not None and query.verb in _TRACING_QUERIES for query in asked
    )


# --- History ---------------------------------------------------------------------------------------------------------


def _recall(state: GameState, past: PastEvent) -> GameState:
    """Add an event to the past without carrying it out: the units stand already where it left them."""
    if past.statement.verb == "gap":
        return replace(state, unseen=state.unseen | {Reason.HISTORY})
    phase = state.phase
    if past.phase is not None:
        if PhaseId(past.phase) not in state.game.phases:
            raise NotModelled(f"the rule set has no phase {past.phase}")
        phase = state.game.phases[PhaseId(past.phase)]
    action = to_action(past.statement, state)
    then = replace(state, phase=phase, turn=past.turn or state.turn)
    after = remember(state, action, before=then)
    return _with_flags(after, action) if _is_now(state, after.past[-1]) else after


def _is_now(state: GameState, past: Past) -> bool:
    return past.phase == state.phase and past.turn == state.turn


def _with_flags(state: GameState, action: Action) -> GameState:
    match action:
        case Retreat(units=units):
            word = Flag.FLED
        case Attack(force=force) if force is not UNKNOWN:
            word, units = Flag.ATTACKED, action.attackers
        case _:
            return state
    return state.with_units(*(replace(state.units[unit], flags=state.units[unit].flags | {word}) for unit in units))


def _with_phase_start(state: GameState) -> GameState:
    """Put the units back, for the memory of the phase's start only, to where its first recorded act found them."""
    starts: dict[UnitId, Place] = {}
    for past in state.past:
        if _is_now(state, past):
            for unit, place in _origins(past.action, state):
                starts.setdefault(unit, place)
    units = dict(state.units)
    units.update((unit, replace(state.units[unit], at=place, spent=0)) for unit, place in starts.items())
    return replace(state, phase_start=units)


def _origins(action: Action, state: GameState) -> Iterator[tuple[UnitId, Place]]:
    match action:
        case Move(units=units, path=path) | Advance(units=units, path=path) | Retreat(units=units, path=path):
            yield from ((unit, path.start) for unit in units)
        case Enter(units=units):
            yield from ((unit, Box("@reinf")) for unit in units)
        case Overrun(launch=Hex() as launch, force=force) if force is not UNKNOWN:
            yield from ((part.unit, launch) for part in force if part.unit in state.units)
        case _:
            return
