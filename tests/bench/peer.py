"""Load pywargame's reader of saves from its wheel, whatever Python this is.

The package needs Python 3.12 in modules that have nothing to do with reading a save. Only its ``save.py`` and
``common`` are loaded, unchanged; the modules beside them are stood in for by empty ones.
"""

from __future__ import annotations

import subprocess
import sys
import zipfile
from collections.abc import Callable
from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path
from types import ModuleType
from typing import Any

__all__ = ["VERSION", "fetch", "load_reader"]

VERSION = "0.8.0"
_BESIDE = ("moduledata", "withtraits", "trait", "traits", "element", "mapelements", "vmod", "vsav")


def fetch(folder: Path) -> Path:
    """Download the wheel with pip, unpack it into ``folder``, and return the package's path.

    Raises:
        OSError: It is not to be had.
    """
    command = [sys.executable, "-m", "pip", "-q", "download", "--no-deps", "--ignore-requires-python"]
    done = subprocess.run(
        [*command, "--dest", str(folder), f"pywargame=={VERSION}"], capture_output=True, text=True, check=False
    )
    wheels = list(folder.glob("pywargame-*.whl"))
    if done.returncode or not wheels:
        raise OSError((done.stderr.strip().splitlines() or ["pip failed"])[-1])
    with zipfile.ZipFile(wheels[0]) as archive:
        archive.extractall(folder)
    return folder / "pywargame"


def load_reader(package: Path) -> Callable[[str], Any]:
    """Return ``SaveIO.readSave`` of the unpacked package."""
    for name in ("pywargame", "pywargame.vassal"):
        sys.modules[name] = ModuleType(name)
        sys.modules[name].__path__ = [str(package.parent / name.replace(".", "/"))]
    for name in _BESIDE:
        sys.modules[f"pywargame.vassal.{name}"] = _Anything(f"pywargame.vassal.{name}")
    reader: Callable[[str], Any] = _load("pywargame.vassal.save", package / "vassal" / "save.py").SaveIO.readSave
    return reader


class _Anything(ModuleType):
    """A module that has every class one may import from it."""

    def __getattr__(self, name: str) -> type:
        if name.startswith("__"):
            raise AttributeError(name)
        return type(name, (), {})


def _load(name: str, path: Path) -> Any:
    spec = spec_from_file_location(name, path)
    assert spec is not None
    assert spec.loader is not None
    module = module_from_spec(spec)
    sys.modules[name] = module
    spec.loader.exec_module(module)
    return module
