"""An audit's result arranged for the page: what the text has, with pictures and the steps around each finding."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field

from vassal_bridge.audit.finding import AuditResult
from vassal_bridge.audit.integrity import CATALOGUE
from vassal_bridge.report.excerpts import Excerpts
from vassal_bridge.report.models import ChainModel, JointModel, LuckModel, NoteModel, TurnModel
from vassal_bridge.report.picture import ChainPicture, DicePicture, chain_picture, dice_picture
from vassal_bridge.report.plain import count, visible
from vassal_bridge.report.record_json import chains_of, dice_of, notes_of, turns_of
from vassal_bridge.report.record_text import ROLL_COLUMNS, TURN_COLUMNS, Row, joint_line, roll_rows, turn_rows
from vassal_bridge.report.story import Passage
from vassal_bridge.report.view import AuditView, view_of

__all__ = ["ChainFile", "ChainSection", "DiceSection", "NoteSection", "PageView", "page_of"]

DIFFERENCE_COLUMNS = ("piece", "how it differs", "before", "after")
FILE_COLUMNS = ("file", "steps", "how it is joined", "VASSAL", "module", "players")


@dataclass(frozen=True, slots=True, kw_only=True)
class ChainFile:
    """A row of the table of files, and what differs at its joint."""

    cells: Row
    differences: tuple[Row, ...] = ()
    besides: tuple[str, ...] = ()
    name: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class ChainSection:
    """One chain."""

    picture: ChainPicture
    files: tuple[ChainFile, ...]
    doubles: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class DiceSection:
    """The dice of one kind that one player threw."""

    heading: str
    picture: DicePicture
    told: str
    caution: str


@dataclass(frozen=True, slots=True, kw_only=True)
class NoteSection:
    """The notes of one kind."""

    heading: str
    about: str
    lines: tuple[str, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class PageView:
    """The page; ``around`` are the steps around each finding, by its number, and whether each is the step itself."""

    view: AuditView
    around: Mapping[int, tuple[tuple[Passage, bool], ...]] = field(default_factory=dict)
    about: Mapping[str, str] = field(default_factory=dict)
    chains: tuple[ChainSection, ...] = ()
    file_columns: Row = FILE_COLUMNS
    difference_columns: Row = DIFFERENCE_COLUMNS
    dice: tuple[DiceSection, ...] = ()
    rolls: tuple[Row, ...] = ()
    roll_columns: Row = (*ROLL_COLUMNS, "what followed until the next roll")
    turns: tuple[Row, ...] = ()
    turn_columns: Row = TURN_COLUMNS
    notes: tuple[NoteSection, ...] = ()


def page_of(result: AuditResult, excerpts: Excerpts | None = None) -> PageView:
    """Arrange a result; ``excerpts`` are the steps around its findings, if they are to be shown."""
    steps = {file.sha256: file.steps for file in result.inputs}
    dice, turns = dice_of(result.integrity), turns_of(result.integrity)
    return PageView(
        view=view_of(result),
        around=_around(result, excerpts) if excerpts else {},
        about={finding.rule.id: finding.rule.summary for finding in result.findings if finding.rule.id in CATALOGUE},
        chains=tuple(_chain(each, steps, turns) for each in chains_of(result.integrity))
        if len(result.inputs) > 1
        else (),
        dice=tuple(_dice(each) for each in dice.players),
        rolls=tuple(
            (*row, visible(roll.followed_by) or "nothing")
            for row, roll in zip(roll_rows(dice), dice.rolls, strict=True)
        ),
        turns=tuple(turn_rows(turns)),
        notes=tuple(_notes(notes_of(result.integrity))),
    )


def _around(result: AuditResult, excerpts: Excerpts) -> Mapping[int, tuple[tuple[Passage, bool], ...]]:
    return {number: excerpts.around(finding) for number, finding in enumerate(result.findings, 1)}


def _chain(chain: ChainModel, steps: Mapping[str, int], turns: Sequence[TurnModel]) -> ChainSection:
    numbers = [steps.get(file.sha256, 0) for file in chain.files]
    joints = {joint.later: joint for joint in chain.joints}
    return ChainSection(
        picture=chain_picture(chain, numbers, turns),
        files=tuple(
            ChainFile(
                name=visible(file.file),
                cells=(
                    visible(file.file),
                    str(number) if number else "save",
                    joint_line(joints[file.file]) if file.file in joints else "the first",
                    visible(file.engine or "not known"),
                    visible(" ".join(part for part in (file.module, file.module_version) if part) or "not known"),
                    visible(", ".join(f"{name} ({side or 'no side'})" for name, side in file.players.items())),
                ),
                differences=tuple(_differences(joints.get(file.file))),
                besides=tuple(visible(each) for each in joints[file.file].besides) if file.file in joints else (),
            )
            for file, number in zip(chain.files, numbers, strict=True)
        ),
        doubles=tuple(f"{visible(each.file)} holds the same as {visible(each.same_as)}" for each in chain.doubles),
    )


def _differences(joint: JointModel | None) -> Iterable[Row]:
    for piece in joint.pieces if joint else ():
        how = ", ".join([*piece.changes, *piece.details])
        yield visible(piece.name), visible(how), visible(piece.before or "-"), visible(piece.after or "-")


def _dice(luck: LuckModel) -> DiceSection:
    player = visible(luck.player or "not named")
    inferred = ", as the results suggest" if luck.sides_inferred else ""
    undone = f", {luck.undone} taken back" if luck.undone else ""
    test = ""
    if luck.chi_square is not None and luck.probability is not None:
        test = (
            f" Chi-square {luck.chi_square:.2f}: fair dice are at least as uneven in "
            f"{100 * luck.probability:.0f} % of such samples."
        )
    told = (
        f"{count(luck.rolls, 'roll')}{undone}; {count(sum(luck.faces.values()), 'die', 'dice')}, "
        f"mean {luck.mean:.2f}, of fair dice {luck.expected_mean:.1f}.{test}"
    )
    return DiceSection(
        heading=f"{player}, dice with {luck.sides} sides{inferred}",
        picture=dice_picture(luck),
        told=told,
        caution=f"{luck.caution[:1].upper()}{luck.caution[1:]}.",
    )


def _notes(notes: Iterable[NoteModel]) -> Iterable[NoteSection]:
    kinds: dict[str, list[NoteModel]] = {}
    for note in notes:
        kinds.setdefault(note.rule, []).append(note)
    for rule, members in kinds.items():
        yield NoteSection(
            heading=f"{rule} {CATALOGUE[rule].title}: {len(members)}",
            about=CATALOGUE[rule].summary,
            lines=tuple(visible(f"{_place(note)}: {note.message}") for note in members),
        )


def _place(note: NoteModel) -> str:
    return f"{note.place.log}, step {note.place.step}" if note.place.step else note.place.log
