"""Games made by a seeded chance, of any size: positions, logs as the engine writes them, and one very large save.

What a log does is kept in a small model of its own (``Table``), which knows where every unit lies and how it is turned,
so the end of a replay can be held against it.
"""

from __future__ import annotations

import random
import re
import zipfile
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

from vassal_bridge.vassal.container import Metadata, write_game
from vassal_bridge.vassal.sequence import encode, join_chain

__all__ = ["Table", "Unit", "position_of", "write_huge", "written"]

ESC = "\x1b"
SIDES = ("Axis", "Soviet")
PASSWORDS = ("a-password", "another-one")
FIRST_UNIT = 1_500_000_000_001
FIRST_STACK = 1_600_000_000_001
_KEY = 0x5A
_CELL = 60
# The digits of an id that tell one copy of a unit from another.
_ID = re.compile(r"(\b1[56])000(?=\d{8}\b)")
_LAYER = "emb2;;130;;Up;130;;;130;;;;1;false;0;0;{0}-1.png,{0}-2.png;,+ (reduced);true;Step;;;false;;1;1;true;;70,130;"
_TRAITS = (
    (_LAYER, "{level}"),
    ("mark;Side,Type,Name,Faces", "{side},ger.inf,{0} Inf,9-9|4-9"),
    ("PROP;Hits;true,0,9,false;Use:85\\,130:I\\,-1,Restore:86\\,130:I\\,1;hits left", "3"),
    ("label;76,130;Label;10;255,255,255;0,0,0;t;0;c;0;b;c;$pieceName$ ($label$);Dialog;0;0;Text;", ""),
    ("hide;73,130;Hide;255,0,0;side:;0.3;", "null"),
    ("obs;77,130;mask.png;Mask;B;?;side:;Peek;", "null;"),
    ("markmoved;moved.png;18;-20;Mark moved;77,130;", "{moved}"),
    ("restrict;Axis,Soviet;false;true;", ""),
    ("rotate;6;93,130;91,130;Right;Left;;;Turn;", "0"),
    ("footprint;84,130;Trail;false;true;10;255,255,255;0,0,0;100;50;20;30;1.0;;;;", "false;Map0;0;true;0"),
    ("report;70\\,130,82\\,130,69\\,130;$location$: $newPieceName$ $menuCommand$ *;;;;false", "-1"),
    ("sendto;Eliminate;69,130;Boxes;Boxes;0;0;;;0;0;1;1;;R;;{side} Eliminated;;", ""),
    ("delete;Delete;68,130;", ""),
    ("piece;;;{0}.png;{0} Inf", "{map};{x};{y};{0};1;UniqueID;{id}"),
)


@dataclass(slots=True, kw_only=True)
class Unit:
    """A unit as the model knows it; ``stack`` is the id of the stack that holds it."""

    id: int
    kind: int
    x: int = 0
    y: int = 0
    level: int = 1
    moved: bool = False
    stack: int = 0

    @property
    def side(self) -> str:
        return SIDES[self.kind % 2]


