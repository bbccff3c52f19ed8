"""Module profiles: which there are, and which fits a file."""

from __future__ import annotations

from dataclasses import dataclass
from fnmatch import fnmatchcase
from pathlib import Path

from vassal_bridge.board.hexes import HexNumbering
from vassal_bridge.board.mapfile import read_map_file, terrain_of
from vassal_bridge.board.terrain import Terrain
from vassal_bridge.datadirs import data_dir
from vassal_bridge.errors import ProfileError
from vassal_bridge.profiles.model import ProfileFile
from vassal_bridge.tomlfile import read_toml
from vassal_bridge.vassal.container import Metadata, VassalFile

__all__ = ["Profile", "find_profile", "load_profile"]

_FILE = "profile.toml"


@dataclass(frozen=True, slots=True, kw_only=True)
class Profile:
    """What the maps, boxes, counters, markers, phases and dice of a VASSAL module mean.

    Attributes:
        name: Name of its folder.
        folder: The folder itself; the terrain file, and for our own modules the module's source, lie in it.
        file: ``profile.toml``, validated.
    """

    name: str
    folder: Path
    file: ProfileFile

    @property
    def game(self) -> str:
        """Id of the rule set that fits."""
        return self.file.game

    def fits(self, module: str, version: str) -> bool:
        """Tell whether the profile is for a module of this name and version."""
        return module == self.file.module.name and any(
            fnmatchcase(version, pattern) for pattern in self.file.module.versions
        )

    def terrain(self, numbering: HexNumbering) -> Terrain:
        """Read the terrain of the module's map.

        Raises:
            ProfileError: The map file has faults; ``problems`` lists all of them.
        """
        path = self.folder / self.file.map
        try:
            return terrain_of(read_map_file(path), numbering)
        except ProfileError as error:
            raise error.located(file=str(path)) from None


def load_profile(folder: Path) -> Profile:
    """Read the profile in a folder.

    Raises:
        ProfileError: There is none, or it has faults; ``problems`` lists all of them.
    """
    return Profile(name=folder.resolve().name, folder=folder, file=read_toml(folder / _FILE, ProfileFile))


def find_profile(of: VassalFile | Metadata) -> Profile | None:
    """Return the shipped profile that fits a file's module, None if there is none or the file does not name one.

    Args:
        of: A module, or a save or log, which holds a copy of its module's ``moduledata``; or that metadata.

    Raises:
        ProfileError: A profile in the folder of profiles has faults.
    """
    known = of.module_metadata if isinstance(of, VassalFile) else of
    if known is None or known.name is None:
        return None
    for path in sorted(data_dir("modules").glob(f"*/{_FILE}")):
        try:
            profile = load_profile(path.parent)
        except ProfileError as error:
            raise error.located(place=path.parent.name) from None
        if profile.fits(known.name, known.version or ""):
            return profile
    return None
