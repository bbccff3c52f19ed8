"""Random legal play yields no violation: a move generator and the checks are each other's oracle.

The generator knows nothing of the checks: it walks hex by hex and looks at neighbours, on clear land.
"""

from __future__ import annotations

import random

import pytest

from tests.positions import position, rule_set, unit
from vassal_bridge.audit.referee import Referee
from vassal_bridge.board.actions import Move, MoveKind, Path, PhaseChange
from vassal_bridge.board.apply import apply
from vassal_bridge.board.game import PhaseId
from vassal_bridge.board.hexes import Hex, adjacent, neighbours
from vassal_bridge.board.state import GameState
from vassal_bridge.board.units import Unit
from vassal_bridge.rulebook.check import When
from vassal_bridge.rulebook.outcome import Verdict


@pytest.mark.parametrize("seed", range(8))
def test_random_legal_moves_break_no_rule(seed: int) -> None:
    dice = random.Random(seed)
    referee = Referee(rule_set())
    state = _start(dice)
    judged = 0
    for turn in range(6):
        phase = PhaseId("ax.init" if turn % 2 == 0 else "so.init")
        state = apply(state, PhaseChange(phase=phase))
        for each in list(state.on_map(state.phasing)):
            way = _walk(dice, state, each)
            if len(way) < 2:
                continue
            complete = dice.random() < 0.5
            points = tuple(way) if complete else (way[0], way[-1])
            kind = MoveKind.ORDINARY if complete else MoveKind.UNDECLARED
            act = Move(units=(each.id,), path=Path(points=points, is_complete=complete), kind=kind)
            for judgement in referee.judge(state, act):
                judged += 1
                assert judgement.outcome.verdict is not Verdict.VIOLATION, (judgement, points)
            state = apply(state, act)
        for judgement in referee.inspect(state, When.PHASE_END):
            assert judgement.outcome.verdict is Verdict.LEGAL, judgement
    assert judged > 20


def _start(dice: random.Random) -> GameState:
    rows = range(14, 26)
    germans = [unit(f"G{n}", "ger.inf", "9-9", f"N{row}{dice.randint(32, 35)}") for n, row in enumerate(rows)]
    soviets = [unit(f"S{n}", "sov.gds", "8-9-8", f"N{row}{dice.randint(24, 27)}") for n, row in enumerate(rows)]
    return position(*germans, *soviets)


def _walk(dice: random.Random, state: GameState, mover: Unit) -> list[Hex]:
    assert mover.hex is not None
    way = [mover.hex]
    for _ in range(dice.randint(0, 9)):
        if _beside_enemy(state, way[-1], mover):
            break
        free = [h for h in neighbours(way[-1]) if h not in way and not _is_taken(state, h, mover)]
        if not free:
            break
        way.append(dice.choice(free))
    while len(way) > 1 and len([u for u in state.units_at(way[-1], mover.side) if u.id != mover.id]) >= 3:
        way.pop()
    return way


def _beside_enemy(state: GameState, at: Hex, mover: Unit) -> bool:
    return any(each.side != mover.side and each.hex is not None and adjacent(each.hex, at) for each in state.on_map())


def _is_taken(state: GameState, at: Hex, mover: Unit) -> bool:
    return any(each.side != mover.side for each in state.units_at(at))
