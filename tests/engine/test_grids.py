"""Random hex and square grids, asked of the real engine and of ours: names, places of names, snapping."""

from __future__ import annotations

import random
import subprocess

import pytest
from lxml import etree

from vassal_bridge.vassal.buildfile import Notes
from vassal_bridge.vassal.grid import Grid, HexSnapping
from vassal_bridge.vassal.readmaps import read_grid

from .client import class_path, missing

pytestmark = pytest.mark.engine

GRIDS = 60
POINTS = 200
BOARD = "VASSAL.build.module.map.boardPicker.board."


@pytest.mark.parametrize("kind", ["hex", "square"])
def test_random_grids_name_place_and_snap_as_the_engine_does(kind: str) -> None:
    if lacking := missing():
        pytest.skip(f"no engine, run .ci/engine.sh: {lacking}")
    choose = random.Random(f"grids of {kind}")
    asked: list[tuple[Grid, int, int]] = []
    lines = []
    for _ in range(GRIDS):
        attributes, numbering, width, height = random_grid(choose, kind)
        grid = our_grid(kind, attributes, numbering).within((width, height))
        settings = [f"{key}={value}" for key, value in sorted(attributes.items())]
        settings += [f"numbering.{key}={value}" for key, value in sorted(numbering.items())]
        lines.append("\t".join(["grid", kind, str(width), str(height), *settings]))
        for _ in range(POINTS):
            x, y = choose.randrange(-50, width + 50), choose.randrange(-50, height + 50)
            lines.append(f"point\t{x}\t{y}")
            asked.append((grid, x, y))
    answers = ask_engine(lines)
    assert len(answers) == len(asked) == GRIDS * POINTS
    wrong = [
        (answer, ours, grid)
        for answer, (grid, x, y) in zip(answers, asked, strict=True)
        if (ours := our_answer(grid, x, y)) != answer
    ]
    assert wrong == []


def random_grid(choose: random.Random, kind: str) -> tuple[dict[str, str], dict[str, str], int, int]:
    def flag() -> str:
        return choose.choice(["true", "false"])

    def length() -> str:
        return choose.choice([str(choose.randrange(20, 120)), f"{choose.uniform(20, 120):.2f}"])

    attributes = {"dx": length(), "dy": length(), "edgesLegal": flag(), "cornersLegal": flag()}
    attributes |= {"x0": str(choose.randrange(-30, 70)), "y0": str(choose.randrange(-30, 70))}
    numbering = {"first": choose.choice("HV"), "sep": choose.choice(["", "."])}
    for axis in "hv":
        numbering |= {f"{axis}Type": choose.choice("AN"), f"{axis}Leading": choose.choice("012")}
        numbering |= {f"{axis}Off": str(choose.randrange(-5, 15)), f"{axis}Descend": flag()}
    if kind == "hex":
        attributes |= {"sideways": flag(), "snapscale": choose.choice("00012")}
        numbering["stagger"] = flag()
    return attributes, numbering, choose.randrange(300, 1800), choose.randrange(300, 1800)


def our_grid(kind: str, attributes: dict[str, str], numbering: dict[str, str]) -> Grid:
    name = "HexGrid" if kind == "hex" else "SquareGrid"
    element = etree.Element(BOARD + name, attributes)
    etree.SubElement(element, f"{BOARD}mapgrid.{name}Numbering", numbering)
    return read_grid(element, Notes())


def our_answer(grid: Grid, x: int, y: int) -> tuple[str, ...]:
    name = grid.name(x, y)
    assert name is not None
    place = grid.point(name)
    # The engine at hand is older than 3.7.
    snapped = grid.snap(x, y, rule=HexSnapping.BANDS)
    return (name, "bad" if place is None else f"{place[0]},{place[1]}", f"{snapped[0]},{snapped[1]}")


def ask_engine(lines: list[str]) -> list[tuple[str, ...]]:
    command = ["java", "-Djava.awt.headless=true", "-cp", class_path(), "GridProbe"]
    done = subprocess.run(
        command, input="\n".join(lines), capture_output=True, encoding="utf-8", timeout=120, check=True
    )
    return [tuple(line.split("\t")[1:]) for line in done.stdout.splitlines() if line.startswith("answer\t")]
