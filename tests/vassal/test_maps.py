"""Boards on a map: corners, flips, decks, snapping across boards; vectors of the real engine."""

from __future__ import annotations

from dataclasses import replace

import pytest

from vassal_bridge.vassal.commands import BoardPlacement
from vassal_bridge.vassal.components import AtStartStack, Board, DrawPile, MapDefinition
from vassal_bridge.vassal.geometry import Point, UnknownNameError
from vassal_bridge.vassal.grid import HexGrid, Region, RegionGrid, UnknownGrid, Zone, ZonedGrid
from vassal_bridge.vassal.maps import MapLayout, default_layout, lay_out, read_layout
from vassal_bridge.vassal.numbering import Numbering

HEXES = HexGrid(x0=0, y0=33, dx=57.0, dy=66.0, numbering=Numbering(), container=(1000, 800))
TURNS = Zone(
    name="Turn Box",
    path=((0, 0), (200, 0), (200, 100), (0, 100)),
    grid=RegionGrid(regions=(Region(name="T1", x=50, y=50), Region(name="T2", x=150, y=50))),
)
NORTH = Zone(
    name="North",
    path=((200, 0), (1000, 0), (1000, 400), (200, 400)),
    uses_parent_grid=True,
    location_format="$name$: $gridLocation$",
)
WEST = Board(name="West", size=(1000, 800), grid=ZonedGrid(zones=(TURNS, NORTH), background=HEXES))
EAST = Board(name="East", size=(1000, 800), is_reversible=True, grid=HEXES)
MAP = MapDefinition(
    id="Map0",
    name="Main",
    edge=(10, 20),
    boards=(WEST, EAST),
    draw_piles=(DrawPile(name="Draw", board="West", x=600, y=600),),
)
BOARDS = [BoardPlacement("West", False, 0, 0), BoardPlacement("East", True, 1, 0)]


@pytest.fixture
def layout() -> MapLayout:
    return lay_out(MAP, BOARDS)


@pytest.mark.parametrize(
    ("point", "board", "zone", "name", "snapped", "snapped_name"),
    [
        ((10, 20), "West", "Turn Box", "Turn Box", (60, 70), "Turn Box"),
        ((159, 69), "West", "Turn Box", "Turn Box", (160, 70), "Turn Box"),
        ((239, 186), "West", "North", "North: 0503", (238, 185), "North: 0503"),
        ((400, 500), "West", None, "0808", (409, 482), "0808"),
        ((1009, 419), "West", "North", "North: 1907", (979, 416), "North: 1807"),
        ((1010, 420), "East", None, "1907", (1041, 424), "1807"),
        ((1500, 500), "East", None, "1006", (1497, 490), "1006"),
        ((2009, 819), "East", None, "0101", (2009, 787), "0101"),
        ((5, 5), None, None, "offboard", (5, 5), "offboard"),
        ((610, 620), "West", None, "Draw", (637, 614), "1210"),
    ],
)
def test_points_of_two_boards_are_named_and_snapped_as_in_the_engine(
    layout: MapLayout, point: Point, board: str | None, zone: str | None, name: str, snapped: Point, snapped_name: str
) -> None:
    placed, found_zone = layout.board_at(*point), layout.zone_at(*point)
    assert (placed.board.name if placed else None) == board
    assert (found_zone.name if found_zone else None) == zone
    assert layout.location(*point) == name
    assert layout.snap(*point) == snapped
    assert layout.location(*snapped) == snapped_name


@pytest.mark.parametrize(
    ("name", "point"),
    [("North: 0503", (238, 185)), ("0808", (409, 482)), ("Draw", (610, 620)), ("Turn Box", (110, 70)), ("zzz", None)],
)
def test_a_name_leads_back_to_the_map(layout: MapLayout, name: str, point: Point | None) -> None:
    assert layout.point(name) == point
    assert point is None or layout.location(*point) == name


def test_a_name_on_a_flipped_board_leads_to_the_turned_point(layout: MapLayout) -> None:
    # Of the two boards' hexes 1006 that of West bears its zone's name.
    assert layout.point("1006") == (1497, 490)
    assert layout.location(1497, 490) == "1006"


def test_a_board_that_is_not_reversible_never_lies_upside_down() -> None:
    assert not lay_out(MAP, [BoardPlacement("West", True, 0, 0)]).boards[0].is_reversed


