"""The components of a module that a checker can use, as the build file states them.

Positions are pixels. Nothing here is resolved against other parts: pieces keep their prototypes, boards that have an
image get their size later, from the image.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from enum import StrEnum

from vassal_bridge.vassal.geometry import Size
from vassal_bridge.vassal.grid import Grid, Zone, ZonedGrid

__all__ = [
    "AtStartStack",
    "Board",
    "CounterLevel",
    "Dice",
    "DiceKind",
    "Die",
    "DieFace",
    "DrawPile",
    "GlobalProperty",
    "Keep",
    "LayeredPieces",
    "ListLevel",
    "MapDefinition",
    "MapKind",
    "PieceDefinition",
    "PieceSlot",
    "PredefinedSetup",
    "PropertyHolder",
    "Prototype",
    "ScenarioKind",
    "SlotPlace",
    "StackMetrics",
    "TurnLevel",
    "TurnTracker",
]


@dataclass(frozen=True, slots=True, kw_only=True)
class PieceDefinition:
    """Type and state of a piece as the module keeps it, before it is in a game; both encoded."""

    type: str
    state: str


class SlotPlace(StrEnum):
    """Where the module keeps a piece."""

    PALETTE = "palette"
    AT_START = "at-start"
    DECK = "deck"
    PLACED = "placed"
    """Inside a trait of another piece, which places it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class PieceSlot:
    """A piece of the module (``PieceSlot``, ``CardSlot``, or a trait that places one).

    Attributes:
        gpid: The id that pieces made from it bear; empty before 3.1.
        name: Its entry name, else the basic name of the piece.
        place: Palette, at-start stack, deck, or inside another piece.
        path: Names of the components around it, outermost first: window, tabs, lists; map, stack.
        piece: What it holds, prototypes not expanded; ``None`` if that cannot be read.
        is_card: It is a card slot.
    """

    gpid: str
    name: str
    place: SlotPlace
    path: tuple[str, ...] = ()
    piece: PieceDefinition | None = None
    is_card: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Prototype:
    """Traits that pieces share by name; ``text`` is the whole piece, still with its ``$parameter$`` words."""

    name: str
    text: str
    description: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Board:
    """A board that a map may show (``boardPicker.Board``).

    Attributes:
        name: The board's name.
        image: File in ``images/``; ``None`` for a plain coloured board.
        size: Pixels; of a board with an image ``None`` until the image was measured, and after that if it could not be.
            Zero if the module lacks the image: so the engine has it, and no point lies on such a board.
        is_reversible: It may lie upside down.
        grid: Its grid, if it has one.
    """

    name: str
    image: str | None = None
    size: Size | None = None
    is_reversible: bool = False
    grid: Grid | None = None

    @property
    def zones(self) -> tuple[Zone, ...]:
        """The zones of its grid, in the order in which they win."""
        return self.grid.zones if isinstance(self.grid, ZonedGrid) else ()


