"""``buildFile.xml`` of a schematic module: an element is a Java class of the engine, its attributes are settings."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from lxml import etree

from vassal_bridge.schematic import traits
from vassal_bridge.schematic.boards import box_places
from vassal_bridge.schematic.definition import Definition, Group, Unit
from vassal_bridge.schematic.layout import Layout
from vassal_bridge.vassal.sequence import encode

__all__ = ["ENGINE_VERSION", "build_file", "face_file", "marker_file"]

# What the file claims to be written by. Engines refuse modules of a newer minor version, so the oldest we can test.
ENGINE_VERSION = "3.5.8"

_MODULE = "VASSAL.build.module"
_MAP = f"{_MODULE}.map"
_PICKER = f"{_MAP}.boardPicker"
_WIDGET = "VASSAL.build.widget"
_ALT = 520  # java.awt modifier mask that VASSAL writes for the Alt key


def build_file(definition: Definition, layout: Layout) -> bytes:
    """Return the build file; the same definition gives the same bytes."""
    root = etree.Element(
        "VASSAL.build.GameModule",
        name=definition.name,
        version=definition.version,
        description=definition.description,
        VassalVersion=ENGINE_VERSION,
        ModuleOther1="",
        ModuleOther2="",
    )
    _add(root, f"{_MODULE}.BasicCommandEncoder")
    _add(root, f"{_MODULE}.Documentation")
    _add_sides(root, definition)
    _add_options(root)
    _add_prototypes(root, definition)
    slots = _add_palette(root, definition)
    root.set("nextPieceSlotId", str(slots + 1))
    _add(root, f"{_MODULE}.Chatter")
    _add(root, f"{_MODULE}.KeyNamer")
    _add_map(root, definition, layout)
    _add_boxes(root, definition)
    _add_turn_track(root, definition)
    _add_dice(root, definition)
    return etree.tostring(root, xml_declaration=True, encoding="UTF-8", standalone=False, pretty_print=True)


def face_file(unit: Unit, face: int) -> str:
    """Return the name of the image of one face of a unit."""
    return f"{_slug(unit.name)}-{face + 1}.png"


def marker_file(name: str) -> str:
    """Return the name of the image of a marker counter."""
    return f"marker-{_slug(name)}.png"


def _slug(name: str) -> str:
    return "".join(letter if letter.isalnum() else "-" for letter in name.lower())


def _add(
    parent: etree._Element, tag: str, attributes: Mapping[str, str] | None = None, text: str = ""
) -> etree._Element:
    element = etree.SubElement(parent, tag, dict(attributes or {}))
    if text:
        element.text = text
    return element


def _add_sides(root: etree._Element, definition: Definition) -> None:
    roster = _add(
        root,
        f"{_MODULE}.PlayerRoster",
        {"buttonKeyStroke": "", "buttonText": "Retire", "buttonToolTip": "Switch sides"},
    )
    for side in definition.side:
        _add(roster, "entry", text=side.name)


def _add_options(root: etree._Element) -> None:
    options = {
        "autoReport": "Always",
        "centerOnMove": "Never",
        "chatterHTMLSupport": "Never",
        "hotKeysOnClosedWindows": "Always",
        "markMoved": "Always",
        "nonOwnerUnmaskable": "Never",
        "playerIdFormat": "$PlayerName$",
        "promptString": "Opponents can unmask my pieces",
    }
    _add(root, f"{_MODULE}.GlobalOptions", options)


def _add_prototypes(root: etree._Element, definition: Definition) -> None:
    container = _add(root, f"{_MODULE}.PrototypesContainer")

    def define(name: str, own: Sequence[traits.Trait]) -> None:
        text = traits.piece_command([*own, traits.basic_piece()])
        _add(container, f"{_MODULE}.PrototypeDefinition", {"name": name, "description": ""}, text)

    common = [
        traits.report(["F", "R", "E", "D"], "$location$: $newPieceName$ $menuCommand$ *"),
        traits.movement_trail(key="T"),
        traits.mark_when_moved(image="moved.png", key="M"),
        traits.toggle_layer("Disrupted", "disrupted.png", key="R", command="Disrupted"),
    ]
    define("Unit", [*common, traits.delete(key="D")])
    define("Counter", [traits.delete(key="D")])
    for side in definition.side:
        if side.code:
            eliminate = traits.send_to_box(
                command="Eliminate", key="E", map_name=definition.boxes.map, box=f"{side.name} Eliminated"
            )
            define(side.name, [eliminate, traits.marker({"Side": side.code})])


def _add_palette(root: etree._Element, definition: Definition) -> int:
    window = {"defaultWidth": "0", "hidden": "false", "hotkey": "", "icon": "", "scale": "1.0", "text": "Counters"}
    window |= {"tooltip": "", "name": "Counters"}
    tabs = _add(_add(root, f"{_MODULE}.PieceWindow", window), f"{_WIDGET}.TabWidget", {"entryName": "Counters"})
    last = 0
    for title, pieces in _palette(definition):
        attributes = {"divider": "194", "entryName": title, "height": "400", "scale": "1.0", "width": "300"}
        drawer = _add(tabs, f"{_WIDGET}.ListWidget", attributes)
        for name, own in pieces:
            last += 1
            gpid = str(last)
            chain = [*own[:-1], own[-1]._replace(state=traits.basic_piece(gpid=gpid).state)]
            slot = {"entryName": name, "gpid": gpid, "height": "44", "width": "44"}
            _add(drawer, f"{_WIDGET}.PieceSlot", slot, traits.piece_command(chain))
    return last


def _palette(definition: Definition) -> Iterator[tuple[str, list[tuple[str, list[traits.Trait]]]]]:
    for group in definition.group:
        yield group.title, [(unit.name, _unit_traits(group, unit)) for unit in group.units]
    yield "Markers", [(marker.name, _marker_traits(marker.name)) for marker in definition.marker]


def _unit_traits(group: Group, unit: Unit) -> list[traits.Trait]:
    faces = group.faces_of(unit)
    images = [face_file(unit, face) for face in range(len(faces))]
    values = {"Type": group.type, "Name": unit.name, "Division": unit.division, "Faces": "|".join(faces)}
    return [
        traits.prototype("Unit"),
        traits.prototype(group.side),
        traits.layer("Step", images, key="F", command="Next face"),
        traits.marker(values),
        traits.basic_piece(name=unit.name),
    ]


def _marker_traits(name: str) -> list[traits.Trait]:
    return [
        traits.prototype("Counter"),
        traits.marker({"Marker": name}),
        traits.basic_piece(image=marker_file(name), name=name),
    ]


def _add_map(root: etree._Element, definition: Definition, layout: Layout) -> None:
    board = _map_element(root, definition.board.map, "map.png")
    grid = {
        "color": "0,0,0",
        "cornersLegal": "false",
        "dotsVisible": "false",
        "dx": repr(layout.row_height),
        "dy": repr(float(layout.hex_width)),
        "edgesLegal": "false",
        "sideways": "true",
        "snapTo": "true",
        "visible": "false",
        # In a sideways grid x0 and dx belong to the vertical.
        "x0": str(layout.first_y),
        "y0": str(layout.first_x),
    }
    numbering = {
        "color": "0,0,0",
        "first": "H",
        "fontSize": "9",
        "hDescend": "true",
        "hDrawOff": "0",
        "hLeading": "1",
        "hOff": "1",
        "hType": "N",
        "locationFormat": f"{layout.sheet.letter}$gridLocation$",
        "rotateText": "0",
        "sep": "",
        "stagger": "true",
        "vDescend": "false",
        "vDrawOff": "0",
        "vLeading": "1",
        "vOff": str(layout.number_offset),
        "vType": "N",
        "visible": "false",
    }
    _add(_add(board, f"{_PICKER}.board.HexGrid", grid), f"{_PICKER}.board.mapgrid.HexGridNumbering", numbering)


def _add_boxes(root: etree._Element, definition: Definition) -> None:
    board = _map_element(root, definition.boxes.map, "boxes.png")
    grid = _add(board, f"{_PICKER}.board.RegionGrid", {"fontsize": "9", "snapto": "true", "visible": "false"})
    for name, x, y in box_places(definition.boxes.names):
        _add(grid, f"{_PICKER}.board.Region", {"name": name, "originx": str(x), "originy": str(y)})


def _map_element(root: etree._Element, name: str, image: str) -> etree._Element:
    attributes = {
        "allowMultiple": "false",
        "backgroundcolor": "255,255,255",
        "buttonName": name,
        "changeFormat": "$message$",
        "color": "0,0,0",
        "createFormat": "$pieceName$ created in $location$ *",
        "edgeHeight": "0",
        "edgeWidth": "0",
        "hotkey": "",
        "icon": "",
        "launch": "false",
        "mapName": name,
        "markMoved": "Always",
        "markUnmovedHotkey": f"85,{_ALT}",
        "markUnmovedIcon": "moved.png",
        "markUnmovedReport": "",
        "markUnmovedText": "",
        "markUnmovedTooltip": "Clear moved marks",
        "moveKey": "",
        "moveToFormat": "$pieceName$ moves $previousLocation$ -> $location$ *",
        "moveWithinFormat": "$pieceName$ moves $previousLocation$ -> $location$ *",
        "thickness": "3",
    }
    element = _add(root, f"{_MODULE}.Map", attributes)
    picker = {
        "addColumnText": "Add column",
        "addRowText": "Add row",
        "boardPrompt": "Select board",
        "slotHeight": "125",
        "slotScale": "0.2",
        "slotWidth": "350",
        "title": "Choose Boards",
    }
    boards = _add(element, f"{_MAP}.BoardPicker", picker)
    _add(boards, "setup", text=f"{name}BoardPicker\t{name}\t0\t0")
    board = _add(boards, f"{_PICKER}.Board", {"image": image, "name": name, "reversible": "false"})
    _add_map_parts(element)
    return board


def _add_map_parts(element: etree._Element) -> None:
    stacks = {"bottom": "40,0", "disabled": "false", "down": "37,0", "top": "38,0", "up": "39,0"}
    _add(element, f"{_MAP}.StackMetrics", stacks | {"exSepX": "6", "exSepY": "18", "unexSepX": "2", "unexSepY": "4"})
    for part in (
        "ForwardToKeyBuffer",
        "Scroller",
        "ForwardToChatter",
        "MenuDisplayer",
        "StackExpander",
        "PieceMover",
        "KeyBufferer",
    ):
        _add(element, f"{_MAP}.{part}")
    _add(element, f"{_MAP}.HighlightLastMoved", {"color": "255,0,0", "enabled": "true", "thickness": "2"})
    zoom = {
        "inButtonText": "+",
        "inIconName": "",
        "inTooltip": "",
        "outButtonText": "-",
        "outIconName": "",
        "outTooltip": "",
    }
    zoom |= {
        "pickButtonText": "",
        "pickIconName": "",
        "pickTooltip": "",
        "zoomInKey": "",
        "zoomOutKey": "",
        "zoomPickKey": "",
    }
    _add(element, f"{_MAP}.Zoomer", zoom | {"zoomLevels": "0.3,0.6,1.0,1.6", "zoomStart": "2"})
    _add(element, f"{_MAP}.SelectionHighlighters")


def _add_turn_track(root: etree._Element, definition: Definition) -> None:
    turn = definition.turn
    tracker = {
        "buttonText": "Turn",
        "hotkey": "",
        "icon": "",
        "length": "420",
        "lengthStyle": "Fixed",
        "name": turn.tracker,
        "nexthotkey": f"78,{_ALT}",
        "prevhotkey": f"80,{_ALT}",
        "reportFormat": "$oldTurn$ -> $newTurn$",
        "turnFormat": f"{turn.turn_level} $level1$: $level2$",
    }
    counter = {"incr": "1", "loop": "true", "loopLimit": str(turn.last), "name": turn.turn_level, "start": "1"}
    counter |= {"property": "GameTurn", "turnFormat": "$value$"}
    phases = {"configFirst": "false", "configList": "false", "list": encode(turn.phases, ","), "name": turn.phase_level}
    phases |= {"prompt": "", "property": "TurnPhase", "turnFormat": "$value$"}
    element = _add(root, f"{_MODULE}.turn.TurnTracker", tracker)
    level = _add(element, f"{_MODULE}.turn.CounterTurnLevel", counter)
    _add(level, f"{_MODULE}.turn.ListTurnLevel", phases)


def _add_dice(root: etree._Element, definition: Definition) -> None:
    for die in definition.dice:
        button = {
            "addToTotal": "0",
            "hotkey": f"{ord(die.key)},{_ALT}",
            "icon": "/images/die.gif",
            "nDice": "1",
            "nSides": str(die.sides),
            "name": die.name,
            "plus": "0",
            "prompt": "false",
            # The engine puts a star before a report that begins with one: in the chat there are three, as usual.
            "reportFormat": "** $name$ = $result$ *** <$PlayerName$>",
            "reportTotal": "false",
            "sortDice": "false",
            "text": die.name,
            "tooltip": f"Roll the {die.name}",
        }
        _add(root, f"{_MODULE}.DiceButton", button)
