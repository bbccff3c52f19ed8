"""The real thing: a chain of thirteen logs whose joints the engine itself compared, and every other log at hand."""

from __future__ import annotations

import csv
import json
import random
import re
from collections import Counter
from functools import partial
from pathlib import Path

import pytest

from vassal_bridge.audit.integrity import Integrity, audit_integrity
from vassal_bridge.audit.integrity.differences import Change
from vassal_bridge.errors import BridgeError
from vassal_bridge.vassal.commands import Chat
from vassal_bridge.vassal.container import FileKind, open_file
from vassal_bridge.vassal.game import read_game
from vassal_bridge.vassal.module import read_module

pytestmark = pytest.mark.corpus

# The engine takes this piece off its map when it undoes the making of its stack, and saves it there again.
_ENGINE_LOST = {"0607-2.log": {"1168285091243"}}


@pytest.fixture(scope="module")
def logs(corpus: Path) -> list[Path]:
    return sorted((corpus / "tld").glob("*.log"))


@pytest.fixture(scope="module")
def chain(corpus: Path, logs: list[Path]) -> Integrity:
    shuffled = random.Random(5).sample(logs, len(logs))
    module = read_module(open_file(corpus / "modules" / "tld.mod"))
    return audit_integrity([partial(open_file, log) for log in shuffled], module)


def test_thirteen_logs_in_random_order_are_put_in_order(chain: Integrity, logs: list[Path]) -> None:
    (only,) = chain.chains
    assert [link.record.name for link in only.links] == [log.name for log in logs]


def test_what_differs_at_each_joint_is_what_the_engine_found(chain: Integrity, corpus: Path) -> None:
    truth = {joint["start"]: joint for joint in json.loads((corpus / "tld" / "chain.json").read_text())["joints"]}
    (only,) = chain.chains
    assert len(only.joints) == len(truth)
    for joint in only.joints:
        name = only.links[joint.later].record.name
        expected, lost = truth[name], _ENGINE_LOST.get(name, set())
        found = {
            change: {each.piece for each in joint.difference.pieces if change in each.changes} for change in Change
        }
        assert found[Change.REMOVED] == set(expected["onlyBefore"])
        assert found[Change.ADDED] == set(expected["onlyAfter"])
        assert found[Change.MOVED] == set(expected["position"]) - lost
        assert found[Change.CHANGED] == set(expected["state"]) - lost
        assert len(joint.difference.pieces) == expected["differ"] - len(lost)


def test_rolls_and_undone_acts_agree_with_a_count_of_the_lines(chain: Integrity, logs: list[Path]) -> None:
    rolls: Counter[str] = Counter()
    undone: Counter[str] = Counter()
    faces: Counter[str] = Counter()
    for log in logs:
        for step in read_game(open_file(log)).steps:
            for command in step.commands:
                if isinstance(command, Chat):
                    undone[log.name] += command.text.startswith("* UNDO: ")
                    if match := re.fullmatch(r"\*\*\* d6 = (\d) \*\*\* <(\w+)>", command.text):
                        rolls[log.name] += 1
                        faces[f"{match[2]} {match[1]}"] += 1
    assert Counter(roll.place.log for roll in chain.rolls) == rolls
    assert Counter(f"{roll.player} {roll.result}" for roll in chain.rolls) == faces
    told = [link.record for link in chain.chains[0].links]
    spoken = Counter(
        {
            record.name: sum(
                any(words.startswith(("the line", "a roll")) for words in (*act.deeds, *act.seen))
                for run in record.undo_runs
                for act in run.acts
            )
            for record in told
        }
    )
    assert +spoken == +undone


def test_the_players_are_those_of_the_index(chain: Integrity, corpus: Path) -> None:
    with (corpus / "INDEX.tsv").open(encoding="utf-8", newline="") as table:
        rows = {row["path"]: row for row in csv.DictReader(table, delimiter="\t", quoting=csv.QUOTE_NONE)}
    for link in chain.chains[0].links:
        assert len(link.record.after.players) == int(rows[f"tld/{link.record.name}"]["players"])


def test_the_findings_are_those_that_a_reader_of_the_transcript_confirmed(chain: Integrity) -> None:
    assert [(finding.place.log, finding.place.step, finding.rule.id) for finding in chain.findings] == [
        ("0606-2.log", 0, "INT-CHAIN-DIFFERS"),
        ("0606-2.log", 22, "INT-RECORD-DOUBLED"),
        ("0606-2.log", 37, "INT-RECORD-DOUBLED"),
        ("0606-4.log", 0, "INT-CHAIN-DIFFERS"),
        ("0607-1.log", 963, "INT-RECORD-DOUBLED"),
        ("0607-2.log", 0, "INT-CHAIN-DIFFERS"),
        ("0607-3.log", 0, "INT-CHAIN-DIFFERS"),
        ("0608-2.log", 0, "INT-CHAIN-DIFFERS"),
    ]


def test_every_log_and_save_ends_with_a_report(corpus: Path) -> None:
    read = 0
    for path in sorted(corpus.rglob("*")):
        if path.suffix not in (".vlog", ".log", ".vsav", ".sav") or path.stat().st_size > 600_000:
            continue
        try:
            file = open_file(path)
        except BridgeError:
            continue
        if file.kind in (FileKind.SAVE, FileKind.LOG, FileKind.SAVEDGAME):
            integrity = audit_integrity([file])
            assert [record.name for record in integrity.records] == [path.name]
            assert all("CHAIN" not in finding.rule.id for finding in integrity.findings)
            read += 1
    assert read > 60


def test_games_of_the_engine_hold_nothing_but_what_was_done_in_them(corpus: Path) -> None:
    # As the table in the folder's README has it: dice undone, a flip undone, a clone, a unit that was there already,
    # dice undone and thrown again.
    for name in ("game36", "game38"):
        files = [corpus / "engine-made" / f"{name}{ending}" for ending in ("-end.vsav", ".vlog", "-start.vsav")]
        integrity = audit_integrity([partial(open_file, file) for file in files])
        (chain,) = integrity.chains
        assert [link.record.name for link in chain.links] == [f"{name}-start.vsav", f"{name}.vlog", f"{name}-end.vsav"]
        assert [(finding.place.step, finding.rule.id) for finding in integrity.findings] == [
            (25, "INT-UNDO-INFORMED"),
            (28, "INT-UNDO-FLIP"),
            (43, "INT-RECORD-DOUBLED"),
            (51, "INT-RECORD-DOUBLED"),
            (56, "INT-DICE-REROLL"),
        ]
