"""An engine for the tests that ask for one."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from vassal_bridge.schematic import build_module

from .client import Engine, missing


@pytest.fixture(scope="session")
def start_engine() -> Callable[..., Engine]:
    """Return what starts an engine; skips where none is installed. Tests that ask for it bear the mark ``engine``."""
    if lacking := missing():
        pytest.skip(f"no engine, run .ci/engine.sh: {lacking}")
    return Engine


@pytest.fixture(scope="session")
def schematic_module(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a freshly built schematic module."""
    path = tmp_path_factory.mktemp("module") / "drive-on-stalingrad.vmod"
    build_module("drive-on-stalingrad", path)
    return path
