from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from vassal_bridge.vassal.pieces import (
    BasicState,
    PieceState,
    StackState,
    format_basic_state,
    format_stack_state,
    parse_basic_state,
    parse_piece_type,
    parse_stack_state,
)
from vassal_bridge.vassal.sequence import EncodingLossError, join_chain
from vassal_bridge.vassal.traits import TRAITS, parse_trait
from vassal_bridge.vassal.values import KINDS, AccessSpec, Colour, KeyStroke, PropertyCommand

FLIP = (
    "emb2;;128;;Flip;128;;;128;;Reset;82,130;1;false;0;0;a_front.png,a_back.png;,+ (reduced);true;Step;;;"
    "false;;1;1;true;;70,130;;;1.0;;true"
)


class TestTraits:
    def test_a_layer_field_by_field(self) -> None:
        layer = parse_trait(FLIP)
        assert layer.name == "Layer"
        assert layer.get("images") == ("a_front.png", "a_back.png")
        assert layer.get("level_names") == ("", "+ (reduced)")
        assert layer.get("name") == "Step"
        assert (layer.get("follow"), layer.get("version"), layer.get("always_active")) == (False, 1, True)
        assert layer.get("up_key") == KeyStroke(code=70, modifiers=130)
        assert layer.get("reset_key") == KeyStroke(code=82, modifiers=130)
        assert layer.get("scale") is None or layer.get("scale") == 1.0

    def test_fields_that_an_old_trait_lacks_take_the_default(self) -> None:
        old = parse_trait("emb2;Flip;2;F;;0;;;0;;;;1;false;0;0;2610.svg;;true;;;")
        assert old.get("images") == ("2610.svg",)
        assert old.get("always_active", "absent") == "absent"
        assert "version" not in old.fields()

    def test_fields_that_a_newer_trait_has_more_are_kept(self) -> None:
        trait = parse_trait("clone;Clone;67,130;note;new;newer")
        assert trait.get("description") == "note"
        assert trait.replaced(command="Copy").text == "clone;Copy;67,130;note;new;newer"

    def test_a_marker_with_several_names(self) -> None:
        marker = parse_trait("mark;Side,Size,a\\,b")
        assert marker.get("names") == ("Side", "Size", "a,b")
        assert marker.spec is not None
        assert marker.spec.read_state("Axis,7,x\\,y") == {"values": ("Axis", "7", "x,y")}

    def test_a_dynamic_property_with_its_commands(self) -> None:
        trait = parse_trait("PROP;Ammo;true,0,9,false;Use:85\\,130:I\\,-1,:57489\\,0\\,Fill:P\\,9;note")
        assert trait.get("constraints") == ("true", "0", "9", "false")
        assert trait.get("commands") == (
            PropertyCommand(menu_text="Use", key="85,130", changer=("I", "-1")),
            PropertyCommand(menu_text="", key="57489,0,Fill", changer=("P", "9")),
        )

    def test_rotation_has_two_layouts(self) -> None:
        fixed = parse_trait("rotate;6;39,130;37,130;CW;CCW;;;Facing;;;;;true")
        assert (fixed.get("facings"), fixed.get("clockwise_text"), fixed.get("name")) == (6, "CW", "Facing")
        free = parse_trait("rotate;1;39,130;Turn;;;Facing;note")
        assert (free.get("set_text"), free.get("name"), free.get("description")) == ("Turn", "Facing", "note")
        with pytest.raises(KeyError):
            free.get("clockwise_key")

    def test_a_trail(self) -> None:
        trail = TRAITS["footprint;"]
        state = trail.read_state("false;Map0;2;238,185;580,317;true;0")
        assert (state["globally_visible"], state["map_id"], state["count"]) == (False, "Map0", 2)
        assert state["points"] == ("238,185", "580,317", "true", "0")
        assert trail.write_state(state) == "false;Map0;2;238,185;580,317;true;0"

    def test_a_mask_and_whose_it_is(self) -> None:
        mask = parse_trait("obs;72,130;m.png;Mask;I;?;sides:Axis:Soviet;Peek")
        assert mask.get("access") == AccessSpec(kind="sides", sides=("Axis", "Soviet"))
        assert parse_trait("hide;72,130;Hide;255,255,255").get("access", "absent") == "absent"
        assert parse_trait("hide;72,130;Hide;255,255,255").get("background") == Colour(red=255, green=255, blue=255)

    def test_a_whole_piece_inside_a_field(self) -> None:
        spec = "+/null/mark\\;Layer\tpiece\\;\\;\\;Blood.png\\;Blood/bottom\tnull\\;99\\;50\\;2559"
        assert parse_trait(f"placemark;;88,650;{spec};null;0;0;false").get("marker_spec") == spec.replace("\\;", ";")

    def test_a_class_of_the_module_keeps_its_text_and_shows_nothing(self) -> None:
        trait = parse_trait("concealment;pa55word;ge")
        assert (trait.spec, trait.text, trait.fields()) == (None, "concealment;pa55word;ge", {})
        assert "pa55word" not in repr(trait)

    def test_prefixes_are_matched_exactly(self) -> None:
        assert parse_trait("Mark;Side").spec is None
        assert parse_trait("mark").spec is None

    @given(st.sampled_from(sorted(TRAITS.keys() - {"stack"})), st.text(st.sampled_from("a1;,\\'|:~x0"), max_size=40))
    def test_any_text_behind_any_prefix_can_be_read(self, prefix: str, rest: str) -> None:
        trait = parse_trait(prefix + rest)
        assert trait.text == prefix + rest
        assert set(trait.fields()) <= {item.name for item in TRAITS[trait.prefix].layout(trait.tokens or ("",))}
        if trait.spec is not None:
            trait.spec.read_state(rest)


