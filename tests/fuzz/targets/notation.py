"""The notation of cases by itself: one line is one act, behind the header of a sample game."""

from __future__ import annotations

import json
import tomllib
from functools import cache

from tests.fuzz.targets import cases
from vassal_bridge.errors import CaseError
from vassal_bridge.rulebook.casefile import parse_cases

__all__ = ["WORDS", "seeds", "try_one"]

WORDS = cases.WORDS
_KEYS = ("u", "t", "h", "a")


@cache
def _header() -> tuple[str, str]:
    """Return the header of a game and one of its phases."""
    text = next(text for seed in cases.seeds() if "phase = [" in (text := seed.decode()))
    header = text.partition("[[section]]")[0]
    return header, tomllib.loads(header)["words"]["phase"][0]


def seeds() -> list[bytes]:
    """Return the acts of many cases, one a line behind ``a:``; units, terrain and holdings stand behind their keys."""
    found = []
    for each in cases.seeds():
        try:
            file = parse_cases(each.decode(), name="")
        except CaseError:
            continue
        for case in file.cases:
            found.append("".join(f"a:{step.text}\n" for step in case.steps).encode())
    return found[:200]


def try_one(data: bytes) -> None:
    header, phase = _header()
    lines = data.decode("utf-8", "replace").split("\n")
    fields = {key: [line[2:] for line in lines if line[:2] == f"{key}:"] for key in _KEYS}
    fields["a"] = fields["a"] or ["state"]
    listed = "".join(f"{key} = {json.dumps(values)}, " for key, values in fields.items())
    entry = f'{{ id = "X-1/1", v = "legal", run = "full", rules = ["1"], ph = "{phase}", {listed}why = "w" }}'
    parse_cases(f'{header}[[section]]\ntitle = "t"\ncase = [{entry}]\n', name="cases.toml")
