"""Decide a question although some facts are unknown.

An act is a violation if it is illegal in every world that fits the record, legal if it is legal in every one, else
unknown. The judging functions are written for one world, in which every question has an answer. They ask a
:class:`World`; where the record does not know the answer the world makes one up, and :func:`decide` runs the judgement
again for the other answer. Only facts that were asked for, and on which the verdict turned, are reported.

Some computed answers rest on very many unknown facts at once, each of which can only help or only hurt (a supply line
over a map without terrain). Those are computed twice, with all facts helping and with all facts hurting, and become one
made-up fact only if the two differ: see :meth:`World.settle_monotone`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from copy import copy
from dataclasses import dataclass, field
from enum import StrEnum
from functools import partial
from typing import Any

from vassal_bridge.board.hexes import Hex, Hexside, hexside
from vassal_bridge.board.knowledge import UNKNOWN, Reason
from vassal_bridge.board.state import GameState
from vassal_bridge.board.terrain import ANYTHING
from vassal_bridge.board.units import Side, Unit, UnitType

__all__ = ["Decision", "Fact", "Mistake", "Ruling", "Unanswerable", "World", "decide"]


@dataclass(frozen=True, slots=True)
class Fact:
    """Something that may be unknown: its kind, and a name for people (``N2030|N2029``, ``unit S1``).

    ``key`` tells apart what people call alike, such as two masked counters; ``rests_on`` holds the facts behind a
    computed answer.
    """

    kind: Reason
    name: str
    key: str = ""
    rests_on: tuple[Fact, ...] = ()


def _sort_key(fact: Fact) -> tuple[str, str]:
    return fact.kind, fact.name


class Unanswerable(Exception):  # noqa: N818 - a signal inside the analysis, not an error
    """A world was asked for a number that nothing bounds, such as the strength behind an untried side."""

    def __init__(self, fact: Fact) -> None:
        super().__init__(fact)
        self.fact = fact


class Mistake(StrEnum):
    """A way in which players get a number or a state wrong.

    A claim that is wrong, but would be right if such a mistake were the rule, breaks the rule concerned. Some are no
    mistakes but other readings of the printed rule; rule data says which.
    """

    SCATTERED_DIVISION = "scattered-division"
    LOST_REGIMENT = "lost-regiment"
    ANY_DIVISION = "any-division"
    HALVED_UP = "halved-up"
    HALVED_AS_ONE = "halved-as-one"
    ALL_MUST_ATTACK = "all-must-attack"
    NOT_HALVED = "not-halved"
    NO_MINIMUM = "no-minimum"
    TERRAIN_IGNORED = "terrain-ignored"
    ZONE_CANCELS = "zone-cancels"
    CHAIN_IGNORED = "chain-ignored"
    WATER_CITY_LOST = "water-city-lost"
    CAPTURED_IS_SOURCE = "captured-is-source"
    CLEARED_CUT_OFF = "cleared-cut-off"
    ANY_TRUCK = "any-truck"
    RADIUS_IGNORED = "radius-ignored"
    HEADQUARTERS_UNSUPPLIED = "headquarters-unsupplied"
    OTHER_NATION = "other-nation"
    DIRECT_TRACE = "direct-trace"
    HEADQUARTERS_LINE = "headquarters-line"
    LINE_LENGTH = "line-length"
    MOUNTAIN_ZONE = "mountain-zone"
    RIVER_ZONE = "river-zone"
    SILENT_ZONE = "silent-zone"
    REGIMENTS_COUNT = "regiments-count"
    EVERYTHING_COUNTS = "everything-counts"
    OTHER = "other"


@dataclass(frozen=True, slots=True, kw_only=True)
class Ruling:
    """What a judging function says in one world; the message and facts matter only where it is not legal."""

    is_legal: bool
    message: str = ""
    facts: dict[str, object] = field(default_factory=dict)


@dataclass(frozen=True, slots=True, kw_only=True)
class Decision:
    """What holds over all worlds.

    Attributes:
        is_legal: True or False if the same in all of them, None if not.
        ruling: The ruling of the world most in favour of the act.
        turned_on: The facts on which the answer turned, sorted; empty if it is certain.
    """

    is_legal: bool | None
    ruling: Ruling
    turned_on: tuple[Fact, ...] = ()

    @property
    def because(self) -> tuple[Reason, ...]:
        """The kinds of these facts and of those behind them, sorted."""
        return tuple(sorted({each.kind for fact in self.turned_on for each in (*fact.rests_on, fact)}))


@dataclass(slots=True)
class _Choice:
    fact: Fact
    answer: bool


class World:
    """One world that fits the record: answers every question, the same one always alike.

    Attributes:
        state: What is known.
        mistake: The mistake that is the rule in this world, None in the right one.
        trail: The answers made up, in order.
    """

    __slots__ = ("_bounds", "_script", "mistake", "state", "trail")

    def __init__(self, state: GameState, script: Iterable[bool] = (), *, mistake: Mistake | None = None) -> None:
        self.state = state
        self.mistake = mistake
        self.trail: list[_Choice] = []
        self._script = list(script)
        self._bounds: dict[tuple[Fact, str], frozenset[Any]] = {}

    def believes(self, mistake: Mistake) -> bool:
        """Tell whether this mistake is the rule here."""
        return self.mistake is mistake

    def mistaken(self, mistake: Mistake) -> World:
        """Return the same world, its answers included, but with a mistake as the rule."""
        twin = copy(self)
        twin.mistake = mistake
        return twin

    # --- questions -----------------------------------------------------------------------------------------------

    def has_tag(self, at: Hex, tag: str, *, helps: bool | None = None) -> bool:
        """Tell whether a word holds of a hex; ``helps`` is the answer that favours the act, where one always does."""
        terrain = self.state.terrain
        if tag in terrain.tags.get(at, ()):
            return True
        bound = terrain.unknown_hexes.get(at)
        if bound is None:
            if terrain.is_complete:
                return False
            bound = ANYTHING
        if bound is not ANYTHING and not bound & {"*", tag}:
            return False
        return self._settle(Fact(Reason.TERRAIN, self.name(at)), tag, helps=helps)

    def has_feature(self, a: Hex, b: Hex, feature: str, *, helps: bool | None = None) -> bool:
        """Tell whether a word holds of the hexside between two hexes."""
        side = hexside(a, b)
        terrain = self.state.terrain
        if (known := terrain.features.get(side)) is not None and side not in terrain.unknown_sides:
            return feature in known
        bound = terrain.unknown_sides.get(side)
        if bound is None:
            if terrain.is_complete:
                return False
            bound = ANYTHING
        if not bound & {"*", feature}:
            return False
        # A hexside has at most one water feature; what may be true narrows with each answer.
        words = frozenset(self.state.game.terrain.crossing) if "*" in bound else bound - {"track"}
        return self._narrow(Fact(Reason.TERRAIN, self.side_name(side)), "feature", words | {""}, {feature}, helps=helps)

    def has_track(self, a: Hex, b: Hex, *, helps: bool | None = None) -> bool:
        """Tell whether a railroad joins two neighbouring hexes."""
        side = hexside(a, b)
        terrain = self.state.terrain
        if side in terrain.tracks:
            return True
        bound = terrain.unknown_sides.get(side)
        if bound is None:
            if terrain.is_complete:
                return False
            bound = ANYTHING
        if not bound & {"*", "track"}:
            return False
        return self._settle(Fact(Reason.TERRAIN, self.side_name(side)), "track", helps=helps)

    def controls(self, side: Side, at: Hex, *, at_start: bool = False, helps: bool | None = None) -> bool:
        """Tell whether a side controls a hex now, or did at the start of the turn.

        In a fragment a hex of which nothing is said is friendly to the side that uses it.
        """
        state = self.state
        stated = state.control_at_start if at_start and at in state.control_at_start else state.control
        owner = stated.get(at, side if state.is_fragment else UNKNOWN)
        if at in state.terrain.unknown_hexes and at not in stated:
            owner = UNKNOWN
        if owner is not UNKNOWN:
            return owner == side
        fact = Fact(Reason.CONTROL, self.name(at))
        key = f"control{at_start}"
        mine = self._narrow(
            fact, key, frozenset(state.game.sides), {state.game.sides[0]}, helps=_helps(helps, side, state)
        )
        return mine == (side == state.game.sides[0])

    def unit_type(self, unit: Unit, test: Callable[[UnitType], bool], *, helps: bool | None = None) -> bool:
        """Tell whether a unit's type passes a test; a masked counter may be any type of its side."""
        if not unit.type.is_masked:
            return test(unit.type)
        types = [each for each in self.state.game.unit_types.values() if each.side == unit.side and not each.is_masked]
        codes = frozenset(each.code for each in types)
        passing = {each.code for each in types if test(each)}
        return self._narrow(self.unit_fact(Reason.MASKED, unit), "type", codes, passing, helps=helps)

    def is_combat(self, unit: Unit, *, helps: bool | None = None) -> bool:
        """Tell whether a unit fights, blocks and exerts zones: no truck, no air unit."""
        return self.unit_type(unit, _is_combat, helps=helps) if unit.type.is_masked else unit.type.is_combat

    def mobility(self, unit: Unit) -> str:
        """Return a unit's movement class; a masked counter may be of any class of its side."""
        if unit.type.mobility is not None:
            return unit.type.mobility
        own = [each for each in self.state.game.unit_types.values() if each.side == unit.side]
        *others, last = sorted({each.mobility for each in own if each.mobility is not None})
        for mobility in others:
            if self.unit_type(unit, partial(_moves_as, mobility)):
                return mobility
        return last

    def belongs_to(self, unit: Unit, division: str) -> bool:
        """Tell whether a unit is of a division."""
        if unit.division is not UNKNOWN:
            return unit.division == division
        known = frozenset(
            str(each.division) for each in self.state.units.values() if each.division not in (None, UNKNOWN)
        )
        return self._narrow(self.unit_fact(Reason.IDENTITY, unit), "division", known | {""}, {division})

    def number(self, value: int | object | None, fact: Fact) -> int:
        """Return a number that is known.

        Raises:
            Unanswerable: It is not, and nothing bounds it.
        """
        if isinstance(value, int):
            return value
        raise Unanswerable(fact)

    def settle(self, fact: Fact, *, helps: bool | None = None) -> bool:
        """Make up a yes or no that no fact of the state decides."""
        return self._settle(fact, "", helps=helps)

    def settle_monotone(self, fact: Fact, compute: Callable[[World], bool]) -> bool:
        """Return a computed answer; make it up only if it is not the same with all unknowns helping and hurting.

        ``compute`` must ask each question with the answer that ``helps`` it, and is remembered for this state.
        """
        memo = self.state.memo
        asked = (fact, self.mistake)
        if asked not in memo:
            memo[asked] = self._compute_twice(compute)
        best, worst, rests_on = memo[asked]
        if best == worst:
            return bool(best)
        return self._settle(Fact(fact.kind, fact.name, fact.key, rests_on), "computed", helps=True)

    def _compute_twice(self, compute: Callable[[World], bool]) -> tuple[bool, bool, tuple[Fact, ...]]:
        hoping = _Leaning(self.state, mistake=self.mistake, favour=True)
        best = compute(hoping)
        if not best or not hoping.trail:
            # Nothing that could be otherwise was asked, or not even the best world will do.
            return best, best, ()
        fearing = _Leaning(self.state, mistake=self.mistake, favour=False)
        worst = compute(fearing)
        facts = {choice.fact for choice in (*hoping.trail, *fearing.trail)}
        return best, worst, tuple(sorted(facts, key=_sort_key))

    def name(self, at: Hex) -> str:
        """Return the printed number of a hex."""
        return str(self.state.game.numbering.name(at))

    def unit_fact(self, kind: Reason, unit: Unit, what: str = "{}") -> Fact:
        """Return a fact about a unit; ``what`` says which, with braces for its name."""
        return Fact(kind, what.format(self.unit_name(unit)), str(unit.id))

    def unit_name(self, unit: Unit) -> str:
        """Return what players call a unit."""
        return f"unit {unit.label}"

    def side_name(self, side: Hexside) -> str:
        """Return the printed numbers of the two hexes of a hexside."""
        return f"{self.name(side.first)}|{self.name(side.second)}"

    # --- made-up answers -----------------------------------------------------------------------------------------

    def _settle(self, fact: Fact, about: str, *, helps: bool | None = None) -> bool:
        return self._narrow(fact, about, frozenset({True, False}), {True}, helps=helps)

    def _narrow(
        self, fact: Fact, about: str, values: frozenset[Any], passing: Iterable[Any], *, helps: bool | None = None
    ) -> bool:
        left = self._bounds.get((fact, about), values)
        yes = left & frozenset(passing)
        if not yes:
            return False
        if yes == left:
            return True
        answer = self._choose(fact, helps=helps)
        self._bounds[fact, about] = yes if answer else left - yes
        return answer

    def _choose(self, fact: Fact, *, helps: bool | None) -> bool:
        del helps
        depth = len(self.trail)
        answer = self._script[depth] if depth < len(self._script) else True
        self.trail.append(_Choice(fact, answer))
        return answer


