"""A module as a whole: its build file, its extensions, its images, and what can be asked of them together."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace

from vassal_bridge.errors import BridgeError, BuildFileError
from vassal_bridge.vassal.buildfile import (
    EXTENSION_ROOTS,
    Element,
    Notes,
    count_classes,
    descendants,
    graft,
    parse,
    short_class,
)
from vassal_bridge.vassal.components import (
    Board,
    Dice,
    GlobalProperty,
    MapDefinition,
    PieceSlot,
    PredefinedSetup,
    PropertyHolder,
    Prototype,
    TurnTracker,
)
from vassal_bridge.vassal.container import VassalFile
from vassal_bridge.vassal.geometry import Point, UnknownNameError
from vassal_bridge.vassal.images import find_image, measure_image
from vassal_bridge.vassal.maps import MapLayout, default_layout, lay_out
from vassal_bridge.vassal.prototypes import ExpandedPiece, expand
from vassal_bridge.vassal.readmaps import MAP_CLASSES, read_map
from vassal_bridge.vassal.readparts import read_dice, read_options, read_setups, read_sides, read_turn_trackers
from vassal_bridge.vassal.readpieces import read_all_slots, read_placed, read_prototypes
from vassal_bridge.vassal.readproperties import read_properties

__all__ = ["ExtensionInfo", "Layout", "Module", "read_module"]

Layout = Sequence[tuple[str, bool, int, int]]
"""Boards of one map, such as ``commands.BoardPlacement``: name, reversed, column, row of each."""

READ_CLASSES = frozenset(
    {
        *MAP_CLASSES,
        *("BoardPicker", "Board", "setup", "StackMetrics", "LayeredPieceCollection", "SetupStack", "DrawPile"),
        *("HexGrid", "SquareGrid", "RegionGrid", "ZonedGrid", "Zone", "Region"),
        *("HexGridNumbering", "SquareGridNumbering", "ObliqueHexGridNumbering"),
        *("PieceSlot", "CardSlot", "PrototypesContainer", "PrototypeDefinition"),
        *("PieceWindow", "TabWidget", "ListWidget", "BoxWidget", "PanelWidget", "MapWidget", "ChartWindow"),
        *("TurnTracker", "CounterTurnLevel", "ListTurnLevel"),
        *("DiceButton", "InternetDiceButton", "RandomTextButton"),
        *("SpecialDiceButton", "SpecialDie", "SpecialDieFace"),
        *("PlayerRoster", "entry", "GlobalProperties", "GlobalProperty", "ZoneProperty"),
        *("ScenarioPropertiesOptionTab", "BooleanScenarioProperty", "ListScenarioProperty"),
        *("StringScenarioProperty", "NumberScenarioProperty", "PredefinedSetup", "GlobalOptions", "ExtensionElement"),
        *("ModuleSubFolder", "MapSubFolder", "DeckSubFolder", "GlobalPropertyFolder", "PrototypeFolder"),
    }
)
"""Classes, by the last part of their name, that the readers take account of."""

_MAP_ID = "vassal-bridge-map-id"
"""Attribute that the readers put on a map, since extensions change the order of the document but not of the ids."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ExtensionInfo:
    """An extension that a module was read with.

    Attributes:
        file: Its file, as the user named it.
        id: Prefix of its gpids.
        version: Its version.
        module: Name of the module it was made for.
        module_version: Version of that.
        is_universal: It fits any module.
    """

    file: str
    id: str = ""
    version: str = ""
    module: str = ""
    module_version: str = ""
    is_universal: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Module:
    """A module with its extensions; an extension that is read alone stands as a module of its own.

    Attributes:
        name: Its name.
        version: Its version, as it stands; may be empty or no number.
        vassal_version: The engine that wrote its build file.
        description: The author's note.
        extensions: The extensions read with it.
        maps: All map windows, in the order of their ids.
        prototypes: Prototypes by name.
        slots: The first slot or placed piece of each gpid.
        all_slots: Every slot in the order of the build file, those without gpid too; no placed pieces.
        turn_trackers: Turn trackers in the order of their ids.
        dice: Dice buttons.
        sides: Sides that players may take.
        properties: Properties of the module; those of maps and zones are with the map.
        setups: The menu of predefined setups.
        options: Attributes of the module's global options, as they stand: ``playerIdFormat``, ``autoReport`` ...
        classes: Number of components of each Java class.
        unread: Of these, the classes that nothing here takes account of.
        problems: What is odd in the files; positions and names may suffer from it.
    """

    name: str
    version: str = ""
    vassal_version: str = ""
    description: str = ""
    extensions: tuple[ExtensionInfo, ...] = ()
    maps: tuple[MapDefinition, ...] = ()
    prototypes: Mapping[str, Prototype] = field(default_factory=dict)
    slots: Mapping[str, PieceSlot] = field(default_factory=dict)
    all_slots: tuple[PieceSlot, ...] = ()
    turn_trackers: tuple[TurnTracker, ...] = ()
    dice: tuple[Dice, ...] = ()
    sides: tuple[str, ...] = ()
    properties: tuple[GlobalProperty, ...] = ()
    setups: tuple[PredefinedSetup, ...] = ()
    options: Mapping[str, str] = field(default_factory=dict)
    classes: Mapping[str, int] = field(default_factory=dict)
    unread: Mapping[str, int] = field(default_factory=dict)
    problems: tuple[str, ...] = ()
    _layouts: dict[tuple[str, Layout | None], MapLayout | None] = field(default_factory=dict, repr=False, compare=False)
    _expanded: dict[str, ExpandedPiece | None] = field(default_factory=dict, repr=False, compare=False)

    def map(self, identifier: str) -> MapDefinition | None:
        """Find a map by its name, or else by its id (``Map0``), as the engine does."""
        named = (definition for definition in self.maps if definition.name == identifier)
        numbered = (definition for definition in self.maps if definition.id == identifier)
        return next(named, None) or next(numbered, None)

    def layout(self, map_name: str, layout: Layout | None = None) -> MapLayout | None:
        """Lay the boards of a map out.

        Args:
            map_name: Name or id of the map.
            layout: The boards as the game has them; ``None`` for those that the engine lays out by itself, which are
                none where the players choose.

        Returns:
            The map with its boards; ``None`` if the module has no such map. The same object for the same layout, so
            that names are worked out once.
        """
        key = (map_name, None if layout is None else tuple(layout))
        if key not in self._layouts:
            self._layouts[key] = self._lay_out(*key)
        return self._layouts[key]

    def location(self, map_name: str, x: int, y: int, layout: Layout | None = None) -> str | None:
        """Name a point of a map, in map pixels, as the engine's property ``LocationName`` does.

        Args:
            map_name: Name or id of the map.
            x: Map pixels to the right, border included.
            y: Map pixels down.
            layout: The boards as the game has them; ``None`` for those that the engine lays out by itself.

        Returns:
            The name; ``offboard`` for a point without one; empty if the module has no such map, since the engine then
            takes the piece off all maps; ``None`` if the name cannot be known.
        """
        placed = self.layout(map_name, layout)
        return "" if placed is None else placed.location(x, y)

    def point(self, map_name: str, location: str, layout: Layout | None = None) -> Point | None:
        """Find a point, in map pixels, whose name is ``location``; ``None`` if there is none or it cannot be known."""
        placed = self.layout(map_name, layout)
        return None if placed is None else placed.point(location)

    def zone(self, map_name: str, x: int, y: int, layout: Layout | None = None) -> str | None:
        """Name the zone of a point (``CurrentZone``): empty for none, ``None`` if it cannot be known."""
        placed = self.layout(map_name, layout)
        try:
            zone = placed.zone_at(x, y) if placed else None
        except UnknownNameError:
            return None
        return zone.name if zone else ""

    def board(self, map_name: str, x: int, y: int, layout: Layout | None = None) -> str | None:
        """Name the board of a point (``CurrentBoard``): empty for none, ``None`` if it cannot be known."""
        placed = self.layout(map_name, layout)
        try:
            board = placed.board_at(x, y) if placed else None
        except UnknownNameError:
            return None
        return board.board.name if board else ""

    def boards_of(self, map_name: str) -> str:
        """Find the map whose boards a map shows: itself, or the one that a private map shares the boards of.

        The game lays boards out for that one only.
        """
        definition = self.map(map_name)
        owner = self.map(definition.boards_of) if definition and definition.boards_of else None
        return owner.identifier if owner else map_name

    def expanded(self, gpid: str) -> ExpandedPiece | None:
        """Return the piece of a slot with its prototypes put in; ``None`` if there is no such slot or piece."""
        if gpid not in self._expanded:
            slot = self.slots.get(gpid)
            self._expanded[gpid] = expand(slot.piece, self.prototypes) if slot and slot.piece else None
        return self._expanded[gpid]

    def _lay_out(self, map_name: str, choices: Layout | None) -> MapLayout | None:
        definition = self.map(map_name)
        if definition is None:
            return None
        # A private map may show the boards of another one, with that one's border.
        owner = self.map(self.boards_of(map_name)) or definition
        if choices is None:
            choices = default_layout(owner) or ()
        return lay_out(definition, choices, boards=owner.boards, edge=owner.edge)


