"""The sample game: the script still plays it as recorded, and the engine steps through the shipped log."""

from __future__ import annotations

import tomllib
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from vassal_bridge.datadirs import data_dir
from vassal_bridge.vassal.container import open_file
from vassal_bridge.vassal.game import read_game
from vassal_bridge.vassal.module import read_module
from vassal_bridge.vassal.position import Board
from vassal_bridge.vassal.replay import Replay

from .client import Engine
from .play_demo import SEED, play

pytestmark = pytest.mark.engine

SHIPPED = data_dir("modules") / "drive-on-stalingrad"


def position(state: dict[str, Any]) -> dict[str, tuple[str, str, str, str]]:
    """Map, place and layers of each counter by name; piece ids differ from game to game."""
    return {
        piece["basicName"]: (
            piece["map"],
            piece["location"],
            piece["layers"]["Step"]["level"],
            piece["layers"]["Disrupted"]["active"],
        )
        for piece in state["pieces"]
        if piece["kind"] == "piece"
    }


@pytest.fixture(scope="module")
def fresh(
    start_engine: Callable[..., Engine], schematic_module: Path, tmp_path_factory: pytest.TempPathFactory
) -> Path:
    out = tmp_path_factory.mktemp("demo")
    with start_engine(schematic_module, seed=SEED) as engine:
        play(engine, out)
        assert engine.dialogs == []
    return out


def end_of(start_engine: Callable[..., Engine], module: Path, log: Path) -> tuple[int, dict[str, Any]]:
    """Step through a log in an engine of its own; return how many steps it had and where the counters stand."""
    with start_engine(module) as engine:
        engine.do("chatter")
        assert engine.do("load", log) > 0
        steps = engine.do("step", 10_000)
        assert engine.dialogs == []
        assert not [line for line in engine.do("chatter") if "Bad Data" in line]
        return steps, position(engine.do("state"))


def test_the_script_plays_the_recorded_game(fresh: Path) -> None:
    assert (fresh / "demo.toml").read_text("utf-8") == (SHIPPED / "demo.toml").read_text("utf-8")


def test_the_engine_steps_through_the_shipped_log(
    start_engine: Callable[..., Engine], schematic_module: Path, fresh: Path
) -> None:
    shipped_steps, shipped = end_of(start_engine, schematic_module, SHIPPED / "demo.vlog")
    steps, again = end_of(start_engine, schematic_module, fresh / "demo.vlog")
    assert shipped_steps == steps > 130
    assert shipped == again
    with start_engine(schematic_module) as engine:
        engine.do("load", fresh / "demo-end.vsav")
        assert shipped == position(engine.do("state"))


def position_of(board: Board) -> dict[str, tuple[str | None, str | None, str, str]]:
    """Say of our board what ``position`` says of the engine's."""
    found = {}
    for piece in board.pieces.values():
        layers = {layer.name: layer for layer in piece.layers}
        step, disrupted = layers["Step"], layers["Disrupted"]
        shown = "true" if disrupted.active else "false"
        found[piece.name] = (piece.map, board.location(piece), str(step.level), shown)
    return found


def test_our_replay_agrees_with_the_engine_after_every_step(
    start_engine: Callable[..., Engine], schematic_module: Path
) -> None:
    log = SHIPPED / "demo.vlog"
    replay = Replay(read_game(open_file(log)), read_module(open_file(schematic_module)))
    with start_engine(schematic_module) as engine:
        engine.do("load", log)
        steps = 0
        while True:
            state = engine.do("state")
            assert position_of(replay.board) == position(state), f"after step {steps}"
            assert replay.board.turn["Turn"].text == state["turn"]["Turn"]["text"]
            if not engine.do("step"):
                break
            steps += 1
            assert replay.step() is not None
    assert replay.step() is None
    assert steps > 130


def test_plants_two_of_each_kind_and_as_many_near_misses() -> None:
    truth = tomllib.loads((SHIPPED / "demo.toml").read_text("utf-8"))
    kinds = {"7.1a": "stack", "8.0": "zone", "8.22": "zone", "11.47": "command", "12.51": "command"}
    kinds |= {"9.71b": "retreat", "9.73b": "retreat"}
    for what in ("violation", "near_miss"):
        found = [kinds[entry["rule"]] for entry in truth[what]]
        assert all(found.count(kind) >= 2 for kind in set(kinds.values()))
    assert len(truth["violation"]) == 8
    assert truth["undone"]
