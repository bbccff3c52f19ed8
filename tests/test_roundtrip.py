"""What was written reads back, and what was read is written back: whole files, generated games, generated values.

The atoms and pieces of real files are held to this in ``tests/vassal/test_corpus_games.py``.
"""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.bench.games import Table, written
from vassal_bridge.vassal.commands import (
    AddPiece,
    ChangePiece,
    Chat,
    Command,
    DelayedNote,
    DiceResult,
    GlobalProperty,
    LineOfSight,
    Logged,
    MovePiece,
    PieceId,
    PlayerAdd,
    PlayerId,
    PrivateNote,
    RemovePiece,
    SetProperty,
    TurnUpdate,
    Unmask,
    format_atom,
    parse_atom,
)
from vassal_bridge.vassal.container import Metadata, open_bytes, open_file, write_game
from vassal_bridge.vassal.game import read_game
from vassal_bridge.vassal.obfuscation import Encoding, conceal, reveal
from vassal_bridge.vassal.pieces import (
    BasicState,
    PieceState,
    StackState,
    format_basic_state,
    format_stack_state,
    parse_basic_state,
    parse_stack_state,
)
from vassal_bridge.vassal.replay import Replay
from vassal_bridge.vassal.sequence import EncodingLossError
from vassal_bridge.vassal.traits import TRAITS
from vassal_bridge.vassal.tree import atoms, format_tree, parse_tree

WRITTEN = (Encoding.PLAIN, Encoding.VCSK, Encoding.VOBS)
# Everything that has a meaning somewhere, and something that has none.
words = st.text(st.sampled_from("a1;,/\t\x1b\\'|:~$é\n第"), max_size=8)
ids = st.integers(0, 10**13).map(str).map(PieceId)
names = words.filter(lambda word: word not in ("", "null"))
pixels = st.integers(-(2**31), 2**31 - 1)
members = st.lists(ids, max_size=4).map(tuple)


@pytest.fixture(scope="module")
def table() -> Table:
    return Table(size=60, width=1200, height=600, kinds=20)


@pytest.fixture(scope="module")
def text(table: Table) -> str:
    return table.log(400)


def test_a_generated_game_is_read_and_written_alike(text: str) -> None:
    assert format_tree(parse_tree(text)) == text
    added = 0
    for atom in atoms(text):
        command = parse_atom(atom)
        assert format_atom(command) == atom
        if isinstance(command, AddPiece):
            added += 1
            state = PieceState.parse(command.type, command.state)
            assert (state.text, state.raw) == (command.state, None)
    assert added >= 60


@pytest.mark.parametrize("encoding", WRITTEN)
def test_a_file_is_read_and_written_alike(encoding: Encoding, text: str) -> None:
    metadata = Metadata(version="1.2", vassal_version="3.6.7", saved_at=1_600_000_000_000, description="a < b & é")
    module = b'<?xml version="1.0"?><data version="1"><name>Test</name></data>'
    data = write_game(text, encoding=encoding, key=0x3C, save_metadata=metadata, module_metadata=module)
    file = open_bytes(data, "game.vlog")
    assert file.saved is not None
    assert (file.saved.text, file.saved.encoding, file.save_metadata) == (text, encoding, metadata)
    again = write_game(
        file.saved.text,
        encoding=file.saved.encoding,
        key=file.saved.key,
        save_metadata=file.save_metadata,
        module_metadata=file.entry("moduledata"),
    )
    assert again == data


def test_a_replay_ends_where_the_game_ended(table: Table, text: str) -> None:
    board = Replay(read_game(open_bytes(written(text), "game.vlog"))).run()
    units = {
        piece.id: (piece.map, piece.x, piece.y, piece.stack_index, piece.layers[0].level, piece.moved)
        for piece in board.pieces.values()
    }
    assert units == {
        str(unit.id): (table.map, unit.x, unit.y, table.stacks[unit.stack].index(unit), unit.level, unit.moved)
        for unit in table.units
    }


def test_a_replayed_position_written_as_a_save_is_the_same_position(text: str) -> None:
    game = read_game(open_bytes(written(text), "game.vlog"))
    board = Replay(game).run()
    pieces: list[Command] = [
        AddPiece(id=piece.id, type=piece.piece_type.text, state=piece.state_text) for piece in board.pieces.values()
    ]
    stacks: list[Command] = [
        AddPiece(
            id=stack.id,
            type="stack",
            state=format_stack_state(StackState(map=stack.map, x=stack.x, y=stack.y, members=stack.members, layer=-1)),
        )
        for stack in board.stacks.values()
        if stack.pieces
    ]
    tokens = ["begin_save", *(format_atom(command) for command in [*pieces, *stacks]), "end_save"]
    saved = Replay(read_game(open_bytes("\x1b".join(tokens).encode(), "savedGame"))).board
    assert position(saved.pieces) == position(board.pieces)