def read_module(file: VassalFile, extensions: Sequence[VassalFile] = ()) -> Module:
    """Read a module, extension or bare build file, and put extensions into it.

    Args:
        file: The opened module.
        extensions: Opened extensions, in the order in which the engine loads them (by file name).

    Raises:
        BuildFileError: There is no build file, or it is no XML, or not one of VASSAL's.
    """
    root = _root_of(file)
    notes = Notes()
    _number_maps(root)
    classes = count_classes(root)
    infos = []
    for extension in extensions:
        grown = _root_of(extension)
        classes.update(count_classes(grown))
        infos.append(_extension_info(extension, grown))
        _check_fit(infos[-1], root, grown, notes)
        graft(root, grown, notes)
        _number_maps(root)
    archives = [archive for archive in (file, *extensions) if archive.entry_names]
    return _assemble(root, infos, classes, [archive.entry for archive in archives], notes)


def _assemble(
    root: Element,
    extensions: Iterable[ExtensionInfo],
    classes: Counter[str],
    sources: Sequence[Callable[[str], bytes | None]],
    notes: Notes,
) -> Module:
    slots = tuple(read_all_slots(root, notes))
    return Module(
        name=root.get("name" if root.tag not in EXTENSION_ROOTS else "module", "").strip(),
        version=root.get("version", "").strip(),
        vassal_version=root.get("VassalVersion") or root.get("vassalVersion") or "",
        description=root.get("description", ""),
        extensions=tuple(extensions),
        maps=_measured(_read_maps(root, notes), sources, notes),
        prototypes=read_prototypes(root, notes),
        slots=_by_gpid(slots, notes),
        all_slots=slots,
        turn_trackers=read_turn_trackers(root, notes),
        dice=read_dice(root, notes),
        sides=read_sides(root),
        properties=tuple(read_properties(root, holder=PropertyHolder.MODULE)),
        setups=read_setups(root, notes),
        options=read_options(root),
        classes=dict(classes),
        unread={name: count for name, count in classes.items() if name.rpartition(".")[2] not in READ_CLASSES},
        problems=(*notes.problems, *(f"{count} more {what}" for what, count in notes.left_out.items())),
    )


