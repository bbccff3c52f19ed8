"""Map windows of a build file: boards, grids, zones, numberings, stacks, decks."""

from __future__ import annotations

from vassal_bridge.vassal.buildfile import Element, Notes, children, full_class, short_class, text_of
from vassal_bridge.vassal.components import (
    AtStartStack,
    Board,
    DrawPile,
    GlobalProperty,
    LayeredPieces,
    MapDefinition,
    MapKind,
    PropertyHolder,
    StackMetrics,
)
from vassal_bridge.vassal.geometry import Point, Size
from vassal_bridge.vassal.grid import Grid, Region, RegionGrid, SquareGrid, UnknownGrid, Zone, ZonedGrid
from vassal_bridge.vassal.hexgrid import HexGrid, regular_dx
from vassal_bridge.vassal.numbering import Axis, LabelKind, Numbering
from vassal_bridge.vassal.readpieces import read_slots
from vassal_bridge.vassal.readproperties import read_properties
from vassal_bridge.vassal.values import read_list

__all__ = ["MAP_CLASSES", "read_grid", "read_map"]

MAP_CLASSES = {
    "Map": MapKind.MAP,
    "PrivateMap": MapKind.PRIVATE,
    "PlayerHand": MapKind.HAND,
    "WidgetMap": MapKind.CHART,
}
"""Classes of map windows."""

_DEFAULT_BOARD_SIZE: Size = (500, 500)
_SPACING = (0.01, 1e6)
"""Least and greatest distance of cells that is reckoned with, pixels."""
_MAX_LEADING = 64
_REPORTS = {
    "within": "moveWithinFormat",
    "to": "moveToFormat",
    "create": "createFormat",
    "change": "changeFormat",
}
_GRIDS = frozenset({"HexGrid", "SquareGrid", "RegionGrid", "ZonedGrid"})
_NUMBERINGS = frozenset({"HexGridNumbering", "SquareGridNumbering", "ObliqueHexGridNumbering"})
_NO_GRID = frozenset({"ZoneProperty", "ZonedGridHighlighter", "ZoneHighlight", "Zone", "Region"})
_PILE_PLACE = frozenset({"name", "owningBoard", "x", "y", "width", "height", "useGridLocation", "location"})


def read_map(element: Element, identifier: str, notes: Notes) -> MapDefinition:
    """Read a map window; ``identifier`` is its id (``Map0``)."""
    name = element.get("mapName", "")
    picker = next(children(element, "BoardPicker"), None)
    setup = next(children(picker, "setup"), None) if picker is not None else None
    boards = () if picker is None else tuple(_read_board(board, notes) for board in children(picker, "Board"))
    metrics = next(children(element, "StackMetrics"), None)
    layers = next(children(element, "LayeredPieceCollection"), None)
    return MapDefinition(
        id=identifier,
        name=name,
        kind=MAP_CLASSES.get(short_class(element), MapKind.MAP),
        edge=_read_edge(element, notes),
        boards=boards,
        default_layout=(text_of(setup) or None) if setup is not None else None,
        own_picker=_read_own_picker(element, notes) if picker is None else None,
        at_start=tuple(_read_stack(stack, notes) for stack in children(element, "SetupStack")),
        draw_piles=tuple(_read_pile(pile, notes) for pile in children(element, "DrawPile")),
        stacking=StackMetrics(is_disabled=metrics is not None and metrics.get("disabled") == "true"),
        layers=None if layers is None else _read_layers(layers),
        properties=(
            *read_properties(element, holder=PropertyHolder.MAP, map_identifier=name or identifier),
            *_zone_properties(element, name or identifier),
        ),
        owners=read_list(element.get("side")),
        is_visible_to_others=element.get("visible") == "true",
        boards_of=element.get("useBoards") or None,
        mark_moved=element.get("markMoved", ""),
        reports=tuple((kind, element.get(key, "")) for kind, key in _REPORTS.items() if element.get(key) is not None),
        reports_changed_location_only=element.get("onlyReportChangedLocation") == "true",
    )


def _read_own_picker(element: Element, notes: Notes) -> str | None:
    own = next((child for child in children(element) if short_class(child).endswith("BoardPicker")), None)
    if own is not None:
        notes.add(own, "which boards it lays out cannot be read, so no place of the map can be named")
    return None if own is None else full_class(own)


