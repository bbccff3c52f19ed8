"""A result with one of everything, made by hand."""

from __future__ import annotations

from fractions import Fraction

import pytest

from vassal_bridge.audit.finding import AuditResult, Coverage, Finding, InputFile, Occasions, Place, Undecided
from vassal_bridge.board.hexes import HexId
from vassal_bridge.board.knowledge import UNKNOWN, Reason
from vassal_bridge.board.units import UnitId
from vassal_bridge.rulebook.check import When
from vassal_bridge.rulebook.outcome import Outcome, Verdict
from vassal_bridge.rulebook.rule import Category, Rule, Severity, Status


def rule(rule_id: str, title: str, severity: Severity = Severity.ILLEGAL) -> Rule:
    return Rule(
        id=rule_id,
        title=title,
        cite=rule_id.split("-")[1].rstrip("abc"),
        summary=f"{title}.",
        category=Category.STACKING,
        when=When.PHASE_END,
        status=Status.CHECKED,
        severity=severity,
    )


def place(step: int, *, turn: str | None = "1", phase: str | None = "ax.move") -> Place:
    return Place(log="turn1.vlog", step=step, turn=turn, phase=phase)


@pytest.fixture
def result() -> AuditResult:
    stack = Finding(
        rule=rule("EX-4.2a", "Three units a hex"),
        outcome=Outcome(
            verdict=Verdict.VIOLATION,
            message="N2029 holds 4 units, limit 3",
            hexes=(HexId("N2029"),),
            units=(UnitId("101"), UnitId("105")),
            facts={"units": 4, "limit": 3, "strength": Fraction(5, 2), "terrain": UNKNOWN, "bridged": {"b", "a"}},
        ),
        place=place(12),
        sealed_by=place(20),
    )
    claim = Finding(
        rule=rule("EX-6.1", "Odds are rounded down"),
        outcome=Outcome(verdict=Verdict.VIOLATION, message="3:1 was claimed, 2:1 is right", reading="AMB-2"),
        place=place(20, phase="ax.combat"),
        mended_at=place(25, phase="ax.combat"),
        depends_on=(stack.fingerprint,),
    )
    marker = Finding(
        rule=rule("EX-9.9", "A marker shows control", Severity.BOOKKEEPING),
        outcome=Outcome(verdict=Verdict.VIOLATION, message="The chat said \x1b[31mred\x1b[0m \ud800 <b>bold</b>"),
        place=place(0, turn=None, phase=None),
    )
    path = Finding(
        rule=rule("EX-5.1", "A unit pays for each hex"),
        outcome=Outcome(
            verdict=Verdict.UNKNOWN, message="N2030 to N2027 costs 3 or 6 points, 4 are left", because=(Reason.PATH,)
        ),
        place=place(26),
    )
    return AuditResult(
        tool_version="0.0.1",
        inputs=(InputFile(file="turn1.vlog", sha256="ab" * 32, kind="log", steps=30, from_turn="1", to_turn="2"),),
        coverage=Coverage(
            checked=4,
            planned=2,
            not_checkable=1,
            occasions={"EX-4.2a": Occasions(legal=7, violation=1), "EX-5.1": Occasions(legal=3, unknown=2)},
            unread={"commands": {"HAKA": 2}, "places": {"offboard": 1}},
        ),
        findings=(stack, claim, marker, path),
        undecided=(Undecided(what="the terrain of N2028", because="terrain", would_decide=2),),
        game="example",
        rules_version="0.1.0",
        profile="example",
        phases={"ax.move": "Axis Movement Phase"},
        remarks=("one file was damaged",),
    )
