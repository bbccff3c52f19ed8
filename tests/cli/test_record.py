from __future__ import annotations

import csv
import json
from collections.abc import Callable
from pathlib import Path
from subprocess import CompletedProcess

import pytest

from vassal_bridge.audit.integrity import CATALOGUE
from vassal_bridge.datadirs import data_dir

Run = Callable[..., CompletedProcess[str]]
(SAMPLE,) = data_dir("modules").glob("*/demo.vlog")


def test_chain_names_a_file_that_does_not_continue(bridge: Run, tmp_path: Path, log: Path) -> None:
    again = tmp_path / "again.vlog"
    again.write_bytes(log.read_bytes())
    done = bridge("chain", log, again)
    assert (done.returncode, done.stderr) == (0, "")
    assert "the same as" in done.stdout
    report = json.loads(bridge("chain", log, again, "--json").stdout)
    assert [len(each["doubles"]) for each in report["chain"]] == [1]


def test_a_folder_stands_for_the_games_in_it(bridge: Run, log: Path) -> None:
    (log.parent / "notes.txt").write_text("no game")
    assert bridge("chain", log.parent).stdout == bridge("chain", log).stdout
    assert bridge("audit", log.parent).stdout == bridge("audit", log).stdout


def test_dice_lists_every_roll(bridge: Run) -> None:
    rolls = json.loads(bridge("dice", SAMPLE, "--json").stdout)["dice"]["rolls"]
    rows = list(csv.DictReader(bridge("dice", SAMPLE, "--csv").stdout.splitlines()))
    assert [(row["step"], row["result"]) for row in rows] == [(str(roll["step"]), roll["result"]) for roll in rolls]
    text = bridge("dice", SAMPLE).stdout
    assert text.count("Combat die") == sum(roll["button"] == "Combat die" for roll in rolls) > 0


def test_a_spreadsheet_is_given_no_formula(bridge: Run, tmp_path: Path) -> None:
    evil = tmp_path / "evil.vlog"
    evil.write_text("begin_save\x1bend_save\x1bLOG\tCHAT*** +2d6 = 4,2 *** <=cmd()>", encoding="utf-8")
    rows = list(csv.reader(bridge("dice", evil, "--csv").stdout.splitlines()))
    assert len(rows) == 2
    assert not any(cell.startswith(("=", "+", "-", "@")) for row in rows for cell in row)


@pytest.mark.parametrize("identity", CATALOGUE)
def test_every_finding_about_the_record_is_explained(bridge: Run, identity: str) -> None:
    said = bridge("explain", identity).stdout
    assert CATALOGUE[identity].title in said
    assert max(map(len, said.splitlines())) <= 100


@pytest.mark.corpus
def test_the_chain_of_a_real_game_is_put_in_order(bridge: Run, corpus: Path) -> None:
    logs = sorted((corpus / "tld").glob("*.log"))
    done = bridge("chain", *reversed(logs))
    assert done.returncode == 1
    named = [line.partition(":")[0] for line in done.stdout.splitlines() if not line.startswith(" ")]
    assert named == [log.name for log in logs]
    text = bridge("audit", corpus / "tld").stdout
    assert "About the record itself:" in text
    assert "How the files are joined" in text
