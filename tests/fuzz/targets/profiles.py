"""Profiles and map files of modules."""

from __future__ import annotations

import tempfile
from pathlib import Path

from vassal_bridge.board.hexes import HexNumbering
from vassal_bridge.board.mapfile import read_map_file, terrain_of
from vassal_bridge.datadirs import data_dir
from vassal_bridge.errors import BridgeError
from vassal_bridge.profiles.model import ProfileFile
from vassal_bridge.tomlfile import read_toml

__all__ = ["WORDS", "seeds", "try_one"]

WORDS = tuple(
    word.encode()
    for word in (
        "format = 1",
        "complete = true",
        "[sheet]",
        "[hexes]",
        "[hexsides]",
        "[[rail]]",
        "rows = 999999999",
        "|",
    )
)

_MAP = """format = 1
complete = true
[sheet]
letter = "N"
rows = 9
odd_row = 9
even_row = 8
edges = ["north", "east"]
[hexes]
lw = ["N0101", "N0205"]
city = ["N0303"]
[hexsides]
river = ["N0101|N0102", "N0303|N0304"]
[[rail]]
name = "Line"
path = ["N0401", "N0402", "N0403"]
[[rail_link]]
from = "N0401"
to = "N0409"
points = 3
[names]
N0303 = "Town"
"""
_NUMBERING = HexNumbering(
    pattern=r"(?P<sheet>[NS])(?P<line>\d\d)(?P<position>\d\d)", form="{sheet}{line:02}{position:02}", shift="odd"
)


def seeds() -> list[bytes]:
    return [_MAP.encode(), *(path.read_bytes() for path in sorted(data_dir("modules").glob("*/profile.toml")))]


def try_one(data: bytes) -> None:
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "file.toml"
        path.write_bytes(data)
        try:
            read_toml(path, ProfileFile)
        except BridgeError:
            terrain_of(read_map_file(path), _NUMBERING)