def _moves_as(mobility: str, unit_type: UnitType) -> bool:
    return unit_type.mobility == mobility


def _is_combat(unit_type: UnitType) -> bool:
    return unit_type.is_combat


def _helps(helps: bool | None, side: Side, state: GameState) -> bool | None:
    # The question is put as "does the first side control it", whichever side asks.
    return helps if helps is None or side == state.game.sides[0] else not helps


class _Leaning(World):
    """A world in which every unknown helps the act, or every one hurts it."""

    __slots__ = ("_favour",)

    def __init__(self, state: GameState, *, mistake: Mistake | None, favour: bool) -> None:
        super().__init__(state, mistake=mistake)
        self._favour = favour

    def _choose(self, fact: Fact, *, helps: bool | None) -> bool:
        if helps is None:
            # Whether yes or no is the better answer is not known, so neither may be presumed.
            raise Unanswerable(fact)
        answer = helps == self._favour
        self.trail.append(_Choice(fact, answer))
        return answer


@dataclass(slots=True)
class _Seen:
    legal: Ruling | None = None
    illegal: Ruling | None = None
    open_facts: set[Fact] = field(default_factory=set)
    turned_on: set[Fact] = field(default_factory=set)

    def kinds(self) -> tuple[bool, bool, bool]:
        return self.legal is not None, self.illegal is not None, bool(self.open_facts)

    def merge(self, other: _Seen, fact: Fact) -> None:
        if self.kinds() != other.kinds():
            self.turned_on.add(fact)
        self.legal = self.legal or other.legal
        self.illegal = self.illegal or other.illegal
        self.open_facts |= other.open_facts
        self.turned_on |= other.turned_on


