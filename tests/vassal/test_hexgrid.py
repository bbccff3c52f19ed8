"""Hex grids against the vectors that the real engine gave (names, places, snapping)."""

from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.vassal.places import locate
from vassal_bridge.vassal.geometry import Point, UnknownNameError, contains, java_round
from vassal_bridge.vassal.hexgrid import DEFAULT_DX, HexGrid, HexSnapping, regular_dx
from vassal_bridge.vassal.numbering import Axis, LabelKind, Numbering

POINTS = [(0, 33), (57, 66), (114, 33), (38, 50), (300, 300), (777, 501), (990, 790), (20, 10)]

BASE = HexGrid(x0=0, y0=33, dx=57.0, dy=66.0, numbering=Numbering(), container=(1000, 800))


def numbered(**options: object) -> HexGrid:
    return replace(BASE, numbering=replace(Numbering(), **options))  # type: ignore[arg-type]


GRIDS = {
    "base": BASE,
    "no stagger": numbered(is_staggered=False),
    "rows descend": numbered(rows_descend=True),
    "columns descend": numbered(columns_descend=True),
    "sideways": replace(BASE, is_sideways=True),
    "sideways, both descend": replace(numbered(rows_descend=True, columns_descend=True), is_sideways=True),
    "letters": numbered(column_kind=LabelKind.ALPHABETIC, column_offset=0, row_leading=0),
    "row first": numbered(first=Axis.VERTICAL, separator=".", column_leading=0, row_leading=2),
    "letters from W": numbered(column_kind=LabelKind.ALPHABETIC, column_offset=22, row_offset=-3),
    "no dx": replace(BASE, dx=regular_dx(None, 113.33), dy=113.33, x0=-20),
}


@pytest.mark.parametrize(
    ("grid", "names"),
    [
        ("base", "0101 0202 0301 0202 0606 1508 1813 0101"),
        ("no stagger", "0101 0201 0301 0201 0605 1508 1812 0101"),
        ("rows descend", "0115 0214 0315 0214 0610 1508 1803 0115"),
        ("columns descend", "1601 1502 1401 1502 1106 0208 -0113 1601"),
        ("sideways", "0201 0202 0203 0202 0606 1013 1516 0101"),
        ("sideways, both descend", "1416 1415 1414 1415 1011 0604 0101 1516"),
        ("letters", "A1 B2 C1 B2 F6 O8 R13 A1"),
        ("row first", "001.1 002.2 001.3 002.2 006.6 008.15 013.18 001.1"),
        ("letters from W", "W-03 X-02 Y-03 X-02 BB02 KK04 NN09 W-03"),
        ("no dx", "0101 0202 0202 0202 0404 0905 1108 0101"),
    ],
)
def test_names_are_the_engines(grid: str, names: str) -> None:
    assert [GRIDS[grid].name(*point) for point in POINTS] == names.split()


@pytest.mark.parametrize(
    ("grid", "places"),
    [
        (BASE, [(0, 33), (57, 66), (114, 33), (57, 66), (285, 330), (798, 495), (969, 792), (0, 33)]),
        (
            GRIDS["sideways"],
            [(0, 57), (66, 57), (132, 57), (66, 57), (330, 285), (792, 513), (1023, 798), (33, 0)],
        ),
        (
            GRIDS["no dx"],
            [(-20, 33), (78, 89), (176, 33), (78, 89), (274, 315), (765, 486), (961, 826), (-20, 33)],
        ),
        (
            replace(BASE, edges_legal=True),
            [(0, 33), (57, 66), (114, 33), (28, 49), (313, 313), (769, 511), (997, 775), (28, 16)],
        ),
        (
            replace(BASE, corners_legal=True),
            [(0, 33), (57, 66), (114, 33), (57, 66), (304, 297), (760, 495), (1007, 792), (19, 0)],
        ),
    ],
    ids=["centres", "sideways", "fractional", "edges", "corners"],
)
def test_pieces_snap_as_in_the_engine(grid: HexGrid, places: list[Point]) -> None:
    assert [grid.snap(*point) for point in POINTS] == places


def test_engines_before_3_7_snapped_by_the_band_that_also_names() -> None:
    # The new rule puts this point into the hex named 0301, the old one into the one it is named after.
    grid = GRIDS["no dx"]
    assert grid.name(114, 33) == "0202"
    assert grid.snap(114, 33) == (176, 33)
    assert grid.snap(114, 33, rule=HexSnapping.BANDS) == (78, 89)


@pytest.mark.parametrize(
    ("grid", "name", "point"),
    [
        ("base", "0606", (285, 330)),
        ("base", "1813", (969, 792)),
        ("columns descend", "1601", (0, -33)),
        ("columns descend", "1106", (285, 396)),
        ("sideways", "1013", (792, 513)),
        ("letters from W", "BB02", (285, 330)),
        ("no dx", "0404", (274, 316)),
    ],
)
def test_the_engines_own_reading_of_a_name_keeps_its_quirks(grid: str, name: str, point: Point) -> None:
    assert GRIDS[grid].point(name) == point


