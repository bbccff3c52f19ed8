"""Turn the events and queries of a case into acts and questions of the board.

An event that the board has no act for is refused by :class:`NotModelled`, which says so in the words of the notation;
the runner lists such a case as not run.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace
from typing import Any

from vassal_bridge.board.actions import (
    Action,
    Advance,
    Attack,
    EndOfPhase,
    Enter,
    Flip,
    Force,
    Lose,
    MarkerChange,
    Move,
    MoveKind,
    Overrun,
    Path,
    PhaseChange,
    PlaceUnit,
    Query,
    Remove,
    Result,
    Retreat,
    Roll,
    StateCheck,
    Stay,
    TurnChange,
)
from vassal_bridge.board.game import Game, PhaseId
from vassal_bridge.board.hexes import Hex
from vassal_bridge.board.knowledge import UNKNOWN, Unknown
from vassal_bridge.board.state import GameState
from vassal_bridge.board.units import Box, Factors, Place, Side, UnitId, parse_factors
from vassal_bridge.rulebook.notation import Statement
from vassal_bridge.rulebook.words import PathText, Target

__all__ = ["NotModelled", "hex_of", "numbers_of", "place_of", "queries_of", "to_action"]


class NotModelled(Exception):  # noqa: N818 - a signal to the runner, not an error
    """A case says something that the board has no place for; the text says what, as a clause."""


def hex_of(text: str, game: Game) -> Hex:
    """Return the hex of a printed number.

    Raises:
        NotModelled: The map of the rule set has no such hex.
    """
    found = game.numbering.parse(text)
    if found is None:
        raise NotModelled(f"the map of the rule set has no hex {text}")
    return found


def place_of(text: str, game: Game) -> Place:
    """Return a hex, or a box off the map."""
    return Box(text) if text.startswith("@") else hex_of(text, game)


# --- Events ----------------------------------------------------------------------------------------------------------

# Options whose values are the right numbers, not part of the act: the engine must find the same.
_NUMBERS = frozenset({"att", "def", "odds", "cost", "min", "rmp", "n", "air", "mod"})
_MOVES = {"move": MoveKind.ORDINARY, "rail": MoveKind.RAIL, "wd": MoveKind.WITHDRAWAL}


def to_action(event: Statement, state: GameState) -> Action:
    """Return the act that an event is, its hexes and units looked up in the state before it.

    Raises:
        NotModelled: The board has no such act, or no place for one of its arguments.
    """
    arguments = dict(event.arguments)
    action = _act(event.verb, arguments, state)
    if action is None:
        raise NotModelled(f"the verb `{event.verb}` is not executed yet")
    if left := sorted(arguments.keys() - _NUMBERS):
        raise NotModelled(f"`{left[0]}=` of the verb `{event.verb}` is not executed yet")
    return action


def _act(verb: str, arguments: dict[str, Any], state: GameState) -> Action | None:
    """Make the act of a verb and take what it uses out of the arguments."""
    game = state.game
    match verb:
        case "move" | "rail" | "wd":
            return Move(units=arguments.pop("units"), path=_path(arguments.pop("path"), game), kind=_MOVES[verb])
        case "retreat":
            return Retreat(units=arguments.pop("units"), path=_path(arguments.pop("path"), game))
        case "advance":
            return Advance(units=arguments.pop("units"), path=_path(arguments.pop("path"), game))
        case "enter":
            return Enter(units=arguments.pop("units"), at=hex_of(arguments.pop("hex"), game))
        case "stay":
            return Stay(units=arguments.pop("units"))
        case "attack" | "overrun":
            return _assault(verb, arguments, state)
        case "roll":
            return _roll(arguments)
        case "result":
            return _result(arguments, state)
        case "phase":
            return _phase_change(arguments, game)
        case "turn":
            return TurnChange(turn=arguments.pop("span").split(">")[-1])
        case "state":
            return StateCheck()
        case "end":
            return EndOfPhase()
        case _:
            return _counter_act(verb, arguments, state)


def _counter_act(verb: str, arguments: dict[str, Any], state: GameState) -> Action | None:
    """Make an act that changes a counter without moving it over the map."""
    match verb:
        case "remove":
            # Without a box the units go to the eliminated ones.
            return Remove(units=arguments.pop("units"), to=Box(arguments.pop("to", "@dead")))
        case "place":
            return _placement(arguments, state)
        case "flip":
            return _flip(arguments, state)
        case "lose":
            steps = arguments["n"]
            del arguments["n"]
            return Lose(unit=arguments.pop("unit"), steps=steps)
        case "marker" if arguments["is"] in ("add", "del"):
            targets = arguments.pop("target", ())
            return MarkerChange(
                kind=arguments.pop("marker"),
                is_added=arguments.pop("is") == "add",
                hexes=tuple(hex_of(text, state.game) for target in targets for text in target.hexes),
                units=tuple(unit for target in targets for unit in target.units),
            )
        case _:
            return None


def _path(text: PathText, game: Game) -> Path:
    return Path(points=tuple(place_of(point, game) for point in text.points), is_complete=text.is_complete)


def _assault(verb: str, arguments: dict[str, Any], state: GameState) -> Action:
    force: Force | Unknown = arguments.pop("force")
    label = _label(arguments.pop("label", ""))
    units, hexes = _defenders(arguments.pop("target"), _side_of(force, state), state)
    if verb == "attack":
        return Attack(force=force, targets=units, target_hexes=hexes, label=label)
    launch = arguments.pop("hex", None)
    at = None if launch is None else hex_of(launch, state.game)
    return Overrun(force=force, targets=units, target_hexes=hexes, launch=at, label=label)


def _side_of(force: Force | Unknown, state: GameState) -> Side | None:
    if force is UNKNOWN:
        return state.phasing
    return state.units[force[0].unit].side if force else None


def _defenders(target: Target, attacker: Side | None, state: GameState) -> tuple[tuple[UnitId, ...], tuple[Hex, ...]]:
    """Return the defending units and their hexes; a hex as target means all units of the other side in it."""
    hexes = [hex_of(text, state.game) for text in target.hexes]
    units = [unit.id for at in hexes for unit in state.units_at(at) if unit.side != attacker]
    units += [unit for unit in target.units if unit not in units]
    for unit in target.units:
        at = state.units[unit].hex
        if at is not None and at not in hexes:
            hexes.append(at)
    return tuple(units), tuple(hexes)


def _label(text: str) -> str:
    return text.removeprefix("#")


def _roll(arguments: dict[str, Any]) -> Action:
    labels = tuple(_label(label) for label in arguments.pop("labels", ()))
    return Roll(labels=labels, die=arguments.pop("die", None), purpose=arguments.pop("for", "combat"))


def _result(arguments: dict[str, Any], state: GameState) -> Action:
    target: Target = arguments.pop("on", Target((), ()))
    return Result(
        text=arguments.pop("result"),
        label=_label(arguments.pop("label", "")),
        on_hexes=tuple(hex_of(text, state.game) for text in target.hexes),
        on_units=target.units,
    )


def _phase_change(arguments: dict[str, Any], game: Game) -> Action:
    phase = PhaseId(arguments.pop("phase"))
    if phase not in game.phases:
        raise NotModelled(f"the rule set has no phase {phase}")
    return PhaseChange(phase=phase)


def _placement(arguments: dict[str, Any], state: GameState) -> Action | None:
    units: tuple[UnitId, ...] = arguments.pop("units")
    if len(units) != 1:
        raise NotModelled("placing several units at once is not executed yet")
    unit = state.units[units[0]]
    if face := arguments.pop("face", None):
        unit = replace(unit, factors=_face(face))
    at = place_of(arguments.pop("at"), state.game)
    return PlaceUnit(unit=replace(unit, at=at), role=arguments.pop("as", ""))


def _flip(arguments: dict[str, Any], state: GameState) -> Action:
    return Flip(unit=arguments.pop("unit"), factors=_face(arguments.pop("face")))


def _face(text: str) -> Factors:
    if not any(letter.isdigit() for letter in text):
        raise NotModelled(f"the face `{text}` is not modelled yet")
    return parse_factors(text)


# --- Queries ---------------------------------------------------------------------------------------------------------

# Options of a query that are answers of their own: verb -> option -> the verb that asks for it.
_SIDE_ANSWERS: Mapping[str, Mapping[str, str]] = {
    "supply": {"cost": "supply-cost"},
    "stack": {"n": "stack-count"},
    "reach": {"cost": "reach-cost", "rule": "reach-rule"},
}
# The argument that holds the answer, where it is not the choice of words called ``is``; "" where there is none.
_ANSWER_KEYS: Mapping[str, str] = {
    "loc": "len", "dist": "n", "line": "n", "threat": "n", "exits": "to", "odds": "odds", "att": "n", "def": "n",
    "column": "", "shift": "b", "mf": "n", "loss": "n", "control": "owner", "sea": "owner", "weather": "weather",
    "value": "n", "cost": "n", "points": "n", "income": "n", "deficit": "n", "count": "", "calc": "",
}  # fmt: skip
_HEX_ARGUMENTS = frozenset({"hex", "hexes", "pair", "at"})


def queries_of(query: Statement, state: GameState) -> tuple[Query, ...]:
    """Return the questions that a query puts, one for each answer it states, the main one first.

    ``supply G1 in cost=4`` asks whether G1 is in supply, and what its line costs.
    """
    arguments = dict(query.arguments)
    extra = {verb: arguments.pop(key) for key, verb in _SIDE_ANSWERS.get(query.verb, {}).items() if key in arguments}
    answer = _answer(query.verb, arguments, state.game)
    asked = {key: _argument(key, value, state.game) for key, value in arguments.items()}
    verb = "zone" if query.verb == "zoc" and "hexes" not in asked else query.verb
    if str(query.arguments.get("of")).startswith("#"):
        asked["label"] = asked.pop("of")
    main = Query(verb=verb, arguments=asked, answer=answer)
    return (main, *(Query(verb=verb, arguments=asked, answer=stated) for verb, stated in extra.items()))


def _answer(verb: str, arguments: dict[str, Any], game: Game) -> object:
    """Take the stated answer out of the arguments of a query; of a statement that can only hold it is True."""
    if verb == "zoc" and "is" not in arguments:
        return frozenset(_hexes(arguments.pop("hexes"), game))
    key = _ANSWER_KEYS.get(verb, "is")
    answer = arguments.pop(key if key in arguments else "is", True)
    if verb == "exits" and answer == "none":
        return frozenset()
    return frozenset(_hexes(answer, game)) if verb == "exits" and isinstance(answer, tuple) else answer


def _argument(key: str, value: Any, game: Game) -> object:
    if key == "label" or (isinstance(value, str) and value.startswith("#")):
        return _label(value)
    if key in _HEX_ARGUMENTS:
        return hex_of(value, game) if isinstance(value, str) else tuple(_hexes(value, game))
    return value


def _hexes(texts: Iterable[str], game: Game) -> Iterator[Hex]:
    return (hex_of(text, game) for text in texts)


def numbers_of(event: Statement) -> Mapping[str, Any]:
    """Return the numbers that an event states, by option: they are answers, not part of the act."""
    if event.verb == "lose":
        return {}
    return {key: value for key, value in event.arguments.items() if key in _NUMBERS}