def position(pieces: Any) -> list[tuple[object, ...]]:
    return sorted(
        (each.id, each.map, each.x, each.y, each.stack, each.stack_index, each.layers) for each in pieces.values()
    )


@pytest.mark.corpus
def test_savedgame_entries_of_real_files_are_written_back_byte_for_byte(corpus: Path) -> None:
    count = 0
    for path in sorted([*corpus.rglob("*.vsav"), *corpus.rglob("*.vlog")]):
        file = open_file(path, tolerant=True)
        entry = file.entry("savedGame")
        saved = file.saved
        if entry is None or saved is None or saved.damage or saved.replaced or saved.encoding not in WRITTEN:
            continue
        # Engines write lower case; other programs may not.
        entry = entry.lower().replace(b"!vcsk", b"!VCSK", 1) if saved.encoding is Encoding.VCSK else entry
        assert conceal(saved.text, saved.encoding, key=saved.key) == entry, path.name
        count += 1
    assert count > 80


@given(st.binary(max_size=200), st.sampled_from(WRITTEN), st.integers(1, 255))
def test_any_text_both_ways(content: bytes, encoding: Encoding, key: int) -> None:
    text = content.decode("utf-8", "replace")
    # Plain text that begins like a form would be taken for it, and the engine pads short texts with NUL.
    if encoding is Encoding.PLAIN and (re.match("!VCS[KZ]|VOBS|\xfd7zXZ", text) or text.endswith("\0")):
        return
    saved = reveal(conceal(text, encoding, key=key))
    assert saved.text == text or (len(text.encode()) < 5 and saved.text == text.rstrip("\0"))
    assert saved.encoding is encoding


COMMANDS = st.one_of(
    st.builds(AddPiece, id=st.none() | ids, type=names, state=words),
    st.builds(RemovePiece, id=ids),
    st.builds(ChangePiece, id=ids, state=words, old=st.none() | words),
    st.builds(
        MovePiece,
        id=ids,
        map=st.none() | names,
        x=pixels,
        y=pixels,
        under=st.none() | ids,
        old_map=st.none() | names,
        old_x=pixels,
        old_y=pixels,
        old_under=st.none() | ids,
        player_id=st.none() | words.map(PlayerId),
    ),
    st.builds(Chat, text=words),
    st.builds(SetProperty, name=words, old=words, new=words, container=st.none() | words),
    st.builds(GlobalProperty, id=words, value=words, container=st.none() | words),
    st.builds(TurnUpdate, tracker=st.just("TurnTracker0"), state=words),
    st.builds(PlayerAdd, player_id=words.map(PlayerId), name=words, side=st.none() | words),
    st.builds(Unmask, allowed=st.none() | st.lists(words, min_size=2, max_size=3).map(tuple)),
    st.builds(PrivateNote, player_id=words.map(PlayerId), text=st.none() | words),
    st.builds(DelayedNote, name=words, player_id=words.map(PlayerId), is_hidden=st.booleans(), text=words),
    st.builds(DiceResult, button=words, faces=st.lists(st.integers(0, 99), max_size=3).map(tuple)),
    st.builds(LineOfSight, thread=words, anchor_x=pixels, anchor_y=pixels, arrow_x=pixels, arrow_y=pixels),
)


@given(COMMANDS, st.booleans())
def test_commands_read_back_as_they_were_written(command: Command, is_logged: bool) -> None:
    command = Logged(command=command) if is_logged else command
    try:
        atom = format_atom(command)
    except EncodingLossError:
        return
    assert parse_atom(atom) == command


@given(
    st.builds(
        BasicState,
        map=st.none() | names,
        x=pixels,
        y=pixels,
        gpid=words,
        properties=st.dictionaries(words, words, max_size=3),
    )
)
def test_basic_states_read_back_as_they_were_written(state: BasicState) -> None:
    try:
        text = format_basic_state(state)
    except EncodingLossError:
        return
    assert parse_basic_state(text) == state


@given(
    st.builds(
        StackState,
        map=st.none() | names,
        x=pixels,
        y=pixels,
        members=st.lists(ids, max_size=4).map(tuple),
        layer=pixels,
    )
)
def test_stack_states_read_back_as_they_were_written(state: StackState) -> None:
    try:
        text = format_stack_state(state)
    except EncodingLossError:
        return
    assert parse_stack_state(text) == state


@given(st.sampled_from(sorted(TRAITS)), words)
def test_trait_states_read_back_as_they_were_written(prefix: str, state: str) -> None:
    spec = TRAITS[prefix]
    values = spec.read_state(state)
    try:
        text = spec.write_state(values)
    except EncodingLossError:
        return
    assert spec.read_state(text) == values
