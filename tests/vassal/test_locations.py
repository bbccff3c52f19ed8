"""Names of places, at-start stacks and prototypes against what the real engine reported of other people's games."""

from __future__ import annotations

import gzip
import json
from collections import defaultdict
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from vassal_bridge.errors import BridgeError, BuildFileError
from vassal_bridge.vassal.container import FileKind, open_file
from vassal_bridge.vassal.game import read_game
from vassal_bridge.vassal.maps import read_layout
from vassal_bridge.vassal.module import Layout, Module, read_module
from vassal_bridge.vassal.replay import Replay
from vassal_bridge.vassal.sequence import decode, split_chain

pytestmark = pytest.mark.corpus


def truths(corpus: Path) -> list[Path]:
    found = sorted(corpus.glob("**/*.truth.json.gz"))
    assert found, "the corpus holds no truth files"
    return found


def load(path: Path) -> dict[str, Any]:
    with gzip.open(path) as stream:
        loaded: dict[str, Any] = json.load(stream)
    return loaded


@cache
def module_of(corpus: Path, folder: Path, name: str) -> Module:
    paths = (folder / name, corpus / "modules" / name, *corpus.glob(f"**/{name}"))
    return read_module(open_file(next(path for path in paths if path.exists())))


def layouts_of(dump: dict[str, Any]) -> dict[str, Layout]:
    """Turn the rectangles of the dump back into columns and rows of boards."""
    by_map = defaultdict(list)
    for map_name, *board in dump["boards"]:
        by_map[map_name].append(board)
    layouts: dict[str, Layout] = {}
    for map_name, boards in by_map.items():
        columns = sorted({board[1] for board in boards})
        rows = sorted({board[2] for board in boards})
        layouts[map_name] = [(name, flipped, columns.index(x), rows.index(y)) for name, x, y, _, _, flipped in boards]
    return layouts


def pieces_of(
    truth: dict[str, Any], between: list[dict[str, Layout]]
) -> Iterator[tuple[dict[str, Any], list[dict[str, Layout]]]]:
    """Yield every piece at the start, at each checkpoint where it changed, and at the end.

    With it go the boards that may have lain on the maps then: at a checkpoint any that the log lays out.
    """
    start = layouts_of(truth["start"])
    yield from ((piece, [start]) for piece in truth["start"]["pieces"])
    for checkpoint in truth.get("checkpoints", ()):
        yield from ((piece, [start, *between]) for piece in checkpoint["pieces"])
    if "end" in truth:
        yield from ((piece, [layouts_of(truth["end"])]) for piece in truth["end"]["pieces"])


def layouts_in(path: Path, module: Module) -> list[dict[str, Layout]]:
    """Collect the layouts that the atoms of a log set up on the way."""
    file = open_file(path)
    assert file.saved is not None
    found: list[dict[str, Layout]] = []
    for atom in atoms(file.saved.text.replace("LOG\t", "")) if "BoardPicker\t" in file.saved.text else ():
        for definition in module.maps if "BoardPicker\t" in atom else ():
            layout = read_layout(atom, definition)
            if layout is not None:
                found.append({definition.identifier: layout})
    return found


def test_every_piece_is_where_the_engine_says(corpus: Path) -> None:
    count = 0
    wrong = []
    for path in truths(corpus):
        truth = load(path)
        module = module_of(corpus, path.parent, truth["moduleFile"])
        between = layouts_in(path.with_name(path.name.removesuffix(".truth.json.gz")), module) if "end" in truth else []
        for piece, layouts in pieces_of(truth, between):
            if not piece["map"]:
                assert piece["loc"] == ""
                continue
            count += 1
            map_name, x, y = piece["map"], piece["x"], piece["y"]
            found = []
            for layout in (each.get(map_name, ()) for each in layouts if map_name in each or each is layouts[0]):
                at = (map_name, x, y, layout)
                found.append((module.location(*at), module.board(*at), module.zone(*at)))
            if (piece["loc"], piece["board"], piece["zone"]) not in found:
                wrong.append(f"{path.name}: {map_name} {x},{y}: {found[0]}, not {piece['loc']}")
    assert wrong == []
    assert count > 80_000


def test_replayed_games_end_where_the_engine_ends(corpus: Path) -> None:
    # Whether a piece is at the right point is the matter of the replay's own tests; here it is the name of the point.
    compared = elsewhere = 0
    for path in truths(corpus):
        truth = load(path)
        if "end" not in truth:
            continue
        module = module_of(corpus, path.parent, truth["moduleFile"])
        board = Replay(read_game(open_file(path.with_name(path.name.removesuffix(".truth.json.gz")))), module).run()
        expected = {piece["id"]: piece for piece in truth["end"]["pieces"]}
        for identity, piece in board.pieces.items():
            theirs = expected.get(identity)
            if theirs is None or (piece.map, piece.x, piece.y) != (theirs["map"], theirs["x"], theirs["y"]):
                elsewhere += 1
                continue
            assert board.location(piece) == theirs["loc"], (path.name, identity)
            compared += 1
    assert compared > 30_000
    assert elsewhere < 10


