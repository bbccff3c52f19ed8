"""A file and the board at one moment as JSON, and as words for a terminal.

What a piece is that lies masked or hidden is not said, to nobody: whoever runs the program may be the opponent.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterable, Iterator
from pathlib import PurePath

from pydantic import JsonValue

from vassal_bridge.report.models import BoardCounts, BoardModule, BoardPiece, BoardReport
from vassal_bridge.report.plain import clean
from vassal_bridge.vassal.container import VassalFile
from vassal_bridge.vassal.game import Game
from vassal_bridge.vassal.module import Module
from vassal_bridge.vassal.position import Board, Piece

__all__ = ["HIDDEN", "board_lines", "board_of", "holdings", "module_of", "piece_name", "pieces_of"]

HIDDEN = "(hidden piece)"

_NOTHING = BoardCounts.model_validate(dict.fromkeys(BoardCounts.model_fields, 0))


def board_lines(report: BoardReport, pieces: Iterable[BoardPiece]) -> Iterator[str]:
    """Yield the lines of one JSON document, the pieces one a line.

    The pieces come apart from the report and one by one, since a board of half a million would fill the memory.
    """
    document = report.model_dump(mode="json", exclude={"pieces"})
    head = json.dumps(document, ensure_ascii=False, indent=2).removesuffix("\n}")
    yield f'{head},\n  "pieces": ['
    is_first = True
    for piece in pieces:
        yield ("\n    " if is_first else ",\n    ") + json.dumps(piece.model_dump(mode="json"), ensure_ascii=False)
        is_first = False
    yield "]\n}\n" if is_first else "\n  ]\n}\n"


def board_of(file: VassalFile, *, game: Game | None = None, module: Module | None = None) -> BoardReport:
    """Describe a file, but for the pieces: those are read from the board with ``pieces_of``.

    Args:
        file: The opened file.
        game: What it holds, if it is a save or log.
        module: The module that the file is; for a save or log nothing but the board needs it.
    """
    return BoardReport(
        file=clean(PurePath(file.name).name),
        kind=file.kind.value,
        encoding=file.saved.encoding.value if file.saved else None,
        vassal_version=_version(file, module),
        module=module_of(file, module),
        extensions=list(_extensions(game, module)),
        counts=_counts(game),
        pieces=[],
        holds=holdings(module) if module and game is None else None,
    )


def pieces_of(board: Board) -> Iterator[BoardPiece]:
    """Yield the pieces of a position."""
    return (_piece(piece, board) for piece in board.pieces.values())


def module_of(file: VassalFile, module: Module | None = None) -> BoardModule | None:
    """Name the module of a file, or the module that it is."""
    if module is not None and file.saved is None:
        return BoardModule(name=clean(module.name), version=clean(module.version) or None)
    known = file.module_metadata
    if known is None or known.name is None:
        return None
    return BoardModule(name=clean(known.name), version=known.version and clean(known.version))


def piece_name(piece: Piece) -> str:
    """Name a piece as an onlooker sees it."""
    return clean(piece.shown_name or piece.name) if not piece.hidden else HIDDEN


def holdings(module: Module) -> dict[str, int]:
    """Count what a module holds."""
    return {
        "maps": len(module.maps),
        "boards": sum(len(each.boards) for each in module.maps),
        "slots": len(module.all_slots),
        "prototypes": len(module.prototypes),
        "turn_trackers": len(module.turn_trackers),
        "dice": len(module.dice),
        "sides": len(module.sides),
        "setups": len(module.setups),
        "unread_classes": len(module.unread),
    }


def _version(file: VassalFile, module: Module | None) -> str | None:
    found = file.vassal_version or (module.vassal_version if module and file.saved is None else None)
    return clean(found) if found else None


def _extensions(game: Game | None, module: Module | None) -> Iterator[BoardModule]:
    if game is not None:
        for used in game.extensions:
            yield BoardModule(name=clean(used.name), version=used.version and clean(used.version))
    elif module is not None:
        for info in module.extensions:
            yield BoardModule(name=clean(PurePath(info.file).name), version=clean(info.version) or None)


def _counts(game: Game | None) -> BoardCounts:
    return BoardCounts.model_validate(game.counts()) if game else _NOTHING


def _piece(piece: Piece, board: Board) -> BoardPiece:
    is_secret = piece.hidden or piece.masked
    location = board.location(piece)
    return BoardPiece(
        id=piece.id,
        name=piece_name(piece),
        map=clean(piece.map) if piece.map is not None else None,
        x=piece.x,
        y=piece.y,
        location=clean(location) if location is not None else None,
        stack=piece.stack,
        gpid=None if is_secret else clean(piece.gpid) or None,
        layers={} if is_secret else _layers(piece),
        marks={} if is_secret else {clean(name): clean(value) for name, value in piece.marks.items()},
        hidden=piece.hidden,
    )


def _layers(piece: Piece) -> dict[str, JsonValue]:
    found: dict[str, JsonValue] = {}
    repeated: Counter[str] = Counter()
    for number, layer in enumerate(piece.layers, 1):
        name = clean(layer.name) or f"layer {number}"
        repeated[name] += 1
        key = name if repeated[name] == 1 else f"{name} ({repeated[name]})"
        found[key] = {"level": layer.level, "active": layer.active, "name": clean(layer.level_name)}
    return found
