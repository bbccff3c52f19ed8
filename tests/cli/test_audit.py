from __future__ import annotations

import json
import shutil
from collections.abc import Callable
from pathlib import Path
from subprocess import CompletedProcess

import jsonschema
import pytest

from vassal_bridge.datadirs import data_dir
from vassal_bridge.report.schema_files import FOLDER

Run = Callable[..., CompletedProcess[str]]


@pytest.fixture
def sample(tmp_path: Path) -> Path:
    (demo,) = data_dir("modules").glob("*/demo.vlog")
    return Path(shutil.copy(demo, tmp_path / "demo.vlog"))


def test_violations_are_exit_code_1_in_every_format(bridge: Run, sample: Path) -> None:
    for format_ in ("text", "json", "ndjson", "html"):
        done = bridge("audit", sample, "--format", format_)
        assert (done.returncode, done.stderr) == (1, "")
        assert "DOS-11.47" in done.stdout


def test_the_report_follows_its_schema_and_repeats(bridge: Run, sample: Path) -> None:
    first, second = (bridge("audit", sample, "--format", "json").stdout for _ in range(2))
    assert first == second
    jsonschema.validate(json.loads(first), json.loads((FOLDER / "report-1.json").read_text(encoding="utf-8")))


def test_a_log_of_an_unknown_module_is_no_error(bridge: Run, log: Path) -> None:
    done = bridge("audit", log)
    assert done.returncode == 0
    assert "No rules were checked." in done.stdout


def test_a_module_given_is_read(bridge: Run, sample: Path, tmp_path: Path) -> None:
    bridge("make-module", "drive-on-stalingrad", "-o", tmp_path / "made.vmod")
    with_module = bridge("audit", sample, "--module", tmp_path / "made.vmod", "--format", "json")
    assert with_module.stdout == bridge("audit", sample, "--format", "json").stdout


def test_rules_and_profile_can_be_named_or_be_folders(bridge: Run, sample: Path, tmp_path: Path) -> None:
    plain = bridge("audit", sample, "--format", "json").stdout
    names = ("--rules", "drive-on-stalingrad", "--profile", "drive-on-stalingrad")
    assert bridge("audit", sample, *names, "--format", "json").stdout == plain
    for kind in ("rules", "modules"):
        shutil.copytree(data_dir(kind) / "drive-on-stalingrad", tmp_path / kind / "drive-on-stalingrad")
    folders = (
        "--rules",
        tmp_path / "rules/drive-on-stalingrad",
        "--profile",
        tmp_path / "modules/drive-on-stalingrad",
    )
    assert bridge("audit", sample, *folders, "--format", "json").stdout == plain
    assert bridge("audit", sample, "--rules", "no-such-game").returncode == 2
    assert bridge("audit", sample, "--profile", tmp_path).returncode == 2


def test_the_result_goes_to_a_file_on_demand(bridge: Run, sample: Path, tmp_path: Path) -> None:
    done = bridge("audit", sample, "--format", "json", "-o", tmp_path / "report.json")
    assert (done.returncode, done.stdout) == (1, "")
    assert (tmp_path / "report.json").read_text(encoding="utf-8") == bridge("audit", sample, "--format", "json").stdout
    assert [file.name for file in tmp_path.iterdir() if file.suffix == ".part"] == []


@pytest.mark.parametrize("way", ["itself", "hard link", "symbolic link"])
def test_an_input_is_never_written_over(bridge: Run, sample: Path, tmp_path: Path, way: str) -> None:
    before = sample.read_bytes()
    output = sample if way == "itself" else tmp_path / "other.html"
    if way == "hard link":
        output.hardlink_to(sample)
    elif way == "symbolic link":
        output.symlink_to(sample)
    done = bridge("audit", sample, "-o", output)
    assert (done.returncode, done.stderr.count("\n")) == (2, 1)
    assert sample.read_bytes() == before


def test_a_place_that_cannot_be_written_is_one_line(bridge: Run, sample: Path, tmp_path: Path) -> None:
    for output in (tmp_path / "no/such/folder.html", tmp_path):
        done = bridge("audit", sample, "-o", output)
        assert (done.returncode, done.stderr.count("\n")) == (2, 1), done.stderr


def test_unknown_fails_only_on_demand(bridge: Run, sample: Path, log: Path) -> None:
    assert bridge("audit", log, "--fail-on", "unknown").returncode == 0
    assert json.loads(bridge("audit", sample, "--format", "json").stdout)["summary"]["unknown"] > 0


def test_the_demo_exits_with_0_and_writes_a_page(bridge: Run, tmp_path: Path) -> None:
    done = bridge("demo")
    assert (done.returncode, done.stderr) == (0, "")
    assert "violations" in done.stdout
    page = (tmp_path / "vassal-bridge-demo.html").read_text(encoding="utf-8")
    assert page.startswith("<!DOCTYPE html>")
    assert bridge("demo", "-o", tmp_path / "other.html").returncode == 0
    assert (tmp_path / "other.html").read_text(encoding="utf-8") == page
