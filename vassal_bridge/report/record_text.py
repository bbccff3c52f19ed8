"""What the integrity audit says, in words: the chain of files, the dice, what was done by turn, the notes."""

from __future__ import annotations

import csv
import io
import json
from collections import Counter
from collections.abc import Iterable, Iterator

from vassal_bridge.audit.integrity import CATALOGUE
from vassal_bridge.report.models import ChainModel, DiceModel, JointModel, LuckModel, NoteModel, RollModel, TurnModel
from vassal_bridge.report.plain import count, visible

__all__ = [
    "LUCK_COLUMNS",
    "ROLL_COLUMNS",
    "TURN_COLUMNS",
    "Row",
    "chain_json",
    "chain_lines",
    "dice_csv",
    "dice_json",
    "joint_line",
    "luck_rows",
    "note_lines",
    "roll_rows",
    "turn_rows",
]

Row = tuple[str, ...]

LUCK_COLUMNS = ("player", "die", "rolls", "taken back", "faces", "mean (fair)", "what it is worth")
ROLL_COLUMNS = ("log", "step", "player", "dice", "result", "fate")
TURN_COLUMNS = ("log", "steps", "turn", "player", "moves", "changes", "rolls", "undos")


def chain_json(chains: Iterable[ChainModel]) -> str:
    """Return the chains as one JSON document, as they stand in the report."""
    return _document({"chain": [each.model_dump(mode="json") for each in chains]})


def dice_json(dice: DiceModel) -> str:
    """Return the dice as one JSON document, as they stand in the report."""
    return _document({"dice": dice.model_dump(mode="json")})


def _document(part: dict[str, object]) -> str:
    return json.dumps({"schema": "vassal-bridge/report/1", **part}, ensure_ascii=False, indent=2) + "\n"


def dice_csv(dice: DiceModel) -> str:
    """Return one line a roll, with commas; the first line names the columns."""
    buffer = io.StringIO()
    writer = csv.writer(buffer, lineterminator="\n")
    columns = list(RollModel.model_fields)
    writer.writerow(columns)
    for roll in dice.rolls:
        values = roll.model_dump(mode="json")
        cells = [" ".join(map(str, roll.faces)) if name == "faces" else values[name] for name in columns]
        writer.writerow([_harmless(cell) for cell in cells])
    return buffer.getvalue()


def _harmless(cell: object) -> object:
    """Keep a spreadsheet from taking a text out of a file for a formula."""
    if not isinstance(cell, str):
        return cell
    text = visible(cell)
    return f"'{text}" if text.startswith(("=", "+", "-", "@")) else text


def chain_lines(chains: Iterable[ChainModel], *, with_pieces: bool = False) -> Iterator[str]:
    """Yield the files in their order, each with how it is joined to an earlier one."""
    for number, chain in enumerate(chains):
        if number:
            yield "another game:"
        joints = {joint.later: joint for joint in chain.joints}
        for file in chain.files:
            joint = joints.get(file.file)
            side = "  (not on the main line)" if file.side else ""
            yield f"{visible(file.file)}: {joint_line(joint) if joint else 'the first'}{side}"
            if joint and with_pieces:
                yield from (f"    {line}" for line in _difference(joint))
        for double in chain.doubles:
            yield f"{visible(double.file)}: the same as {visible(double.same_as)}"


def joint_line(joint: JointModel) -> str:
    """Say how a file is joined to an earlier one."""
    earlier = visible(joint.earlier)
    at = f" after step {joint.at_step}" if joint.at_step is not None else ""
    different = f", {count(len(joint.pieces), 'piece')} differ" if joint.pieces else ""
    words = {
        "continues": f"continues {earlier}",
        "differs": f"starts elsewhere than {earlier} ended",
        "something is missing": f"something is missing between {earlier} and it",
        "appended": f"repeats {earlier} and goes on",
        "starts in the middle": f"starts in the middle of {earlier}",
        "branches": f"branches off where {earlier} started",
        "same session": f"another record of the session of {earlier}",
        "saved in the middle": f"a save made during {earlier}",
    }
    return f"{words[joint.kind]}{at}{different}"


def _difference(joint: JointModel) -> Iterator[str]:
    for piece in joint.pieces:
        moved = f"{piece.before or 'nowhere'} -> {piece.after or 'nowhere'}" if piece.before != piece.after else ""
        told = "; ".join(part for part in (moved, *piece.details) if part) or ", ".join(piece.changes)
        yield visible(f"{piece.name}: {told}")
    yield from (visible(each) for each in joint.besides)


def luck_rows(dice: DiceModel) -> list[Row]:
    """Return a row for the dice of each kind that each player threw."""
    return [_luck(each) for each in dice.players]


def _luck(luck: LuckModel) -> Row:
    faces = " ".join(f"{face}:{number}" for face, number in luck.faces.items())
    return (
        visible(luck.player or "(not named)"),
        f"d{luck.sides}{'?' if luck.sides_inferred else ''}",
        str(luck.rolls),
        str(luck.undone),
        faces,
        f"{luck.mean:.2f} ({luck.expected_mean:.1f})",
        luck.caution,
    )


def roll_rows(dice: DiceModel) -> list[Row]:
    """Return a row for each roll."""
    return [
        (
            visible(roll.log),
            str(roll.step),
            visible(roll.player or "(not named)"),
            visible(roll.button),
            visible(roll.result),
            _fate(roll),
        )
        for roll in dice.rolls
    ]


def _fate(roll: RollModel) -> str:
    parts = []
    if roll.repeats is not None:
        parts.append(f"made again in place of step {roll.repeats}{_of(roll.repeats_in)}")
    if roll.undone_at is not None:
        parts.append(f"taken back in step {roll.undone_at}")
    if roll.restored_at is not None:
        parts.append(f"brought back in step {roll.restored_at}{_of(roll.restored_in)}")
    return ", ".join(parts)


def _of(log: str | None) -> str:
    return f" of {visible(log)}" if log else ""


def turn_rows(turns: Iterable[TurnModel]) -> list[Row]:
    """Return a row for each player in each turn of each log."""
    return [
        (
            visible(turn.log),
            f"{turn.first_step}-{turn.last_step}",
            visible(turn.turn or "not known"),
            visible(player.player or "(not named)"),
            str(player.moves),
            str(player.changes),
            str(player.rolls),
            str(player.undos),
        )
        for turn in turns
        for player in turn.players
    ]


def note_lines(notes: Iterable[NoteModel]) -> list[str]:
    """Count the notes by kind; they are too many to be read one by one."""
    kinds = Counter(note.rule for note in notes)
    return [f"{rule}  {CATALOGUE[rule].title}: {number}" for rule, number in kinds.items()]
