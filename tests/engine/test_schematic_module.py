"""The real engine opens what make-module builds, and names hexes as the rulebook does."""

from __future__ import annotations

import json
import tomllib
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from PIL import Image

from .client import ROOT, Engine

pytestmark = pytest.mark.engine

MAP = "North Sheet"


@pytest.fixture(scope="module")
def engine(start_engine: Callable[..., Engine], schematic_module: Path) -> Iterator[Engine]:
    with start_engine(schematic_module, seed=7) as running:
        running.do("new")
        running.do("side", "Solitaire")
        yield running


def place(engine: Engine, counter: str, hex_name: str) -> dict[str, Any]:
    identity = engine.do("place", counter, MAP, f"{MAP}/{hex_name}")
    return next(piece for piece in engine.do("state")["pieces"] if piece["id"] == identity)


def all_hexes() -> list[str]:
    # Written out here rather than taken from the package: 38 rows, 54 hexes in odd rows and 53 in even ones.
    return [f"N{row:02d}{position:02d}" for row in range(1, 39) for position in range(1, 54 + row % 2)]


def test_opens_without_a_complaint(engine: Engine) -> None:
    assert engine.hello["module"] == "Drive on Stalingrad (schematic)"
    assert engine.dialogs == []
    assert not [line for line in engine.do("chatter") if "Bad Data" in line]
    assert "WARN" not in engine.errors()
    assert "ERROR" not in engine.errors()


def test_every_hex_has_the_name_of_its_place(engine: Engine) -> None:
    names = all_hexes()
    assert len(names) == 2033
    points = [engine.do("locate", MAP, f"{MAP}/{name}") for name in names]
    assert engine.do("names", MAP, ";".join(f"{x},{y}" for x, y in points)) == names
    # Rows run to the east, even rows lie half a hex farther west, and no two hexes share a place.
    by_name = dict(zip(names, points, strict=True))
    width = by_name["N2029"][0] - by_name["N2030"][0]
    assert width == 64
    assert by_name["N1929"][0] - by_name["N2029"][0] == width / 2
    assert by_name["N0101"][0] > by_name["N0154"][0]
    assert by_name["N3801"][1] > by_name["N0101"][1]
    assert len({tuple(point) for point in points}) == len(points)


@pytest.mark.parametrize("name", ["N0101", "N0154", "N0253", "N0201", "N2029", "N3117", "N3801", "N3853"])
def test_a_counter_tells_its_hex(engine: Engine, name: str) -> None:
    assert place(engine, "Cleared", name)["location"] == name


def test_every_counter_shows_type_and_faces(engine: Engine) -> None:
    definition = tomllib.loads((ROOT / "modules/drive-on-stalingrad/module.toml").read_text("utf-8"))
    for group in definition["group"]:
        for unit in group["units"]:
            entry = {"name": unit} if isinstance(unit, str) else unit
            piece = place(engine, entry["name"], "N2029")
            faces = entry.get("faces") or group["faces"]
            marks = piece["properties"]
            assert (marks["Type"], marks["Name"], marks["Faces"]) == (group["type"], entry["name"], "|".join(faces))
            assert marks["Side"] == {"Axis": "ax", "Soviet": "so"}[group["side"]]
            assert marks["Division"] == entry.get("division", "")
            assert (piece["layers"]["Step"]["level"], piece["layers"]["Disrupted"]["active"]) == ("1", "false")


def test_layers_answer_to_their_keys(engine: Engine) -> None:
    unit = place(engine, "57 Inf", "N1529")["id"]
    for key in ("70,130", "70,130", "82,130"):
        engine.do("key", unit, key)
    piece = next(piece for piece in engine.do("state")["pieces"] if piece["id"] == unit)
    assert piece["layers"]["Step"]["level"] == "3"
    assert piece["layers"]["Disrupted"]["active"] == "true"
    engine.do("key", unit, "69,130")
    piece = next(piece for piece in engine.do("state")["pieces"] if piece["id"] == unit)
    assert (piece["map"], piece["location"]) == ("Boxes", "Axis Eliminated")


def test_tracker_has_the_phases_of_the_profile(engine: Engine) -> None:
    profile = tomllib.loads((ROOT / "modules/drive-on-stalingrad/profile.toml").read_text("utf-8"))
    engine.do("new")
    seen = []
    for _ in range(13):
        turn = engine.do("state")["turn"][profile["phases"]["tracker"]]
        seen.append((turn["GameTurn"], turn["TurnPhase"]))
        engine.do("hotkey", "78,520")
    assert seen == [("1", name) for name in profile["phases"]["names"]] + [("2", "Hitler Directive Inter-Phase")]


def test_boxes_are_those_of_the_profile(engine: Engine) -> None:
    profile = tomllib.loads((ROOT / "modules/drive-on-stalingrad/profile.toml").read_text("utf-8"))
    boxes = next(entry for entry in profile["maps"] if entry["kind"] == "boxes")
    for name in boxes["boxes"]:
        x, y = engine.do("locate", boxes["name"], f"{boxes['name']}/{name}")
        assert engine.do("names", boxes["name"], f"{x},{y}") == [name]


def test_draws_the_map(engine: Engine, tmp_path: Path) -> None:
    picture = tmp_path / "map.png"
    width, height = engine.do("picture", MAP, picture)
    with Image.open(picture) as image:
        assert image.size == (width, height)
        x, y = engine.do("locate", MAP, f"{MAP}/N3117")  # a Major city: not the paper's colour
        assert image.getpixel((x + 10, y + 10)) != image.getpixel(tuple(engine.do("locate", MAP, f"{MAP}/N3001")))


def test_a_save_opens_again(engine: Engine, tmp_path: Path) -> None:
    engine.do("new")
    engine.do("side", "Solitaire")
    before = place(engine, "15 Pz", "N0850")
    saved = tmp_path / "game.vsav"
    engine.do("save", saved)
    assert engine.do("load", saved) > 0
    after = next(piece for piece in engine.do("state")["pieces"] if piece.get("basicName") == "15 Pz")
    assert json.dumps(after["properties"]) == json.dumps(before["properties"])
    assert after["location"] == "N0850"
    assert engine.dialogs == []
