"""Boards laid out on a map, and the names of the places on them.

Map pixels include the empty border around the boards, board pixels do not. Which boards lie where is a matter of the
game, not of the module: a save or log says it in the atom of the board picker, else the module's default holds.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field

from vassal_bridge.vassal.commands import BoardPlacement
from vassal_bridge.vassal.components import AtStartStack, Board, MapDefinition
from vassal_bridge.vassal.geometry import Point, Size, UnknownNameError
from vassal_bridge.vassal.grid import Zone, ZonedGrid
from vassal_bridge.vassal.hexgrid import HexSnapping
from vassal_bridge.vassal.sequence import decode

__all__ = [
    "OFFBOARD",
    "MapLayout",
    "PlacedBoard",
    "default_layout",
    "lay_out",
    "read_layout",
]

OFFBOARD = "offboard"
"""Name of a point on no board, or on a board that does not name it; the engine's English word."""


@dataclass(frozen=True, slots=True, kw_only=True)
class PlacedBoard:
    """A board where it lies.

    Attributes:
        board: The board.
        is_reversed: It lies upside down.
        column: Column of boards, from 0.
        row: Row of boards, from 0.
        corner: Its top left corner in map pixels; ``None`` if a board before it has no known size.
    """

    board: Board
    is_reversed: bool
    column: int
    row: int
    corner: Point | None

    def has(self, x: int, y: int) -> bool | None:
        """Tell whether a point in map pixels lies on the board; ``None`` if its place or size is not known."""
        if self.corner is None:
            return None
        across, down = x - self.corner[0], y - self.corner[1]
        if across < 0 or down < 0:
            return False
        size = self.board.size
        return None if size is None else across < size[0] and down < size[1]

    def to_board(self, x: int, y: int, *, turned: bool | None = None) -> Point:
        """Turn map pixels into board pixels; a reversed board is turned unless ``turned`` is false."""
        corner, size = self._known()
        across, down = x - corner[0], y - corner[1]
        is_turned = self.is_reversed if turned is None else turned
        return (size[0] - across, size[1] - down) if is_turned else (across, down)

    def to_map(self, x: int, y: int) -> Point:
        """Turn board pixels into map pixels."""
        corner, size = self._known()
        across, down = (size[0] - x, size[1] - y) if self.is_reversed else (x, y)
        return (corner[0] + across, corner[1] + down)

    def _known(self) -> tuple[Point, Size]:
        if self.corner is None or self.board.size is None:
            raise UnknownNameError
        return self.corner, self.board.size


@dataclass(frozen=True, slots=True, kw_only=True)
class MapLayout:
    """A map with its boards laid out.

    Attributes:
        map: The map.
        edge: Width and height of the border, pixels.
        boards: The boards, in the order of the layout; of several that hold a point the first counts.
        unknown_boards: Names in the layout that the module does not have; positions on such a map are suspect.
    """

    map: MapDefinition
    edge: Size = (0, 0)
    boards: tuple[PlacedBoard, ...] = ()
    unknown_boards: tuple[str, ...] = ()
    _names: dict[Point, str | None] = field(default_factory=dict, repr=False, compare=False)

    def location(self, x: int, y: int) -> str | None:
        """Name a point in map pixels (the property ``LocationName``).

        That is a deck's name exactly at its point, else the name that the board's grid gives, else ``offboard``.

        Returns:
            The name; ``None`` if it depends on something unknown, as the size of a board whose image is missing.
        """
        at = (x, y)
        try:
            return self._names[at]
        except KeyError:
            try:
                name: str | None = self._location(x, y)
            except UnknownNameError:
                name = None
            self._names[at] = name
            return name

    def board_at(self, x: int, y: int) -> PlacedBoard | None:
        """Find the board that holds a point.

        Raises:
            UnknownNameError: A board whose size or place is not known may hold it.
        """
        if self.map.own_picker is not None and not self.boards:
            raise UnknownNameError
        for placed in self.boards:
            holds = placed.has(x, y)
            if holds is None:
                raise UnknownNameError
            if holds:
                return placed
        return None

    def zone_at(self, x: int, y: int) -> Zone | None:
        """Find the zone that holds a point (``CurrentZone``).

        Unlike for names, the engine does not turn the point on a reversed board.

        Raises:
            UnknownNameError: A board whose size or place is not known may hold it.
        """
        placed = self.board_at(x, y)
        if placed is None or not isinstance(placed.board.grid, ZonedGrid):
            return None
        return placed.board.grid.zone_at(*placed.to_board(x, y, turned=False))

    def point(self, location: str) -> Point | None:
        """Find a point in map pixels whose name this is, in the middle of its place: the inverse of ``location``.

        The point that the engine itself means by a name is another matter, see ``start_of``.
        """
        return next((place for place in self._places(location) if self.location(*place) == location), None)

    def snap(self, x: int, y: int, *, rule: HexSnapping = HexSnapping.POLYGONS) -> Point:
        """Find where a piece dropped at a point comes to rest (``Map.snapTo``).

        Raises:
            UnknownNameError: A board whose size or place is not known may hold it.
        """
        placed = self.board_at(x, y)
        if placed is None:
            return (x, y)
        at = _snap_on(placed, (x, y), rule)
        landed = self.board_at(*at)
        if landed is not None and landed is not placed:
            at = _snap_on(landed, at, rule)
        if self.board_at(*at) is None and placed.corner is not None and placed.board.size is not None:
            return (
                _pull_in(at[0], placed.corner[0], placed.board.size[0]),
                _pull_in(at[1], placed.corner[1], placed.board.size[1]),
            )
        return at

    def place_of(self, stack: AtStartStack) -> Point | None:
        """Find where a deck lies, in map pixels; ``None`` if a board before its own has no known size.

        A deck whose board is not laid out lies where one without a board does (``DrawPile.getPosition``).
        """
        placed = self._owner(stack)
        if placed is None:
            return (stack.x + self.edge[0], stack.y + self.edge[1])
        return None if placed.corner is None else (stack.x + placed.corner[0], stack.y + placed.corner[1])

    def start_of(self, stack: AtStartStack) -> Point | None:
        """Find where a new game puts a stack or deck, in map pixels; ``None`` if its board is not laid out.

        Unlike ``place_of`` this heeds the name of a place, read on the stack's board or the first one laid out.
        """
        owner = self._owner(stack)
        if stack.board is not None and owner is None:
            return None
        board = owner or next(iter(self.boards), None)
        if not stack.uses_location or not stack.location or board is None or board.board.grid is None:
            return self.place_of(stack)
        grid = board.board.grid
        try:
            at = grid.point(stack.location)
            if at is None and isinstance(grid, ZonedGrid):
                at = grid.region(stack.location)
        except UnknownNameError:
            return None
        if at is None:
            return self.place_of(stack)
        # The engine adds the corner without turning the point on a reversed board.
        corner = self.edge if owner is None else owner.corner
        return None if corner is None else (at[0] + corner[0], at[1] + corner[1])

    def _location(self, x: int, y: int) -> str:
        for pile in self.map.draw_piles:
            if self.place_of(pile) == (x, y):
                return pile.name
        placed = self.board_at(x, y)
        if placed is None or placed.board.grid is None:
            return OFFBOARD
        name = placed.board.grid.name(*placed.to_board(x, y))
        return OFFBOARD if name is None else name

    def _places(self, location: str) -> Iterator[Point]:
        for pile in self.map.draw_piles:
            if pile.name == location and (place := self.place_of(pile)) is not None:
                yield place
        for placed in self.boards:
            try:
                for place in placed.board.grid.places(location) if placed.board.grid else ():
                    yield placed.to_map(*place)
            except UnknownNameError:
                continue

    def _owner(self, stack: AtStartStack) -> PlacedBoard | None:
        return next((placed for placed in self.boards if placed.board.name == stack.board), None)


