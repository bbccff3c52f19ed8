"""Build files: hostile XML, and every component that is read."""

from __future__ import annotations

import pytest

from vassal_bridge.errors import BuildFileError
from vassal_bridge.vassal.buildfile import parse
from vassal_bridge.vassal.components import (
    CounterLevel,
    DiceKind,
    DieFace,
    GlobalProperty,
    Keep,
    ListLevel,
    MapKind,
    PieceDefinition,
    PropertyHolder,
    ScenarioKind,
    SlotPlace,
)
from vassal_bridge.vassal.container import FileKind, VassalFile, open_bytes
from vassal_bridge.vassal.grid import HexGrid, RegionGrid, SquareGrid, UnknownGrid, ZonedGrid
from vassal_bridge.vassal.module import Module, read_module
from vassal_bridge.vassal.numbering import Axis, LabelKind, Numbering

M = "VASSAL.build.module."
B = M + "map.boardPicker.board."
W = "VASSAL.build.widget."


def module(body: str, root: str = "VASSAL.build.GameModule", attributes: str = 'name="Test" version="1"') -> Module:
    return read_module(built(f"<{root} {attributes}>{body}</{root}>"))


def built(text: str) -> VassalFile:
    return open_bytes(text.encode(), "test.xml")


def map_of(body: str, attributes: str = 'mapName="Main"') -> str:
    return f"<{M}Map {attributes}>{body}</{M}Map>"


def board_of(grid: str, attributes: str = 'name="West" width="300" height="200"') -> str:
    picker = f"{M}map.BoardPicker"
    return map_of(f"<{picker}><{M}map.boardPicker.Board {attributes}>{grid}</{M}map.boardPicker.Board></{picker}>")


@pytest.mark.parametrize(
    ("data", "message", "place"),
    [
        (b"", "no readable XML", "line 1"),
        (b"begin_save", "no readable XML", "line 1"),
        (b"<VASSAL.build.GameModule>\n<a>\n</b>", "no readable XML", "line 3"),
        (b"<VASSAL.build.GameModule>\xff</VASSAL.build.GameModule>", "no readable XML", "line 1"),
        (b"<VASSAL.build.GameModule>" + b"<a>" * 5000, "no readable XML", "line 1"),
        (b"<html/>", "the root 'html' is neither a module nor an extension", "line 1"),
        (
            b'<!DOCTYPE x [<!ENTITY e SYSTEM "file:///etc/passwd">]><VASSAL.build.GameModule name="">&e;'
            b"</VASSAL.build.GameModule>",
            "declares a document type",
            "line 1",
        ),
        (
            b'<!DOCTYPE x [<!ENTITY a "aaaaaaaaaa">'
            + b"".join(b'<!ENTITY %c "%b">' % (98 + n, b"&%c;" % (97 + n) * 20) for n in range(9))
            + b']><VASSAL.build.GameModule name="&j;"/>',
            "no readable XML",
            "line 1",
        ),
    ],
    ids=["empty", "text", "unclosed", "not UTF-8", "too deep", "other root", "external entity", "entities of entities"],
)
def test_what_is_no_build_file_is_refused_in_one_line(data: bytes, message: str, place: str) -> None:
    with pytest.raises(BuildFileError) as caught:
        parse(data)
    assert caught.value.message.startswith(message)
    assert caught.value.place == place
    assert "\n" not in str(caught.value)
    assert len(str(caught.value)) < 300


def test_the_error_names_the_file() -> None:
    with pytest.raises(BuildFileError, match=r"^test\.xml: line 1: no readable XML"):
        module("<a>")


def test_a_module_without_build_file_is_refused() -> None:
    with pytest.raises(BuildFileError, match="there is no build file"):
        read_module(VassalFile(name="test.vmod", kind=FileKind.MODULE, sha256=""))


@pytest.mark.parametrize(
    ("root", "attributes"),
    [
        ("VASSAL.build.GameModule", 'name=" Test " version=" 1.2" VassalVersion="3.7.1" description="A test"'),
        ("VASSAL.launch.BasicModule", 'name="Test" version="1.2" VassalVersion="3.7.1" description="A test"'),
        (
            "VASSAL.build.module.ModuleExtension",
            'module="Test" version="1.2" vassalVersion="3.7.1" description="A test" moduleVersion="9"',
        ),
    ],
)
def test_the_roots_of_all_ages_are_read(root: str, attributes: str) -> None:
    found = module("", root, attributes)
    assert (found.name, found.version, found.vassal_version, found.description) == ("Test", "1.2", "3.7.1", "A test")