def test_corners_add_up_along_the_row_and_down_the_column() -> None:
    sizes = {"A": (100, 50), "B": (200, 80), "C": (30, 70), "D": (10, 10)}
    definition = MapDefinition(
        id="Map0", edge=(5, 6), boards=tuple(Board(name=name, size=size) for name, size in sizes.items())
    )
    layout = lay_out(definition, [("A", False, 0, 0), ("B", False, 1, 0), ("C", False, 0, 1), ("D", False, 1, 1)])
    assert [placed.corner for placed in layout.boards] == [(5, 6), (105, 6), (5, 56), (35, 86)]


def test_boards_that_the_module_lacks_are_named() -> None:
    layout = lay_out(MAP, [BoardPlacement("South", False, 0, 0), BoardPlacement("West", False, 1, 0)])
    assert layout.unknown_boards == ("South",)
    # The engine leaves the column empty.
    assert layout.boards[0].corner == (10, 20)


def test_nothing_is_said_of_a_board_whose_size_is_unknown() -> None:
    unmeasured = replace(MAP, boards=(replace(WEST, size=None), EAST))
    layout = lay_out(unmeasured, BOARDS)
    assert layout.location(500, 500) is None
    assert layout.location(1500, 500) is None
    assert layout.location(5, 5) is None
    with pytest.raises(UnknownNameError):
        layout.board_at(500, 500)
    above = lay_out(unmeasured, [BoardPlacement("East", False, 0, 0), BoardPlacement("West", False, 1, 0)])
    assert above.location(67, 86) == "0202"
    assert above.location(1500, 500) is None


def test_nothing_is_said_of_a_grid_that_cannot_be_read() -> None:
    definition = replace(MAP, boards=(replace(EAST, grid=UnknownGrid(class_name="example.Grid")),))
    assert lay_out(definition, [("East", False, 0, 0)]).location(100, 100) is None


def test_a_board_without_numbering_is_offboard_all_over() -> None:
    definition = replace(MAP, boards=(replace(EAST, grid=None), replace(WEST, grid=replace(HEXES, numbering=None))))
    layout = lay_out(definition, [("East", False, 0, 0), ("West", False, 1, 0)])
    assert {layout.location(100, 100), layout.location(1100, 100)} == {"offboard"}


def test_decks_lie_on_their_board_or_at_the_edge(layout: MapLayout) -> None:
    assert layout.place_of(DrawPile(name="D", board="East", x=1, y=2)) == (1011, 22)
    assert layout.place_of(DrawPile(name="D", board="South", x=1, y=2)) == (11, 22)
    assert layout.place_of(DrawPile(name="D", x=1, y=2)) == (11, 22)


def test_stacks_of_a_new_game_go_to_their_place(layout: MapLayout) -> None:
    def start(**options: object) -> Point | None:
        return layout.start_of(replace(AtStartStack(name="S", x=1, y=2), **options))  # type: ignore[arg-type]

    assert start() == (11, 22)
    assert start(board="South") is None
    assert start(board="West", uses_location=True, location="0808") == (409, 482)
    assert start(uses_location=True, location="T2") == (160, 70)
    assert start(uses_location=True, location="nowhere") == (11, 22)
    # The engine adds the corner of a flipped board, but does not turn the point.
    assert start(board="East", uses_location=True, location="0101") == (1010, 53)


def test_the_atom_of_a_board_picker_is_read() -> None:
    assert read_layout("MainBoardPicker\tWest\t0\t0\tEast/rev\t1\t0", MAP) == tuple(BOARDS)
    assert read_layout("Map0BoardPicker\tWest\tx", MAP) == (BoardPlacement("West", False, 0, 0),)
    assert read_layout("MainBoardPicker", MAP) == ()
    assert read_layout("OtherBoardPicker\tWest\t0\t0", MAP) is None


def test_a_new_game_has_the_setup_or_the_only_board() -> None:
    assert default_layout(MAP) is None
    assert default_layout(replace(MAP, default_layout="MainBoardPicker\tEast\t0\t0")) == (
        BoardPlacement("East", False, 0, 0),
    )
    assert default_layout(replace(MAP, boards=(WEST,))) == (BoardPlacement("West", False, 0, 0),)
    assert default_layout(replace(MAP, boards=(EAST,))) is None


def test_a_piece_one_pixel_off_the_board_is_pulled_in() -> None:
    # Hex (0, 8) of this board has its centre at y = 800, just below the last row of pixels.
    grid = HexGrid(x0=0, y0=0, dx=86.0, dy=100.0)
    definition = MapDefinition(id="Map0", boards=(Board(name="B", size=(500, 800), grid=grid),))
    assert lay_out(definition, [("B", False, 0, 0)]).snap(10, 790) == (0, 799)
