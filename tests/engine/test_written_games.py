"""The real engine reads the saves and logs that our writer makes, and then has the same pieces as we have."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from tests.vassal.games import log_text, move, piece, stack, step
from vassal_bridge.vassal.container import Metadata, open_bytes, open_file, write_game
from vassal_bridge.vassal.game import read_game
from vassal_bridge.vassal.module import Module, read_module
from vassal_bridge.vassal.obfuscation import Encoding
from vassal_bridge.vassal.position import Board
from vassal_bridge.vassal.replay import Replay

from .client import Engine

pytestmark = pytest.mark.engine

MAP = "North Sheet"
HERE, THERE, AWAY = f"{MAP};700;700", f"{MAP};900;700", f"{MAP};500;500"
FLIP = "emb2;;128;;Flip;128;;;128;;;;1;false;0;0;a.png,b.png;,+ (reduced);true;Step;;;false;;1;1;true;;70,130;;;1.0"
TRAITS = (
    (FLIP, "1"),
    ("mark;Side,Größe", "Axis,\\,'第六軍'"),
    ("PROP;Ammo;true,0,9,false;Use:85\\,130:I\\,-1;", "3"),
)
SETUP = [
    piece("101", HERE, traits=TRAITS, name="1/24 'Pz'; \\ \"A\""),
    piece("102", HERE, traits=TRAITS, name="71 Inf"),
    stack("103", HERE, "101", "102"),
    piece("104", THERE, name="HQ"),
    stack("105", THERE, "104"),
    piece("106", AWAY, name="marker", traits=(("immob;g;N;R;", ""),)),
]
FLIPPED = "2\tAxis,\\,'第六軍'\\\t3\\\\\tnull;0;0;7;0"
STEPS = [
    step("CHAT* Größe: 第六軍 / \\ |", "D/102/" + FLIPPED + "/" + FLIPPED.replace("2", "1", 1)),
    step(move("102", THERE, under="104", back=HERE, back_under="101"), "CHAT* 71 Inf moves"),
    step(move("101", AWAY, back=HERE), stack("107", AWAY, "101")),
    step("-/106"),
]


@pytest.mark.parametrize("encoding", [Encoding.VCSK, Encoding.PLAIN])
def test_a_written_log_and_save(
    encoding: Encoding, tmp_path: Path, start_engine: Callable[..., Engine], schematic_module: Path
) -> None:
    module_file = open_file(schematic_module)
    module = read_module(module_file)
    metadata = Metadata(version=module.version, vassal_version=module.vassal_version, saved_at=1)
    log, save = tmp_path / "ours.vlog", tmp_path / "ours.vsav"
    for path, steps in ((log, STEPS), (save, [])):
        written = write_game(
            log_text(SETUP, *steps),
            encoding=encoding,
            save_metadata=metadata,
            module_metadata=module_file.entry("moduledata"),
        )
        path.write_bytes(written)
    with start_engine(schematic_module) as engine:
        assert engine.do("load", save) == len(SETUP)
        assert theirs(engine.do("state")) == ours(Replay(read(save), module).board, module)
        assert engine.do("load", log) == len(SETUP)
        replay = Replay(read(log), module)
        for number in range(len(STEPS) + 1):
            assert theirs(engine.do("state")) == ours(replay.run(to=number), module), number
            assert engine.do("step") == (number < len(STEPS))
        assert engine.dialogs == []
        complaints = [line for line in engine.do("chatter") if "Bad Data" in line]
        assert [line for line in complaints if "Image not found" not in line] == []


def read(path: Path) -> Any:
    return read_game(open_bytes(path.read_bytes(), path.name))


def theirs(state: dict[str, Any]) -> dict[str, tuple[object, ...]]:
    stacks = {record["id"]: tuple(record["members"]) for record in state["pieces"] if record["kind"] != "piece"}
    return {
        record["id"]: (
            record["basicName"],
            record["name"],
            record["map"],
            record["x"],
            record["y"],
            record["location"],
            stacks.get(record["parent"]),
            list(record["traits"]),
        )
        for record in state["pieces"]
        if record["kind"] == "piece"
    }


def ours(board: Board, module: Module) -> dict[str, tuple[object, ...]]:
    return {
        piece.id: (
            piece.name,
            piece.shown_name,
            piece.map,
            piece.x,
            piece.y,
            module.location(piece.map or "", piece.x, piece.y),
            piece.holder and piece.holder.members,
            [[trait.prefix, state] for trait, state in piece.traits[:-1]],
        )
        for piece in board.pieces.values()
    }
