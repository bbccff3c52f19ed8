"""Where things go in the two pictures of a report: the chain of files, and how dice fell. Units are SVG pixels.

The pictures say nothing by colour alone: joints differ by the kind of line and by words, bars bear their numbers. What
they show stands in a table beside them too.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from vassal_bridge.report.models import ChainModel, JointModel, LuckModel, TurnModel
from vassal_bridge.report.plain import count, visible

__all__ = ["Bar", "Box", "ChainPicture", "DicePicture", "JointLine", "chain_picture", "dice_picture"]

_BOX_WIDTH: Final = 250
_BOX_HEIGHT: Final = 40
_ROW: Final = 76
_SIDE: Final = 330
_LEFT: Final = 10
_WIDTH: Final = 600
_NAME: Final = 30

_LABELS: Final = {
    "continues": "same position",
    "differs": "differs",
    "something is missing": "something is missing",
    "appended": "repeated in full",
    "starts in the middle": "starts in the middle",
    "branches": "branch",
    "same session": "same session",
    "saved in the middle": "saved in the middle",
}
_GOOD: Final = frozenset({"continues", "appended", "same session", "saved in the middle"})


@dataclass(frozen=True, slots=True, kw_only=True)
class Box:
    """A file; ``below`` its name stands its size, ``beside`` it who did what."""

    x: int
    y: int
    width: int
    height: int
    name: str
    below: str
    beside: str
    is_side: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class JointLine:
    """A joint: a path from one box to another, with a label; ``kind`` chooses the line."""

    path: str
    label: str
    x: int
    y: int
    kind: str
    mark_x: int
    mark_y: int


@dataclass(frozen=True, slots=True, kw_only=True)
class ChainPicture:
    """A chain of files from top to bottom; branches stand to the right."""

    width: int
    height: int
    boxes: tuple[Box, ...]
    joints: tuple[JointLine, ...]
    told: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Bar:
    """How often one face came up; face and number stand below the bar."""

    x: int
    y: int
    width: int
    height: int
    face: int
    number: int


@dataclass(frozen=True, slots=True, kw_only=True)
class DicePicture:
    """Bars for the faces of one player's dice; ``fair`` is the height at which fair dice would stand."""

    width: int
    height: int
    base: int
    fair: int
    bars: tuple[Bar, ...]
    told: str


def chain_picture(chain: ChainModel, steps: Sequence[int], turns: Sequence[TurnModel]) -> ChainPicture:
    """Lay a chain out.

    Args:
        chain: The chain.
        steps: Number of steps of each of its files.
        turns: What was done in them.
    """
    doers = _doers(turns)
    rows = {file.file: number for number, file in enumerate(chain.files)}
    boxes = tuple(
        Box(
            x=_LEFT + (_SIDE if file.side else 0),
            y=10 + number * _ROW,
            width=_BOX_WIDTH,
            height=_BOX_HEIGHT,
            name=_shortened(visible(file.file)),
            below=count(steps[number], "step") if steps[number] else "a save",
            beside="" if file.side else "; ".join(doers.get(file.file, ())),
            is_side=file.side,
        )
        for number, file in enumerate(chain.files)
    )
    hung: Counter[str] = Counter()
    joints: list[JointLine] = []
    for joint in chain.joints:
        one, two = boxes[rows[joint.earlier]], boxes[rows[joint.later]]
        # Several files that hang on one each get a line of their own.
        joints.append(_joint(joint, one, two, hung[joint.earlier]))
        hung[joint.earlier] += two.is_side
    bad = sum(joint.kind not in _GOOD for joint in chain.joints)
    files = count(len(chain.files), "file")
    told = f"{files} in order; " + (f"{count(bad, 'joint')} do not fit" if bad > 1 else _one(bad))
    return ChainPicture(width=_WIDTH, height=len(boxes) * _ROW - 20, boxes=boxes, joints=tuple(joints), told=told)


def dice_picture(luck: LuckModel) -> DicePicture:
    """Lay the bars of one player's dice out."""
    numbers = list(luck.faces.values())
    width, gap = (34, 8) if len(numbers) <= 10 else (18, 5)
    highest = max(*numbers, 1)
    fair = sum(numbers) / len(numbers)
    base, room = 140, 105
    bars = tuple(
        Bar(
            x=10 + index * (width + gap),
            y=base - round(number / highest * room),
            width=width,
            height=round(number / highest * room),
            face=int(face),
            number=number,
        )
        for index, (face, number) in enumerate(luck.faces.items())
    )
    told = ", ".join(f"{face}: {number}" for face, number in luck.faces.items())
    return DicePicture(
        width=20 + len(bars) * (width + gap) + 70,
        height=base + 42,
        base=base,
        fair=base - round(fair / highest * room),
        bars=bars,
        told=f"how often each face came up: {told}; fair dice would show each {fair:.1f} times",
    )


def _doers(turns: Sequence[TurnModel]) -> Mapping[str, list[str]]:
    """Return for each log what its players moved and rolled, those who did most first."""
    totals: dict[str, dict[str, list[int]]] = {}
    for turn in turns:
        for player in turn.players:
            total = totals.setdefault(turn.log, {}).setdefault(player.player, [0, 0])
            total[0] += player.moves
            total[1] += player.rolls
    return {
        log: [
            _shortened(f"{visible(name)}: {count(moves, 'move')}, {count(rolls, 'roll')}")
            for name, (moves, rolls) in sorted(players.items(), key=lambda each: (-sum(each[1]), each[0]))
            if name and moves + rolls
        ][:2]
        for log, players in totals.items()
    }


def _joint(joint: JointModel, one: Box, two: Box, number: int) -> JointLine:
    label = _LABELS[joint.kind]
    if joint.pieces:
        label += f": {count(len(joint.pieces), 'piece')}"
    if joint.at_step is not None:
        label += f", step {joint.at_step}"
    start_x = one.x + 30
    if one.x == two.x:
        y1, y2 = one.y + one.height, two.y
        path = f"M {start_x} {y1} V {y2}"
        middle = two.y - (_ROW - _BOX_HEIGHT) // 2
        return JointLine(
            path=path, label=label, x=start_x + 18, y=middle + 5, kind=_kind(joint), mark_x=start_x, mark_y=middle
        )
    middle = two.y + two.height // 2
    start = one.x + one.width - 24 - 26 * number
    path = f"M {start} {one.y + one.height} V {middle} H {two.x}"
    return JointLine(
        path=path, label=label, x=two.x + 4, y=two.y + two.height + 16, kind=_kind(joint), mark_x=start, mark_y=middle
    )


def _kind(joint: JointModel) -> str:
    return "good" if joint.kind in _GOOD else "bad"


def _one(bad: int) -> str:
    return "1 joint does not fit" if bad else "all joints fit"


def _shortened(name: str) -> str:
    return name if len(name) <= _NAME else f"{name[: _NAME - 1]}…"
