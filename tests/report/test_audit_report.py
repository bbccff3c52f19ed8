from __future__ import annotations

import json
from dataclasses import replace
from typing import Any

import jsonschema
import pytest

from vassal_bridge.audit.finding import AuditResult, Coverage
from vassal_bridge.audit.integrity import CATALOGUE
from vassal_bridge.report.audit_json import as_json, as_ndjson
from vassal_bridge.report.html import as_html
from vassal_bridge.report.schema_files import FOLDER, SCHEMAS, schema_text
from vassal_bridge.report.text import WIDTH, as_text


@pytest.mark.parametrize("name", SCHEMAS)
def test_the_shipped_schema_files_are_current(name: str) -> None:
    assert (FOLDER / f"{name}.json").read_text(encoding="utf-8") == schema_text(name)


def test_the_json_follows_its_schema_and_the_design(result: AuditResult) -> None:
    document = json.loads(as_json(result))
    jsonschema.validate(document, json.loads((FOLDER / "report-1.json").read_text()))
    assert document["schema"] == "vassal-bridge/report/1"
    assert document["tool"] == {
        "version": "0.0.1",
        "rules": {"game": "example", "version": "0.1.0"},
        "profile": "example",
    }
    first = document["findings"][0]
    assert first["place"] == {"log": "turn1.vlog", "step": 12, "turn": "1", "phase": "ax.move"}
    assert first["facts"] == {
        "units": 4,
        "limit": 3,
        "strength": "5/2",
        "terrain": "unknown",
        "bridged": ["a", "b"],
    }
    assert first["severity"] == "illegal"
    assert document["findings"][1]["severity"] == "suspicious"
    assert document["findings"][1]["depends_on"] == [first["fingerprint"]]
    assert document["coverage"]["unread"] == {
        "commands": {"HAKA": 2},
        "traits": {},
        "pieces": {},
        "places": {"offboard": 1},
    }
    assert document["summary"] == {"violations": 3, "suspicious": 1, "bookkeeping": 1, "unknown": 2, "legal": 10}


def test_the_keys_of_a_finding_are_those_of_the_style_guide(result: AuditResult) -> None:
    (first, *_) = json.loads(as_json(result))["findings"]
    assert list(first) == [
        "fingerprint",
        "rule",
        "cite",
        "verdict",
        "severity",
        "because",
        "message",
        "place",
        "hexes",
        "units",
        "facts",
        "sealed_by",
        "mended_at",
        "depends_on",
    ]


def test_ndjson_holds_the_same_as_json(result: AuditResult) -> None:
    document: dict[str, Any] = json.loads(as_json(result))
    records = [json.loads(line) for line in as_ndjson(result).splitlines()]
    by_kind: dict[str, list[dict[str, Any]]] = {}
    for record in records:
        by_kind.setdefault(record.pop("record"), []).append(record)
    assert by_kind["finding"] == document["findings"]
    assert by_kind["unknown"] == document["unknown"]
    for kind in ("coverage", "dice", "summary"):
        assert by_kind[kind] == [document[kind]]
    assert by_kind["head"] == [{key: document[key] for key in ("schema", "tool", "inputs", "remarks")}]


def test_the_text_names_rule_place_message_and_facts(result: AuditResult) -> None:
    text = as_text(result)
    assert "3 violations (1 illegal, 1 suspicious, 1 bookkeeping); 10 occasions legal, 2 not decided." in text
    block = text[text.index("Turn 1, Axis Movement Phase") : text.index("Turn 1, ax.combat")]
    assert "EX-4.2a  Three units a hex  [4.2]" in block
    assert "turn1.vlog, step 12" in block
    assert "N2029 holds 4 units, limit 3" in block
    assert "units: 4; limit: 3; strength: 5/2; terrain: unknown; bridged: a, b" in block
    assert "sealed by the roll at turn1.vlog, step 20" in block
    assert "follows from finding 1: without it this would be legal" in text
    assert "put right later, at turn1.vlog, step 25" in text
    assert "Turn not known, phase not known" in text
    assert "not decided because of: path" in text[text.index("Not decided") :]
    assert "the terrain of N2028 (terrain): would decide 2 verdicts" in text
    assert "commands met and not understood: HAKA (2)" in text
    assert "one file was damaged" in text


def test_the_text_is_narrow_and_cannot_steer_a_terminal(result: AuditResult) -> None:
    text = as_text(result)
    assert "\x1b" not in text
    assert "\\x1b[31mred" in text
    assert max(len(line) for line in text.splitlines()) <= WIDTH


def test_without_rules_the_text_says_that_nothing_was_checked(result: AuditResult) -> None:
    bare = replace(result, game=None, rules_version=None, profile=None, findings=(), undecided=(), coverage=Coverage())
    text = as_text(bare)
    assert "No rules were checked." in text
    assert "legal" not in text
    assert json.loads(as_json(bare))["tool"] == {"version": "0.0.1", "rules": None, "profile": None}


def test_the_page_escapes_what_comes_from_files_and_asks_no_network(result: AuditResult) -> None:
    page = as_html(result)
    assert "&lt;b&gt;bold&lt;/b&gt;" in page
    assert "<b>bold" not in page
    assert "\x1b" not in page
    assert "http:" not in page
    assert "https:" not in page
    assert "<script" not in page
    for finding in result.findings:
        assert finding.rule.title in page
    assert page == as_html(result)


def test_findings_about_the_record_stand_apart(result: AuditResult) -> None:
    outcome = replace(result.findings[0].outcome, message="a roll was taken back")
    about_record = replace(result.findings[0], rule=CATALOGUE["INT-UNDO-INFORMED"], outcome=outcome)
    text = as_text(replace(result, findings=(*result.findings, about_record)))
    assert "not decided. About the record itself: 1 finding." in " ".join(text.split())
    assert "3 violations (" in text
    block = text[text.index("\nThe record\n") :]
    assert "INT-UNDO-INFORMED" in block
    assert "a roll was taken back" in block
    alone = as_text(replace(result, game=None, findings=(about_record,)))
    assert "No rules were checked. About the record itself: 1 finding." in alone
