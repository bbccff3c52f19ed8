"""What players state about strengths, odds, supply and zones, held against the board.

A rule that only computes is broken by a wrong claim. Which rule that is follows from the mistake that explains the
claim: the claim would be right if that mistake were the rule.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field

from vassal_bridge.analysis.questions import MISTAKES, answer, is_answered, labelled_attack
from vassal_bridge.analysis.strength import attack_strength, defense_strength
from vassal_bridge.analysis.worlds import Mistake, Ruling, World, decide
from vassal_bridge.board.actions import Attack, Claim, Overrun, Query
from vassal_bridge.board.hexes import Hex
from vassal_bridge.board.state import GameState
from vassal_bridge.board.units import UnitId
from vassal_bridge.checks.deciding import outcome_of
from vassal_bridge.rulebook.check import When, check
from vassal_bridge.rulebook.outcome import Outcome

__all__ = ["ClaimParams", "claim"]


@dataclass(frozen=True, slots=True, kw_only=True)
class ClaimParams:
    """Parameters of ``claim``.

    Attributes:
        mistakes: The mistakes that break this rule; ``other`` for claims that no mistake explains.
        verbs: What is claimed (``att``, ``odds``, ``supply``).
        nations: Nationalities of the unit that the claim is about; empty for all.
        readings: Those of the mistakes that are no mistakes under another reading of the rules, with the ambiguity.
    """

    mistakes: tuple[Mistake, ...]
    verbs: tuple[str, ...]
    nations: tuple[str, ...] = ()
    readings: Mapping[Mistake, str] = field(default_factory=dict)

    def __post_init__(self) -> None:
        if strangers := sorted(set(self.verbs) - set(MISTAKES)):
            raise ValueError(f"no claim is made with {', '.join(strangers)}, only with {', '.join(sorted(MISTAKES))}")


@check("claim", params=ClaimParams, when={When.DECLARE})
def claim(state: GameState, params: ClaimParams) -> Iterator[Outcome]:
    """Compare a player's statement with the board, and blame this rule if its mistake explains a wrong one.

    Numbers that a player declares with an attack are such statements.
    Violation: the statement is wrong in every world, and explained by this rule's mistake. Suspicious: another reading
    of the printed rules makes it right. Unknown: a fact decides whether it is right, such as a strength behind an
    untried side. Leaves out: what is stated in free words.
    """
    for query in _claims(state):
        if query.verb in params.verbs and is_answered(query) and _is_about(state, query, params.nations):
            yield _judge(state, query, params)


def _claims(state: GameState) -> Iterator[Query]:
    act = state.act
    if isinstance(act, Claim):
        yield act.query
    elif isinstance(act, Attack | Overrun):
        for verb, stated in act.claims.items():
            yield Query(verb=verb, arguments={"label": act.label}, answer=_number(stated))


def _is_about(state: GameState, query: Query, nations: tuple[str, ...]) -> bool:
    unit = state.units.get(UnitId(str(query.arguments.get("unit"))))
    return not nations or (unit is not None and unit.type.nation in nations)


def _number(text: str) -> object:
    return int(text) if text.isdecimal() and len(text) < 10 else text


def _judge(state: GameState, query: Query, params: ClaimParams) -> Outcome:
    mistakes, readings = params.mistakes, params.readings
    # A statement that is right in one world and wrong in another is first of all in doubt, whatever may explain it.
    takes_all = Mistake.OTHER in mistakes and decide(state, lambda world: _is_right(world, query)).is_legal is None

    def judge(world: World) -> Ruling:
        right = answer(world, query)
        if right == query.answer or not (takes_all or _explanation(world, query) in mistakes):
            return Ruling(is_legal=True)
        terms = _terms(world, query)
        sums = f" ({'; '.join(terms)})" if terms else ""
        return Ruling(
            is_legal=False,
            message=f"{_subject(world, query)} is {right}, not {query.answer} as stated{sums}",
            facts={"stated": query.answer, "right": right, "terms": list(terms)},
        )

    def lenient(world: World) -> Ruling:
        excused = answer(world, query) == query.answer or _explanation(world, query) in readings
        return Ruling(is_legal=excused)

    return outcome_of(
        state,
        judge,
        hexes=_hexes(state, query),
        units=_units(state, query),
        lenient=lenient if readings else None,
        reading=next(iter(readings.values()), None),
    )


def _is_right(world: World, query: Query) -> Ruling:
    return Ruling(is_legal=answer(world, query) == query.answer)


def _explanation(world: World, query: Query) -> Mistake:
    """Return the likeliest mistake that would make the statement right."""
    for mistake in MISTAKES.get(query.verb, ()):
        if answer(world.mistaken(mistake), query) == query.answer:
            return mistake
    return Mistake.OTHER


def _terms(world: World, query: Query) -> tuple[str, ...]:
    if query.verb not in ("att", "def", "odds"):
        return ()
    attack = labelled_attack(world, str(query.arguments["label"]))
    if attack is None:
        return ()
    terms: tuple[str, ...] = ()
    if query.verb in ("att", "odds"):
        terms += attack_strength(world, attack).terms
    if query.verb in ("def", "odds"):
        terms += defense_strength(world, attack).terms
    return terms


_SUBJECTS = {
    "allowed": "whether the attack is allowed",
    "att": "the attack strength",
    "def": "the defense strength",
    "odds": "the odds column",
    "stack": "the stack",
    "supply": "the supply state",
    "zoc": "the zone of control",
}


def _subject(world: World, query: Query) -> str:
    unit = world.state.units.get(UnitId(str(query.arguments.get("unit"))))
    subject = _SUBJECTS[query.verb]
    return f"{subject} of {unit.label}" if unit else subject


def _units(state: GameState, query: Query) -> tuple[UnitId, ...]:
    attack = labelled_attack(World(state), str(query.arguments.get("label")))
    if attack is not None:
        return attack.attackers if isinstance(attack, Attack) else ()
    unit = query.arguments.get("unit")
    return (UnitId(str(unit)),) if unit in state.units else ()


def _hexes(state: GameState, query: Query) -> tuple[Hex, ...]:
    attack = labelled_attack(World(state), str(query.arguments.get("label")))
    if attack is not None:
        starts = [state.units[each].hex for each in _units(state, query)]
        return tuple(dict.fromkeys([*(at for at in starts if at is not None), *attack.target_hexes]))
    places = [state.units[each].hex for each in _units(state, query)]
    return tuple(at for at in places if at is not None)
