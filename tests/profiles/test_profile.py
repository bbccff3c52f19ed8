from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path

import pytest

from vassal_bridge.board.hexes import hexside
from vassal_bridge.board.knowledge import UNKNOWN
from vassal_bridge.board.units import Box, Unit
from vassal_bridge.checks import CHECKS
from vassal_bridge.datadirs import data_dir
from vassal_bridge.errors import ProfileError
from vassal_bridge.profiles import Clock, MarkerCounter, Reading, Unread, find_profile, load_profile
from vassal_bridge.rulebook.load import load_rules
from vassal_bridge.vassal.container import Metadata

_FOLDER = data_dir("modules") / "drive-on-stalingrad"
_RULES = load_rules("drive-on-stalingrad", CHECKS)


@dataclass(frozen=True)
class Layer:
    name: str
    level: int = 1
    active: bool = True


@dataclass(frozen=True)
class Piece:
    id: str = "17"
    name: str = "counter"
    marks: Mapping[str, str] = field(default_factory=dict)
    layers: tuple[Layer, ...] = ()
    hidden: bool = False
    masked: bool = False


def marks(**words: str) -> Mapping[str, str]:
    return {"Side": "so", "Type": "sov.rifle", "Name": "62 Rif", "Division": "", "Faces": "U-8|2-4-8", **words}


@pytest.fixture(scope="module")
def reading() -> Reading:
    return Reading(load_profile(_FOLDER), _RULES.game)


# --- counters --------------------------------------------------------------------------------------------------------


def test_an_untried_face_hides_its_strength(reading: Reading) -> None:
    at = _RULES.game.numbering.parse("N2029")
    unit = reading.unit(Piece(marks=marks(), layers=(Layer("Step"),)), at)
    assert isinstance(unit, Unit)
    assert (unit.id, unit.name, unit.at, unit.side) == ("17", "62 Rif", at, "so")
    assert (unit.factors.attack, unit.factors.defense, unit.factors.movement) == (UNKNOWN, UNKNOWN, 8)
    assert unit.division is None


def test_the_step_layer_turns_the_face_and_a_layer_switched_on_is_a_flag(reading: Reading) -> None:
    layers = (Layer("Disrupted", active=True), Layer("Step", 2))
    unit = reading.unit(Piece(marks=marks(), layers=layers), None)
    assert isinstance(unit, Unit)
    assert (unit.factors.attack, unit.factors.defense) == (2, 4)
    assert unit.is_disrupted
    calm = reading.unit(Piece(marks=marks(), layers=(Layer("Disrupted", active=False), Layer("Step", 2))), None)
    assert isinstance(calm, Unit)
    assert not calm.is_disrupted


def test_a_face_that_is_not_listed_is_unknown(reading: Reading) -> None:
    unit = reading.unit(Piece(marks=marks(), layers=(Layer("Step", 3),)), None)
    assert isinstance(unit, Unit)
    assert unit.factors.movement is UNKNOWN


@pytest.mark.parametrize(
    "piece", [Piece(marks=marks(), masked=True), Piece(marks=marks(Type="sov.balloon"))], ids=["masked", "type unknown"]
)
def test_a_counter_of_which_only_the_side_is_known_is_any_of_its_side(reading: Reading, piece: Piece) -> None:
    unit = reading.unit(piece, None)
    assert isinstance(unit, Unit)
    assert unit.type.code == "so.any"
    assert unit.type.is_masked
    assert unit.factors.movement is UNKNOWN
    assert unit.division is UNKNOWN
    assert "62" not in unit.name


@pytest.mark.parametrize(
    "piece",
    [
        Piece(marks=marks(), hidden=True),
        Piece(marks=marks(Type="x.y", Side="Martians")),
        Piece(marks={"Marker": "Balloon"}),
    ],
    ids=["hidden", "neither type nor side", "marker unknown"],
)
def test_what_cannot_be_read_is_told_apart(reading: Reading, piece: Piece) -> None:
    assert isinstance(reading.unit(piece, None), Unread)


def test_markers_are_no_units_and_other_counters_nothing(reading: Reading) -> None:
    at = _RULES.game.numbering.parse("N2029")
    assert reading.unit(Piece(marks={"Marker": "Cleared"}), at) == MarkerCounter(kind="cleared", at=at)
    assert reading.unit(Piece(), at) is None


# --- places and time -------------------------------------------------------------------------------------------------


def test_places_are_hexes_boxes_or_not_of_the_profile(reading: Reading) -> None:
    assert reading.place("North Sheet", "N2029") == _RULES.game.numbering.parse("N2029")
    assert reading.place("Boxes", "Axis Eliminated") == Box("@dead")
    for strange in (("North Sheet", "offboard"), ("North Sheet", "N0155"), ("Boxes", "Shelf"), ("Table", "N2029")):
        assert reading.place(*strange) is None
    assert reading.place(None, "") is None
    assert reading.place("North Sheet", None) is None


