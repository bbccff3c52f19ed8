"""The terrain file keeps what the rulebook states about single hexes, and hangs together."""

from __future__ import annotations

from itertools import pairwise

import pytest

from vassal_bridge.board.mapfile import MapFile, read_map_file
from vassal_bridge.datadirs import data_dir


@pytest.fixture(scope="module")
def terrain() -> MapFile:
    return read_map_file(data_dir("modules") / "drive-on-stalingrad" / "map.toml")


def place(name: str) -> tuple[int, int]:
    """Doubled position and row: neighbours in a row differ by 2 and 0, in neighbouring rows by 1 and 1."""
    row, position = int(name[1:3]), int(name[3:])
    return 2 * position + (row % 2 == 0), row


def are_neighbours(first: str, second: str) -> bool:
    (x, row), (other_x, other_row) = place(first), place(second)
    return (abs(x - other_x), abs(row - other_row)) in {(2, 0), (1, 1)}


def sides(terrain: MapFile, kind: str) -> set[frozenset[str]]:
    return {frozenset(side.split("|")) for side in terrain.hexsides[kind]}


def track(terrain: MapFile) -> set[frozenset[str]]:
    return {frozenset(pair) for line in terrain.rail for pair in pairwise(line.path)}


def test_is_complete_as_drawn(terrain: MapFile) -> None:
    assert terrain.complete


def test_hexsides_lie_between_neighbours_and_have_one_class(terrain: MapFile) -> None:
    listed = [side for kind in terrain.hexsides for side in terrain.hexsides[kind]]
    assert all(are_neighbours(*side.split("|")) for side in listed)
    assert len({frozenset(side.split("|")) for side in listed}) == len(listed)


def test_track_joins_neighbours_only(terrain: MapFile) -> None:
    assert all(are_neighbours(*pair) for pair in track(terrain))


def test_a_hex_has_at_most_one_kind_of_ground(terrain: MapFile) -> None:
    ground = [name for tag in ("sea", "lake", "lw", "hw", "rough", "mtn", "frac") for name in terrain.hexes[tag]]
    assert len(ground) == len(set(ground))
    assert not set(terrain.names) & {name for tag in ("sea", "lake") for name in terrain.hexes[tag]}


def test_every_city_is_major_or_minor(terrain: MapFile) -> None:
    major, minor = set(terrain.hexes["major"]), set(terrain.hexes["minor"])
    assert not major & minor
    assert major | minor == set(terrain.names)


def test_the_line_is_one_joined_chain_with_the_west_behind_it(terrain: MapFile) -> None:
    line = terrain.hexes["line"]
    assert len(line) == terrain.sheet.rows
    assert all(are_neighbours(*pair) for pair in pairwise(line))
    front = {place(name)[1]: place(name)[0] for name in line}
    west = {terrain.sheet.name(*hex_) for hex_ in terrain.sheet.hexes()}
    west = {name for name in west if place(name)[0] > front[place(name)[1]]}
    assert set(terrain.hexes["west"]) == west


def test_cities_stand_at_the_start_on_the_side_that_the_rulebook_gives_them(terrain: MapFile) -> None:
    # 5.11, 5.12: Kharkov and Kursk are Axis, all others of this sheet Soviet.
    held = {name for place_, name in terrain.names.items() if place_ in terrain.hexes["west"]}
    assert held == {"Kharkov", "Kursk"}


def test_keeps_what_the_rulebook_says_of_single_hexes(terrain: MapFile) -> None:
    joined = track(terrain)
    assert frozenset({"N3027", "N3028"}) in sides(terrain, "river")  # 10.21
    assert frozenset({"N3426", "N3326"}) in joined  # 10.43
    line = next(line.path for line in terrain.rail if "N1616" in line.path)
    assert abs(line.index("N1616") - line.index("N1419")) == 4  # 10.43
    assert frozenset({"N2154", "N2253"}) not in joined  # 6.39: only by the link of four points
    assert frozenset({"N0811", "N0911"}) not in joined
    assert frozenset({"N0811", "N0911"}) in sides(terrain, "volga")
    assert {(link.start, link.to): link.points for link in terrain.rail_link} == {
        ("N0811", "N0911"): 10,
        ("N1001", "N1701"): 10,
        ("N2154", "N2253"): 4,
        ("N2154", "N3754"): 25,
        ("N2253", "N3754"): 25,
    }
    for name in ("N0911", "N1001", "N1701", "N3754", "N0139"):
        assert terrain.sheet.place(name)
    assert "N0139" in terrain.hexes["don-bank"]  # 16.31: the northern start of the line


def test_the_area_east_of_the_don_is_shut_by_the_rivers(terrain: MapFile) -> None:
    east = set(terrain.hexes["don-east"])
    barrier = sides(terrain, "don") | sides(terrain, "river")
    rows = [terrain.sheet.name(*hex_) for hex_ in terrain.sheet.hexes() if hex_[0] <= 27]
    for name in east:
        for other in rows:
            if are_neighbours(name, other) and other not in east:
                assert frozenset({name, other}) in barrier
    assert set(terrain.hexes["don-bank"]) <= east