def test_maps_of_all_kinds_are_numbered_in_order() -> None:
    found = module(
        map_of("", 'mapName="Main" edgeWidth="10" edgeHeight="20" markMoved="Always" moveToFormat="$pieceName$ moves"')
        + f'<{M}PrivateMap mapName="Plan" side="Axis,Allies" visible="false" useBoards="Main"/>'
        + f'<{M}ChartWindow name="Charts"><{W}MapWidget><{W}WidgetMap mapName="Chart"/>'
        + f"</{W}MapWidget></{M}ChartWindow>"
        + f'<{M}folder.ModuleSubFolder name="Hands"><{M}PlayerHand mapName="" side="Axis"/>'
        + f"</{M}folder.ModuleSubFolder>"
        + map_of("", 'mapName="Old" edge="3,4"')
    )
    kinds = [(each.id, each.identifier, each.kind) for each in found.maps]
    assert kinds == [
        ("Map0", "Main", MapKind.MAP),
        ("Map1", "Plan", MapKind.PRIVATE),
        ("Map2", "Chart", MapKind.CHART),
        ("Map3", "Map3", MapKind.HAND),
        ("Map4", "Old", MapKind.MAP),
    ]
    main, plan, *_, old = found.maps
    assert (main.edge, main.mark_moved, main.reports) == ((10, 20), "Always", (("to", "$pieceName$ moves"),))
    assert (plan.owners, plan.is_visible_to_others, plan.boards_of) == (("Axis", "Allies"), False, "Main")
    assert old.edge == (3, 4)
    assert found.map("Map3") is found.maps[3]
    assert found.map("Plan") is plan
    assert found.map("None") is None


def test_a_private_map_shows_the_boards_and_border_of_another() -> None:
    found = module(
        board_of(f"<{B}HexGrid><{B}mapgrid.HexGridNumbering/></{B}HexGrid>").replace(
            'mapName="Main"', 'mapName="Main" edgeWidth="10" edgeHeight="20"'
        )
        + f'<{M}PrivateMap mapName="Plan" useBoards="Main"/>'
    )
    assert found.location("Plan", 10 + 55, 20 + 64) == found.location("Main", 10 + 55, 20 + 64) == "0202"
    assert (found.boards_of("Plan"), found.boards_of("Main")) == ("Main", "Main")


def test_a_hex_grid_is_read_with_the_engines_defaults() -> None:
    (board,) = module(board_of(f"<{B}HexGrid><{B}mapgrid.HexGridNumbering/></{B}HexGrid>")).maps[0].boards
    assert board.size == (300, 200)
    assert board.grid == HexGrid(numbering=Numbering(), container=(300, 200))


def test_all_settings_of_a_grid_and_its_numbering_are_read() -> None:
    grid = (
        f'<{B}HexGrid x0="-3" y0="7" dx="40.5" dy="46" sideways="true" snapTo="false" edgesLegal="true"'
        f' cornersLegal="true" snapscale="2"><{B}mapgrid.ObliqueHexGridNumbering first="Vertical first" sep="-"'
        ' hType="Alphabetic" vType="Numerical" hLeading="0" vLeading="2" hOff="-1" vOff="5" hDescend="true"'
        f' vDescend="true" stagger="false" locationFormat="Hex $gridLocation$"/></{B}HexGrid>'
    )
    (board,) = module(board_of(grid)).maps[0].boards
    assert board.grid == HexGrid(
        x0=-3,
        y0=7,
        dx=40.5,
        dy=46.0,
        is_sideways=True,
        is_snapping=False,
        edges_legal=True,
        corners_legal=True,
        snap_scale=2,
        container=(300, 200),
        numbering=Numbering(
            first=Axis.VERTICAL,
            separator="-",
            column_kind=LabelKind.ALPHABETIC,
            column_leading=0,
            row_leading=2,
            column_offset=-1,
            row_offset=5,
            columns_descend=True,
            rows_descend=True,
            is_staggered=False,
            is_oblique=True,
            location_format="Hex $gridLocation$",
        ),
    )