def _read_edge(element: Element, notes: Notes) -> Size:
    # Builds before 2.0 or so wrote both in one attribute.
    width, _, height = element.get("edge", "").partition(",")
    are_numbers = all(part.isdecimal() and len(part) < 10 for part in (width, height))
    old = (int(width), int(height)) if are_numbers else (0, 0)
    return (notes.integer(element, "edgeWidth", old[0]), notes.integer(element, "edgeHeight", old[1]))


def _read_board(element: Element, notes: Notes) -> Board:
    image = element.get("image") or None
    width, height = _DEFAULT_BOARD_SIZE
    size = (notes.integer(element, "width", width), notes.integer(element, "height", height))
    return Board(
        name=element.get("name", ""),
        image=image,
        size=None if image else size,
        is_reversible=element.get("reversible") == "true",
        grid=_read_only_grid(element, notes),
    )


def _read_only_grid(holder: Element, notes: Notes) -> Grid | None:
    """Read the grid of a board or zone; of several the last wins, since each takes the place of the one before."""
    grids = [child for child in children(holder) if _is_grid(child)]
    if len(grids) > 1:
        notes.add(holder, "there is more than one grid; the last one counts")
    return read_grid(grids[-1], notes) if grids else None


def _is_grid(element: Element) -> bool:
    short = short_class(element)
    return short in _GRIDS or (short.endswith("Grid") and short not in _NO_GRID)


def read_grid(element: Element, notes: Notes) -> Grid:
    """Read a grid of any kind; the size of its container is not known yet."""
    match short_class(element):
        case "HexGrid":
            return _read_hex_grid(element, notes)
        case "SquareGrid":
            return _read_square_grid(element, notes)
        case "RegionGrid":
            return _read_region_grid(element, notes)
        case "ZonedGrid":
            zones = tuple(_read_zone(zone, notes) for zone in children(element, "Zone"))
            return ZonedGrid(zones=zones, background=_read_only_grid(element, notes))
        case _:
            notes.add(element, "places on a grid of this class cannot be named")
            return UnknownGrid(class_name=full_class(element))


def _read_hex_grid(element: Element, notes: Notes) -> Grid:
    dy = notes.number(element, "dy")
    dx = regular_dx(notes.number(element, "dx"), 64.0 if dy is None else dy)
    grid = HexGrid(
        x0=notes.integer(element, "x0", 0),
        y0=notes.integer(element, "y0", 32),
        dx=dx,
        dy=64.0 if dy is None else dy,
        is_sideways=element.get("sideways") == "true",
        is_snapping=element.get("snapTo", "true") == "true",
        edges_legal=element.get("edgesLegal") == "true",
        corners_legal=element.get("cornersLegal") == "true",
        snap_scale=notes.integer(element, "snapscale", 0),
        numbering=_read_numbering(element, notes),
    )
    return grid if _can_be_reckoned(element, grid.dx, grid.dy, notes) else _broken(element)


def _read_square_grid(element: Element, notes: Notes) -> Grid:
    dx, dy = notes.number(element, "dx"), notes.number(element, "dy")
    grid = SquareGrid(
        x0=notes.integer(element, "x0", 24),
        y0=notes.integer(element, "y0", 24),
        dx=48.0 if dx is None else dx,
        dy=48.0 if dy is None else dy,
        is_snapping=element.get("snapTo", "true") == "true",
        edges_legal=element.get("edgesLegal") == "true",
        corners_legal=element.get("cornersLegal") == "true",
        snap_scale=notes.integer(element, "snapscale", 0),
        numbering=_read_numbering(element, notes),
    )
    return grid if _can_be_reckoned(element, grid.dx, grid.dy, notes) else _broken(element)


def _can_be_reckoned(element: Element, dx: float, dy: float, notes: Notes) -> bool:
    least, greatest = _SPACING
    if not (least <= dx <= greatest and least <= dy <= greatest):
        notes.add(element, "the distances of its cells make no sense; its places cannot be named")
        return False
    if any(short_class(child) not in _NUMBERINGS for child in children(element)):
        notes.add(element, "its numbering is of a class that cannot be read; its places cannot be named")
        return False
    return True


def _broken(element: Element) -> UnknownGrid:
    return UnknownGrid(class_name=full_class(element))


