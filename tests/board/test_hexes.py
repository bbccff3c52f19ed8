"""Printed hex numbers of three schemes, and the geometry behind them.

The neighbours and distances are those that the rulebooks state or that their worked examples prove.
"""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from vassal_bridge.board.hexes import Hex, HexNumbering, adjacent, distance, hexside, neighbours

ROWS = HexNumbering(
    pattern=r"(?P<sheet>[NS])(?P<line>0[1-9]|[1-4]\d)(?P<position>0[1-9]|[1-4]\d|5[0-4])",
    form="{sheet}{line:02d}{position:02d}",
    shift="even",
    last={"odd": 54, "even": 53},
)
FILES = HexNumbering(
    pattern=r"(?P<line>0[1-9]|[12]\d|3\d)(?P<position>0[1-9]|[12]\d|30)",
    form="{line:02d}{position:02d}",
    shift="even",
)
OBLIQUE = HexNumbering(
    pattern=r"(?P<line>[A-Z]|(?P<twice>[A-W])(?P=twice))-(?P<position>[1-9]|[1-4]\d|5[0-7])",
    form="{line}-{position}",
    shift=1,
    lettered=True,
)


def hexes(numbering: HexNumbering, *names: str) -> list[Hex]:
    found = [numbering.parse(name) for name in names]
    assert None not in found, names
    return [each for each in found if each is not None]


@pytest.mark.parametrize(
    ("numbering", "name", "around"),
    [
        (ROWS, "N2030", {"N2029", "N2031", "N1930", "N1931", "N2130", "N2131"}),
        (ROWS, "N2129", {"N2128", "N2130", "N2028", "N2029", "N2228", "N2229"}),
        (OBLIQUE, "CC-20", {"CC-19", "CC-21", "BB-20", "BB-21", "DD-19", "DD-20"}),
    ],
)
def test_the_six_neighbours(numbering: HexNumbering, name: str, around: set[str]) -> None:
    [centre] = hexes(numbering, name)
    assert set(numbering.names(neighbours(centre))) == around


@pytest.mark.parametrize(
    ("numbering", "a", "b", "far"),
    [
        (ROWS, "N1616", "N1419", 4),
        (ROWS, "N2030", "N2024", 6),
        (ROWS, "S1202", "S1304", 2),
        (ROWS, "S1202", "S1303", 1),
        (ROWS, "N2154", "N2253", 1),
        (FILES, "1705", "1705", 0),
        (OBLIQUE, "CC-13", "DD-25", 13),
    ],
)
def test_distances(numbering: HexNumbering, a: str, b: str, far: int) -> None:
    first, second = hexes(numbering, a, b)
    assert distance(first, second) == far
    assert adjacent(first, second) == (far == 1)


def test_two_sheets_have_no_distance() -> None:
    north, south = hexes(ROWS, "N1202", "S1202")
    assert distance(north, south) is None
    assert not adjacent(north, south)


@pytest.mark.parametrize("name", ["N2155", "N2254", "N0001", "2030", "X2030", "N203", "N20301", "N5001"])
def test_what_is_no_number_of_this_map(name: str) -> None:
    assert ROWS.parse(name) is None


@given(st.sampled_from([ROWS, FILES, OBLIQUE]), st.integers(-60, 60), st.integers(-5, 60))
def test_a_printed_number_leads_back_to_its_hex(numbering: HexNumbering, q: int, r: int) -> None:
    sheet = "N" if numbering is ROWS else ""
    if r < 0 or (numbering is not OBLIQUE and r < 1):
        return
    name = numbering.name(Hex(q, r, sheet))
    parsed = numbering.parse(name)
    assert parsed in (None, Hex(q, r, sheet))


def test_a_hexside_is_the_same_from_both_sides() -> None:
    first, second = hexes(ROWS, "N2030", "N2029")
    assert hexside(first, second) == hexside(second, first)
