"""Write a schematic module as a ``.vmod`` that the engine opens."""

from __future__ import annotations

import hashlib
import io
import zipfile
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from lxml import etree
from PIL import Image

from vassal_bridge.datadirs import data_dir
from vassal_bridge.errors import BridgeError, OptionError
from vassal_bridge.schematic import boards, counters
from vassal_bridge.schematic.buildfile import ENGINE_VERSION, build_file, face_file, marker_file
from vassal_bridge.schematic.definition import Definition, read_definition
from vassal_bridge.schematic.layout import Layout

__all__ = ["ModuleReport", "build_module", "module_names"]

# A fixed date: the same input must give the same bytes. In milliseconds since 1970 for the metadata.
_ZIP_DATE = (2026, 1, 1, 0, 0, 0)
_SAVED = "1767225600000"


@dataclass(frozen=True, slots=True, kw_only=True)
class ModuleReport:
    """What was built."""

    path: Path
    name: str
    version: str
    hexes: int
    units: int
    markers: int
    size: int
    sha256: str


def module_names() -> tuple[str, ...]:
    """Return the modules that can be built."""
    return tuple(sorted(file.parent.name for file in data_dir("modules").glob("*/module.toml")))


def build_module(name: str, out: Path) -> ModuleReport:
    """Build the module ``name`` of ours and write it to ``out``; the same input gives the same bytes.

    Raises:
        BridgeError: There is no such module, its files have faults, or ``out`` cannot be written.
    """
    if name not in module_names():
        raise OptionError(f"no schematic module is named {name!r}; there are: {', '.join(module_names())}")
    definition = read_definition(data_dir("modules") / name)
    data = _pack(definition)
    try:
        out.write_bytes(data)
    except OSError as error:
        raise BridgeError(f"cannot be written: {error.strerror}", file=str(out)) from None
    return ModuleReport(
        path=out,
        name=definition.name,
        version=definition.version,
        hexes=sum(1 for _ in definition.terrain.sheet.hexes()),
        units=sum(len(group.units) for group in definition.group),
        markers=len(definition.marker),
        size=len(data),
        sha256=hashlib.sha256(data).hexdigest(),
    )


def _pack(definition: Definition) -> bytes:
    layout = Layout(sheet=definition.terrain.sheet, hex_width=definition.board.hex_width)
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w") as archive:
        _write(archive, "moduledata", _metadata(definition))
        _write(archive, "buildFile.xml", build_file(definition, layout))
        for name, image in _images(definition, layout):
            _write(archive, f"images/{name}", _png(image))
    return buffer.getvalue()


def _images(definition: Definition, layout: Layout) -> Iterator[tuple[str, Image.Image]]:
    yield "map.png", boards.map_image(definition, layout)
    yield "boxes.png", boards.boxes_image(definition.boxes.names)
    yield "disrupted.png", counters.disrupted_badge()
    yield "moved.png", counters.moved_badge()
    for marker in definition.marker:
        yield marker_file(marker.name), counters.marker_image(marker)
    for group in definition.group:
        for unit in group.units:
            for face in range(len(group.faces_of(unit))):
                yield face_file(unit, face), counters.face_image(group, unit, face)


def _write(archive: zipfile.ZipFile, name: str, data: bytes) -> None:
    entry = zipfile.ZipInfo(name, _ZIP_DATE)
    entry.compress_type = zipfile.ZIP_DEFLATED
    entry.external_attr = 0o644 << 16
    archive.writestr(entry, data)


def _png(image: Image.Image) -> bytes:
    buffer = io.BytesIO()
    image.save(buffer, "PNG", optimize=True)
    return buffer.getvalue()


def _metadata(definition: Definition) -> bytes:
    root = etree.Element("data", version="1")
    for tag, text in (
        ("version", definition.version),
        ("extra1", ""),
        ("extra2", ""),
        ("VassalVersion", ENGINE_VERSION),
        ("dateSaved", _SAVED),
        ("description", definition.description),
        ("name", definition.name),
    ):
        etree.SubElement(root, tag).text = text or None
    return etree.tostring(root, xml_declaration=True, encoding="UTF-8", standalone=False, pretty_print=True)
