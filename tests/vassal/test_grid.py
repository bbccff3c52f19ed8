"""Square grids, regions and zones."""

from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.vassal.places import locate
from vassal_bridge.vassal.geometry import Point, UnknownNameError, mean_point
from vassal_bridge.vassal.grid import (
    Grid,
    HexGrid,
    Region,
    RegionGrid,
    SquareGrid,
    UnknownGrid,
    Zone,
    ZonedGrid,
)
from vassal_bridge.vassal.numbering import LabelKind, Numbering

SQUARES = SquareGrid(x0=25, y0=25, dx=50.0, dy=40.0, numbering=Numbering(), container=(500, 400))


@pytest.mark.parametrize(
    ("grid", "point", "name"),
    [
        (SQUARES, (25, 25), "0101"),
        (SQUARES, (49, 44), "0101"),
        (SQUARES, (50, 45), "0202"),
        (SQUARES, (499, 399), "1010"),
        # Columns are rounded down, rows towards zero, so row 0 reaches up to one and a half cells above its centre.
        (SQUARES, (-30, 25), "0001"),
        (SQUARES, (25, -30), "0101"),
        (SQUARES, (25, -36), "0100"),
        # 500 / 50 columns and 400 / 40 rows.
        (replace(SQUARES, numbering=Numbering(columns_descend=True)), (25, 25), "1101"),
        (replace(SQUARES, numbering=Numbering(rows_descend=True, row_offset=0)), (25, 25), "0110"),
        (replace(SQUARES, numbering=Numbering(column_kind=LabelKind.ALPHABETIC, column_offset=26)), (75, 25), "BB01"),
        (replace(SQUARES, numbering=None), (25, 25), None),
    ],
)
def test_squares_are_named(grid: SquareGrid, point: Point, name: str | None) -> None:
    assert grid.name(*point) == name


def test_a_name_leads_to_the_middle_of_its_square() -> None:
    assert SQUARES.point("0302") == locate(SQUARES, "0302") == (125, 65)
    assert SQUARES.point("3") is None
    assert locate(replace(SQUARES, numbering=None), "0302") is None


@pytest.mark.parametrize(
    ("edges", "corners", "point", "place"),
    [
        (False, False, (44, 40), (25, 25)),
        (False, False, (51, 46), (75, 65)),
        # Edges: the middle of a side may be taken, a corner may not.
        (True, False, (48, 25), (50, 25)),
        (True, False, (25, 44), (25, 45)),
        (True, False, (49, 44), (25, 45)),
        # Corners: the reverse.
        (False, True, (49, 44), (50, 45)),
        (False, True, (46, 26), (25, 25)),
        # Both: the nearest of them all.
        (True, True, (49, 44), (50, 45)),
        (True, True, (48, 26), (50, 25)),
    ],
)
def test_pieces_snap_to_squares(*, edges: bool, corners: bool, point: Point, place: Point) -> None:
    assert replace(SQUARES, edges_legal=edges, corners_legal=corners).snap(*point) == place


def test_pieces_stay_where_a_grid_does_not_snap() -> None:
    for grid in (
        replace(SQUARES, is_snapping=False),
        HexGrid(is_snapping=False),
        RegionGrid(regions=(Region(name="A", x=0, y=0),), is_snapping=False),
        RegionGrid(),
        UnknownGrid(class_name="example.Grid"),
    ):
        assert grid.snap(13, 17) == (13, 17)


def test_snap_points_between_centre_and_border() -> None:
    # Scale 2: steps of a quarter of a cell, at most one.
    assert replace(SQUARES, snap_scale=2).snap(40, 25) == (38, 25)
    assert HexGrid(x0=0, y0=0, dx=60.0, dy=60.0, snap_scale=2).snap(13, -20) == (15, -15)


@given(
    grid=st.builds(
        SquareGrid,
        x0=st.integers(0, 60),
        y0=st.integers(0, 60),
        dx=st.floats(10, 200),
        dy=st.floats(10, 200),
        numbering=st.builds(
            Numbering, separator=st.just("/"), columns_descend=st.booleans(), rows_descend=st.booleans()
        ),
        container=st.tuples(st.integers(100, 3000), st.integers(100, 3000)),
    ),
    x=st.integers(0, 3000),
    y=st.integers(0, 3000),
)
def test_every_square_name_leads_back(grid: SquareGrid, x: int, y: int) -> None:
    name = grid.name(x, y)
    assert name is not None
    found = locate(grid, name)
    assert found is not None
    assert grid.name(*found) == name


REGIONS = RegionGrid(regions=(Region(name="Berlin", x=100, y=100), Region(name="Minsk", x=300, y=100)))


