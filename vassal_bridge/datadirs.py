"""Where the rule sets and module profiles are, and where VASSAL keeps the user's own files.

Rule sets and profiles are data, not packages: in a wheel they lie below ``vassal_bridge/_data``, in a checkout beside
``pyproject.toml``. All reading goes through :func:`data_dir`.
"""

from __future__ import annotations

import os
import sys
from importlib.resources import files
from pathlib import Path
from typing import Literal

from vassal_bridge.errors import BridgeError

__all__ = ["data_dir", "service_file", "vassal_folder"]


def data_dir(kind: Literal["rules", "modules"]) -> Path:
    """Return the folder with one sub-folder per game (``rules``) or per module (``modules``).

    Raises:
        BridgeError: The installation holds no such data.
    """
    package = Path(str(files("vassal_bridge")))
    installed = package / "_data" / kind
    if installed.is_dir():
        return installed
    # Without the test for pyproject.toml this could pick a folder of PyPI's package "rules" in site-packages.
    if (package.parent / "pyproject.toml").is_file() and (package.parent / kind).is_dir():
        return package.parent / kind
    raise BridgeError(f"the installation has no folder {kind}; reinstall vassal-bridge", file=str(package))


def vassal_folder() -> Path:
    """Return the folder of the user's VASSAL settings, as the engine itself chooses it."""
    if sys.platform == "win32":
        return Path(os.environ.get("APPDATA", Path.home() / "AppData" / "Roaming")) / "VASSAL"
    if sys.platform == "darwin":
        return Path.home() / "Library" / "Application Support" / "VASSAL"
    return Path.home() / ".VASSAL"


def service_file() -> Path:
    """Return the file in which a running service tells its port and token to this user's programs."""
    return vassal_folder() / "rules-service.properties"
