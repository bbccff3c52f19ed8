"""The module of a profile of ours, made in memory, so that a log of it can be audited without a module file."""

from __future__ import annotations

import io
import zipfile
from functools import lru_cache
from pathlib import Path

from PIL import Image

from vassal_bridge.profiles import Profile
from vassal_bridge.schematic.boards import boxes_image
from vassal_bridge.schematic.buildfile import build_file
from vassal_bridge.schematic.definition import read_definition
from vassal_bridge.schematic.layout import Layout
from vassal_bridge.vassal.container import open_bytes
from vassal_bridge.vassal.module import Module, read_module

__all__ = ["shipped_module"]


def shipped_module(profile: Profile) -> Module | None:
    """Return the module that lies beside a profile, None if we do not make that one.

    It has the maps, grids and trackers of the module that ``make-module`` builds, but no pictures worth looking at.

    Raises:
        BridgeError: Its source has faults.
    """
    if not (profile.folder / "module.toml").is_file():
        return None
    return _make(profile.folder)


@lru_cache(maxsize=8)
def _make(folder: Path) -> Module:
    definition = read_definition(folder)
    layout = Layout(sheet=definition.terrain.sheet, hex_width=definition.board.hex_width)
    # A board is as large as its picture, so there must be one of the right size; what is on it does not matter.
    pictures = {
        "map.png": Image.new("1", (layout.width, layout.height)),
        "boxes.png": boxes_image(definition.boxes.names),
    }
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("buildFile.xml", build_file(definition, layout))
        for name, picture in pictures.items():
            data = io.BytesIO()
            picture.save(data, "PNG")
            archive.writestr(f"images/{name}", data.getvalue())
    return read_module(open_bytes(buffer.getvalue(), definition.name))
