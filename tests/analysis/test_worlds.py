"""Deciding over unknown facts: only what turns the verdict counts, and nothing is presumed."""

from __future__ import annotations

from tests.positions import at, position, unit
from vassal_bridge.analysis.worlds import Fact, Ruling, Unanswerable, World, decide
from vassal_bridge.board.hexes import Hex
from vassal_bridge.board.knowledge import Reason

A, B = at("N2030"), at("N2029")


def test_without_unknowns_a_question_has_one_answer() -> None:
    state = position(sides={"N2030|N2029": "don"})
    decision = decide(state, lambda world: Ruling(is_legal=world.has_feature(A, B, "don")))
    assert decision.is_legal is True
    assert decision.turned_on == ()


def test_a_fact_that_nobody_asked_for_changes_nothing() -> None:
    state = position(unknown_sides=["N2030|N2029"])
    assert decide(state, lambda world: Ruling(is_legal=False)).is_legal is False


def test_a_fact_that_was_asked_for_but_does_not_matter_is_not_named() -> None:
    state = position(unknown_sides=["N2030|N2029"])

    def judge(world: World) -> Ruling:
        world.has_feature(A, B, "don")
        return Ruling(is_legal=True)

    decision = decide(state, judge)
    assert decision.is_legal is True
    assert decision.turned_on == ()


def test_the_fact_on_which_the_verdict_turns_is_named() -> None:
    state = position(unknown_sides=["N2030|N2029", "N2028|N2029"])

    def judge(world: World) -> Ruling:
        world.has_feature(at("N2028"), B, "don")
        return Ruling(is_legal=world.has_feature(A, B, "don"))

    decision = decide(state, judge)
    assert decision.is_legal is None
    assert decision.turned_on == (Fact(Reason.TERRAIN, "N2029|N2030"),)
    assert decision.because == (Reason.TERRAIN,)


def test_a_hexside_has_one_river_at_most() -> None:
    state = position(unknown_sides=["N2030|N2029"])

    def judge(world: World) -> Ruling:
        both = world.has_feature(A, B, "don") and world.has_feature(A, B, "volga")
        return Ruling(is_legal=not both)

    assert decide(state, judge).is_legal is True


def test_one_world_gives_one_answer_to_one_question() -> None:
    state = position(unknown_sides=["N2030|N2029"])

    def judge(world: World) -> Ruling:
        return Ruling(is_legal=world.has_feature(A, B, "don") == world.has_feature(B, A, "don"))

    assert decide(state, judge).is_legal is True


def test_a_masked_counter_is_one_type_and_not_two() -> None:
    masked = unit("Z1", "so.any", "-", "N2030")
    state = position(masked)

    def judge(world: World) -> Ruling:
        is_truck = world.unit_type(masked, lambda each: each.unit_class == "truck")
        is_air = world.unit_type(masked, lambda each: each.unit_class == "air")
        return Ruling(is_legal=not (is_truck and is_air))

    assert decide(state, judge).is_legal is True
    assert decide(state, lambda world: Ruling(is_legal=world.is_combat(masked))).is_legal is None


def test_a_number_that_nothing_bounds_leaves_the_answer_unknown() -> None:
    def judge(world: World) -> Ruling:
        raise Unanswerable(Fact(Reason.STRENGTH, "unit S1"))

    decision = decide(position(), judge)
    assert decision.is_legal is None
    assert decision.because == (Reason.STRENGTH,)


def _ends(pair: str) -> tuple[Hex, Hex]:
    first, second = pair.split("|")
    return at(first), at(second)


def test_too_many_worlds_leave_the_answer_unknown() -> None:
    pairs = [f"N20{n:02d}|N20{n + 1:02d}" for n in range(10, 30)]
    state = position(unknown_sides=pairs)

    def judge(world: World) -> Ruling:
        return Ruling(is_legal=not all(world.has_feature(*_ends(pair), feature="don") for pair in pairs))

    assert decide(state, judge, limit=50).is_legal is None


def test_a_monotone_answer_needs_two_computations_however_many_facts_are_unknown() -> None:
    pairs = [f"N20{n:02d}|N20{n + 1:02d}" for n in range(10, 40)]
    state = position(unknown_sides=pairs)
    computed = []

    def all_dry(world: World) -> bool:
        computed.append(world)
        return not any(world.has_feature(*_ends(pair), feature="don", helps=False) for pair in pairs)

    fact = Fact(Reason.PATH, "way")
    decision = decide(state, lambda world: Ruling(is_legal=world.settle_monotone(fact, all_dry)))
    assert decision.is_legal is None
    assert len(computed) == 2
    assert Reason.TERRAIN in decision.because
