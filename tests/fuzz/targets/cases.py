"""Case files, and the notation inside them."""

from __future__ import annotations

from pathlib import Path

from vassal_bridge.rulebook.casefile import parse_cases

__all__ = ["WORDS", "seeds", "try_one"]

_FILES = sorted((Path(__file__).resolve().parents[2] / "cases").glob("*.toml"))

WORDS = tuple(
    word.encode()
    for word in (
        *(
            'a = ["',
            'u = ["',
            't = ["',
            'h = ["',
            "state",
            "move ",
            "attack ",
            "retreat ",
            "->",
            "sp=",
            "odds=3:1",
            "?",
        ),
        *(
            'v = "illegal"',
            "[[section]]",
            "[[section.case]]",
            "{id = ",
            "1_000",
            "1e400",
            "9" * 30,
            "'''",
            '"""',
            "\\u0000",
        ),
    )
)


def seeds() -> list[bytes]:
    """Return each game's header with a few of its cases; whole files are too long to mutate."""
    found = []
    for path in _FILES:
        lines = path.read_text("utf-8").splitlines(keepends=True)
        first = next(number for number, line in enumerate(lines) if line.startswith("[[section]]"))
        starts = [number for number in range(first, len(lines)) if lines[number].startswith("[[section]]")]
        head = "".join(line for line in lines[:first] if not line.startswith("#"))
        for start, end in zip(starts, [*starts[1:], len(lines)], strict=True):
            section = lines[start:end]
            found.append((head + "".join(section[:12])).encode())
    return found


def try_one(data: bytes) -> None:
    parse_cases(data.decode("utf-8", "replace"), name="cases.toml")
