from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from subprocess import CompletedProcess
from typing import Any

import jsonschema
import pytest

from vassal_bridge.checks import CHECKS
from vassal_bridge.datadirs import data_dir
from vassal_bridge.report.schema_files import FOLDER
from vassal_bridge.rulebook.load import find_rules, load_rules
from vassal_bridge.rulebook.rule import Rule

Run = Callable[..., CompletedProcess[str]]
GAME = "drive-on-stalingrad"
RULES = load_rules(find_rules()[GAME], CHECKS).rules
CASES = Path(__file__).resolve().parent.parent / "cases" / f"{GAME}.toml"


def schema(name: str) -> dict[str, Any]:
    return dict(json.loads((FOLDER / f"{name}.json").read_text(encoding="utf-8")))


def test_rules_lists_every_game_and_every_rule(bridge: Run) -> None:
    listed = json.loads(bridge("rules", "--json").stdout)
    jsonschema.validate(listed, schema("rules-1"))
    assert {game["game"] for game in listed["games"]} == set(find_rules())
    text = bridge("rules", GAME).stdout
    assert all(rule_id in text for rule_id in RULES)
    (one,) = json.loads(bridge("rules", GAME, "--json").stdout)["games"]
    assert [rule["id"] for rule in one["rules"]] == list(RULES)


@pytest.mark.parametrize("rule", RULES.values(), ids=RULES)
def test_explain_says_every_rule_in_plain_words(bridge: Run, rule: Rule) -> None:
    said = bridge("explain", rule.id).stdout
    flat = " ".join(said.split())
    assert rule.title in flat
    assert rule.summary in flat
    assert max(map(len, said.splitlines())) <= 122


def test_check_rules_names_all_faults_and_exits_with_2(bridge: Run, tmp_path: Path) -> None:
    folder = tmp_path / "broken"
    folder.mkdir()
    for file in (data_dir("rules") / GAME).glob("*.toml"):
        text = file.read_text(encoding="utf-8")
        if file.name == "stacking.toml":
            text = text.replace('severity = "illegal"', 'severity = "awful"').replace('category = "', 'kind = "', 1)
        (folder / file.name).write_text(text, encoding="utf-8")
    done = bridge("check-rules", folder)
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr.count("\n") > 2
    assert all(line.startswith("vassal-bridge: ") for line in done.stderr.splitlines())
    assert "stacking.toml" in done.stderr
    assert "severity" in done.stderr
    assert "kind" in done.stderr
    assert bridge("check-rules", GAME).returncode == 0


def test_test_rules_reports_cases_as_json(bridge: Run) -> None:
    done = bridge("test-rules", GAME, CASES, "--json")
    report = json.loads(done.stdout)
    jsonschema.validate(report, schema("cases-1"))
    assert report["cases"] == report["agree"] + len(report["disagree"]) + len(report["not_run"])
    assert report["agree"] > 50
    assert done.returncode == (1 if report["disagree"] else 0)


def test_test_rules_finds_a_case_that_is_wrong(bridge: Run, tmp_path: Path) -> None:
    header, _, rest = CASES.read_text(encoding="utf-8").partition("[[section]]")
    legal, illegal = (next(line for line in rest.splitlines() if f'"T-7.1a-{case}"' in line) for case in ("L1", "V1"))
    wrong = tmp_path / "wrong.toml"
    cases = f"{legal}\n{illegal.replace('illegal', 'legal', 1)}"
    wrong.write_text(f'{header}[[section]]\ntitle = "One is wrong"\ncase = [\n{cases}\n]\n', encoding="utf-8")
    done = bridge("test-rules", GAME, wrong, "--json")
    report = json.loads(done.stdout)
    assert (done.returncode, report["cases"], report["agree"]) == (1, 2, 1)
    assert report["disagree"] == [{"id": "T-7.1a-V1", "expected": "legal", "got": "violation", "rules": ["DOS-7.1a"]}]
    assert "T-7.1a-V1: expected legal, got violation" in bridge("test-rules", GAME, wrong).stdout


def test_make_module_always_gives_the_same_bytes(bridge: Run, tmp_path: Path) -> None:
    for name in ("one.vmod", "two.vmod"):
        done = bridge("make-module", GAME, "-o", tmp_path / name)
        assert (done.returncode, done.stderr) == (0, "")
    assert (tmp_path / "one.vmod").read_bytes() == (tmp_path / "two.vmod").read_bytes()
    assert json.loads(bridge("show", tmp_path / "one.vmod", "--json").stdout)["kind"] == "module"
