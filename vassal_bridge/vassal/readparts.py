"""The parts of a build file that are neither maps nor pieces: turns, dice, sides, setups."""

from __future__ import annotations

from collections.abc import Iterator

from vassal_bridge.vassal.buildfile import Element, Notes, children, descendants, short_class, text_of
from vassal_bridge.vassal.components import (
    CounterLevel,
    Dice,
    DiceKind,
    Die,
    DieFace,
    Keep,
    ListLevel,
    PredefinedSetup,
    TurnLevel,
    TurnTracker,
)
from vassal_bridge.vassal.values import read_list

__all__ = ["read_dice", "read_options", "read_setups", "read_sides", "read_turn_trackers"]

_DICE = {
    "DiceButton": DiceKind.NUMBERS,
    "InternetDiceButton": DiceKind.SERVER,
    "RandomTextButton": DiceKind.TEXTS,
    "SpecialDiceButton": DiceKind.SYMBOLS,
}
_DEFAULT_REPORT = "** $name$ = $result$ *** &lt;$PlayerName$&gt;"
_DEFAULT_SYMBOL_REPORT = "** $name$ = [$result1$] *** &lt;$PlayerName$&gt;"
_DEFAULT_TURN_FORMAT = "$level1$ $level2$ $level3$ $level4$"
_MAX_DEPTH = 50


def read_turn_trackers(root: Element, notes: Notes) -> tuple[TurnTracker, ...]:
    """Read the turn trackers in build order, which gives them their ids."""
    return tuple(
        TurnTracker(
            id=f"TurnTracker{index}",
            name=element.get("name", ""),
            turn_format=element.get("turnFormat", _DEFAULT_TURN_FORMAT),
            report_format=element.get("reportFormat", ""),
            levels=_read_levels(element, notes, _MAX_DEPTH),
        )
        for index, element in enumerate(descendants(root, "TurnTracker"))
    )


def _read_levels(holder: Element, notes: Notes, depth: int) -> tuple[TurnLevel, ...]:
    if depth <= 0:
        notes.add(holder, "turn levels below it are nested too deeply")
        return ()
    return tuple(_read_level(level, notes, depth) for level in children(holder, "CounterTurnLevel", "ListTurnLevel"))


def _read_level(element: Element, notes: Notes, depth: int) -> TurnLevel:
    name, prop = element.get("name", ""), element.get("property", "")
    turn_format = element.get("turnFormat", "$value$")
    levels = _read_levels(element, notes, depth - 1)
    if short_class(element) == "CounterTurnLevel":
        return CounterLevel(
            name=name,
            property=prop,
            turn_format=turn_format,
            levels=levels,
            start=notes.integer(element, "start", 1),
            step=notes.integer(element, "incr", 1),
            loops=element.get("loop") == "true",
            last=notes.integer(element, "loopLimit", -1),
        )
    return ListLevel(
        name=name,
        property=prop,
        turn_format=turn_format,
        levels=levels,
        items=read_list(element.get("list")),
    )


def read_dice(root: Element, notes: Notes) -> tuple[Dice, ...]:
    """Read the dice buttons of all four kinds, in order."""
    return tuple(_read_dice_button(element, notes) for element in descendants(root, *_DICE))


def _read_dice_button(element: Element, notes: Notes) -> Dice:
    kind = _DICE[short_class(element)]
    is_symbols = kind is DiceKind.SYMBOLS
    return Dice(
        name=element.get("name") or element.get("label") or "",
        kind=kind,
        count=max(0, notes.integer(element, "nDice", 2)),
        sides=max(0, notes.integer(element, "nSides", 6)),
        plus=notes.integer(element, "plus", 0),
        add_to_total=notes.integer(element, "addToTotal", 0),
        reports_total=element.get("reportTotal") == "true",
        is_sorted=element.get("sortDice") == "true",
        prompts=element.get("prompt") == "true",
        keep=_keep(element),
        keep_count=notes.integer(element, "keepCount", 1),
        faces=read_list(element.get("faces")),
        is_numeric=element.get("numeric") == "true",
        dice=tuple(_read_die(die, notes) for die in children(element, "SpecialDie")),
        report_format=(
            element.get("format", _DEFAULT_SYMBOL_REPORT)
            if is_symbols
            else element.get("reportFormat", _DEFAULT_REPORT)
        ),
    )


def _keep(element: Element) -> Keep | None:
    if element.get("keepDice") != "true":
        return None
    option = element.get("keepOption", ">")
    return Keep(option) if option in set(Keep) else Keep.AT_LEAST


def _read_die(element: Element, notes: Notes) -> Die:
    return Die(
        name=element.get("name", ""),
        format=element.get("format", ""),
        faces=tuple(
            DieFace(text=face.get("text", ""), value=notes.integer(face, "value", 0))
            for face in children(element, "SpecialDieFace")
        ),
    )


def read_sides(root: Element) -> tuple[str, ...]:
    """Read the sides that players may take, in the order of the roster."""
    return tuple(
        text_of(entry) for roster in descendants(root, "PlayerRoster") for entry in roster if entry.tag == "entry"
    )


def read_options(root: Element) -> dict[str, str]:
    """Read the attributes of the global options, as they stand."""
    return {str(key): str(value) for element in descendants(root, "GlobalOptions") for key, value in element.items()}


def read_setups(root: Element, notes: Notes) -> tuple[PredefinedSetup, ...]:
    """Read the menu of predefined setups."""
    return tuple(_read_setups(root, notes, _MAX_DEPTH))


def _read_setups(holder: Element, notes: Notes, depth: int) -> Iterator[PredefinedSetup]:
    if depth <= 0:
        notes.add(holder, "setups below it are nested too deeply")
        return
    for element in children(holder, "PredefinedSetup"):
        yield PredefinedSetup(
            name=element.get("name", ""),
            file=element.get("file") if element.get("useFile", "true") == "true" else None,
            is_menu=element.get("isMenu") == "true",
            description=element.get("description", ""),
            setups=tuple(_read_setups(element, notes, depth - 1)),
        )
