"""Counts that were worked out without the engine: hexes in zones, hexes in reach, units in supply."""

from __future__ import annotations

import tomllib
from pathlib import Path
from typing import Any

import pytest

from tests.positions import position, unit
from vassal_bridge.analysis.movement import allowance, cheapest
from vassal_bridge.analysis.supply import is_supplied
from vassal_bridge.analysis.worlds import World
from vassal_bridge.analysis.zoc import in_enemy_zoc
from vassal_bridge.board.hexes import Hex, distance
from vassal_bridge.board.state import GameState
from vassal_bridge.board.units import Side, Unit, UnitId

ORACLES = tomllib.loads((Path(__file__).parent / "oracles/drive-on-stalingrad.toml").read_text(encoding="utf-8"))


def _entries(kind: str) -> list[Any]:
    return [pytest.param(entry, id=entry["id"]) for entry in ORACLES[kind]]


def _state(entry: dict[str, Any]) -> GameState:
    return position(*(_unit(line) for line in entry["units"]), sides=entry.get("sides"), sources=entry.get("sources"))


def _unit(line: str) -> Unit:
    name, code, factors, where, *flags = line.split()
    return unit(name, code, factors, where, *flags)


def _nearby(state: GameState, radius: int) -> list[Hex]:
    around = [each.hex for each in state.on_map()]
    lines = range(1, 50)
    every = [Hex(q, r, "N") for r in lines for q in range(-30, 60)]
    return [h for h in every if any(a is not None and (distance(a, h) or 0) <= radius for a in around)]


@pytest.mark.parametrize("entry", _entries("zoc"))
def test_hexes_in_zones(entry: dict[str, Any]) -> None:
    state = _state(entry)
    enemy = state.game.enemy(Side(entry["side"]))
    found = [h for h in _nearby(state, 3) if in_enemy_zoc(World(state), h, enemy)]
    assert len(found) == entry["count"], state.game.numbering.names(found)


@pytest.mark.parametrize("entry", _entries("reach"))
def test_hexes_in_reach(entry: dict[str, Any]) -> None:
    state = _state(entry)
    mover, world = state.units[UnitId(entry["unit"])], World(state)
    assert mover.hex is not None
    points = allowance(world, mover, is_supplied=is_supplied(world, mover))
    if in_enemy_zoc(world, mover.hex, mover.side):
        found = [mover.hex]
    else:
        found = [h for h in _nearby(state, 10) if cheapest(world, mover, mover.hex, h, limit=points)]
    assert len(found) == entry["count"], state.game.numbering.names(found)


@pytest.mark.parametrize("entry", _entries("supply"))
def test_units_in_supply(entry: dict[str, Any]) -> None:
    state = _state(entry)
    assert [str(each.id) for each in state.on_map() if is_supplied(World(state), each)] == entry["supplied"]
