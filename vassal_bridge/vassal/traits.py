"""Every trait that the engine knows, as one table: prefix, name, the fields of its type and of its state.

Source: the classes of ``VASSAL.counters``; field orders are the engine's. A field stands as ``name`` or ``name:kind``
(kinds: ``values.KINDS``; text if none is given); a last field ``name*`` takes all tokens that are left. Later engines
appended fields, so a trait may have fewer of them, and a newer one more: what is absent is simply not there, what is
too much is kept. A trait that is not in the table (a module's own class) keeps its text and has no fields.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import lru_cache
from sys import intern
from typing import Any, Final

from vassal_bridge.vassal.sequence import decode, encode
from vassal_bridge.vassal.values import KINDS, Kind

__all__ = ["TRAITS", "Trait", "TraitSpec", "parse_trait"]


@dataclass(frozen=True, slots=True, kw_only=True)
class _Field:
    name: str
    kind: Kind
    takes_rest: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class TraitSpec:
    """One kind of trait.

    Attributes:
        prefix: How its type begins, up to and including the first ``;``.
        name: The engine's word for it.
        fields: Those of its type, after the prefix.
        delimiter: Between them; empty where the rest of the type is one field.
        state_fields: Those of its state.
        state_delimiter: Between them; empty where the state is one raw value.
        variant: Chooses the fields where their order depends on a value.
    """

    prefix: str
    name: str
    fields: tuple[_Field, ...]
    delimiter: str
    state_fields: tuple[_Field, ...]
    state_delimiter: str
    variant: Callable[[Sequence[str]], tuple[_Field, ...]] | None = None

    def layout(self, tokens: Sequence[str]) -> tuple[_Field, ...]:
        """Return the fields of a type with these tokens."""
        return self.variant(tokens) if self.variant else self.fields

    def read_state(self, state: str) -> dict[str, Any]:
        """Return the fields of a state by name; those that the state lacks are absent."""
        if not self.state_fields:
            return {}
        tokens = decode(state, self.state_delimiter) if self.state_delimiter else [state]
        return _named(self.state_fields, tokens)

    def write_state(self, values: dict[str, Any]) -> str:
        """Return the state with these values; fields from the first absent one on are left out."""
        tokens: list[str] = []
        for item in self.state_fields:
            if item.name not in values:
                break
            value = values[item.name]
            tokens += map(item.kind.write, value) if item.takes_rest else [item.kind.write(value)]
        return encode(tokens, self.state_delimiter) if self.state_delimiter else "".join(tokens)


@dataclass(frozen=True, slots=True, kw_only=True)
class Trait:
    """A trait's type: what does not change during a game.

    Attributes:
        text: The type as it stands in the chain.
        prefix: How it begins, up to and including the first ``;``.
        spec: Its kind; None for a module's own class.
        tokens: The fields after the prefix, undecoded.
    """

    text: str
    prefix: str
    spec: TraitSpec | None
    tokens: tuple[str, ...]

    def __repr__(self) -> str:
        # Some modules keep an owner's password in the type.
        return f"Trait({self.spec.name if self.spec else self.prefix})"

    @property
    def name(self) -> str:
        """The engine's word for it; its prefix for a module's own class."""
        return self.spec.name if self.spec else self.prefix

    def get(self, name: str, default: Any = None) -> Any:
        """Return the value of a field, ``default`` if this trait is too old to have it."""
        for position, item in enumerate(self._layout()):
            if item.name == name:
                if item.takes_rest:
                    return tuple(map(item.kind.read, self.tokens[position:]))
                return item.kind.read(self.tokens[position]) if position < len(self.tokens) else default
        raise KeyError(name)

    def fields(self) -> dict[str, Any]:
        """Return all fields by name, in their order; those that this trait lacks are absent."""
        return _named(self._layout(), self.tokens)

    def replaced(self, **values: Any) -> Trait:
        """Return the trait with other values in these fields, which must be there; all others keep their text."""
        if not values:
            return self
        if self.spec is None:
            raise KeyError(next(iter(values)))
        tokens = list(self.tokens)
        positions = {item.name: (position, item) for position, item in enumerate(self._layout())}
        for name, value in values.items():
            position, item = positions[name]
            if item.takes_rest:
                tokens[position:] = map(item.kind.write, value)
            else:
                tokens[position] = item.kind.write(value)
        rest = encode(tokens, self.spec.delimiter) if self.spec.delimiter else tokens[0]
        return parse_trait(self.prefix + rest)

    def _layout(self) -> tuple[_Field, ...]:
        return self.spec.layout(self.tokens) if self.spec else ()


@lru_cache(maxsize=65536)
def parse_trait(text: str) -> Trait:
    """Return the trait that ``text``, one link of a type chain, describes."""
    end = text.find(";") + 1
    prefix = text[:end] if end else text
    spec = TRAITS.get(prefix)
    if spec is None:
        return Trait(text=text, prefix=prefix, spec=None, tokens=())
    rest = text[len(prefix) :]
    if not end:
        return Trait(text=text, prefix=prefix, spec=spec, tokens=())
    tokens = decode(rest, spec.delimiter) if spec.delimiter else [rest]
    # Most tokens are the same few words and numbers in every trait.
    return Trait(text=text, prefix=prefix, spec=spec, tokens=tuple(map(intern, tokens)))


def _named(layout: Sequence[_Field], tokens: Sequence[str]) -> dict[str, Any]:
    values: dict[str, Any] = {}
    for position, item in enumerate(layout):
        if item.takes_rest:
            values[item.name] = tuple(map(item.kind.read, tokens[position:]))
        elif position < len(tokens):
            values[item.name] = item.kind.read(tokens[position])
    return values


def _fields(words: str) -> tuple[_Field, ...]:
    fields = []
    for word in words.split():
        name, _, kind = word.removesuffix("*").partition(":")
        fields.append(_Field(name=name, kind=KINDS[kind or "text"], takes_rest=word.endswith("*")))
    return tuple(fields)


def _spec(
    prefix: str, name: str, words: str, state: str = "", *, by: str = ";", state_by: str = ";", **extra: Any
) -> TraitSpec:
    return TraitSpec(
        prefix=prefix,
        name=name,
        fields=_fields(words),
        delimiter=by,
        state_fields=_fields(state),
        state_delimiter=state_by,
        **extra,
    )


_RAW: Final = ""
_ROTATE_END: Final = " random_key:key random_text name description direct_key:key direct_text direct_expression"
_FREE_ROTATION: Final = _fields("facings:int set_key:key set_text" + _ROTATE_END + " direct_is_facing:bool")
_FIXED_ROTATION: Final = _fields(
    "facings:int clockwise_key:key counterclockwise_key:key clockwise_text counterclockwise_text"
    + _ROTATE_END
    + " direct_is_facing:bool"
)
_TARGETING: Final = "filter restrict_range:bool range:int fixed_range:bool range_property deck_count:int"


def _rotation(tokens: Sequence[str]) -> tuple[_Field, ...]:
    return _FREE_ROTATION if tokens[0] == "1" else _FIXED_ROTATION


_SPECS: Final = (
    _spec(
        "piece;",
        "Basic Piece",
        "clone_key delete_key image name",
        "map x:int y:int gpid property_count:int properties*",
    ),
    _spec("stack", "Stack", "", "map x:int y:int members*"),
    _spec(
        "deck;",
        "Deck",
        "draw_outline:bool outline_colour:colour width:int height:int face_down_option shuffle_option"
        " allow_multiple_draw:bool allow_select_draw:bool reversible:bool reshuffle_command reshuffle_target"
        " reshuffle_format name shuffle_format reverse_format face_down_format draw_face_up:bool persistable:bool"
        " shuffle_key:key reshuffle_key:key max_stack:int count_expressions:list expression_counting:bool"
        " global_commands:list hotkey_on_empty:bool empty_key:key select_display_format select_sort_property"
        " restrict_option:bool restrict_expression shuffle_command reverse_command reverse_key:key"
        " draw_multiple_message draw_specific_message face_up_message face_down_message face_up_key:key"
        " face_up_format face_flip_key:key face_down_key:key save_message save_key:key save_report load_message"
        " load_key:key load_report restrict_access:bool owners:list",
        "map x:int y:int face_down:bool members:list",
    ),
    _spec("mark;", "Marker", "names*", "values*", by=",", state_by=","),
    _spec(
        "emb2;",
        "Layer",
        "activate_command activate_modifiers:int activate_letter up_command up_modifiers:int up_letter down_command"
        " down_modifiers:int down_letter reset_command reset_key:key reset_level draw_underneath:bool x_offset:int"
        " y_offset:int images:list level_names:list loop:bool name random_key:key random_text follow:bool"
        " follow_property first_level:int version:int always_active:bool activate_key:key up_key:key down_key:key"
        " description scale:float only_property_name:bool only_property_state:bool",
        "value:int activation",
    ),
    _spec(
        "emb;",
        "Layer (old)",
        "activate_keys activate_command up_key up_command down_key down_command x_offset:int y_offset:int images*",
        "value:int activation",
    ),
    _spec("PROP;", "Dynamic Property", "name constraints:list commands:commands description", "value", state_by=_RAW),
    _spec(
        "label;",
        "Text Label",
        "key:key menu_command font_size:int background:colour foreground:colour vertical_position"
        " vertical_offset:int horizontal_position horizontal_offset:int vertical_justification"
        " horizontal_justification name_format font_family font_style:int rotate_degrees:int property_name"
        " description always_use_format:bool",
        "label",
        state_by=_RAW,
    ),
    _spec(
        "hide;",
        "Invisible",
        "key:key command background:colour access:access transparency:float description"
        " disable_auto_report_move:bool",
        "owner",
        state_by=_RAW,
    ),
    _spec(
        "obs;",
        "Mask",
        "key:key image command display mask_name access:access peek_command description auto_peek:bool"
        " deal_key:key deal_expression",
        "owner options:bars",
    ),
    _spec(
        "restrict;",
        "Restricted Access",
        "sides:list by_player:bool restrict_movement:bool description",
        "owner",
        state_by=_RAW,
    ),
    _spec("rotate;", "Can Rotate", "", "facing:number", variant=_rotation),
    _spec(
        "footprint;",
        "Movement Trail",
        "key:key command initially_visible:bool globally_visible:bool radius:int fill:colour line:colour"
        " selected_opacity:int unselected_opacity:int edge_point_buffer:int edge_display_buffer:int"
        " line_width:float key_on:key key_off:key key_clear:key description ignore_same_location:bool",
        "globally_visible:bool map_id count:int points*",
    ),
    _spec(
        "markmoved;",
        "Mark When Moved",
        "image x_offset:int y_offset:int command key:key description ignore_same_location:bool command_true"
        " key_true:key command_false key_false:key",
        "moved:bool",
        state_by=_RAW,
    ),
    _spec("immob;", "Does Not Stack", "options movement stacking description"),
    _spec("basicName;", "Basic Name", "name description"),
    _spec("mat;", "Mat", "name description", "count:int members*"),
    _spec(
        "matPiece;",
        "Mat Cargo",
        "description keep_facing:bool dx:int dy:int find_key:key detach_key:key",
        "mat",
        state_by=_RAW,
    ),
    _spec(
        "attach;",
        "Attachment",
        f"name description attach_command attach_key:key clear_all_command clear_all_key:key {_TARGETING}"
        " target:bars clear_matching_command clear_matching_key:key clear_matching_filter on_attach on_detach"
        " before_attach allow_self:bool auto_attach:bool",
        "count:int members*",
    ),
    _spec("calcProp;", "Calculated Property", "name expression description"),
    _spec(
        "AreaOfEffect;",
        "Area of Effect",
        "colour:colour opacity:int radius:int always_active:bool command key:key map_shader fixed_radius:bool"
        " radius_property description name on_text on_key:key off_text off_key:key globally_visible:bool",
        "active:bool",
        state_by=_RAW,
    ),
    _spec(
        "sendto;",
        "Send to Location",
        "command key:key map board x y back_command back_key:key x_index y_index x_offset y_offset description"
        " destination zone region filter grid_location",
        "back_map back_x:int back_y:int",
    ),
    _spec(
        "placemark;",
        "Place Marker",
        "command key:key marker_spec marker_text x_offset y_offset match_rotation:bool after_key:key"
        " description gpid placement:int above:bool copy_properties_by_name:bool parameters:list version:int",
    ),
    _spec(
        "replace;",
        "Replace With Other",
        "command key:key marker_spec marker_text x_offset y_offset match_rotation:bool after_key:key"
        " description gpid placement:int above:bool copy_properties_by_name:bool parameters:list version:int",
    ),
    _spec("prototype;", "Prototype", "name parameters:list"),
    _spec(
        "report;",
        "Report Action",
        "keys:keys format cycle_keys:keys cycle_formats:list description no_suppress:bool",
        "cycle_index:int",
        state_by=_RAW,
    ),
    _spec(
        "macro;",
        "Trigger Action",
        "name command key:key filter watch_keys:keys action_keys:keys loop:bool pre_key:key post_key:key loop_type"
        " while_expression until_expression count index:bool index_property index_start index_step",
    ),
    _spec(
        "globalkey;",
        "Global Key Command",
        "command key:key global_key:key filter restrict_range:bool range:int report_single:bool fixed_range:bool"
        " range_property description deck_count:int target:bars suppress_sounds:bool parameters:list",
    ),
    _spec("globalhotkey;", "Global Hotkey", "command key:key hotkey:key description"),
    _spec(
        "setprop;",
        "Set Global Property",
        "name constraints:list commands:commands description level search_name",
    ),
    _spec(
        "setpieceprop;",
        "Set Piece Property",
        f"name constraints:list commands:commands description target:bars {_TARGETING} override_constraints:bool",
    ),
    _spec(
        "return;",
        "Return to Deck",
        "command key:key deck_name prompt description version:int select:bool deck_expression",
    ),
    _spec("delete;", "Delete", "command key:key description"),
    _spec("clone;", "Clone", "command key:key description"),
    _spec(
        "translate;",
        "Move Fixed Distance",
        "command key:key dx dy move_stack:bool x_index y_index x_offset y_offset description",
    ),
    _spec(
        "pivot;",
        "Can Pivot",
        "command key:key x:int y:int fixed_angle:bool angle:float description command_2 key_2:key angle_2:float",
    ),
    _spec("submenu;", "Sub-Menu", "name entries:list description"),
    _spec("menuSeparator;", "Menu Separator", "description key:key"),
    _spec("hideCmd;", "Restrict Commands", "name action filter keys:keys"),
    _spec(
        "button;",
        "Action Button",
        "key:key x:int y:int width:int height:int description popup:bool whole_shape:bool version:int"
        " point_count:int points:int*",
    ),
    _spec("playSound;", "Play Sound", "format command key:key send_to_others:bool description no_suppress:bool"),
    _spec(
        "propertysheet;",
        "Property Sheet",
        "definition:tildes menu old_key commit:int red green blue key:key description",
        "values*",
        state_by="~",
    ),
    _spec(
        "table;", "Spreadsheet", "rows:int columns:int command key:key description", "cells*", state_by=","
    ),
    _spec("nonRect2;", "Non-Rectangular", "scale:float shape*"),
    _spec("nonRect;", "Non-Rectangular (old)", "shape", by=_RAW),
    _spec("deselect;", "Deselect", "command key:key description unstack:bool kind"),
    _spec("border;", "Border", "property description thickness colour:colour property_2 compare"),
    _spec(
        "locCommand;",
        "Multi-Location Command",
        "description kind filter menu key:key current_map_only:bool sort:bool ascending:bool numeric:bool",
    ),
    _spec("locmsg;", "Translatable Message", "key description message"),
    _spec("cmt;", "Comment", "comment"),
)  # fmt: skip

TRAITS: Final = {spec.prefix: spec for spec in _SPECS}
"""All kinds by prefix."""