class TestTypes:
    def test_traits_outermost_first(self) -> None:
        piece_type = parse_piece_type("mark;Side\temb2;a\\\tpiece;;;u.png;Alpha")
        assert [trait.prefix for trait in piece_type.traits] == ["mark;", "emb2;", "piece;"]
        assert (piece_type.basic_name, piece_type.is_stack, piece_type.is_deck) == ("Alpha", False, False)

    def test_equal_types_are_one_object(self) -> None:
        assert parse_piece_type("mark;Side\tpiece;;;u.png;Alpha") is parse_piece_type("mark;Side\tpiece;;;u.png;Alpha")

    def test_the_outermost_override_of_the_name_counts(self) -> None:
        chain = join_chain(["basicName;New;", "basicName;Old;", "piece;;;u.png;Alpha"])
        assert parse_piece_type(chain).basic_name == "New"

    def test_unknown_traits_are_named(self) -> None:
        assert parse_piece_type("conceal;x\tpiece;;;;A").unknown == ("conceal;",)

    def test_stacks_and_decks(self) -> None:
        assert parse_piece_type("stack").is_stack
        deck = parse_piece_type("deck;false;;10;10;Always;Never;false;false;false;;;;Events")
        assert (deck.is_deck, deck.deck_name, deck.basic_name) == (True, "Events", "Events")