def test_zones_squares_and_regions_are_read() -> None:
    zone = f"{B}mapgrid.Zone"
    found = module(
        board_of(
            f'<{B}ZonedGrid><{zone} name="Turns" path="0,0;100,0;100,50;0,50;" useParentGrid="false">'
            f'<{B}RegionGrid snapto="false"><{B}Region name="T1" originx="5" originy="6"/></{B}RegionGrid>'
            f'<{M}properties.ZoneProperty name="Level" initialValue="2"/></{zone}>'
            f'<{zone} name="North" locationFormat="$gridLocation$" path="0,50;100,50;100,90" useParentGrid="true"/>'
            f'<{B}SquareGrid range="Manhattan"/></{B}ZonedGrid>'
        )
    )
    (board,) = found.maps[0].boards
    assert isinstance(board.grid, ZonedGrid)
    turns, north = board.zones
    assert (turns.name, turns.path, turns.location_format) == (
        "Turns",
        ((0, 0), (100, 0), (100, 50), (0, 50)),
        "$name$",
    )
    assert isinstance(turns.grid, RegionGrid)
    assert (turns.grid.name(0, 0), turns.grid.is_snapping) == ("T1", False)
    assert north.uses_parent_grid
    assert isinstance(board.grid.background, SquareGrid)
    assert found.maps[0].properties == (
        GlobalProperty(name="Level", initial="2", holder=PropertyHolder.ZONE, map="Main", zone="Turns"),
    )


@pytest.mark.parametrize(
    "grid",
    [
        "<example.TriangleGrid/>",
        f'<{B}HexGrid dx="0"/>',
        f'<{B}HexGrid dy="1e300"/>',
        f"<{B}HexGrid><example.Numbering/></{B}HexGrid>",
    ],
)
def test_a_grid_that_cannot_be_reckoned_is_kept_and_noted(grid: str) -> None:
    found = module(board_of(grid))
    assert isinstance(found.maps[0].boards[0].grid, UnknownGrid)
    assert found.location("Main", 5, 5) is None
    assert len(found.problems) == 1


def test_boards_of_a_picker_of_the_modules_own_are_not_guessed() -> None:
    found = module(map_of("<example.TileBoardPicker/>"))
    assert found.maps[0].own_picker == "example.TileBoardPicker"
    assert (found.location("Main", 5, 5), found.board("Main", 5, 5), found.zone("Main", 5, 5)) == (None, None, None)
    assert len(found.problems) == 1


def test_numbers_that_are_none_take_the_default_and_are_noted() -> None:
    numbering = f'<{B}mapgrid.HexGridNumbering hOff="" vOff="1_0"/>'
    grid = f'<{B}HexGrid x0="1.5" y0="99999999999" dx="wide">{numbering}</{B}HexGrid>'
    found = module("\n" + board_of(grid))
    assert found.maps[0].boards[0].grid == HexGrid(numbering=Numbering(), container=(300, 200))
    assert [problem.split(" is ")[0] for problem in found.problems] == [
        "line 2: HexGrid: dx",
        "line 2: HexGrid: x0",
        "line 2: HexGrid: y0",
        "line 2: HexGridNumbering: vOff",
    ]


def test_the_classes_of_modules_own_are_read_by_their_last_name_and_counted() -> None:
    found = module('<example.TurnTracker name="Turn"/><example.Weather/><example.Weather/>')
    assert [tracker.name for tracker in found.turn_trackers] == ["Turn"]
    assert found.classes == {"example.TurnTracker": 1, "example.Weather": 2}
    assert found.unread == {"example.Weather": 2}


def test_folders_are_looked_through() -> None:
    found = module(
        f'<{M}folder.ModuleSubFolder name="All">'
        + map_of(
            f'<{M}folder.MapSubFolder name="Decks"><{M}folder.DeckSubFolder name="More">'
            f'<{M}map.DrawPile name="Draw" x="3" y="4"/></{M}folder.DeckSubFolder></{M}folder.MapSubFolder>'
        )
        + f'<{M}properties.GlobalProperties><{M}folder.GlobalPropertyFolder name="F">'
        f'<{M}properties.GlobalProperty name="VP" initialValue="0"/></{M}folder.GlobalPropertyFolder>'
        f"</{M}properties.GlobalProperties></{M}folder.ModuleSubFolder>"
    )
    assert [pile.name for pile in found.maps[0].draw_piles] == ["Draw"]
    assert [prop.name for prop in found.properties] == ["VP"]


