"""Modules with their extensions and images."""

from __future__ import annotations

import io
import zipfile
import zlib
from collections.abc import Mapping
from types import MappingProxyType

import pytest
from PIL import Image

from vassal_bridge.vassal.container import VassalFile, open_bytes
from vassal_bridge.vassal.images import find_image, measure_image
from vassal_bridge.vassal.module import ExtensionInfo, read_module

M = "VASSAL.build.module."
B = M + "map.boardPicker.board."
W = "VASSAL.build.widget."


def png(width: int, height: int) -> bytes:
    buffer = io.BytesIO()
    Image.new("1", (width, height)).save(buffer, "PNG")
    return buffer.getvalue()


def archive(
    body: str,
    root: str = "VASSAL.build.GameModule",
    name: str = "Test",
    images: Mapping[str, bytes] = MappingProxyType({}),
) -> VassalFile:
    own_name = f'module="{name}" extensionId="x1"' if root.endswith("ModuleExtension") else f'name="{name}"'
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w") as packed:
        packed.writestr("buildFile.xml", f'<{root} {own_name} version="1">{body}</{root}>')
        for image, content in images.items():
            packed.writestr(f"images/{image}", content)
    return open_bytes(buffer.getvalue(), f"{name}.vmod")


def extension(body: str, name: str = "Test", images: Mapping[str, bytes] = MappingProxyType({})) -> VassalFile:
    return archive(body, M + "ModuleExtension", name, images)


def slot(gpid: str, name: str) -> str:
    return f'<{W}PieceSlot gpid="{gpid}" entryName="{name}">+/null/piece;;;;{name}/null;0;0</{W}PieceSlot>'


def map_of(*boards: str, name: str = "Main") -> str:
    grid = f'<{B}HexGrid x0="0" y0="0" dx="50" dy="50"><{B}mapgrid.HexGridNumbering vDescend="true"/></{B}HexGrid>'
    each = "".join(
        f'<{M}map.boardPicker.Board name="{board}" image="{board}">{grid}</{M}map.boardPicker.Board>'
        for board in boards
    )
    return f'<{M}Map mapName="{name}"><{M}map.BoardPicker>{each}</{M}map.BoardPicker></{M}Map>'


def test_the_size_of_a_board_is_that_of_its_image() -> None:
    found = read_module(archive(map_of("West"), images={"West": png(400, 500)}))
    assert found.maps[0].boards[0].size == (400, 500)
    # 500 / 50 = 10 rows, counted from below.
    assert found.location("Main", 0, 0) == "0111"
    assert found.location("Main", 0, 500) == "offboard"
    assert found.point("Main", "0111") == (0, 0)
    assert (found.board("Main", 0, 0), found.zone("Main", 0, 0)) == ("West", "")


def test_an_image_may_lack_its_suffix_and_lie_in_an_extension() -> None:
    found = read_module(archive(map_of("West")), [extension("", images={"West.gif": png(70, 80)})])
    assert found.maps[0].boards[0].size == (70, 80)
    assert found.problems == ()


def test_a_board_whose_image_is_missing_holds_no_point_as_in_the_engine() -> None:
    found = read_module(archive(map_of("West")))
    assert found.maps[0].boards[0].size == (0, 0)
    assert found.location("Main", 5, 5) == "offboard"
    assert found.problems == ("board 'West' of map 'Main': its image 'West' is missing, so no point lies on the board",)


def test_a_board_whose_image_cannot_be_measured_has_no_known_size() -> None:
    found = read_module(archive(map_of("West"), images={"West": b"no picture"}))
    assert found.maps[0].boards[0].size is None
    assert found.location("Main", 5, 5) is None
    assert found.board("Main", 5, 5) is None
    assert found.zone("Main", 5, 5) is None
    assert "cannot be measured" in found.problems[0]


def test_a_bare_build_file_knows_no_sizes_but_is_no_problem() -> None:
    text = f"<VASSAL.build.GameModule>{map_of('West')}</VASSAL.build.GameModule>"
    found = read_module(open_bytes(text.encode(), "buildFile.xml"))
    assert found.maps[0].boards[0].size is None
    assert found.location("Main", 5, 5) is None
    assert found.problems == ()


@pytest.mark.parametrize(
    ("content", "size"),
    [
        (png(3, 4), (3, 4)),
        (png(300, 400)[:60], (300, 400)),
        (png(3, 4)[:10], None),
        (b"", None),
        (b"\xff\xd8", None),
        (b'<svg xmlns="http://www.w3.org/2000/svg" width="30" height="40px"/>', (30, 40)),
        (b'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 50.5 60"/>', (50, 60)),
        (b'<svg width="3cm" height="4cm"/>', None),
        (b"<svg", None),
    ],
)
def test_images_are_measured_by_their_head(content: bytes, size: tuple[int, int] | None) -> None:
    assert measure_image(content) == size


def test_a_very_large_image_is_measured_without_unpacking_it() -> None:
    head = bytearray(png(3, 4))
    head[16:24] = (60000).to_bytes(4, "big") + (50000).to_bytes(4, "big")
    head[29:33] = zlib.crc32(bytes(head[12:29])).to_bytes(4, "big")
    assert measure_image(bytes(head)) == (60000, 50000)


def test_images_are_looked_up_in_the_engines_order() -> None:
    first = {"images/a": b"1", "images/Ku\u0308ste.png": b"2"}
    second = {"images/a": b"3", "images/a.gif": b"4", "images/b.gif": b"5"}
    sources = [first.get, second.get]
    assert [find_image(name, sources) for name in ("a", "b", "K\u00fcste.png", "c")] == [b"1", b"5", b"2", None]