class TestStates:
    def test_states_belong_to_the_traits_in_order(self) -> None:
        piece = PieceState.parse("mark;Side\temb2;a\\\tpiece;;;u.png;A", "Axis\t2\\\tMain;1;2;7;1;UniqueID;5")
        assert piece.states == ("Axis", "2", "Main;1;2;7;1;UniqueID;5")
        assert piece.values(0) == {"values": ("Axis",)}
        assert piece.values(1) == {"value": 2}
        assert piece.basic == BasicState(map="Main", x=1, y=2, gpid="7", properties={"UniqueID": "5"})

    def test_a_chain_that_is_too_short_keeps_its_ends(self) -> None:
        piece = PieceState.parse("mark;A\tmark;B\\\tpiece;;;;A", "x\tMain;1;2;7")
        assert piece.states == ("x", "", "Main;1;2;7")
        assert piece.text == "x\tMain;1;2;7"

    def test_more_states_than_the_engine_reads_are_kept(self) -> None:
        text = "x\tMain;1;2;7\tmore"
        assert PieceState.parse("mark;A\tpiece;;;;A", text).text == text

    @pytest.mark.parametrize(
        ("text", "state"),
        [
            ("Main;580;317;8", BasicState(map="Main", x=580, y=317, gpid="8")),
            ("null;0;0;", BasicState(map=None, x=0, y=0)),
            ("Main", BasicState(map="Main", x=0, y=0)),
            ("", BasicState(map=None, x=0, y=0)),
            ("Main;x;-5;ab:1;many", BasicState(map="Main", x=0, y=-5, gpid="ab:1")),
            (
                "A\\;B;1;2;3;2;OldX;7;OldMap;",
                BasicState(map="A;B", x=1, y=2, gpid="3", properties={"OldX": "7", "OldMap": ""}),
            ),
            ("Main;1;2;3;9;OldX;7", BasicState(map="Main", x=1, y=2, gpid="3", properties={"OldX": "7"})),
        ],
    )
    def test_basic_pieces_of_every_age(self, text: str, state: BasicState) -> None:
        assert parse_basic_state(text) == state
        assert parse_basic_state(format_basic_state(state)) == state

    @pytest.mark.parametrize(
        ("text", "state"),
        [
            ("Main;1;2;101;102;@@1", StackState(map="Main", x=1, y=2, members=("101", "102"), layer=1)),
            ("null;0;0;@@-1", StackState(map=None, x=0, y=0, members=(), layer=-1)),
            ("Main;1;2;101", StackState(map="Main", x=1, y=2, members=("101",))),
            ("Main;1;2;@@0;101", StackState(map="Main", x=1, y=2, members=("101",), layer=0)),
        ],
    )
    def test_stacks_of_every_age(self, text: str, state: StackState) -> None:
        assert parse_stack_state(text) == state
        assert parse_stack_state(format_stack_state(state)) == state

    @pytest.mark.parametrize(
        ("text", "state"),
        [
            ("Main;1;2;true;5,6", StackState(map="Main", x=1, y=2, members=("5", "6"), face_down=True)),
            ("Main;1;2;false", StackState(map="Main", x=1, y=2, members=())),
        ],
    )
    def test_decks_with_and_without_cards(self, text: str, state: StackState) -> None:
        assert parse_stack_state(text, of_deck=True) == state
        assert format_stack_state(state, of_deck=True) == text

    def test_owners_are_in_no_repr(self) -> None:
        assert "s3cret" not in repr(PieceState.parse("hide;a\tpiece;;;;A", "s3cret\tnull;0;0;"))

    @given(st.lists(st.text(st.sampled_from("a;\t\\'/\x1b"), max_size=6), min_size=21, max_size=40))
    def test_deep_chains_with_anything_in_them(self, states: list[str]) -> None:
        piece_type = join_chain([*(f"mark;{number}" for number in range(len(states) - 1)), "piece;;;;A"])
        try:
            text = join_chain(states)
        except EncodingLossError:
            return
        piece = PieceState.parse(piece_type, text)
        assert list(piece.states) == states
        assert piece.text == text


class TestValues:
    @pytest.mark.parametrize(
        ("kind", "text", "value"),
        [
            ("int", "-7", -7),
            ("int", "x", None),
            ("int", "9" * 30, None),
            ("float", "0.30000001192092896", 0.30000001192092896),
            ("number", "3", 3),
            ("number", "-90.0", -90.0),
            ("bool", "true", True),
            ("bool", "TRUE", False),
            ("list", "", ()),
            ("list", ",", ("", "")),
            ("key", "", None),
            ("key", "F", KeyStroke(code=70, modifiers=130)),
            ("key", "57463,0,Flip", KeyStroke(code=57463, modifiers=0, name="Flip")),
            ("keys", "AB", (KeyStroke(code=65, modifiers=130), KeyStroke(code=66, modifiers=130))),
            (
                "keys",
                "65\\,130,57463\\,0\\,Go",
                (KeyStroke(code=65, modifiers=130), KeyStroke(code=57463, modifiers=0, name="Go")),
            ),
            ("keys", "\\,", ()),
            ("int", "7\n", None),
            ("colour", "1,2,3", Colour(red=1, green=2, blue=3)),
            ("colour", "1,2,3,4", Colour(red=1, green=2, blue=3, alpha=4)),
            ("colour", "0x0A0B0C", Colour(red=10, green=11, blue=12)),
            ("colour", "red", None),
            ("access", "", AccessSpec(kind="player")),
            ("access", "side:", AccessSpec(kind="side")),
            ("lines", "a|b\\|c", "a\nb|c"),
        ],
    )
    def test_how_values_are_read(self, kind: str, text: str, value: Any) -> None:
        assert KINDS[kind].read(text) == value

    @given(st.sampled_from(sorted(KINDS)), st.text(st.sampled_from("a1,;:|~\\'-.0x"), max_size=20))
    def test_what_was_read_is_read_again_after_writing(self, kind: str, text: str) -> None:
        value = KINDS[kind].read(text)
        try:
            written = KINDS[kind].write(value)
        except EncodingLossError:
            return
        assert KINDS[kind].read(written) == value