@dataclass(slots=True, kw_only=True)
class Table:
    """A map with stacks of units, as the last step left it.

    Attributes:
        seed: Of the chance; two tables with one seed are alike.
        size: Number of units.
        map: The map's name.
        board: The name of its only board.
        width: Map pixels.
        height: Map pixels.
        kinds: Number of different types of units.
        units: In the order of their ids.
        stacks: Ids of units by id of the stack, bottom to top; a stack may be empty.
    """

    seed: int = 1
    size: int
    map: str = "Main"
    board: str = "Board"
    width: int = 6000
    height: int = 4000
    kinds: int = 400
    units: list[Unit] = field(default_factory=list)
    stacks: dict[int, list[Unit]] = field(default_factory=dict)
    turn: int = 1
    die: int = 1
    _chance: random.Random = field(default_factory=random.Random)
    _at: dict[tuple[int, int], int] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self._chance.seed(self.seed)
        for number in range(self.size):
            unit = Unit(id=FIRST_UNIT + number, kind=self._chance.randrange(self.kinds))
            self.units.append(unit)
            self._put(unit, *self._spot())

    def position(self) -> str:
        """Return the command text of the position."""
        tokens = ["begin_save", "", encode(["", *self._pieces()], ESC)]
        tokens += [f"PLAYER\t{word}\t{side} player\t{side}" for word, side in zip(PASSWORDS, SIDES, strict=True)]
        tokens += ["UNMASK\tnull", "GlobalProperty\t;VP;0;Module", f"{self.map}BoardPicker\t{self.board}\t0\t0"]
        tokens += ["SETUP_STACK\t", "NOTES\t", "end_save"]
        return encode(tokens, ESC)

    def log(self, steps: int) -> str:
        """Play so many steps; return the command text of the position before them, and of them."""
        position = self.position()
        played = [self._step() for _ in range(steps)]
        return ESC.join([position, encode(played, ESC)]) if played else position

    def _step(self) -> str:
        """Return one top-level token: a move, a flip, a flip taken back, a roll, words or a turn."""
        unit = self._chance.choice(self.units)
        kind = self._chance.random()
        if kind < 0.6:
            return _logged(*self._move(unit, *self._spot()))
        if kind < 0.8:
            return _logged(*self._flip(unit))
        if kind < 0.9:
            return _logged(*self._roll())
        return _logged(f"CHAT&lt;{unit.side} player&gt; - words on {unit.kind} Inf")

    def _move(self, unit: Unit, x: int, y: int) -> Iterator[str]:
        before, old = self._state(unit), f"{self.map}/{unit.x}/{unit.y}/{self._below(unit)}"
        if not unit.moved:
            unit.moved = True
            yield "D/" + encode([str(unit.id), self._state(unit), before], "/")
        self._lift(unit)
        is_free = (x, y) not in self._at
        self._put(unit, x, y)
        yield f"M/{unit.id}/{self.map}/{x}/{y}/{self._below(unit)}/{old}/{PASSWORDS[unit.kind % 2]}"
        if is_free:
            yield self._add_stack(unit.stack)
        yield f"CHAT* {unit.kind} Inf moves to {x},{y} *"

    def _flip(self, unit: Unit) -> Iterator[str]:
        before = self._state(unit)
        unit.level = 3 - unit.level
        yield "D/" + encode([str(unit.id), self._state(unit), before], "/")
        yield f"CHAT* {unit.kind} Inf flips *"

    def _roll(self) -> Iterator[str]:
        before, self.die = self.die, self._chance.randint(1, 6)
        yield f"CHAT*** 1d6 = {self.die} *** &lt;Axis player&gt;"
        yield f"MutableProperty\t1d6_result\t{before}\t{self.die}\tModule"

    def _pieces(self) -> Iterator[str]:
        for unit in self.units:
            kind = join_chain([trait.format(unit.kind, side=unit.side) for trait, _ in _TRAITS])
            yield _add(unit.id, kind, self._state(unit))
        for identity in self.stacks:
            yield self._add_stack(identity)

    def _state(self, unit: Unit) -> str:
        return join_chain(
            [
                state.format(
                    unit.kind,
                    id=unit.id,
                    map=self.map,
                    x=unit.x,
                    y=unit.y,
                    level=unit.level,
                    side=unit.side,
                    moved="true" if unit.moved else "false",
                )
                for _, state in _TRAITS
            ]
        )

    def _add_stack(self, identity: int) -> str:
        members = self.stacks[identity]
        place = [self.map, str(members[0].x), str(members[0].y)]
        return _add(identity, "stack", encode([*place, *(str(unit.id) for unit in members), "@@-1"], ";"))

    def _spot(self) -> tuple[int, int]:
        columns, rows = self.width // _CELL, self.height // _CELL
        return self._chance.randrange(columns) * _CELL, self._chance.randrange(rows) * _CELL

    def _put(self, unit: Unit, x: int, y: int) -> None:
        unit.stack = self._at.setdefault((x, y), FIRST_STACK + len(self.stacks))
        self.stacks.setdefault(unit.stack, []).append(unit)
        unit.x, unit.y = x, y

    def _lift(self, unit: Unit) -> None:
        members = self.stacks[unit.stack]
        members.remove(unit)
        if not members:
            # An emptied stack is no more where it was; whoever comes there makes a new one.
            del self._at[unit.x, unit.y]

    def _below(self, unit: Unit) -> int | str:
        members = self.stacks[unit.stack]
        index = members.index(unit)
        return members[index - 1].id if index else "null"


def position_of(commands: int) -> str:
    """Return the text of a position of exactly so many commands, stacks and all."""
    table = Table(size=commands // 2, kinds=2000, width=60_000, height=40_000)
    return table.position()


def written(text: str) -> bytes:
    """Return a save or log with this text."""
    return write_game(text, save_metadata=Metadata(version="1.0", vassal_version="3.6.7"))


def write_huge(path: Path, *, text_bytes: int) -> int:
    """Write a save whose text has at least so many bytes; return how many it has. The whole is never held in memory.

    Every unit has an id and a state of its own, and there are as many types as in a large module, so neither caching
    nor packing has an easier time than with a real save.
    """
    table = Table(size=20_000, kinds=2_000, width=60_000, height=40_000)
    pieces = list(table._pieces())
    xor = bytes(byte ^ _KEY for byte in range(256))
    written = copies = 0
    with (
        zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED, compresslevel=1) as archive,
        archive.open("savedGame", "w", force_zip64=True) as entry,
    ):
        entry.write(b"!VCSK%02x" % _KEY)

        def write(text: str) -> int:
            data = text.encode()
            entry.write(data.translate(xor).hex().encode())
            return len(data)

        written += write(f"begin_save{ESC}{ESC}")
        while written < text_bytes:
            for atom in pieces:
                written += write(f"\\{ESC}" + _ID.sub(rf"\g<1>{copies:03}", atom))
            copies += 1
        written += write(f"{ESC}SETUP_STACK\t{ESC}end_save")
    return written


def _add(identity: int, kind: str, state: str) -> str:
    return "+/" + encode([str(identity), kind, state], "/")


def _logged(*commands: str) -> str:
    return encode([f"LOG\t{command}" for command in commands], ESC)