def decide(
    state: GameState, judge: Callable[[World], Ruling], *, mistake: Mistake | None = None, limit: int = 4096
) -> Decision:
    """Judge in every world that fits what is known, up to ``limit`` of them.

    More worlds than that, or a number that nothing bounds, leave the answer unknown.
    """
    budget = [limit]

    def explore(prefix: list[bool]) -> _Seen:
        budget[0] -= 1
        world = World(state, prefix, mistake=mistake)
        seen = _Seen()
        try:
            ruling = judge(world)
            if ruling.is_legal:
                seen.legal = ruling
            else:
                seen.illegal = ruling
        except Unanswerable as open_question:
            seen.open_facts.add(open_question.fact)
        answers = [choice.answer for choice in world.trail]
        for depth in reversed(range(len(prefix), len(answers))):
            fact = world.trail[depth].fact
            if budget[0] <= 0:
                seen.open_facts.add(fact)
                break
            seen.merge(explore([*answers[:depth], False]), fact)
        return seen

    seen = explore([])
    if not seen.open_facts and (seen.legal is None or seen.illegal is None):
        ruling = seen.legal or seen.illegal
        assert ruling is not None
        return Decision(is_legal=seen.illegal is None, ruling=ruling)
    ruling = seen.illegal or seen.legal or Ruling(is_legal=False)
    facts = seen.open_facts | seen.turned_on
    return Decision(is_legal=None, ruling=ruling, turned_on=tuple(sorted(facts, key=_sort_key)))
