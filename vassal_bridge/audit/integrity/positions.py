"""Positions that can be kept by the dozen and compared at once.

The pieces of a game are nearly all the same from one file to the next, so each piece-as-it-stands is kept once, in a
pool, and a position is only a list of numbers. What a position means is exactly what must agree between the end of one
file and the start of the next: pieces, where they are, and the states of their traits. Stacks, their order and their
ids, the drawing order and the engine's own notes in the innermost state are left out: the engine changes them by
itself.
"""

from __future__ import annotations

from array import array
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import NamedTuple

from vassal_bridge.errors import BridgeError
from vassal_bridge.vassal.commands import PieceId
from vassal_bridge.vassal.pieces import parse_piece_type
from vassal_bridge.vassal.position import Piece, Surroundings

__all__ = ["Pool", "Position", "Standing", "Track", "piece_of"]

_Key = tuple[PieceId, str, str, str | None, int, int]
_MASK = (1 << 64) - 1


class Standing(NamedTuple):
    """A piece as it stands; ``states`` are those of its traits without the innermost, as the file has them."""

    id: PieceId
    type: str
    states: str
    map: str | None
    x: int
    y: int

    @property
    def point(self) -> tuple[str | None, int, int]:
        """Map and map pixels."""
        return self.map, self.x, self.y


@dataclass(frozen=True, slots=True)
class Position:
    """Numbers of the standings in a pool, in no order, and a digest that equal positions share."""

    numbers: array[int]
    digest: int

    def __len__(self) -> int:
        return len(self.numbers)


class Pool:
    """All standings met, each kept once."""

    def __init__(self) -> None:
        # Plain tuples: a chain of logs asks for some ten thousand of them.
        self._numbers: dict[_Key, int] = {}
        self._keys: list[_Key] = []
        self._hashes: list[int] = []

    def __len__(self) -> int:
        return len(self._keys)

    def __getitem__(self, number: int) -> Standing:
        return Standing(*self._keys[number])

    def key(self, number: int) -> _Key:
        """Return the fields of a standing."""
        return self._keys[number]

    def hash(self, number: int) -> int:
        """Return a hash of a standing, 64 bits, the same only while the program runs."""
        return self._hashes[number]

    def number(self, key: _Key) -> int:
        """Return the number of a standing, given by its fields; a new one if it was not met before."""
        number = self._numbers.get(key)
        if number is None:
            number = self._numbers[key] = len(self._keys)
            self._keys.append(key)
            self._hashes.append(hash(key) & _MASK)
        return number

    def standings(self, numbers: Iterable[int]) -> Mapping[PieceId, Standing]:
        """Return standings by piece."""
        return {(standing := self[number]).id: standing for number in numbers}


class Track:
    """The position of a board that is being replayed, kept up to date piece by piece."""

    def __init__(self, pool: Pool, pieces: Iterable[Piece]) -> None:
        self._pool = pool
        self._numbers: dict[PieceId, int] = {}
        self.digest = 0
        for piece in pieces:
            self._put(piece, _outer_states(piece))

    def note(self, identity: PieceId, piece: Piece | None, *, is_only_moved: bool = False) -> None:
        """Take account of a piece that a step touched.

        Args:
            identity: The piece.
            piece: The piece, None if it is gone.
            is_only_moved: The states of its traits are as they were.
        """
        number = self._numbers.pop(identity, None)
        if number is not None:
            self.digest ^= self._pool.hash(number)
        if piece is not None:
            is_known = is_only_moved and number is not None
            self._put(piece, self._pool.key(number or 0)[2] if is_known else _outer_states(piece))

    def position(self) -> Position:
        """Return the position as it is now."""
        return Position(array("L", self._numbers.values()), self.digest)

    def _put(self, piece: Piece, states: str) -> None:
        holder = piece.holder
        at = piece if holder is None else holder
        number = self._pool.number((piece.id, piece.piece_type.text, states, at.map, at.x, at.y))
        self._numbers[piece.id] = number
        self.digest ^= self._pool.hash(number)


def piece_of(standing: Standing, around: Surroundings) -> Piece:
    """Return a piece on no board that looks like the standing."""
    innermost = "null;0;0;;0"
    is_bare = len(parse_piece_type(standing.type).traits) == 1
    state = innermost if is_bare else f"{standing.states}\t{innermost}"
    return Piece(standing.id, parse_piece_type(standing.type), state, around)


def _outer_states(piece: Piece) -> str:
    try:
        return piece.state_text.rpartition("\t")[0]
    except BridgeError:
        return "\x1f".join(piece.states[:-1])
