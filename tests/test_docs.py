"""What README says is so: every command, option, route and setting is in it, and its examples are run."""

from __future__ import annotations

import contextlib
import io
import re
import shlex
import subprocess
import tomllib
from collections.abc import Iterator
from pathlib import Path

import click
import pytest

from vassal_bridge import __version__
from vassal_bridge.checks import CHECKS
from vassal_bridge.cli import run
from vassal_bridge.cli.program import program
from vassal_bridge.datadirs import data_dir
from vassal_bridge.report.formats import FORMATS
from vassal_bridge.web import Settings, create_app
from vassal_bridge.web.settings import settings_table

ROOT = Path(__file__).resolve().parent.parent
README = (ROOT / "README.md").read_text(encoding="utf-8")
SESSIONS = re.findall(r"^```console\n(.*?)^```", README, re.MULTILINE | re.DOTALL)
EXAMPLES = [
    (command, expected)
    for session in SESSIONS
    for command, expected in re.findall(r"^\$ (.*)\n((?:(?!\$ ).*\n)*)", session, re.MULTILINE)
]


def options_of(command: click.Command) -> Iterator[str]:
    for parameter in command.params:
        if isinstance(parameter, click.Option) and not parameter.hidden:
            yield max(parameter.opts, key=len) if "-o" not in parameter.opts else "-o"


@pytest.mark.parametrize("name", program.commands)
def test_every_command_and_option_is_in_the_readme(name: str) -> None:
    assert re.search(rf"^###.*`{name}`", README, re.MULTILINE), f"{name} has no section"
    for option in options_of(program.commands[name]):
        assert f"`{option}" in README or f" {option}" in README, f"{name} {option}"


def test_every_option_of_the_readme_exists() -> None:
    known = {option for command in program.commands.values() for option in options_of(command)} | {"--help"}
    assert set(re.findall(r"(?<![\w-])--[a-z][a-z-]+", README)) <= known


@pytest.mark.parametrize("name", FORMATS)
def test_every_format_is_in_the_readme(name: str) -> None:
    assert f"`{name}`" in README


def test_every_route_is_in_the_readme() -> None:
    for rule in create_app(Settings(token="t", port=1)).url_map.iter_rules():
        (method,) = (rule.methods or set()) - {"HEAD", "OPTIONS"}
        assert f"`{method} {rule.rule}`" in README


def test_every_setting_is_in_the_readme() -> None:
    for name, (default, remark) in settings_table().items():
        assert f"| `{name}` | {default} | {remark} |" in README


@pytest.mark.parametrize("name", CHECKS)
def test_every_check_is_documented_and_used(name: str) -> None:
    assert f"`{name}`" in (ROOT / "rules/README.md").read_text(encoding="utf-8")
    used = {
        rule.get("check")
        for file in data_dir("rules").glob("*/*.toml")
        for rule in tomllib.loads(file.read_text(encoding="utf-8")).get("rule", [])
    }
    assert name in used


def test_the_changelog_has_the_headings() -> None:
    text = (ROOT / "CHANGELOG.md").read_text(encoding="utf-8")
    assert "## [Unreleased]" in text or f"## [{__version__}]" in text
    assert "### Rules" in text


@pytest.mark.parametrize("link", re.findall(r"\]\((?!https?:)([^)#]+)\)", README))
def test_links_lead_somewhere(link: str) -> None:
    assert (ROOT / link).is_file()


@pytest.fixture(scope="module")
def workplace(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder that looks like the checkout, where examples may write."""
    folder = tmp_path_factory.mktemp("readme")
    for name in ("modules", "rules", "tests"):
        (folder / name).symlink_to(ROOT / name, target_is_directory=True)
    return folder


@pytest.mark.parametrize(("command", "expected"), EXAMPLES, ids=[command for command, _ in EXAMPLES])
def test_examples_print_what_the_readme_shows(
    workplace: Path, monkeypatch: pytest.MonkeyPatch, command: str, expected: str
) -> None:
    monkeypatch.chdir(workplace)
    program_name, *words = shlex.split(command)
    assert program_name == "vassal-bridge"
    out = io.StringIO()
    with contextlib.redirect_stdout(out):
        code = run(words)
    assert code == (1 if words[0] == "audit" else 0)
    # "..." stands for any lines, or for the rest of a line.
    pattern = "".join(
        r"(?:.*\n)*?" if line == "..." else re.escape(line).replace(r"\.\.\.", ".*") + r"\n"
        for line in expected.splitlines()
    )
    assert re.fullmatch(pattern, out.getvalue()), out.getvalue()


def test_ci_runs_the_two_commands_of_the_readme() -> None:
    blocks = re.findall(r"^```sh\n(.*?)^```", README, re.MULTILINE | re.DOTALL)
    assert blocks[0].rstrip().endswith("vassal-bridge demo")
    assert blocks[1].strip() == ".venv/bin/pytest"
    shown = subprocess.run(
        ["bash", str(ROOT / ".ci/readme"), "1"], capture_output=True, text=True, check=True, cwd=ROOT
    )
    assert shown.stdout == blocks[0]
