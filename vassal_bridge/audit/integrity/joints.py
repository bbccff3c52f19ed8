"""Make findings and notes of how the files of a chain are joined."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from vassal_bridge.audit.finding import Finding, Place
from vassal_bridge.audit.integrity.catalogue import CATALOGUE
from vassal_bridge.audit.integrity.chain import Chain, Joint, JointKind
from vassal_bridge.audit.integrity.differences import Change, Difference, PieceDifference
from vassal_bridge.audit.integrity.hidden import is_observer
from vassal_bridge.audit.integrity.record import FileRecord, Roll, Versions
from vassal_bridge.audit.integrity.result import Note
from vassal_bridge.audit.integrity.words import listed, number_of, spot
from vassal_bridge.board.knowledge import Reason
from vassal_bridge.board.units import UnitId
from vassal_bridge.rulebook.outcome import Outcome, Verdict
from vassal_bridge.rulebook.rule import Severity

__all__ = ["against_module", "at_joints", "described"]

_EXAMPLES = 3


def at_joints(chain: Chain, index: int) -> Iterator[Finding | Note]:
    """Yield what there is to say of the joint that leads to a file."""
    record = chain.links[index].record
    if record.damage:
        yield _finding("INT-CHAIN-DAMAGED", record, f"{record.name} can be read only in part: {record.damage}.")
    joint = chain.into(index)
    if joint is None:
        return
    earlier = chain.links[joint.earlier].record
    yield from _joined(chain, joint, earlier, record)
    if joint.kind not in (JointKind.SAME_SESSION, JointKind.APPENDS, JointKind.SNAPSHOT):
        yield from _sides(earlier, record)
        yield from _versions(earlier.versions, record.versions, f"{earlier.name} and {record.name}", record)


def described(difference: PieceDifference) -> str:
    """Return in words how a piece differs."""
    parts = []
    if Change.ADDED in difference.changes:
        parts.append(f"is new{_at(difference)}")
    elif Change.REMOVED in difference.changes:
        parts.append(f"is gone{_at(difference)}")
    elif Change.MOVED in difference.changes:
        if difference.before is not None and difference.after is not None:
            parts.append(f"{spot(difference.before)} -> {spot(difference.after)}")
        else:
            parts.append("is elsewhere")
    parts += difference.details or (["is in another state"] if Change.CHANGED in difference.changes else [])
    return f"{difference.name}: {', '.join(parts)}"


def against_module(record: FileRecord, name: str, version: str) -> Iterator[Finding | Note]:
    """Yield what a file says of its module that does not fit the one at hand."""
    own = record.versions
    is_other = own.module is not None and own.module != name
    if is_other or (own.module_version and version and own.module_version != version):
        made = " ".join(part for part in (own.module or name, own.module_version) if part)
        text = f"{record.name} was made with the module {made}; the one given is {name} {version}".rstrip()
        yield _finding("INT-VERSION-MODULE", record, f"{text}.")


def _joined(chain: Chain, joint: Joint, earlier: FileRecord, later: FileRecord) -> Iterator[Finding | Note]:
    one, two = earlier.name, later.name
    match joint.kind:
        case JointKind.DIFFERS | JointKind.MISSING:
            nearer = None if joint.nearer is None else (chain.links[joint.nearer[0]].record, joint.nearer[1])
            yield _differs(joint, earlier, later, nearer)
        case JointKind.RELOADS:
            yield _reloaded(joint, earlier, later)
        case JointKind.BRANCHES:
            yield _branch(joint, earlier, later)
        case JointKind.APPENDS:
            yield _note("INT-CHAIN-APPENDED", later, f"all {number_of(later.steps, 'step')} of {two} are in {one} too")
        case JointKind.SAME_SESSION:
            text = f"{two} and {one} record the same session; {number_of(joint.common, 'step')} are the same"
            yield _note("INT-CHAIN-SAME-SESSION", later, text)
        case JointKind.SNAPSHOT:
            text = f"{two} is the position after step {joint.at_step} of {one}"
            yield _note("INT-CHAIN-SNAPSHOT", later, text)
        case JointKind.CONTINUES:
            pass


def _differs(joint: Joint, earlier: FileRecord, later: FileRecord, nearer: tuple[FileRecord, int] | None) -> Finding:
    difference = joint.difference
    is_missing = joint.kind is JointKind.MISSING
    counts = [
        f"{number} {change}"
        for change in (Change.ADDED, Change.REMOVED, Change.MOVED, Change.CHANGED)
        if (number := difference.count(change))
    ]
    pieces = number_of(len(difference.pieces), "piece") if difference.pieces else ""
    what = ", ".join(part for part in (f"{pieces} ({', '.join(counts)})" if pieces else "", *difference.others) if part)
    verb = "does not start" if later.steps else "is not"
    examples = [described(each) for each in difference.pieces[:_EXAMPLES]]
    more = f" For instance {'; '.join(examples)}." if examples else ""
    message = (
        f"A file between {earlier.name} and {later.name} seems to be missing: {what}.{more}"
        if is_missing
        else f"{later.name} {verb} where {earlier.name} ended: {what}.{more} "
        "Either it was done without being recorded, or a file between the two is missing."
    )
    if nearer is not None:
        record, number = nearer
        message += (
            f" From the end of {record.name} only {number_of(number, 'piece differs', 'pieces differ')}, "
            f"as if {earlier.name} had been dropped."
        )
    return _finding(
        "INT-CHAIN-MISSING" if is_missing else "INT-CHAIN-DIFFERS",
        later,
        message,
        pieces=[each.piece for each in difference.pieces],
        facts={"before": earlier.name, **_counted(difference)},
        # What a damaged file held beyond its readable part nobody knows.
        because=(Reason.REPLAY,) if earlier.damage or later.damage else (),
    )


def _counted(difference: Difference) -> dict[str, object]:
    facts: dict[str, object] = {
        str(change): number
        for change in (Change.ADDED, Change.REMOVED, Change.MOVED, Change.CHANGED)
        if (number := difference.count(change))
    }
    if difference.others:
        facts["besides"] = list(difference.others)
    return facts


def _reloaded(joint: Joint, earlier: FileRecord, later: FileRecord) -> Finding:
    step = joint.at_step or 0
    dropped = [roll for roll in earlier.rolls if roll.place.step > step]
    instead = later.rolls[: len(dropped)]
    rolls = f", among them {_told(dropped)}" if dropped else ""
    return _finding(
        "INT-CHAIN-RELOADED",
        later,
        f"{later.name} starts from the position after step {step} of {earlier.name}, not from its end: "
        f"{number_of(earlier.steps - step, 'step')} after it were dropped{rolls}.",
        facts={
            "before": earlier.name,
            "goes on after step": step,
            "dropped steps": earlier.steps - step,
            "dropped rolls": [_result(roll) for roll in dropped],
            "rolls instead": [_result(roll) for roll in instead],
        },
    )


def _branch(joint: Joint, earlier: FileRecord, later: FileRecord) -> Finding:
    common = joint.common
    one = [roll for roll in earlier.rolls if roll.place.step > common]
    two = [roll for roll in later.rolls if roll.place.step > common]
    shared = f"and share {number_of(common, 'step')}" if common else "and share no step"
    parts = [f"{name} then has {_told(rolls)}" for name, rolls in ((earlier.name, one), (later.name, two)) if rolls]
    return _finding(
        "INT-CHAIN-BRANCH",
        later,
        f"{later.name} and {earlier.name} start from the same position {shared}; only one of them can belong to the "
        f"game.{' ' + '; '.join(parts) + '.' if parts else ''}",
        facts={
            "the other": earlier.name,
            "steps in common": common,
            "rolls of the other": [_result(roll) for roll in one],
            "rolls of this": [_result(roll) for roll in two],
        },
    )


def _told(rolls: Sequence[Roll]) -> str:
    words = [f"{_result(roll)}{f' by {roll.player}' if roll.player else ''} (step {roll.place.step})" for roll in rolls]
    return f"{number_of(len(rolls), 'roll')}: {listed(words, 4)}"


def _result(roll: Roll) -> str:
    return f"{roll.button} = {roll.result}"


def _sides(earlier: FileRecord, later: FileRecord) -> Iterator[Finding | Note]:
    """Compare who has which side; players are known by name only."""
    before, after = earlier.after.players, later.before.players
    for name, side in after.items():
        if name not in before:
            role = "as an onlooker" if is_observer(side) else f"and takes the side {side}"
            yield _note("INT-SIDE-JOINED", later, f"{name} joins {role}", player=name)
        elif before[name] != side and not is_observer(side) and not is_observer(before[name]):
            yield _finding(
                "INT-SIDE-CHANGED", later, f"{name} had the side {before[name]} in {earlier.name} and has {side} now."
            )
        elif before[name] != side:
            yield _note("INT-SIDE-JOINED", later, f"{name}: {before[name]} -> {side}", player=name)


def _versions(before: Versions, after: Versions, where: str, record: FileRecord) -> Iterator[Finding | Note]:
    if before.module and after.module and before.module != after.module:
        text = f"The module is another in {where}: {before.module}, then {after.module}."
        yield _finding("INT-VERSION-MODULE", record, text)
    elif before.module_version and after.module_version and before.module_version != after.module_version:
        text = f"The module's version is another in {where}: {before.module_version}, then {after.module_version}."
        yield _finding("INT-VERSION-MODULE", record, text)
    if before.extensions and after.extensions and set(before.extensions) != set(after.extensions):
        one, two = (listed(_extensions(versions)) for versions in (before, after))
        yield _finding("INT-VERSION-EXTENSIONS", record, f"The extensions are others in {where}: {one}; then {two}.")
    if before.engine and after.engine and before.engine != after.engine:
        yield _note("INT-VERSION-ENGINE", record, f"{where}: VASSAL {before.engine}, then {after.engine}")


def _extensions(versions: Versions) -> list[str]:
    return sorted(f"{name} {version or ''}".strip() for name, version in versions.extensions)


def _at(difference: PieceDifference) -> str:
    place = difference.after or difference.before
    return f" at {spot(place)}" if place is not None else ""


def _finding(
    identity: str,
    record: FileRecord,
    message: str,
    *,
    pieces: Sequence[str] = (),
    facts: dict[str, object] | None = None,
    because: tuple[Reason, ...] = (),
) -> Finding:
    rule = CATALOGUE[identity]
    assert rule.severity is not Severity.NONE
    return Finding(
        rule=rule,
        place=Place(log=record.name, step=0, turn=_turn(record)),
        mark=record.content[:16],
        outcome=Outcome(
            verdict=Verdict.UNKNOWN if because else Verdict.VIOLATION,
            because=because,
            message=message,
            units=tuple(UnitId(piece) for piece in pieces),
            facts=facts or {},
        ),
    )


def _note(identity: str, record: FileRecord, message: str, *, player: str | None = None) -> Note:
    return Note(
        rule=CATALOGUE[identity],
        place=Place(log=record.name, step=0, turn=_turn(record)),
        message=message,
        player=player,
    )


def _turn(record: FileRecord) -> str | None:
    return ", ".join(" ".join(text.split()) for text in record.before.turn_texts.values()) or None