@dataclass(frozen=True, slots=True, kw_only=True)
class AtStartStack:
    """Pieces that a new game begins with (``SetupStack``).

    Attributes:
        name: The stack's name.
        board: The board it belongs to, and is dealt with; ``None`` for any.
        x: Pixels from the board's corner; without a board, from the edge of the map's first board.
        y: The same, down.
        location: Name of the place that counts instead of x and y, where ``uses_location``.
        uses_location: The place's name decides.
        slots: Its pieces, bottom to top.
    """

    name: str
    board: str | None = None
    x: int = 0
    y: int = 0
    location: str | None = None
    uses_location: bool = False
    slots: tuple[PieceSlot, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class DrawPile(AtStartStack):
    """A deck of cards or counters (``DrawPile``); pieces exactly at its point are said to be at the deck.

    Attributes:
        size: Width and height of its outline, pixels.
        options: Its other attributes, as they stand.
    """

    size: Size | None = None
    options: tuple[tuple[str, str], ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class StackMetrics:
    """How a map stacks (``StackMetrics``); a map without stacking keeps every piece single."""

    is_disabled: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class LayeredPieces:
    """Drawing layers of a map (``LayeredPieceCollection``); pieces of different layers never stack.

    The layer is the index of the piece's value of ``property`` in ``order``, and one past the end for all others.
    """

    property: str
    order: tuple[str, ...] = ()

    def layer_of(self, value: str | None) -> int:
        """Find the layer of a piece by its value of the property."""
        return self.order.index(value) if value is not None and value in self.order else len(self.order)


class MapKind(StrEnum):
    """Who sees a map window."""

    MAP = "map"
    PRIVATE = "private"
    HAND = "hand"
    CHART = "chart"
    """A map inside a chart window."""


class PropertyHolder(StrEnum):
    """What a property belongs to."""

    MODULE = "module"
    MAP = "map"
    ZONE = "zone"


class ScenarioKind(StrEnum):
    """What kind of scenario option a property is (3.7 and later)."""

    BOOLEAN = "boolean"
    LIST = "list"
    STRING = "string"
    NUMBER = "number"


@dataclass(frozen=True, slots=True, kw_only=True)
class GlobalProperty:
    """A property of the module, a map or a zone, with the value a new game begins with.

    Attributes:
        name: Case-sensitive.
        initial: First value.
        holder: What it belongs to.
        map: Identifier of the map that it, or its zone, belongs to.
        zone: Name of the zone.
        is_numeric: It is held between ``minimum`` and ``maximum``.
        minimum: Least value, where one is set: a number, or a format that gives one.
        maximum: Greatest value, likewise.
        wraps: It goes on at the other end.
        scenario: It is a scenario option, of this kind.
        choices: Values of a list option.
    """

    name: str
    initial: str = ""
    holder: PropertyHolder = PropertyHolder.MODULE
    map: str | None = None
    zone: str | None = None
    is_numeric: bool = False
    minimum: str | None = None
    maximum: str | None = None
    wraps: bool = False
    scenario: ScenarioKind | None = None
    choices: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class MapDefinition:
    """A map window (``Map``, ``PrivateMap``, ``PlayerHand``, ``WidgetMap``).

    Attributes:
        id: ``Map0``, ``Map1`` ... in the order in which the engine builds maps, extensions last.
        name: May be empty; then files call the map by its id.
        kind: Who sees it.
        edge: Width and height of the empty border, pixels.
        boards: Boards to choose from.
        default_layout: Text of the board picker's ``setup``, the atom that lays boards out in a new game.
        own_picker: Class of a board picker of the module's own; what boards it lays out is not known.
        at_start: At-start stacks, in order.
        draw_piles: Decks, in order.
        stacking: How it stacks.
        layers: Its drawing layers, if it has any.
        properties: Properties of the map and of its zones.
        owners: Sides that own a private map.
        is_visible_to_others: Others may look at a private map or hand.
        boards_of: Map whose boards a private map shows instead of its own.
        mark_moved: ``Always``, ``Never``, ``Use Preferences Setting``.
        reports: Formats of the chat lines about moves: within, to, create, change.
        reports_changed_location_only: No line for a move within a place.
    """

    id: str
    name: str = ""
    kind: MapKind = MapKind.MAP
    edge: Size = (0, 0)
    boards: tuple[Board, ...] = ()
    default_layout: str | None = None
    own_picker: str | None = None
    at_start: tuple[AtStartStack, ...] = ()
    draw_piles: tuple[DrawPile, ...] = ()
    stacking: StackMetrics = StackMetrics()
    layers: LayeredPieces | None = None
    properties: tuple[GlobalProperty, ...] = ()
    owners: tuple[str, ...] = ()
    is_visible_to_others: bool = False
    boards_of: str | None = None
    mark_moved: str = ""
    reports: tuple[tuple[str, str], ...] = ()
    reports_changed_location_only: bool = False

    @property
    def identifier(self) -> str:
        """What files call the map: its name, or its id if it has none."""
        return self.name or self.id

    def board(self, name: str) -> Board | None:
        """Find a board by name."""
        return next((board for board in self.boards if board.name == name), None)


@dataclass(frozen=True, slots=True, kw_only=True)
class TurnLevel:
    """A level of a turn tracker; ``property`` names the module property that follows it.

    Attributes:
        name: The level's name.
        property: Module property that holds its value; may be empty.
        turn_format: Format with the word value.
        levels: Levels below it.
    """

    name: str
    property: str = ""
    turn_format: str = "$value$"
    levels: tuple[TurnLevel, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class CounterLevel(TurnLevel):
    """A level that counts (``CounterTurnLevel``)."""

    start: int = 1
    step: int = 1
    loops: bool = False
    last: int = -1


@dataclass(frozen=True, slots=True, kw_only=True)
class ListLevel(TurnLevel):
    """A level that runs through a list (``ListTurnLevel``)."""

    items: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class TurnTracker:
    """A turn tracker (``turn.TurnTracker``).

    Attributes:
        id: ``TurnTracker0``, ``TurnTracker1`` ... in build order; saves and logs call it so.
        name: Its name; the module property of that name with ``_value`` after it holds the turn as text.
        turn_format: Format with the words level1, level2 ...
        report_format: Format of its chat line, with the words oldTurn, newTurn.
        levels: Its levels, one after the other.
    """

    id: str
    name: str = ""
    turn_format: str = ""
    report_format: str = ""
    levels: tuple[TurnLevel, ...] = ()

    def all_levels(self) -> Iterator[TurnLevel]:
        """Yield every level, each before those below it."""
        waiting = list(reversed(self.levels))
        while waiting:
            level = waiting.pop()
            yield level
            waiting.extend(reversed(level.levels))


class DiceKind(StrEnum):
    """The engine's four kinds of dice button."""

    NUMBERS = "numbers"
    SERVER = "server"
    """As numbers, rolled by a server (``InternetDiceButton``)."""
    TEXTS = "texts"
    """One of a list of texts (``RandomTextButton``)."""
    SYMBOLS = "symbols"
    """Dice with faces of their own (``SpecialDiceButton``)."""


class Keep(StrEnum):
    """Which dice of a roll count (3.6 and later); the values are the module's."""

    AT_LEAST = ">"
    AT_MOST = "<"
    EQUAL = "="
    LARGEST = "l"
    SMALLEST = "s"


@dataclass(frozen=True, slots=True, kw_only=True)
class DieFace:
    """A face of a special die."""

    text: str
    value: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class Die:
    """A special die; ``format`` writes its result, with the words name, result, numericalValue."""

    name: str
    format: str = ""
    faces: tuple[DieFace, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Dice:
    """A dice button.

    Attributes:
        name: Its name, which its chat line usually begins with.
        kind: Which of the engine's buttons it is.
        count: Number of dice.
        sides: Sides of each.
        plus: Added to each die.
        add_to_total: Added once.
        reports_total: The chat line bears the sum, not the dice.
        is_sorted: The dice are reported in order of size.
        prompts: The player is asked for the number of dice and the like, so a line may differ from what stands here.
        keep: Which dice count; ``None`` for all.
        keep_count: How many, or which value they are held against.
        faces: Texts of a text button.
        is_numeric: The texts are numbers.
        dice: Dice of a symbol button.
        report_format: Format of its chat line; as it stands in the build file.
    """

    name: str
    kind: DiceKind = DiceKind.NUMBERS
    count: int = 2
    sides: int = 6
    plus: int = 0
    add_to_total: int = 0
    reports_total: bool = False
    is_sorted: bool = False
    prompts: bool = False
    keep: Keep | None = None
    keep_count: int = 1
    faces: tuple[str, ...] = ()
    is_numeric: bool = False
    dice: tuple[Die, ...] = ()
    report_format: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class PredefinedSetup:
    """An entry of the menu of scenarios (``PredefinedSetup``).

    Attributes:
        name: The menu entry.
        file: Save inside the module; ``None`` for the bare new game.
        is_menu: A submenu; ``setups`` are its entries.
        description: The author's note.
        setups: Entries below it.
    """

    name: str
    file: str | None = None
    is_menu: bool = False
    description: str = ""
    setups: tuple[PredefinedSetup, ...] = ()
