"""What every test may ask for, and the rule that CI must not skip what it is there for."""

from __future__ import annotations

import os
from collections.abc import Generator
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent


def pytest_configure(config: pytest.Config) -> None:
    # VASSAL_BRIDGE_REQUIRE=engine,browser,corpus turns a skip of such a test into a failure.
    required = {word for word in os.environ.get("VASSAL_BRIDGE_REQUIRE", "").split(",") if word}
    unknown = required - {"engine", "browser", "corpus"}
    if unknown:
        raise pytest.UsageError(f"VASSAL_BRIDGE_REQUIRE: unknown {', '.join(sorted(unknown))}")
    config.stash[_REQUIRED] = required


_REQUIRED = pytest.StashKey[set[str]]()


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(
    item: pytest.Item, call: pytest.CallInfo[None]
) -> Generator[None, pytest.TestReport, pytest.TestReport]:
    report = yield
    required = item.config.stash[_REQUIRED]
    if report.skipped and any(item.get_closest_marker(mark) for mark in required) and not hasattr(report, "wasxfail"):
        report.outcome = "failed"
        report.longrepr = f"{item.nodeid} was skipped, but VASSAL_BRIDGE_REQUIRE asks for it: {report.longrepr}"
    return report


@pytest.fixture(scope="session")
def corpus() -> Path:
    """The folder with real files of other people's games; tests that ask for it bear the mark ``corpus``."""
    folder = Path(os.environ.get("VASSAL_BRIDGE_CORPUS", ROOT / "../shared/corpus")).resolve()
    if not folder.is_dir():
        pytest.skip(f"no corpus at {folder}")
    return folder