def test_properties_are_read_with_their_limits() -> None:
    found = module(
        f"<{M}properties.GlobalProperties>"
        f'<{M}properties.GlobalProperty name="VP" initialValue="3" isNumeric="true" min="0" max="9" wrap="true"/>'
        f'<{M}properties.GlobalProperty name="Weather" initialValue="Clear" isNumeric="false" min="0" max="9"/>'
        f'<{M}properties.GlobalProperty name="Score" initialValue="1" isNumeric="true" min="null" max="null"/>'
        f"</{M}properties.GlobalProperties><{M}properties.ScenarioPropertiesOptionTab>"
        f'<{M}properties.ListScenarioProperty name="Optional" initialValue="a" options="a,b\\,c"/>'
        f"</{M}properties.ScenarioPropertiesOptionTab>"
        + map_of(
            f'<{M}properties.GlobalProperties><{M}properties.GlobalProperty name="Rail" initialValue="x"/>'
            f"</{M}properties.GlobalProperties>"
        )
    )
    assert found.properties == (
        GlobalProperty(name="VP", initial="3", is_numeric=True, minimum="0", maximum="9", wraps=True),
        GlobalProperty(name="Weather", initial="Clear"),
        GlobalProperty(name="Score", initial="1", is_numeric=True),
        GlobalProperty(name="Optional", initial="a", scenario=ScenarioKind.LIST, choices=("a", "b,c")),
    )
    assert found.maps[0].properties == (
        GlobalProperty(name="Rail", initial="x", holder=PropertyHolder.MAP, map="Main"),
    )


def test_a_turn_tracker_is_read_with_its_levels() -> None:
    turn = f"{M}turn."
    found = module(
        f'<{turn}TurnTracker name="Turn" turnFormat="$level1$ / $level2$" reportFormat="$oldTurn$ to $newTurn$">'
        f'<{turn}CounterTurnLevel name="GT" property="GameTurn" start="3" incr="2" loop="true" loopLimit="9"'
        f' turnFormat="GT $value$"><{turn}ListTurnLevel name="Phase" property="Phase" list="Move,Fight"/>'
        f'</{turn}CounterTurnLevel><{turn}TurnGlobalHotkey name="x"/></{turn}TurnTracker><{turn}TurnTracker/>'
    )
    first, second = found.turn_trackers
    assert (first.id, first.name, first.turn_format, first.report_format) == (
        "TurnTracker0",
        "Turn",
        "$level1$ / $level2$",
        "$oldTurn$ to $newTurn$",
    )
    phase = ListLevel(name="Phase", property="Phase", items=("Move", "Fight"))
    assert first.levels == (
        CounterLevel(
            name="GT",
            property="GameTurn",
            turn_format="GT $value$",
            levels=(phase,),
            start=3,
            step=2,
            loops=True,
            last=9,
        ),
    )
    assert list(first.all_levels()) == [*first.levels, phase]
    assert second.id == "TurnTracker1"


def test_dice_of_all_kinds_are_read() -> None:
    found = module(
        f'<{M}DiceButton name="Combat" nDice="1" nSides="10" plus="1" addToTotal="-2" reportTotal="true" prompt="true"'
        ' sortDice="true" keepDice="true" keepOption="l" keepCount="1" reportFormat="$name$: $result$"/>'
        f'<{M}DiceButton label="Old"/><{M}InternetDiceButton name="Net"/>'
        f'<{M}RandomTextButton name="Weather" nDice="1" faces="Mud,Snow" numeric="false"/>'
        f'<{M}SpecialDiceButton name="Odds" format="$result1$"><{M}SpecialDie name="D" format="$result$">'
        f'<{M}SpecialDieFace text="Hit" value="1"/><{M}SpecialDieFace text="Miss"/></{M}SpecialDie>'
        f"</{M}SpecialDiceButton>"
    )
    combat, old, net, weather, odds = found.dice
    assert (combat.kind, combat.count, combat.sides, combat.plus, combat.add_to_total) == (
        DiceKind.NUMBERS,
        1,
        10,
        1,
        -2,
    )
    assert (combat.reports_total, combat.prompts, combat.is_sorted) == (True, True, True)
    assert (combat.keep, combat.keep_count, combat.report_format) == (Keep.LARGEST, 1, "$name$: $result$")
    assert (old.name, old.count, old.sides, old.keep) == ("Old", 2, 6, None)
    assert old.report_format == "** $name$ = $result$ *** &lt;$PlayerName$&gt;"
    assert net.kind is DiceKind.SERVER
    assert (weather.kind, weather.faces) == (DiceKind.TEXTS, ("Mud", "Snow"))
    assert (odds.kind, odds.report_format) == (DiceKind.SYMBOLS, "$result1$")
    assert odds.dice[0].faces == (DieFace(text="Hit", value=1), DieFace(text="Miss", value=0))


