"""Build files: XML, components, grids, and the places on their maps."""

from __future__ import annotations

from tests.fuzz.samples import BOARD, BUILD_FILE, MODULE
from vassal_bridge.vassal.container import open_bytes
from vassal_bridge.vassal.module import read_module

__all__ = ["WORDS", "seeds", "try_one"]

WORDS = tuple(
    word.encode()
    for word in (
        *(f"<{BOARD}HexGrid", f"<{BOARD}SquareGrid", f"<{BOARD}RegionGrid", f"<{BOARD}ZonedGrid", f"<{MODULE}Map"),
        *(
            'dx="0"',
            'dy="1e308"',
            'dx="NaN"',
            'x0="-999999999999"',
            'sideways="true"',
            'stagger="false"',
            "99999999999",
        ),
        *(
            'first="V"',
            'hType="A"',
            'vDescend="true"',
            'hLeading="3"',
            'path="0,0;9,9"',
            "mapName",
            "&#0;",
            "<!DOCTYPE",
        ),
        *("<!DOCTYPE", "<!ENTITY a 'b'>", "]]>", "<![CDATA[", '<?xml version="1.1"?>', 'encoding="UTF-16"'),
    )
)
_POINTS = ((0, 0), (5, 5), (100, 100), (233, 186), (-50, -50), (899, 799), (1500, 500), (2**31 - 1, -(2**31)))


def seeds() -> list[bytes]:
    return [BUILD_FILE.encode()]


def try_one(data: bytes) -> None:
    module = read_module(open_bytes(data, "buildFile.xml"))
    for gpid in list(module.slots)[:20]:
        module.expanded(gpid)
    for each in module.maps[:4]:
        for x, y in _POINTS:
            name = module.location(each.name, x, y)
            module.zone(each.name, x, y)
            module.board(each.name, x, y)
            if name is not None:
                module.point(each.name, name)
        for name in ("0101", "A1", "ZZZ999", "North: 0503", "", "-1-1", "99999999999999999999"):
            module.point(each.name, name)
