"""Type and state strings of the piece traits that our counters use.

Field order as in the editors of the classes in ``VASSAL.counters`` of engine 3.5 and 3.6; newer engines read these too.
A trait is a pair: its type, constant for all pieces from one slot, and its state at the start.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import NamedTuple

from vassal_bridge.vassal.sequence import encode

__all__ = [
    "Trait",
    "basic_piece",
    "delete",
    "layer",
    "mark_when_moved",
    "marker",
    "movement_trail",
    "piece_command",
    "prototype",
    "report",
    "send_to_box",
    "toggle_layer",
]

_CTRL = 130  # java.awt modifier mask that VASSAL writes for the Ctrl key


class Trait(NamedTuple):
    """Type and state of one trait."""

    type: str
    state: str = ""


def _control(letter: str) -> str:
    """Return the key stroke Ctrl and ``letter`` as VASSAL writes it."""
    return f"{ord(letter)},{_CTRL}"


def piece_command(traits: Sequence[Trait]) -> str:
    """Return the add-piece command that defines a piece; ``traits`` outermost first, the basic piece last."""
    types, states = traits[-1]
    for trait in reversed(traits[:-1]):
        types = encode([trait.type, types], "\t")
        states = encode([trait.state, states], "\t")
    return "+/" + encode(["null", types, states], "/")


def basic_piece(*, image: str = "", name: str = "", gpid: str = "") -> Trait:
    """``BasicPiece``: image file, name, and the id of the slot that it comes from."""
    return Trait("piece;" + encode(["", "", image, name], ";"), encode(["null", "0", "0", gpid, "0"], ";"))


def prototype(name: str) -> Trait:
    """``UsePrototype``: replaced by the traits of the prototype when the piece is placed."""
    return Trait(f"prototype;{name}")


def marker(values: Mapping[str, str]) -> Trait:
    """``Marker``: constant properties."""
    return Trait("mark;" + encode(values, ","), encode(values.values(), ","))


def layer(name: str, images: Sequence[str], *, key: str, command: str) -> Trait:
    """``Embellishment`` that is always on: level n shows image n, ``key`` shows the next."""
    return Trait(_layer_type(name, images, up=(command, _control(key)), always=True), "1")


def toggle_layer(name: str, image: str, *, key: str, command: str) -> Trait:
    """``Embellishment`` with one level that ``key`` switches on and off; off at the start."""
    return Trait(_layer_type(name, [image], toggle=(command, _control(key)), always=False), "-1")


def _layer_type(
    name: str,
    images: Sequence[str],
    *,
    always: bool,
    up: tuple[str, str] = ("", ""),
    toggle: tuple[str, str] = ("", ""),
) -> str:
    fields = [toggle[0], str(_CTRL), "", up[0], str(_CTRL), "", "", str(_CTRL), "", "", "", "1", "false", "0", "0"]
    fields += [encode(images, ","), encode([""] * len(images), ","), "true", name, "", "", "false", "", "1", "1"]
    fields += ["true" if always else "false", toggle[1], up[1], "", "", "1.0"]
    return "emb2;" + encode(fields, ";")


def movement_trail(*, key: str) -> Trait:
    """``Footprint``: the points at which the piece was when its moves began, seen by all."""
    fields = [_control(key), "Movement trail", "false", "true", "10", "255,255,255", "0,0,0", "100", "50", "20", "30"]
    return Trait("footprint;" + encode([*fields, "1.0", "", "", "", ""], ";"), "false;;0")


def mark_when_moved(*, image: str, key: str) -> Trait:
    """``MovementMarkable``: shows that the piece has moved."""
    return Trait("markmoved;" + encode([image, "18", "-20", "Mark moved", _control(key), ""], ";"), "false")


def report(keys: Sequence[str], text: str) -> Trait:
    """``ReportState``: a chat line after one of the keys."""
    pressed = encode([_control(key) for key in keys], ",")
    return Trait("report;" + encode([pressed, text, "", "", "", "false"], ";"), "-1")


def send_to_box(*, command: str, key: str, map_name: str, box: str) -> Trait:
    """``SendToLocation`` to a region of a map whose board has the map's name."""
    fields = [
        command,
        _control(key),
        map_name,
        map_name,
        "0",
        "0",
        "",
        "",
        "0",
        "0",
        "1",
        "1",
        "",
        "R",
        "",
        box,
        "",
        "",
    ]
    return Trait("sendto;" + encode(fields, ";"))


def delete(*, key: str) -> Trait:
    """``Delete``: removes the piece."""
    return Trait("delete;" + encode(["Delete", _control(key), ""], ";"))