def test_sides_and_setups_are_read() -> None:
    found = module(
        f"<{M}PlayerRoster><entry>Axis</entry><entry> Soviet </entry></{M}PlayerRoster>"
        f'<{M}PredefinedSetup name="Scenarios" isMenu="true">'
        f'<{M}PredefinedSetup name="I" useFile="true" file="one.vsav"/>'
        f'<{M}PredefinedSetup name="Bare" useFile="false" file="left-over.vsav"/></{M}PredefinedSetup>'
    )
    assert found.sides == ("Axis", "Soviet")
    (menu,) = found.setups
    assert (menu.name, menu.is_menu) == ("Scenarios", True)
    assert [(setup.name, setup.file) for setup in menu.setups] == [("I", "one.vsav"), ("Bare", None)]


def test_global_options_are_kept_as_they_stand() -> None:
    found = module(f'<{M}GlobalOptions playerIdFormat="$PlayerName$" autoReport="Always"/>')
    assert found.options == {"playerIdFormat": "$PlayerName$", "autoReport": "Always"}


def test_slots_are_found_wherever_they_stand() -> None:
    piece = "+/null/mark;Side\tpiece;;;a.png;Alpha/Axis\tnull;0;0"
    found = module(
        f'<{M}PieceWindow name="Units"><{W}TabWidget entryName="Axis">'
        f'<{W}PieceSlot gpid="1" entryName="">{piece}</{W}PieceSlot>'
        f"</{W}TabWidget></{M}PieceWindow>"
        + map_of(
            f'<{M}map.SetupStack name="Stack" owningBoard="West" x="3" y="4" useGridLocation="true" location="0101">'
            f'<{W}PieceSlot gpid="2" entryName="Beta">{piece}</{W}PieceSlot>'
            f"</{M}map.SetupStack>"
            f'<{M}map.DrawPile name="Deck" x="5" y="6" width="70" height="80" shuffle="Always">'
            f'<{W}CardSlot gpid="3" entryName="Card">{piece}</{W}CardSlot>'
            f"</{M}map.DrawPile>"
            f'<{M}map.StackMetrics disabled="true"/>'
            f'<{M}map.LayeredPieceCollection property="Layer" layerOrder="Low,High"/>'
        )
    )
    alpha, beta, card = (found.slots[gpid] for gpid in "123")
    assert (alpha.name, alpha.place, alpha.path) == ("Alpha", SlotPlace.PALETTE, ("Units", "Axis"))
    assert alpha.piece == PieceDefinition(type="mark;Side\tpiece;;;a.png;Alpha", state="Axis\tnull;0;0")
    assert (beta.name, beta.place, beta.path) == ("Beta", SlotPlace.AT_START, ("Main", "Stack"))
    assert (card.place, card.is_card) == (SlotPlace.DECK, True)
    main = found.maps[0]
    (stack,), (deck,) = main.at_start, main.draw_piles
    assert (stack.name, stack.board, stack.x, stack.y, stack.location) == ("Stack", "West", 3, 4, "0101")
    assert stack.slots == (beta,)
    assert (deck.board, deck.size, deck.options) == (None, (70, 80), (("shuffle", "Always"),))
    assert main.stacking.is_disabled
    assert main.layers is not None
    assert [main.layers.layer_of(value) for value in ("High", "Low", "None", None)] == [1, 0, 2, 2]


def test_pieces_inside_traits_are_found_by_their_gpid() -> None:
    inner = "+/null/piece;;;m.png;Marker/null;0;0"
    trait = r"placemark;Place;77,130;" + inner.replace(";", r"\;") + ";;0;0;false;;;55;0;false"
    outer = "+/null/" + trait.replace("/", r"\/") + "\tpiece;;;a.png;Alpha/\tnull;0;0"
    found = module(f'<{W}PieceSlot gpid="1">{outer}</{W}PieceSlot>')
    marker = found.slots["55"]
    assert (marker.name, marker.place) == ("Marker", SlotPlace.PLACED)
    assert marker.piece == PieceDefinition(type="piece;;;m.png;Marker", state="null;0;0")
    assert found.slots["1"].name == "Alpha"


def test_gpids_of_two_slots_are_noted() -> None:
    slot = f'<{W}PieceSlot gpid="7" entryName="{{}}">+/null/piece;;;;x/null;0;0</{W}PieceSlot>'
    found = module(slot.format("First") + slot.format("Second"))
    assert found.slots["7"].name == "First"
    assert found.problems == ("1 gpids belong to more than one slot; the first one counts (7)",)


def test_a_flood_of_problems_is_cut_off_and_counted() -> None:
    found = module(f'<{W}PieceSlot gpid="1">nonsense</{W}PieceSlot>' * 250)
    assert len(found.problems) == 201
    assert found.problems[-1] == "51 more problems"
