"""Rule sets with faults: each is named, and none stops the reader."""

from __future__ import annotations

import shutil
from collections.abc import Callable
from pathlib import Path

import pytest

from vassal_bridge.checks import CHECKS
from vassal_bridge.errors import RuleFileError
from vassal_bridge.rulebook.load import find_rules, load_rules, problems

Change = Callable[..., list[str]]


@pytest.fixture
def changed(tmp_path: Path) -> Change:
    """Return the faults of a copy of a shipped rule set in one of whose files one text was replaced by another."""
    folder = tmp_path / "game"
    shutil.copytree(next(iter(find_rules().values())), folder)

    def change(file: str, old: str, new: str) -> list[str]:
        text = (folder / file).read_text(encoding="utf-8") if (folder / file).exists() else ""
        assert old in text
        (folder / file).write_text(text.replace(old, new, 1) if old else new, encoding="utf-8")
        return problems(folder, CHECKS)

    return change


@pytest.mark.parametrize(
    ("file", "old", "new", "fault"),
    [
        ("game.toml", "minimum = 1", "minimum = 1\nminimums = 1", "strength.minimums: unknown key"),
        ("game.toml", "sides = [", "side = [", "sides: Field required"),
        ("game.toml", '["ax", "so"]', "5", "sides: Input should be a valid tuple"),
        ("game.toml", '["ax", "so"]', '[["ax"], "so"]', "sides.0: Input should be a valid string"),
        ("game.toml", "(?P<position>", "(?P<place>", "numbering.pattern: has no group named position"),
        ("game.toml", "(?P<sheet>", "(?P<sheet", "numbering.pattern: is no regular expression: "),
        ("game.toml", "{sheet}", "{board}", "numbering.form: is no format of sheet, line and position: "),
        ("game.toml", "last = { odd", "last = { first", "numbering.last.first.[key]: Input should be 'odd' or 'even'"),
        ("game.toml", 'highest = "10:1"', 'highest = "10-1"', "strength.highest: '10-1' is no odds column of that end"),
        ("game.toml", "unsupplied_divisor = 2", "unsupplied_divisor = 0", "strength: a divisor is less than 1"),
        ("game.toml", "line = { ax = 14, so = 12 }", "line = { ax = 14 }", "supply.line: no length for so"),
        ("game.toml", "E = [", "West = [", "supply.edges.West.[key]: Input should be 'N', 'E' or 'S'"),
        ("terrain.toml", "[entry]\n", "[entry]\nclear = 3\n", "terrain.toml: is not TOML: "),
        ("terrain.toml", "mech = 1, ", "", "terrain.entry.clear: no cost for mech"),
        ("units.toml", "[[unit]]", "[[units]]", "units.toml: units: unknown key"),
        ("one.toml", "", "rule = 5", "one.toml: rule: must be tables, each headed [[rule]]"),
        ("one.toml", "", "rule = [1]", "one.toml: rule: must be tables, each headed [[rule]]"),
        ("one.toml", "", "[[rules]]", "one.toml: rules: unknown key"),
        ("one.toml", "", "a=" + "[" * 9999, "one.toml: is not TOML: "),
        ("hq.toml", '"other-nation"', '"othr-nation"', "DOS-11.31: params: mistakes.0: Input should be "),
        ("hq.toml", 'verbs = ["supply"]', 'verbs = ["suply"]', "DOS-11.31: params: no claim is made with suply"),
        ("retreat.toml", '"zone"', '"zones"', "params: obstacle: Input should be 'zone', 'closed' or 'stacking'"),
        ("hq.toml", "nations = [", "nation = [", "DOS-11.31: params: nation: unknown key"),
        ("hq.toml", '"hungarian"', '"hungarien"', "DOS-11.31: params.nations: no nationality 'hungarien'"),
        ("zoc.toml", '"so"', '"su"', "DOS-8.0: params.withdrawing_side: no side 'su'"),
        ("supply.toml", '"AMB-36" }', '"AMB-99" }', "DOS-12.51: params.readings: no entry 'AMB-99' in defects.toml"),
        (
            "hq.toml",
            'check = "claim"\nparams = {',
            'check = "claim"\nparams = 5 # {',
            "DOS-11.31: params: must be a table",
        ),
    ],
)
def test_a_fault_is_named_with_its_place(changed: Change, file: str, old: str, new: str, fault: str) -> None:
    assert any(fault in each for each in changed(file, old, new))


def test_a_folder_named_like_a_rule_file_is_a_fault(changed: Change, tmp_path: Path) -> None:
    (tmp_path / "game/one.toml").mkdir()
    assert changed("game.toml", "[zoc]", "[zoc]") == ["one.toml: cannot be read: Is a directory"]


def test_all_faults_come_with_the_refusal(changed: Change, tmp_path: Path) -> None:
    changed("one.toml", "", "[[rules]]\n[[tables]]\n")
    with pytest.raises(RuleFileError) as caught:
        load_rules(tmp_path / "game", CHECKS)
    assert caught.value.problems == ("one.toml: rules: unknown key", "one.toml: tables: unknown key")
    assert "(and 1 more)" in str(caught.value)


def test_a_rule_with_a_fault_makes_no_fault_of_those_that_point_to_it(changed: Change) -> None:
    assert len(changed("hq.toml", 'verbs = ["supply"]', 'verbs = ["suply"]')) == 1