@pytest.mark.parametrize("name", ["", "06", "6", "0606x", " 0606", "06-06x", "٠٦٠٦"])
def test_a_name_that_is_none_leads_nowhere(name: str) -> None:
    assert BASE.point(name) is None
    assert locate(BASE, name) is None


def test_a_grid_without_numbering_has_no_names() -> None:
    grid = replace(BASE, numbering=None)
    assert grid.name(57, 66) is None
    assert locate(grid, "0202") is None


def test_descending_counts_need_the_size_of_the_board() -> None:
    with pytest.raises(UnknownNameError):
        numbered(columns_descend=True).within(None).name(0, 0)
    assert BASE.within(None).name(57, 66) == "0202"


def test_a_format_may_hold_row_and_column_apart() -> None:
    grid = numbered(location_format="Hex $column$/$row$ $nonsense$!")
    assert grid.name(57, 66) == "Hex 02/02 !"
    assert locate(grid, "Hex 02/02 !") == (57, 66)


def test_oblique_rows_run_aslant() -> None:
    # By hand, from the rule: half the column's number is added to its row, or taken off and one added.
    down = numbered(is_oblique=True)
    assert [down.name(*BASE.centre(column, 3)) for column in range(5)] == ["0104", "0205", "0305", "0406", "0506"]
    up = numbered(is_oblique=True, is_staggered=False)
    assert [up.name(*BASE.centre(column, 3)) for column in range(5)] == ["0105", "0205", "0304", "0404", "0503"]


def test_a_missing_column_distance_follows_from_the_row_distance() -> None:
    assert regular_dx(None, 100.0) == pytest.approx(86.60254)
    assert regular_dx(DEFAULT_DX, 100.0) == pytest.approx(86.60254)
    assert regular_dx(80.0, 100.0) == 80.0


numberings = st.builds(
    Numbering,
    first=st.sampled_from(Axis),
    separator=st.sampled_from(["", ".", "-", " "]),
    column_kind=st.sampled_from(LabelKind),
    row_kind=st.sampled_from(LabelKind),
    column_leading=st.integers(0, 3),
    row_leading=st.integers(0, 3),
    column_offset=st.integers(-30, 30),
    row_offset=st.integers(-30, 30),
    columns_descend=st.booleans(),
    rows_descend=st.booleans(),
    is_staggered=st.booleans(),
    is_oblique=st.booleans(),
)
grids = st.builds(
    HexGrid,
    x0=st.integers(-50, 100),
    y0=st.integers(-50, 100),
    dx=st.floats(20, 150),
    dy=st.floats(20, 150),
    is_sideways=st.booleans(),
    numbering=numberings,
    container=st.tuples(st.integers(300, 3000), st.integers(300, 3000)),
)


@given(grid=grids, column=st.integers(0, 40), row=st.integers(0, 40))
def test_every_name_leads_back_to_a_hex_of_that_name(grid: HexGrid, column: int, row: int) -> None:
    name = grid.name(*grid.centre(column, row))
    assert name is not None
    found = locate(grid, name)
    assert found is not None
    assert grid.name(*found) == name


@given(grid=grids, column=st.integers(-5, 40), row=st.integers(-5, 40))
def test_a_separated_name_leads_back_to_its_own_hex(grid: HexGrid, column: int, row: int) -> None:
    assert grid.numbering is not None
    # A minus sign as separator could be read as the sign of a number.
    grid = replace(grid, numbering=replace(grid.numbering, separator="/"))
    centre = grid.centre(column, row)
    assert grid.raw(*centre) == (column, row)
    name = grid.name(*centre)
    assert name is not None
    assert locate(grid, name) == centre


@given(grid=grids, x=st.integers(0, 3000), y=st.integers(0, 3000))
def test_a_snapped_piece_stays_where_it_is(grid: HexGrid, x: int, y: int) -> None:
    for rule in HexSnapping:
        place = grid.snap(x, y, rule=rule)
        assert place == grid.centre(*grid.raw(*place))
        assert grid.snap(*place, rule=rule) == place


def test_halves_are_rounded_upwards() -> None:
    assert [java_round(value) for value in (-1.5, -0.5, 0.5, 1.5, 2.4999)] == [-1, 0, 1, 2, 2]


def test_left_and_top_borders_belong_to_a_polygon() -> None:
    square = ((0, 0), (10, 0), (10, 10), (0, 10))
    inside = [point for point in [(0, 0), (9, 9), (10, 5), (5, 10), (0, 9), (-1, 5)] if contains(square, *point)]
    assert inside == [(0, 0), (9, 9), (0, 9)]
    assert not contains((), 0, 0)
