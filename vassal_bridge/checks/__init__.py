"""The checks, one family per file; this is their one table."""

from __future__ import annotations

from typing import Any

from vassal_bridge.checks.claims import claim
from vassal_bridge.checks.hq import attack_needs_hq
from vassal_bridge.checks.retreat import retreat_distance, retreat_path, retreat_vacant_first
from vassal_bridge.checks.stacking import stack_limit
from vassal_bridge.checks.zoc import zoc_leave, zoc_stop
from vassal_bridge.rulebook.check import Check

__all__ = ["CHECKS"]

CHECKS: dict[str, Check[Any]] = {
    each.name: each
    for each in (
        attack_needs_hq,
        claim,
        retreat_distance,
        retreat_path,
        retreat_vacant_first,
        stack_limit,
        zoc_leave,
        zoc_stop,
    )
}
