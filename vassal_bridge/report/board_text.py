"""A file and the board at one moment in words."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence

from vassal_bridge.report.models import BoardModule, BoardPiece, BoardReport
from vassal_bridge.report.plain import count, visible

__all__ = ["Table", "board_tables", "board_text"]

Table = tuple[str, tuple[str, ...], Sequence[tuple[str, ...]]]
"""Title, names of the columns, rows."""

_NOUNS = {
    "commands": "command",
    "pieces": "piece",
    "stacks": "stack",
    "decks": "deck",
    "steps": "step",
    "moves": "move",
    "changes": "change",
    "chat": "chat line",
    "rolls": "roll",
    "undone": "undone step",
    "unknown_commands": "unknown command",
    "unknown_traits": "unknown trait",
}


def board_text(report: BoardReport) -> str:
    """Return what the file is, who wrote it, and what it holds in numbers."""
    return "".join(f"{line}\n" for line in _lines(report))


_LISTED = 1000  # pieces, more than anybody reads


def board_tables(pieces: Iterable[BoardPiece]) -> Iterator[Table]:
    """Yield the pieces by map, then one by one unless there are too many to read."""
    maps: Counter[str] = Counter()
    rows: list[tuple[str, ...]] = []
    for piece in pieces:
        name = _map(piece.map)
        maps[name] += 1
        if len(rows) <= _LISTED:
            place = visible(piece.location or f"{piece.x}, {piece.y}")
            rows.append((piece.id, visible(piece.name), name, place))
    if maps:
        yield "Pieces by map", ("map", "pieces"), [(name, str(number)) for name, number in maps.items()]
    if 0 < len(rows) <= _LISTED:
        yield "Pieces", ("id", "name", "map", "place"), rows


def _lines(report: BoardReport) -> Iterator[str]:
    written = f", written by VASSAL {visible(report.vassal_version)}" if report.vassal_version else ""
    packed = f" ({report.encoding})" if report.encoding else ""
    yield f"{visible(report.file)}: {report.kind}{packed}{written}"
    if report.module:
        yield f"module {_named(report.module)}"
    for extension in report.extensions:
        yield f"extension {_named(extension)}"
    if report.holds is not None:
        yield "holds " + ", ".join(f"{name.replace('_', ' ')}: {number}" for name, number in report.holds.items())
    elif report.encoding:
        counts = report.counts.model_dump()
        yield ", ".join(count(counts[key], noun) for key, noun in _NOUNS.items())


def _named(module: BoardModule) -> str:
    return visible(f"{module.name} {module.version or ''}".strip())


def _map(name: str | None) -> str:
    return visible(name) if name is not None else "(on no map)"
