"""The audit of the shipped sample log names exactly what the script planted."""

from __future__ import annotations

import tomllib
from pathlib import Path
from typing import Any

import pytest

from vassal_bridge.audit.audit import audit_files
from vassal_bridge.audit.finding import AuditResult
from vassal_bridge.datadirs import data_dir
from vassal_bridge.vassal.container import open_file

SHIPPED = data_dir("modules") / "drive-on-stalingrad"


@pytest.fixture(scope="module")
def truth() -> dict[str, list[dict[str, Any]]]:
    return tomllib.loads((SHIPPED / "demo.toml").read_text("utf-8"))


@pytest.fixture(scope="module")
def result(schematic_module: Path) -> AuditResult:
    return audit_files([open_file(SHIPPED / "demo.vlog")], module=open_file(schematic_module))


def test_finds_what_is_planted_by_rule_step_and_hex(
    truth: dict[str, list[dict[str, Any]]], result: AuditResult
) -> None:
    planted = [(f"DOS-{entry['rule']}", entry["steps"][0], entry["hexes"][0]) for entry in truth["violation"]]
    found = [(finding.rule.id, finding.place.step, finding.outcome.hexes[0]) for finding in result.findings]
    assert sorted(found, key=lambda each: each[1]) == planted


def test_reports_neither_near_misses_nor_what_was_undone(
    truth: dict[str, list[dict[str, Any]]], result: AuditResult
) -> None:
    harmless = {entry["steps"][0] for kind in ("near_miss", "undone") for entry in truth[kind]}
    assert not harmless & {finding.place.step for finding in result.findings}
