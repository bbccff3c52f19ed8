"""A long game that chance made and our writer wrote: the real engine ends where the game's own model ends."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from tests.bench.games import Table
from vassal_bridge.vassal.container import Metadata, open_bytes, open_file, write_game
from vassal_bridge.vassal.game import read_game
from vassal_bridge.vassal.module import read_module
from vassal_bridge.vassal.obfuscation import Encoding
from vassal_bridge.vassal.replay import Replay

from .client import Engine

pytestmark = pytest.mark.engine

STEPS = 300


@pytest.mark.parametrize("encoding", [Encoding.VCSK, Encoding.PLAIN])
def test_a_long_game_of_chance(
    encoding: Encoding, tmp_path: Path, start_engine: Callable[..., Engine], schematic_module: Path
) -> None:
    module_file = open_file(schematic_module)
    module = read_module(module_file)
    sheet = module.maps[0]
    table = Table(size=40, map=sheet.name, board=sheet.boards[0].name, width=1200, height=900, kinds=20)
    start = {str(unit.id): standing(table, unit) for unit in table.units}
    log, save = tmp_path / "ours.vlog", tmp_path / "ours.vsav"
    texts = {save: table.position(), log: table.log(STEPS)}
    for path, text in texts.items():
        metadata = Metadata(version=module.version, vassal_version=module.vassal_version, saved_at=1)
        moduledata = module_file.entry("moduledata")
        path.write_bytes(write_game(text, encoding=encoding, save_metadata=metadata, module_metadata=moduledata))
    end = {str(unit.id): standing(table, unit) for unit in table.units}
    board = Replay(read_game(open_bytes(log.read_bytes(), log.name)), module).run()
    with start_engine(schematic_module) as engine:
        engine.do("load", save)
        assert theirs(engine.do("state")) == start
        engine.do("load", log)
        assert theirs(engine.do("state")) == start
        assert engine.do("step", STEPS + 1) == STEPS
        state = engine.do("state")
        assert theirs(state) == end
        places = {record["id"]: record["location"] for record in state["pieces"] if record["kind"] == "piece"}
        assert places == {piece.id: board.location(piece) for piece in board.pieces.values()}
        assert engine.dialogs == []


def standing(table: Table, unit: Any) -> tuple[object, ...]:
    """Map, point, units below it in the stack, and whether it is turned and moved."""
    below = [str(other.id) for other in table.stacks[unit.stack]]
    return (table.map, unit.x, unit.y, tuple(below), str(unit.level), "true" if unit.moved else "false")


def theirs(state: dict[str, Any]) -> dict[str, tuple[object, ...]]:
    members = {record["id"]: tuple(record["members"]) for record in state["pieces"] if record["kind"] != "piece"}
    found: dict[str, tuple[object, ...]] = {}
    for record in state["pieces"]:
        if record["kind"] == "piece":
            traits = dict(record["traits"])
            place = (record["map"], record["x"], record["y"], members.get(record["parent"]))
            found[record["id"]] = (*place, traits["emb2;"], traits["markmoved;"])
    return found