def read_layout(atom: str, definition: MapDefinition) -> tuple[BoardPlacement, ...] | None:
    """Read the atom of a board picker (``BoardPicker.decode``); ``None`` if it is not that of this map."""
    head, *fields = decode(atom, "\t")
    if head not in (definition.id + "BoardPicker", definition.name + "BoardPicker"):
        return None
    choices = []
    for index in range(0, len(fields), 3):
        name, *side = decode(fields[index], "/")
        column, row = (_int(field) for field in (*fields[index + 1 : index + 3], "0", "0")[:2])
        choices.append(BoardPlacement(board=name, is_reversed=side[:1] == ["rev"], column=column, row=row))
    return tuple(choices)


def default_layout(definition: MapDefinition) -> tuple[BoardPlacement, ...] | None:
    """Find the boards that a new game begins with (``BoardPicker.getDefaultSetup``).

    Returns:
        The layout; ``None`` if the players choose, so that only the game can tell.
    """
    if definition.default_layout:
        return read_layout(definition.default_layout, definition)
    if len(definition.boards) == 1 and not definition.boards[0].is_reversible:
        return (BoardPlacement(board=definition.boards[0].name, is_reversed=False, column=0, row=0),)
    return None


def lay_out(
    definition: MapDefinition,
    layout: Iterable[tuple[str, bool, int, int]],
    *,
    boards: Sequence[Board] | None = None,
    edge: Size | None = None,
) -> MapLayout:
    """Place boards side by side (``Map.setBoardBoundaries``).

    Args:
        definition: The map.
        layout: Board, reversed, column, row of each board.
        boards: Boards to choose from, where they are those of another map.
        edge: Border, where it is that of another map.
    """
    edge = definition.edge if edge is None else edge
    known: dict[str, Board] = {}
    for board in definition.boards if boards is None else boards:
        known.setdefault(board.name, board)
    choices = [BoardPlacement(*choice) for choice in layout]
    chosen = [(known[choice.board], choice) for choice in choices if choice.board in known]
    sizes = {(choice.column, choice.row): board.size for board, choice in chosen}
    return MapLayout(
        map=definition,
        edge=edge,
        boards=tuple(
            PlacedBoard(
                board=board,
                is_reversed=choice.is_reversed and board.is_reversible,
                column=choice.column,
                row=choice.row,
                corner=_corner(choice, sizes, edge),
            )
            for board, choice in chosen
        ),
        unknown_boards=tuple(choice.board for choice in choices if choice.board not in known),
    )


def _corner(choice: BoardPlacement, sizes: dict[tuple[int, int], Size | None], edge: Size) -> Point | None:
    """Add up the widths of the boards before it in its row, and the heights of those above it in its column."""
    before = [size for (column, row), size in sizes.items() if row == choice.row and column < choice.column]
    above = [size for (column, row), size in sizes.items() if column == choice.column and row < choice.row]
    if None in before or None in above:
        return None
    return (edge[0] + sum(size[0] for size in before if size), edge[1] + sum(size[1] for size in above if size))


def _snap_on(placed: PlacedBoard, at: Point, rule: HexSnapping) -> Point:
    grid = placed.board.grid
    return at if grid is None else placed.to_map(*grid.snap(*placed.to_board(*at), rule=rule))


def _pull_in(at: int, corner: int, length: int) -> int:
    """Move a point that lies one pixel off the board back onto it."""
    return {-1: corner, length: corner + length - 1}.get(at - corner, at)


def _int(text: str) -> int:
    try:
        return int(text)
    except ValueError:
        return 0