def _root_of(file: VassalFile) -> Element:
    if file.build_file is None:
        raise BuildFileError("there is no build file in it", file=file.name)
    try:
        return parse(file.build_file)
    except BridgeError as error:
        raise error.located(file=file.name, entry="buildFile" if file.entry_names else None) from None


def _number_maps(root: Element) -> None:
    """Give each map that has none its id: those of the module first, then those of each extension."""
    maps = list(descendants(root, *MAP_CLASSES))
    taken = sum(_MAP_ID in element.attrib for element in maps)
    for element in maps:
        if _MAP_ID not in element.attrib:
            element.set(_MAP_ID, f"Map{taken}")
            taken += 1


def _read_maps(root: Element, notes: Notes) -> list[MapDefinition]:
    maps = [read_map(element, str(element.get(_MAP_ID)), notes) for element in descendants(root, *MAP_CLASSES)]
    return sorted(maps, key=lambda definition: int(definition.id.removeprefix("Map")))


def _measured(
    maps: Iterable[MapDefinition], sources: Sequence[Callable[[str], bytes | None]], notes: Notes
) -> tuple[MapDefinition, ...]:
    """Give the boards the sizes of their images, and their grids a container of that size.

    A bare build file brings no images: then the sizes stay unknown.
    """
    return tuple(
        replace(definition, boards=tuple(_measure(board, definition, sources, notes) for board in definition.boards))
        for definition in maps
    )


def _measure(
    board: Board, definition: MapDefinition, sources: Sequence[Callable[[str], bytes | None]], notes: Notes
) -> Board:
    size = board.size
    if board.image is not None and sources:
        content = find_image(board.image, sources)
        size = (0, 0) if content is None else measure_image(content)
        if content is None or size is None:
            what = "is missing, so no point lies on the board" if content is None else "cannot be measured"
            notes.add(None, f"board {board.name!r} of map {definition.identifier!r}: its image {board.image!r} {what}")
    return replace(board, size=size, grid=board.grid.within(size) if board.grid is not None else None)


def _by_gpid(slots: Iterable[PieceSlot], notes: Notes) -> dict[str, PieceSlot]:
    found: dict[str, PieceSlot] = {}
    placed: list[PieceSlot] = []
    doubled: dict[str, None] = {}
    for slot in slots:
        placed.extend(read_placed(slot))
        if slot.gpid in found:
            doubled[slot.gpid] = None
        elif slot.gpid:
            found[slot.gpid] = slot
    for slot in placed:
        found.setdefault(slot.gpid, slot)
    if doubled:
        shown = ", ".join(list(doubled)[:10])
        notes.add(None, f"{len(doubled)} gpids belong to more than one slot; the first one counts ({shown})")
    return found


def _extension_info(file: VassalFile, root: Element) -> ExtensionInfo:
    return ExtensionInfo(
        file=file.name,
        id=root.get("extensionId", ""),
        version=root.get("version", ""),
        module=root.get("module", ""),
        module_version=root.get("moduleVersion", ""),
        is_universal=root.get("anyModule") == "true",
    )


def _check_fit(info: ExtensionInfo, module: Element, extension: Element, notes: Notes) -> None:
    if extension.tag not in EXTENSION_ROOTS:
        notes.add(None, f"{info.file}: this is {short_class(extension)}, not an extension")
    elif not info.is_universal and info.module != module.get("name", "").strip():
        notes.add(None, f"{info.file}: this extension was made for the module {info.module!r}")
