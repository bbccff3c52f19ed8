"""Build files: XML, components, grids, and the places on their maps."""

from __future__ import annotations

from lxml import etree

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
    """Return a build file, and lines that each set an attribute of one of its elements."""
    root = etree.fromstring(BUILD_FILE.encode())
    lines: list[str] = []
    for number, element in enumerate(root.iter()):
        lines += [" ".join((str(number), str(name), str(value))) for name, value in element.attrib.items()]
    return [BUILD_FILE.encode(), *(line.encode() for line in lines), "\n".join(lines[20:40]).encode()]


def try_one(data: bytes) -> None:
    text = data if data.startswith(b"<") else _changed(data.decode("utf-8", "replace"))
    module = read_module(open_bytes(text, "buildFile.xml"))
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


def _changed(lines: str) -> bytes:
    """Return the sample build file with other attributes: ``NUMBER-OF-ELEMENT NAME VALUE`` a line, or new texts."""
    root = etree.fromstring(BUILD_FILE.encode())
    elements = list(root.iter())
    for line in lines.split("\n")[:40]:
        number, _, rest = line.partition(" ")
        name, _, value = rest.partition(" ")
        element = elements[int(number) % len(elements) if number.isascii() and number.isdigit() else 0]
        try:
            if name:
                element.set(name[:40], value)
            else:
                element.text = value
        except ValueError:  # no name of an attribute, or a character that XML cannot hold
            continue
    return bytes(etree.tostring(root))