def test_every_point_belongs_to_the_nearest_region() -> None:
    assert REGIONS.name(190, 500) == "Berlin"
    assert REGIONS.name(201, -90) == "Minsk"
    assert REGIONS.snap(201, -90) == (300, 100)
    assert locate(REGIONS, "Minsk") == (300, 100)
    assert locate(REGIONS, "Kiev") is None
    assert RegionGrid().name(1, 1) is None


def test_of_two_regions_at_one_point_the_later_counts() -> None:
    grid = RegionGrid(regions=(*REGIONS.regions, Region(name="Brest", x=100, y=100)))
    assert grid.name(100, 100) == "Brest"
    assert locate(grid, "Berlin") is None


BACKGROUND = HexGrid(x0=0, y0=33, dx=57.0, dy=66.0, numbering=Numbering())
BOX = ((0, 0), (200, 0), (200, 100), (0, 100))
NORTH = ((200, 0), (1000, 0), (1000, 400), (200, 400))


def zoned(*zones: Zone, background: Grid | None = BACKGROUND) -> ZonedGrid:
    return ZonedGrid(zones=zones, background=background).within((1000, 800)) if background else ZonedGrid(zones=zones)


def test_the_first_zone_that_holds_a_point_names_it() -> None:
    grid = zoned(Zone(name="Box", path=BOX), Zone(name="All", path=((0, 0), (900, 0), (900, 900), (0, 900))))
    assert grid.name(10, 10) == "Box"
    assert grid.name(10, 150) == "All"
    assert grid.name(950, 150) == "1803"


def test_a_zone_may_name_by_the_background_grid() -> None:
    zone = Zone(name="North", path=NORTH, uses_parent_grid=True, location_format="$name$: $gridLocation$")
    grid = zoned(zone)
    assert grid.name(229, 166) == "North: 0503"
    assert grid.point("North: 0503") == locate(grid, "North: 0503") == (228, 165)
    assert grid.snap(229, 166) == (228, 165)
    # 1611 is a hex of the background, but not of the zone.
    assert grid.point("North: 1611") is None
    assert locate(grid, "1611") == locate(BACKGROUND, "1611")


def test_counts_in_a_zone_descend_from_its_bounding_box() -> None:
    # The polygon is 400 x 300, so 400 / 50 columns; the board's size does not matter.
    squares = SquareGrid(x0=25, y0=25, dx=50.0, dy=50.0, numbering=Numbering(columns_descend=True))
    path = ((100, 100), (500, 100), (500, 400), (100, 400))
    grid = zoned(Zone(name="Zone", path=path, grid=squares, location_format="$gridLocation$"))
    assert grid.name(125, 125) == "0703"
    assert locate(grid, "0703") == (125, 125)


def test_a_zone_without_grid_has_its_name_and_does_not_snap() -> None:
    grid = zoned(Zone(name="Box", path=BOX, location_format="$name$ $gridLocation$"))
    assert grid.name(10, 10) == "Box "
    assert grid.snap(13, 17) == (13, 17)


def test_the_engine_places_a_zone_name_at_the_mean_of_its_corners() -> None:
    assert zoned(Zone(name="Box", path=BOX)).point("Box") == (100, 50)
    hook = ((0, 0), (300, 0), (300, 300), (290, 300), (290, 10), (0, 10))
    assert mean_point(hook) == (0, 0)
    assert mean_point(()) == (0, 0)
    assert locate(zoned(Zone(name="Hook", path=hook)), "Hook") == (0, 0)


def test_a_fixed_format_and_unknown_words_are_written_as_the_engine_does() -> None:
    grid = zoned(Zone(name="Box", path=BOX, location_format="Track $turn$"))
    assert grid.name(10, 10) == "Track turn"


def test_an_expression_is_not_guessed() -> None:
    grid = zoned(Zone(name="Box", path=BOX, location_format="{CurrentZone}"))
    with pytest.raises(UnknownNameError):
        grid.name(10, 10)


def test_a_region_can_be_found_by_its_bare_name_in_any_zone() -> None:
    regions = RegionGrid(regions=(Region(name="T1", x=50, y=50), Region(name="T9", x=900, y=50)))
    grid = zoned(Zone(name="Turns", path=BOX, grid=regions))
    assert grid.name(60, 60) == "Turns"
    assert grid.region("T1") == (50, 50)
    assert grid.region("T9") is None


def test_without_background_the_rest_has_no_name() -> None:
    grid = zoned(Zone(name="Box", path=BOX), background=None)
    assert grid.name(500, 500) is None
    assert locate(grid, "0101") is None
    assert grid.snap(500, 500) == (500, 500)


def test_a_grid_of_an_unknown_class_names_nothing() -> None:
    with pytest.raises(UnknownNameError):
        UnknownGrid(class_name="example.Grid").name(1, 1)
    with pytest.raises(UnknownNameError):
        zoned(background=UnknownGrid(class_name="example.Grid")).name(1, 1)