def test_boards_lie_where_the_engine_lays_them(corpus: Path) -> None:
    for path in truths(corpus):
        truth = load(path)
        module = module_of(corpus, path.parent, truth["moduleFile"])
        expected = defaultdict(list)
        for map_name, name, *rectangle in truth["start"]["boards"]:
            expected[map_name].append((name, *rectangle))
        for map_name, layout in layouts_of(truth["start"]).items():
            placed = module.layout(map_name, layout)
            assert placed is not None
            found = [
                (each.board.name, *(each.corner or ()), *(each.board.size or ()), each.is_reversed)
                for each in placed.boards
            ]
            assert found == expected[map_name], path.name


def test_names_lead_back_to_their_places(corpus: Path) -> None:
    checked = set()
    for path in truths(corpus):
        truth = load(path)
        module = module_of(corpus, path.parent, truth["moduleFile"])
        layouts = layouts_of(truth["start"])
        for piece in truth["start"]["pieces"]:
            key = (truth["moduleFile"], piece["map"], piece["loc"])
            if not piece["map"] or piece["loc"] in ("", "offboard") or key in checked:
                continue
            checked.add(key)
            layout = layouts.get(piece["map"], ())
            place = module.point(piece["map"], piece["loc"], layout)
            assert place is not None, key
            assert module.location(piece["map"], *place, layout) == piece["loc"]
    assert len(checked) > 1000


def test_at_start_stacks_are_dealt_where_the_engine_deals_them(corpus: Path) -> None:
    # These logs do not say that their game has begun, so the engine deals the module's stacks on loading.
    dealt = 0
    for path in sorted((corpus / "shrimpbot").glob("*.truth.json.gz")):
        truth = load(path)
        module = module_of(corpus, path.parent, truth["moduleFile"])
        layouts = layouts_of(truth["start"])
        places = {(piece["gpid"], piece["map"], piece["x"], piece["y"]) for piece in truth["start"]["pieces"]}
        for definition in module.maps:
            layout = module.layout(definition.identifier, layouts.get(definition.identifier, ()))
            assert layout is not None
            for stack in (*definition.at_start, *definition.draw_piles):
                at = layout.start_of(stack)
                for slot in stack.slots:
                    assert at is not None
                    assert (slot.gpid, definition.identifier, *at) in places
                    dealt += 1
    assert dealt > 1000


def prefixes(chain: str) -> list[str]:
    return [trait.partition(";")[0] for trait in split_chain(chain)]


def atoms(text: str) -> Iterator[str]:
    tokens = decode(text, "\x1b")
    if len(tokens) == 1:
        yield text
    else:
        for token in tokens:
            yield from atoms(token)


@pytest.mark.parametrize(
    ("module", "save", "least"),
    [
        ("engine-made/steppe.vmod", "engine-made/big-start.vsav", 1000),
        ("modules/ragnarok.vmod", "ragnarok/ragnarok-start.vsav", 99),
        ("modules/kassala.vmod", "kassala/Default_Setup.vsav", 23),
        ("modules/pog-3.7.10.vmod", "pog/Classic10-8.vsav", 800),
        ("modules/ftp-3.6.9.vmod", "ftp/1863-3-5.vsav", 500),
        ("modules/ccn.vmod", "ccn/GG07-Marengo.vsav", 300),
    ],
)
def test_prototypes_are_put_in_as_the_engine_did(corpus: Path, module: str, save: str, least: int) -> None:
    # Key strokes bear numbers of the engine's session, so the kinds of traits are compared, in their order.
    read = read_module(open_file(corpus / module))
    saved = open_file(corpus / save).saved
    assert saved is not None
    compared = 0
    for atom in atoms(saved.text):
        if not atom.startswith("+/"):
            continue
        _, _, type_, state = decode(atom, "/")[:4]
        fields = decode(split_chain(state)[-1], ";")
        expanded = read.expanded(fields[3]) if type_ != "stack" and len(fields) > 3 else None
        if expanded is not None:
            assert prefixes(expanded.piece.type) == prefixes(type_)
            compared += 1
    assert compared >= least


def test_every_build_file_is_read(corpus: Path) -> None:
    read = 0
    for path in sorted(corpus.glob("**/*")):
        if not path.is_file():
            continue
        try:
            file = open_file(path)
        except BridgeError:
            continue
        if file.kind not in (FileKind.MODULE, FileKind.EXTENSION, FileKind.BUILDFILE):
            continue
        if file.build_file is None:
            with pytest.raises(BuildFileError, match="there is no build file"):
                read_module(file)
            continue
        module = read_module(file)
        read += 1
        assert module.name
        # Every element under the root is accounted for.
        assert sum(module.classes.values()) > 0
        assert all(slot.piece for slot in module.all_slots) or module.problems
    assert read >= 40
