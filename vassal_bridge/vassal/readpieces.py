"""Pieces of a build file: slots wherever they are, and prototypes."""

from __future__ import annotations

from collections.abc import Iterator

from vassal_bridge.vassal.buildfile import (
    NAME_ATTRIBUTES,
    Element,
    Notes,
    ancestors,
    children,
    descendants,
    short_class,
    text_of,
)
from vassal_bridge.vassal.components import PieceDefinition, PieceSlot, Prototype, SlotPlace
from vassal_bridge.vassal.sequence import decode, split_chain

__all__ = [
    "basic_name",
    "read_all_slots",
    "read_definition",
    "read_placed",
    "read_prototypes",
    "read_slot",
    "read_slots",
]

_SLOTS = ("PieceSlot", "CardSlot")
_PLACES = {"SetupStack": SlotPlace.AT_START, "DrawPile": SlotPlace.DECK}
_PLACING = ("placemark;", "replace;")


def read_slots(element: Element, notes: Notes) -> Iterator[PieceSlot]:
    """Yield the slots that stand in an at-start stack or deck, bottom to top."""
    for slot in children(element, *_SLOTS):
        yield read_slot(slot, notes)


def read_all_slots(root: Element, notes: Notes) -> Iterator[PieceSlot]:
    """Yield every slot of a build file in document order, wherever it stands."""
    for slot in descendants(root, *_SLOTS):
        yield read_slot(slot, notes)


def read_slot(element: Element, notes: Notes) -> PieceSlot:
    """Read a piece slot or card slot."""
    piece = read_definition(text_of(element))
    if piece is None:
        notes.add(element, "its piece cannot be read")
    around = list(ancestors(element))
    return PieceSlot(
        gpid=element.get("gpid", ""),
        name=element.get("entryName", "") or (basic_name(piece) if piece else ""),
        place=next((_PLACES[short_class(one)] for one in around if short_class(one) in _PLACES), SlotPlace.PALETTE),
        path=tuple(filter(None, (_name_of(one) for one in reversed(around)))),
        piece=piece,
        is_card=short_class(element) == "CardSlot",
    )


def read_definition(text: str) -> PieceDefinition | None:
    """Take type and state out of an ``+/id/type/state`` atom; ``None`` if it is none."""
    tokens = decode(text, "/") if text.startswith("+/") else []
    return PieceDefinition(type=tokens[2], state=tokens[3]) if len(tokens) >= 4 else None


def basic_name(piece: PieceDefinition) -> str:
    """Return the name of the basic piece at the inner end of the chain, empty if it has none."""
    fields = decode(split_chain(piece.type)[-1], ";")
    return fields[4] if len(fields) > 4 and fields[0] == "piece" else ""


def read_placed(slot: PieceSlot) -> Iterator[PieceSlot]:
    """Yield the pieces that the traits of a slot's piece place or put in its stead, each under its own gpid.

    Leaves out pieces that such a trait takes from another slot: they bear the trait's gpid, but their type is there.
    """
    if slot.piece is None or not any(prefix in slot.piece.type for prefix in _PLACING):
        return
    for trait in split_chain(slot.piece.type):
        if not trait.startswith(_PLACING):
            continue
        fields = decode(trait, ";")
        if len(fields) <= 10 or not fields[10]:
            continue
        piece = read_definition(fields[3])
        name = basic_name(piece) if piece else fields[3].rpartition(":")[2]
        yield PieceSlot(gpid=fields[10], name=name, place=SlotPlace.PLACED, path=(*slot.path, slot.name), piece=piece)


def read_prototypes(root: Element, notes: Notes) -> dict[str, Prototype]:
    """Read all prototypes by name; of two of one name the later one counts."""
    found: dict[str, Prototype] = {}
    for element in descendants(root, "PrototypeDefinition"):
        name = element.get("name", "")
        if name in found:
            notes.add(element, "another prototype has the same name; this one counts")
        found[name] = Prototype(name=name, text=text_of(element), description=element.get("description", ""))
    return found


def _name_of(element: Element) -> str:
    return next((name for key in NAME_ATTRIBUTES if (name := element.get(key))), "")