def _read_region_grid(element: Element, notes: Notes) -> RegionGrid:
    regions = tuple(
        Region(
            name=region.get("name", ""),
            x=notes.integer(region, "originx", 0),
            y=notes.integer(region, "originy", 0),
        )
        for region in children(element, "Region")
    )
    return RegionGrid(regions=regions, is_snapping=element.get("snapto", "true") == "true")


def _read_zone(element: Element, notes: Notes) -> Zone:
    return Zone(
        name=element.get("name", ""),
        location_format=element.get("locationFormat", "$name$"),
        path=_read_path(element, notes),
        grid=_read_only_grid(element, notes),
        uses_parent_grid=element.get("useParentGrid") == "true",
    )


def _read_path(element: Element, notes: Notes) -> tuple[Point, ...]:
    points: list[Point] = []
    for part in filter(None, element.get("path", "").split(";")):
        x, _, y = part.partition(",")
        try:
            points.append((int(x), int(y)))
        except ValueError:
            notes.add(element, "a corner of its path is no pair of numbers")
    return tuple(points)


def _read_numbering(grid: Element, notes: Notes) -> Numbering | None:
    element = next(reversed(list(children(grid, *_NUMBERINGS))), None)
    if element is None:
        return None
    if "{" in element.get("locationFormat", ""):
        notes.add(element, "its location format is an expression, which is taken as it stands")
    return Numbering(
        first=Axis.HORIZONTAL if element.get("first", "H")[:1] == "H" else Axis.VERTICAL,
        separator=element.get("sep", ""),
        column_kind=_label_kind(element, "hType"),
        row_kind=_label_kind(element, "vType"),
        column_leading=_leading(element, "hLeading", notes),
        row_leading=_leading(element, "vLeading", notes),
        column_offset=notes.integer(element, "hOff", 1),
        row_offset=notes.integer(element, "vOff", 1),
        columns_descend=element.get("hDescend") == "true",
        rows_descend=element.get("vDescend") == "true",
        is_staggered=element.get("stagger", "true") == "true",
        is_oblique=short_class(element) == "ObliqueHexGridNumbering",
        location_format=element.get("locationFormat", "$gridLocation$"),
    )


def _label_kind(element: Element, key: str) -> LabelKind:
    return LabelKind.ALPHABETIC if element.get(key, "N")[:1] == "A" else LabelKind.NUMERIC


def _leading(element: Element, key: str, notes: Notes) -> int:
    leading = notes.integer(element, key, 1)
    if leading > _MAX_LEADING:
        notes.add(element, f"{key} asks for more than {_MAX_LEADING} digits")
    return max(0, min(leading, _MAX_LEADING))


def _read_stack(element: Element, notes: Notes) -> AtStartStack:
    return AtStartStack(
        name=element.get("name", ""),
        board=_owning_board(element),
        x=notes.integer(element, "x", 0),
        y=notes.integer(element, "y", 0),
        location=element.get("location") or None,
        uses_location=element.get("useGridLocation") == "true",
        slots=tuple(read_slots(element, notes)),
    )


def _read_pile(element: Element, notes: Notes) -> DrawPile:
    width, height = notes.integer(element, "width", 0), notes.integer(element, "height", 0)
    return DrawPile(
        name=element.get("name", ""),
        board=_owning_board(element),
        x=notes.integer(element, "x", 0),
        y=notes.integer(element, "y", 0),
        location=element.get("location") or None,
        uses_location=element.get("useGridLocation") == "true",
        slots=tuple(read_slots(element, notes)),
        size=(width, height) if width > 0 and height > 0 else None,
        options=tuple((str(key), str(value)) for key, value in element.items() if key not in _PILE_PLACE),
    )


def _owning_board(element: Element) -> str | None:
    board = element.get("owningBoard", "")
    return None if board in ("", "<any>") else board


def _read_layers(element: Element) -> LayeredPieces:
    return LayeredPieces(property=element.get("property", ""), order=read_list(element.get("layerOrder")))


def _zone_properties(element: Element, map_identifier: str) -> list[GlobalProperty]:
    found: list[GlobalProperty] = []
    for zone in element.iterdescendants():
        if short_class(zone) == "Zone":
            name = zone.get("name", "")
            found.extend(read_properties(zone, holder=PropertyHolder.ZONE, map_identifier=map_identifier, zone=name))
    return found