@dataclass(frozen=True)
class Tracker:
    text: str
    levels: Mapping[str, str]


def test_the_tracker_gives_turn_and_phase(reading: Reading) -> None:
    shown = Tracker("Game-Turn 3: Axis Combat", {"Game-Turn": "3", "Phase": "Axis Combat"})
    assert reading.clock({"Turn": shown}) == Clock(turn="3", phase=_RULES.game.phases["ax.combat"].id)  # type: ignore[index]
    lunch = Tracker("3: Lunch", {"Game-Turn": "3", "Phase": "Lunch"})
    assert reading.clock({"Turn": lunch}) == Clock(turn="3")
    assert reading.clock({"Clock": shown}) == Clock()


def test_dice_have_uses(reading: Reading) -> None:
    assert reading.use_of_die("Combat die") == "combat"
    assert reading.use_of_die("Coin") is None


# --- which profile ---------------------------------------------------------------------------------------------------


def test_a_profile_is_found_by_the_modules_name_and_version() -> None:
    found = find_profile(Metadata(name="Drive on Stalingrad (schematic)", version="1.7"))
    assert found is not None
    assert (found.name, found.game) == ("drive-on-stalingrad", "drive-on-stalingrad")
    assert find_profile(Metadata(name="Drive on Stalingrad (schematic)", version="2.0")) is None
    assert find_profile(Metadata(name="Another Game", version="1.0")) is None
    assert find_profile(Metadata()) is None


# --- files with faults -----------------------------------------------------------------------------------------------


def write(folder: Path, name: str, old: str = "", new: str = "") -> Path:
    text = (_FOLDER / name).read_text("utf-8")
    assert old in text
    (folder / name).write_text(text.replace(old, new, 1), "utf-8")
    return folder


def test_all_faults_of_a_profile_are_told_at_once(tmp_path: Path) -> None:
    write(tmp_path, "profile.toml", "hex = '(?P<hex>N", "hexes = '(?P<hex>N")
    text = (tmp_path / "profile.toml").read_text("utf-8").replace("format = 1", "format = 2", 1)
    (tmp_path / "profile.toml").write_text(text, "utf-8")
    with pytest.raises(ProfileError) as caught:
        load_profile(tmp_path)
    assert len(caught.value.problems) >= 2
    assert any("hexes" in problem for problem in caught.value.problems)
    assert any(problem.startswith("format") for problem in caught.value.problems)


@pytest.mark.parametrize("content", [b"maps = [", b"\xff\xfe", None], ids=["no TOML", "no UTF-8", "missing"])
def test_an_unreadable_profile_is_one_error(tmp_path: Path, content: bytes | None) -> None:
    if content is not None:
        (tmp_path / "profile.toml").write_bytes(content)
    with pytest.raises(ProfileError, match=r"profile\.toml"):
        load_profile(tmp_path)


def test_a_phase_that_the_game_does_not_have_is_a_fault(tmp_path: Path) -> None:
    profile = load_profile(write(tmp_path, "profile.toml", '"ax.combat"', '"ax.lunch"'))
    with pytest.raises(ProfileError, match=r"ax\.lunch"):
        Reading(profile, _RULES.game)


# --- terrain ---------------------------------------------------------------------------------------------------------


def test_the_map_becomes_terrain() -> None:
    numbering = _RULES.game.numbering
    terrain = load_profile(_FOLDER).terrain(numbering)

    def at(name: str) -> tuple[int, int, str]:
        found = numbering.parse(name)
        assert found is not None
        return found

    assert terrain.is_complete
    assert terrain.lines == {"N": (1, 38)}
    assert terrain.features[hexside(at("N3823"), at("N3824"))] == {"don"}  # type: ignore[arg-type]
    assert "major" in terrain.tags[at("N0841")]  # type: ignore[index]
    # A hex on a railroad is a rail hex, and joined to the next one on it.
    assert "rail" in terrain.tags[at("N0750")]  # type: ignore[index]
    assert hexside(at("N0750"), at("N0749")) in terrain.tracks  # type: ignore[arg-type]
    assert terrain.links[hexside(at("N0811"), at("N0911"))] == 10  # type: ignore[arg-type]


def test_all_faults_of_a_map_are_told_at_once(tmp_path: Path) -> None:
    write(tmp_path, "profile.toml")
    write(tmp_path, "map.toml", '"N3823|N3824"', '"N3823|N3830", "N3823", "N9999|N0101"')
    with pytest.raises(ProfileError) as caught:
        load_profile(tmp_path).terrain(_RULES.game.numbering)
    assert len(caught.value.problems) == 3
    assert caught.value.file == str(tmp_path / "map.toml")