def test_extensions_put_their_parts_where_they_belong() -> None:
    window = f'<{M}PieceWindow name="Units"><{W}TabWidget entryName="Axis">{slot("1", "Alpha")}</{W}TabWidget>'
    base = archive(window + f"</{M}PieceWindow>" + map_of(name="Main") + map_of(name="Plan"))
    path = f"{M}PieceWindow:Units/{W}TabWidget:Axis"
    added = extension(
        map_of(name="Extra")
        + f'<{M}ExtensionElement target="{path}">{slot("x1:1", "Beta")}</{M}ExtensionElement>'
        + f'<{M}ExtensionElement target=""><{M}DiceButton name="d6"/></{M}ExtensionElement>'
        + f'<{M}ExtensionElement target="{M}Map:Plan"><{M}map.DrawPile name="Deck"/></{M}ExtensionElement>'
    )
    found = read_module(base, [added])
    assert found.slots["x1:1"].path == ("Units", "Axis")
    assert [dice.name for dice in found.dice] == ["d6"]
    assert [(each.id, each.name) for each in found.maps] == [("Map0", "Main"), ("Map1", "Plan"), ("Map2", "Extra")]
    assert [pile.name for pile in found.maps[1].draw_piles] == ["Deck"]
    assert found.extensions == (ExtensionInfo(file="Test.vmod", id="x1", version="1", module="Test"),)
    assert found.problems == ()


def test_maps_of_extensions_are_numbered_after_those_of_the_module() -> None:
    charts = f'<{M}ChartWindow name="Charts"><{W}TabWidget entryName="T"/></{M}ChartWindow>'
    base = archive(charts + map_of(name="Main"))
    inside = f'<{W}MapWidget entryName="M"><{W}WidgetMap mapName="Chart"/></{W}MapWidget>'
    target = f"{M}ChartWindow:Charts/{W}TabWidget:T"
    found = read_module(base, [extension(f'<{M}ExtensionElement target="{target}">{inside}</{M}ExtensionElement>')])
    assert [(each.id, each.name) for each in found.maps] == [("Map0", "Main"), ("Map1", "Chart")]


def test_a_renamed_target_is_found_by_what_lies_in_it() -> None:
    window = f'<{M}PieceWindow name="New"><{W}TabWidget entryName="Axis"/></{M}PieceWindow>'
    base = archive(f'<{M}PieceWindow name="Other"/>' + window)
    target = f"{M}PieceWindow:Old/{W}TabWidget:Axis"
    element = f'<{M}ExtensionElement target="{target}">{slot("x1:1", "Beta")}</{M}ExtensionElement>'
    assert read_module(base, [extension(element)]).slots["x1:1"].path == ("New", "Axis")


def test_a_part_without_a_place_is_kept_and_noted() -> None:
    element = f'<{M}ExtensionElement target="{M}PieceWindow:Gone">{slot("x1:1", "Beta")}</{M}ExtensionElement>'
    found = read_module(archive(""), [extension(element)])
    assert found.slots["x1:1"].name == "Beta"
    assert found.problems == (f"line 1: ExtensionElement: there is no '{M}PieceWindow:Gone' in the module",)


def test_an_extension_of_another_module_is_noted() -> None:
    found = read_module(archive(""), [extension("", name="Other")])
    assert found.problems == ("Other.vmod: this extension was made for the module 'Other'",)


def test_an_extension_read_alone_shows_what_it_would_add() -> None:
    element = f'<{M}ExtensionElement target="{M}PieceWindow:Units">{slot("x1:1", "Beta")}</{M}ExtensionElement>'
    found = read_module(extension(element))
    assert found.name == "Test"
    assert found.slots["x1:1"].path == ()


def test_the_piece_of_a_slot_comes_with_its_prototypes_put_in() -> None:
    proto = f'<{M}PrototypeDefinition name="Unit">+/null/mark;Side\tpiece;;;;/Axis\tnull;0;0</{M}PrototypeDefinition>'
    piece = f'<{W}PieceSlot gpid="1">+/null/prototype;Unit\tpiece;;;;Alpha/\tnull;0;0</{W}PieceSlot>'
    found = read_module(archive(f"<{M}PrototypesContainer>{proto}</{M}PrototypesContainer>{piece}"))
    one = found.expanded("1")
    assert one is not None
    assert (one.piece.type, one.piece.state) == ("mark;Side\tpiece;;;;Alpha", "Axis\tnull;0;0")
    assert found.expanded("1") is one
    assert found.expanded("2") is None


def test_where_the_players_choose_the_boards_there_are_none_until_the_game_says_so() -> None:
    found = read_module(archive(map_of("West", "East"), images={"West": png(100, 100), "East": png(100, 100)}))
    assert found.location("Main", 5, 5) == "offboard"
    assert found.location("Main", 5, 5, [("East", False, 0, 0)]) == "0103"
    assert found.layout("Main", [("East", False, 0, 0)]) is found.layout("Main", [("East", False, 0, 0)])


def test_a_map_that_the_module_lacks_is_no_map() -> None:
    found = read_module(archive(""))
    assert found.layout("Main") is None
    assert (found.location("Main", 5, 5), found.board("Main", 5, 5), found.zone("Main", 5, 5)) == ("", "", "")
    assert found.point("Main", "0101") is None
