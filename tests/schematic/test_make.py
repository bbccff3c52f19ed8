"""A schematic module is built from its two files, twice the same, and its faults are named."""

from __future__ import annotations

import io
import zipfile
from pathlib import Path

import pytest
from lxml import etree
from PIL import Image

from vassal_bridge.datadirs import data_dir
from vassal_bridge.errors import BridgeError, OptionError, ProfileError
from vassal_bridge.schematic import build_module, module_names
from vassal_bridge.schematic.definition import read_definition

NAME = "drive-on-stalingrad"


@pytest.fixture(scope="module")
def module(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("made") / "module.vmod"
    build_module(NAME, path)
    return path


@pytest.fixture
def copy(tmp_path: Path) -> Path:
    for name in ("module.toml", "map.toml"):
        (tmp_path / name).write_text((data_dir("modules") / NAME / name).read_text("utf-8"), "utf-8")
    return tmp_path


def change(file: Path, old: str, new: str) -> None:
    text = file.read_text("utf-8")
    assert old in text
    file.write_text(text.replace(old, new, 1), "utf-8")


def test_twice_built_gives_the_same_bytes(module: Path, tmp_path: Path) -> None:
    report = build_module(NAME, tmp_path / "again.vmod")
    assert report.path.read_bytes() == module.read_bytes()
    assert (report.hexes, report.size) == (2033, module.stat().st_size)


def test_every_image_that_a_counter_names_is_there(module: Path) -> None:
    with zipfile.ZipFile(module) as archive:
        root = etree.fromstring(archive.read("buildFile.xml"))
        images = {name.removeprefix("images/") for name in archive.namelist() if name.startswith("images/")}
        text = " ".join(slot.text or "" for slot in root.iter("VASSAL.build.widget.PieceSlot"))
        named = {
            word for part in text.replace(";", " ").replace(",", " ").split() for word in [part] if word.endswith("png")
        }
        assert named
        assert named <= images
        with Image.open(io.BytesIO(archive.read("images/map.png"))) as image:
            assert image.size == (3480, 2221)


def test_says_on_its_face_that_it_is_not_the_published_map(module: Path) -> None:
    definition = read_definition(data_dir("modules") / NAME)
    assert "not the published one" in definition.board.remarks[0]
    assert "Natural Earth, public domain" in definition.board.remarks[1]


def test_counters_have_unique_ids(module: Path) -> None:
    with zipfile.ZipFile(module) as archive:
        root = etree.fromstring(archive.read("buildFile.xml"))
    slots = [slot.get("gpid") for slot in root.iter("VASSAL.build.widget.PieceSlot")]
    assert len(slots) == len(set(slots)) == int(root.get("nextPieceSlotId", "0")) - 1


def test_only_modules_of_ours_can_be_built(tmp_path: Path) -> None:
    assert NAME in module_names()
    with pytest.raises(OptionError, match="drive-on-stalingrad"):
        build_module("no-such-game", tmp_path / "x.vmod")


def test_a_folder_that_is_not_there_is_one_clear_line(tmp_path: Path) -> None:
    with pytest.raises(BridgeError, match="cannot be written"):
        build_module(NAME, tmp_path / "nowhere" / "x.vmod")


@pytest.mark.parametrize(
    ("file", "old", "new", "problem"),
    [
        ("map.toml", '"N0754", "N0853"', '"N0755", "N0853"', "N0755 is no hex of sheet N"),
        ("map.toml", "format = 1", "format = 2", "format"),
        ("map.toml", "complete = true", "complete = true\ncompleet = true", "completeet|compleet"),
        ("module.toml", '"57 Inf", "75 Inf"', '"57 Inf", "57 Inf"', "two counters are named 57 Inf"),
        ("module.toml", 'side = "Axis"', 'side = "Axi"', "no side Axi"),
        ("module.toml", 'faces = ["L2-12"]', "faces = []", "Parsegov HQ has no faces"),
    ],
)
def test_faults_are_named(copy: Path, file: str, old: str, new: str, problem: str) -> None:
    change(copy / file, old, new)
    with pytest.raises(ProfileError) as caught:
        read_definition(copy)
    assert any(word in text for word in problem.split("|") for text in caught.value.problems)
    assert caught.value.file == str(copy / file)
