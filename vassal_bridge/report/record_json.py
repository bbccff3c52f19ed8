"""What the integrity audit says, in the shapes of the report."""

from __future__ import annotations

from vassal_bridge.audit.integrity.chain import Chain, Joint, Link
from vassal_bridge.audit.integrity.differences import PieceDifference
from vassal_bridge.audit.integrity.luck import Luck
from vassal_bridge.audit.integrity.record import PlayerTally, Roll, Segment
from vassal_bridge.audit.integrity.result import Integrity, Note
from vassal_bridge.audit.integrity.words import spot
from vassal_bridge.report.models import (
    ChainFileModel,
    ChainModel,
    DiceModel,
    DoubleModel,
    JointModel,
    LuckModel,
    NoteModel,
    PieceDifferenceModel,
    PlaceModel,
    RollModel,
    TurnModel,
    TurnPlayerModel,
)
from vassal_bridge.report.plain import clean

__all__ = ["chains_of", "dice_of", "notes_of", "turns_of"]

_DIGITS = 6


def dice_of(integrity: Integrity | None) -> DiceModel:
    """Return the rolls and how they fell."""
    if integrity is None:
        return DiceModel(rolls=[], players=[])
    return DiceModel(rolls=[_roll(each) for each in integrity.rolls], players=[_luck(each) for each in integrity.lucks])


def chains_of(integrity: Integrity | None) -> list[ChainModel]:
    """Return the files in their order, with what differs where they meet."""
    return [_chain(each) for each in integrity.chains] if integrity else []


def turns_of(integrity: Integrity | None) -> list[TurnModel]:
    """Return what was done by turn and player."""
    return [_turn(each) for each in integrity.segments] if integrity else []


def notes_of(integrity: Integrity | None) -> list[NoteModel]:
    """Return the notes."""
    return [_note(each) for each in integrity.notes] if integrity else []


def _roll(roll: Roll) -> RollModel:
    return RollModel(
        log=clean(roll.place.log),
        step=roll.place.step,
        turn=_text(roll.place.turn),
        player=_text(roll.player),
        button=clean(roll.button),
        result=clean(roll.result),
        faces=list(roll.faces),
        sides=roll.sides,
        source=roll.source.value,
        in_force=roll.is_in_force,
        undone_at=roll.undone_at,
        repeats=roll.repeats,
        repeats_in=_text(roll.repeats_in),
        restored_at=roll.restored_at,
        restored_in=_text(roll.restored_in),
        followed_by=clean(roll.followed_by),
    )


def _luck(luck: Luck) -> LuckModel:
    return LuckModel(
        player=_text(luck.player),
        sides=luck.sides,
        sides_inferred=luck.is_inferred,
        rolls=luck.rolls,
        undone=luck.undone,
        faces={str(face): count for face, count in luck.faces.items()},
        mean=round(luck.mean, _DIGITS),
        expected_mean=luck.expected_mean,
        chi_square=None if luck.chi_square is None else round(luck.chi_square, _DIGITS),
        probability=None if luck.probability is None else round(luck.probability, _DIGITS),
        caution=luck.caution,
    )


def _chain(chain: Chain) -> ChainModel:
    return ChainModel(
        files=[_file(link) for link in chain.links],
        joints=[_joint(chain, joint) for joint in chain.joints],
        doubles=[DoubleModel(file=clean(double.name), same_as=clean(kept.name)) for double, kept in chain.doubles],
    )


def _file(link: Link) -> ChainFileModel:
    record = link.record
    versions = record.versions
    return ChainFileModel(
        file=clean(record.name),
        sha256=record.sha256,
        side=link.is_side,
        repeated_steps=link.skip,
        engine=_text(versions.engine),
        module=_text(versions.module),
        module_version=_text(versions.module_version),
        extensions=[clean(f"{name} {version or ''}".strip()) for name, version in versions.extensions],
        players={clean(name): _text(side) for name, side in record.after.players.items()},
    )


def _joint(chain: Chain, joint: Joint) -> JointModel:
    difference = joint.difference
    return JointModel(
        earlier=clean(chain.links[joint.earlier].record.name),
        later=clean(chain.links[joint.later].record.name),
        kind=joint.kind.value,
        at_step=joint.at_step,
        common_steps=joint.common,
        pieces=[_piece(each) for each in difference.pieces],
        traces=difference.traces,
        besides=[clean(each) for each in difference.others],
    )


def _piece(difference: PieceDifference) -> PieceDifferenceModel:
    return PieceDifferenceModel.model_validate(
        {
            "piece": difference.piece,
            "name": clean(difference.name),
            "changes": [change.value for change in difference.changes],
            "before": None if difference.before is None else clean(spot(difference.before)),
            "after": None if difference.after is None else clean(spot(difference.after)),
            "details": [clean(each) for each in difference.details],
        }
    )


def _note(note: Note) -> NoteModel:
    place = note.place
    return NoteModel(
        rule=note.rule.id,
        message=clean(note.message),
        place=PlaceModel(log=clean(place.log), step=place.step, turn=_text(place.turn), phase=place.phase),
        player=_text(note.player),
    )


def _turn(segment: Segment) -> TurnModel:
    return TurnModel(
        log=clean(segment.log),
        turn=_text(segment.turn),
        first_step=segment.first,
        last_step=segment.last,
        players=[_player(name, tally) for name, tally in sorted(segment.players.items())],
    )


def _player(name: str, tally: PlayerTally) -> TurnPlayerModel:
    return TurnPlayerModel(
        player=clean(name),
        moves=tally.moves,
        changes=tally.changes,
        rolls=tally.rolls,
        undos=tally.undos,
        lines=tally.lines,
    )


def _text(text: str | None) -> str | None:
    return None if text is None else clean(text)
