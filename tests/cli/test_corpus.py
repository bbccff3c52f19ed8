"""The commands on other people's games, held against the counts of the folder and the engine's own reports."""

from __future__ import annotations

import csv
import gzip
import json
from collections.abc import Callable
from pathlib import Path
from subprocess import CompletedProcess

import pytest

from vassal_bridge.vassal.commands import PlayerAdd
from vassal_bridge.vassal.container import open_file
from vassal_bridge.vassal.game import read_game

pytestmark = pytest.mark.corpus
Run = Callable[..., CompletedProcess[str]]

LOGS = ["tld/0606-1.log", "tld/0607-3.log", "tld/0608-4.log", "engine-made/game36.vlog", "engine-made/game38.vlog"]
ENGINE_MADE = ["game36.vlog", "game38.vlog", "big.vlog"]
MODULE = "engine-made/steppe.vmod"


def counts_in_index(corpus: Path, name: str) -> dict[str, int]:
    with (corpus / "INDEX.tsv").open(encoding="utf-8", newline="") as lines:
        rows = csv.DictReader(lines, delimiter="\t", quoting=csv.QUOTE_NONE)
        row = next(row for row in rows if row["path"] == name)
    number = {key: int(row[key]) for key in ("commands", "addpiece", "stacks", "decks", "log_steps", "M", "D", "chat")}
    return {
        "commands": number["commands"],
        "pieces": number["addpiece"] - number["stacks"] - number["decks"],
        "stacks": number["stacks"],
        "decks": number["decks"],
        "steps": number["log_steps"],
        "moves": number["M"],
        "changes": number["D"],
        "chat": number["chat"],
        "rolls": int(row["dice"]),
    }


@pytest.mark.parametrize("name", LOGS)
def test_show_counts_as_the_folder_does(bridge: Run, corpus: Path, name: str) -> None:
    counts = json.loads(bridge("show", corpus / name, "--json").stdout)["counts"]
    expected = counts_in_index(corpus, name)
    assert {key: counts[key] for key in expected} == expected


@pytest.mark.parametrize("name", LOGS)
def test_the_transcript_tells_every_step(bridge: Run, corpus: Path, name: str) -> None:
    done = bridge("transcript", corpus / name, "--json")
    assert done.returncode == 0
    steps = [json.loads(line)["step"] for line in done.stdout.splitlines()]
    assert sorted(set(steps)) == list(range(1, counts_in_index(corpus, name)["steps"] + 1))
    assert steps == sorted(steps)


@pytest.mark.parametrize("name", ENGINE_MADE)
def test_replay_ends_where_the_engine_ends(bridge: Run, corpus: Path, name: str) -> None:
    log = corpus / "engine-made" / name
    done = bridge("replay", log, "--module", corpus / MODULE, "--json")
    ours = {each["id"]: each for each in json.loads(done.stdout)["pieces"]}
    with gzip.open(f"{log}.truth.json.gz", "rt", encoding="utf-8") as truth:
        theirs = {each["id"]: each for each in json.load(truth)["end"]["pieces"]}
    assert ours.keys() == theirs.keys()
    for identity, piece in theirs.items():
        mine = ours[identity]
        place = (mine["map"], mine["x"], mine["y"], mine["location"])
        assert place == (piece["map"], piece["x"], piece["y"], piece["loc"]), identity
        assert mine["hidden"] == piece.get("hidden", False)


@pytest.mark.parametrize("name", [*LOGS, "jspy/Campaign-180907.vsav", "bb/testlog.hist-85bce4c6.vlog"])
def test_no_password_is_in_any_output(bridge: Run, corpus: Path, name: str) -> None:
    players = [each for each in read_game(open_file(corpus / name)).commands() if isinstance(each, PlayerAdd)]
    public = {word for each in players for word in (each.name, each.side)}
    secrets = {str(each.player_id) for each in players} - public
    for command in (("show", "--json"), ("replay", "--json"), ("transcript",), ("transcript", "--json"), ("audit",)):
        done = bridge(command[0], corpus / name, *command[1:])
        said = done.stdout + done.stderr
        assert [each for each in secrets if len(each) > 3 and each in said] == [], command


@pytest.mark.parametrize("name", ["0606-4.cut.log", "0606-4.oddhex.log", "Campaign-180907.cut.vsav"])
def test_damaged_files_are_refused_and_read_on_demand(bridge: Run, corpus: Path, name: str) -> None:
    refused = bridge("show", corpus / "derived" / name)
    assert (refused.returncode, refused.stderr.count("\n")) == (2, 1)
    assert "savedGame" in refused.stderr
    read = bridge("show", corpus / "derived" / name, "--tolerant", "--json")
    assert read.returncode == 0
    assert json.loads(read.stdout)["counts"]["pieces"] > 0
    assert "can be read" in read.stderr
