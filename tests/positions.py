"""Build positions that read like the game: ``unit("G1", "ger.inf", "9-9", at="N2030")``.

Terrain and positions are made up; the rule set is the first one that comes with the package.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import replace
from functools import cache
from typing import Any

from vassal_bridge.board.actions import Action, Attack, ForcePart, Move, MoveKind, Path, Retreat
from vassal_bridge.board.game import PhaseId
from vassal_bridge.board.hexes import Hex, hexside
from vassal_bridge.board.knowledge import UNKNOWN, Unknown
from vassal_bridge.board.state import GameState
from vassal_bridge.board.terrain import ANYTHING, Terrain
from vassal_bridge.board.units import Box, Unit, UnitId, parse_factors
from vassal_bridge.checks import CHECKS
from vassal_bridge.rulebook.load import load_rules
from vassal_bridge.rulebook.outcome import Outcome
from vassal_bridge.rulebook.rule import RuleSet

GAME = "drive-on-stalingrad"


@cache
def rule_set() -> RuleSet:
    return load_rules(GAME, CHECKS)


def at(text: str) -> Hex:
    found = rule_set().game.numbering.parse(text)
    assert found is not None, text
    return found


def unit(
    name: str,
    code: str,
    factors: str,
    where: str,
    *flags: str,
    division: str | Unknown | None = None,
) -> Unit:
    place = Box(where) if where.startswith("@") else at(where)
    return Unit(
        id=UnitId(name),
        name=name,
        type=rule_set().game.unit_types[code],
        at=place,
        factors=parse_factors(factors),
        flags=frozenset(flags),
        division=division,
    )


def position(
    *units: Unit,
    phase: str = "ax.init",
    tags: Mapping[str, str] | None = None,
    sides: Mapping[str, str] | None = None,
    unknown_sides: Iterable[str] = (),
    sources: Mapping[str, str] | None = None,
    **more: Any,
) -> GameState:
    """Make a fragment: ``sides={"N2030|N2029": "don"}``, ``tags={"N2030": "mtn"}``, ``sources={"N2034": "ax"}``."""
    game = rule_set().game
    terrain = Terrain(
        tags={at(place): frozenset(words.split()) for place, words in (tags or {}).items()},
        features={_side(pair): frozenset(words.split()) for pair, words in (sides or {}).items()},
        unknown_sides={_side(pair): ANYTHING for pair in unknown_sides},
    )
    stated = None if sources is None else {at(place): frozenset({side}) for place, side in sources.items()}
    state = GameState(
        game=game,
        terrain=terrain,
        units={each.id: each for each in units},
        phase=game.phases[PhaseId(phase)],
        sources=stated,
        is_fragment=True,
        traces_supply=stated is not None,
    )
    return replace(state, **more)


def _side(pair: str) -> Any:
    a, b = pair.split("|")
    return hexside(at(a), at(b))


def path(text: str) -> Path:
    """Read ``N2030>N2029`` (every hex) or ``N2030~N2027`` (only the ends)."""
    separator = "~" if "~" in text else ">"
    return Path(points=tuple(at(each) for each in text.split(separator)), is_complete=separator == ">")


def move(who: str, way: str, *, kind: MoveKind = MoveKind.ORDINARY) -> Move:
    return Move(units=(UnitId(who),), path=path(way), kind=kind)


def retreat(who: str, way: str, *, hexes: int | None = None) -> Retreat:
    return Retreat(units=tuple(UnitId(each) for each in who.split(",")), path=path(way), hexes=hexes)


def attack(force: str | None, target: str, **claims: str) -> Attack:
    parts = UNKNOWN if force is None else tuple(ForcePart(unit=UnitId(each)) for each in force.split(","))
    return Attack(force=parts, targets=(), target_hexes=(at(target),), label="1", claims=claims)


def outcomes(rule_id: str, state: GameState, act: Action | None = None) -> list[Outcome]:
    """Ask one rule about an act, or about the position."""
    rule = rule_set().rules[rule_id]
    assert rule.check is not None
    return list(CHECKS[rule.check].run(replace(state, act=act), rule.params))


def verdicts(rule_id: str, state: GameState, act: Action | None = None) -> list[str]:
    return [str(outcome.verdict) for outcome in outcomes(rule_id, state, act)]
