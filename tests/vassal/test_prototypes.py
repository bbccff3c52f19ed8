"""Prototypes put into pieces."""

from __future__ import annotations

from vassal_bridge.vassal.components import PieceDefinition, Prototype
from vassal_bridge.vassal.prototypes import MAX_TRAITS, ExpandedPiece, expand
from vassal_bridge.vassal.sequence import join_chain, split_chain


def chain(*traits: tuple[str, str]) -> PieceDefinition:
    return PieceDefinition(
        type=join_chain([type_ for type_, _ in traits]), state=join_chain([state for _, state in traits])
    )


def prototype(name: str, *traits: tuple[str, str]) -> Prototype:
    whole = chain(*traits, ("piece;;;;", "null;0;0;;0"))
    text = "/".join(part.replace("/", "\\/") for part in ("+", "null", whole.type, whole.state))
    return Prototype(name=name, text=text)


def expanded(piece: PieceDefinition, *prototypes: Prototype) -> ExpandedPiece:
    return expand(piece, {each.name: each for each in prototypes})


def traits_of(piece: PieceDefinition) -> list[tuple[str, str]]:
    return list(zip(split_chain(piece.type), split_chain(piece.state), strict=True))


BASIC = ("piece;;;a.png;Alpha", "null;0;0;7")


def test_a_prototype_gives_way_to_its_traits_in_place() -> None:
    piece = chain(("mark;First", "1"), ("prototype;Unit", ""), ("mark;Last", "9"), BASIC)
    unit = prototype("Unit", ("mark;Side", "Axis"), ("delete;Delete;68,130;", ""))
    found = expanded(piece, unit)
    assert traits_of(found.piece) == [
        ("mark;First", "1"),
        ("mark;Side", "Axis"),
        ("delete;Delete;68,130;", ""),
        ("mark;Last", "9"),
        BASIC,
    ]
    assert (found.prototypes, found.problems) == (("Unit",), ())


def test_prototypes_in_prototypes_and_comments_are_resolved() -> None:
    piece = chain(("prototype;Tank", ""), ("cmt;Do not touch", ""), BASIC)
    found = expanded(
        piece, prototype("Tank", ("mark;Type", "tank"), ("prototype;Unit", "")), prototype("Unit", ("mark;Side", "x/y"))
    )
    assert traits_of(found.piece) == [("mark;Type", "tank"), ("mark;Side", "x/y"), BASIC]
    assert found.prototypes == ("Tank", "Unit")


def test_parameters_are_put_into_the_whole_text() -> None:
    # Words without a value lose their dollar signs, as in the engine.
    unit = prototype("Unit", ("mark;$kind$", "$strength$"), ("report;$location$", ""))
    piece = chain((r"prototype;Unit;kind=Type,strength=6\,8,empty", ""), BASIC)
    assert traits_of(expanded(piece, unit).piece) == [("mark;Type", "6,8"), ("report;location", ""), BASIC]


def test_without_parameters_the_text_stays_as_it_is() -> None:
    unit = prototype("Unit", ("report;$location$", ""))
    assert traits_of(expanded(chain(("prototype;Unit", ""), BASIC), unit).piece)[0] == ("report;$location$", "")


def test_a_piece_without_prototypes_is_left_alone() -> None:
    piece = chain(("mark;Side", "Axis"), BASIC)
    assert expanded(piece).piece is piece


def test_a_missing_prototype_is_left_out_and_named() -> None:
    found = expanded(chain(("prototype;Ghost", ""), BASIC))
    assert traits_of(found.piece) == [BASIC]
    assert found.problems == ("prototype 'Ghost' is not in the module",)


def test_an_unreadable_prototype_is_left_out_and_named() -> None:
    found = expand(chain(("prototype;Bad", ""), BASIC), {"Bad": Prototype(name="Bad", text="nonsense")})
    assert traits_of(found.piece) == [BASIC]
    assert found.problems == ("prototype 'Bad' cannot be read",)


def test_prototypes_that_go_round_in_a_circle_end() -> None:
    one = prototype("One", ("mark;A", "1"), ("prototype;Two", ""))
    two = prototype("Two", ("mark;B", "2"), ("prototype;One", ""))
    found = expanded(chain(("prototype;One", ""), BASIC), one, two)
    assert traits_of(found.piece) == [("mark;A", "1"), ("mark;B", "2"), BASIC]
    assert found.problems == ("prototype 'One' uses itself, or lies too deep",)


def test_prototypes_that_double_at_each_level_are_cut_off() -> None:
    levels = [prototype(f"P{n}", (f"prototype;P{n + 1}", ""), (f"prototype;P{n + 1}", "")) for n in range(60)]
    found = expanded(chain(("prototype;P0", ""), BASIC), *levels, prototype("P60", ("mark;X", "")))
    assert len(traits_of(found.piece)) <= MAX_TRAITS
    assert found.problems


def test_a_chain_of_very_many_prototypes_is_cut_off() -> None:
    levels = [prototype(f"P{n}", (f"prototype;P{n + 1}", "")) for n in range(3000)]
    found = expanded(chain(("prototype;P0", ""), BASIC), *levels)
    assert traits_of(found.piece) == [BASIC]
    assert found.problems == ("prototype 'P100' uses itself, or lies too deep",)


def test_a_trait_without_a_state_gets_an_empty_one() -> None:
    unit = prototype("Unit", ("mark;Side", "Axis"))
    piece = PieceDefinition(type=chain(("prototype;Unit", ""), ("mark;A", ""), BASIC).type, state="")
    assert traits_of(expanded(piece, unit).piece) == [("mark;Side", "Axis"), ("mark;A", ""), (BASIC[0], "")]
