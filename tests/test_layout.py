from __future__ import annotations

import re
import subprocess
import sys
import tomllib
import zipfile
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent
DATA = ("rules", "modules")


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("wheel")
    command = [sys.executable, "-m", "pip", "wheel", "--no-deps", "--quiet", "--wheel-dir", str(folder), str(ROOT)]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    (built,) = folder.glob("*.whl")
    return built


def test_the_wheel_holds_only_our_package(wheel: Path) -> None:
    names = zipfile.ZipFile(wheel).namelist()
    tops = {name.split("/")[0] for name in names}
    assert {top for top in tops if not top.endswith(".dist-info")} == {"vassal_bridge"}
    assert "vassal_bridge/py.typed" in names


def test_the_wheel_holds_all_data_and_schemas(wheel: Path) -> None:
    names = set(zipfile.ZipFile(wheel).namelist())
    for kind in DATA:
        for file in (ROOT / kind).rglob("*"):
            if file.is_file():
                assert f"vassal_bridge/_data/{file.relative_to(ROOT).as_posix()}" in names
    for file in (ROOT / "vassal_bridge/report").glob("*/*.j*"):
        assert file.relative_to(ROOT).as_posix() in names


def test_no_python_lies_among_the_data() -> None:
    assert [file for kind in DATA for file in (ROOT / kind).rglob("*.py")] == []


def test_no_game_is_named_in_the_package() -> None:
    names = set[str]()
    for file in (ROOT / "rules").glob("*/game.toml"):
        game = tomllib.loads(file.read_text(encoding="utf-8"))
        names |= {file.parent.name, file.parent.name.replace("-", "_"), file.parent.name.replace("-", " ")}
        names |= {str(game[key]) for key in ("title", "prefix") if key in game}
    names |= {"stalingrad", "sturm nach osten", "sturm-nach-osten"}
    pattern = re.compile("|".join(rf"\b{re.escape(name)}\b" for name in sorted(names)), re.IGNORECASE)
    for file in (ROOT / "vassal_bridge").rglob("*.py"):
        found = pattern.search(file.read_text(encoding="utf-8"))
        assert found is None, f"{file.relative_to(ROOT)} names a game: {found and found[0]}"


def test_the_scan_for_game_names_finds_one() -> None:
    assert re.search(r"\bstalingrad\b", "the Stalingrad rules", re.IGNORECASE)


def test_every_layer_imports_downwards_only() -> None:
    done = subprocess.run(
        [Path(sys.executable).with_name("lint-imports"), "--no-cache"],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stdout


def test_no_path_of_somebodys_machine_is_in_the_project() -> None:
    listed = subprocess.run(["git", "ls-files", "-z"], cwd=ROOT, capture_output=True, check=False)
    if listed.returncode:
        pytest.skip("not a git checkout")
    for name in listed.stdout.decode().split("\0"):
        file = ROOT / name
        if name and file.is_file() and file.suffix in {".py", ".toml", ".md", ".sh", ".java", ".xml", ""}:
            text = file.read_text(encoding="utf-8", errors="replace")
            assert f"{ROOT}/" not in text, name
