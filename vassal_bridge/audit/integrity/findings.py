"""Make findings and notes of what was seen in the files and at their joints.

Every finding states a fact of the record. Whether the fact is an offence, the players and their event decide; where it
hangs on who did it and no step says who, the verdict is unknown.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from typing import Final

from vassal_bridge.audit.finding import Finding, Place
from vassal_bridge.audit.integrity.catalogue import CATALOGUE
from vassal_bridge.audit.integrity.chain import Chain, Link
from vassal_bridge.audit.integrity.joints import at_joints
from vassal_bridge.audit.integrity.record import Event, EventKind, FileRecord, Roll, UndoneAct, UndoRun
from vassal_bridge.audit.integrity.result import Note
from vassal_bridge.audit.integrity.throws import Source
from vassal_bridge.audit.integrity.words import listed, number_of
from vassal_bridge.board.knowledge import Reason
from vassal_bridge.board.units import UnitId
from vassal_bridge.rulebook.outcome import Outcome, Verdict
from vassal_bridge.rulebook.rule import Severity

__all__ = ["judge", "rolls_of"]

_NOTES: Final[Mapping[EventKind, str]] = {
    EventKind.DRAWN: "INT-HIDDEN-DRAWN",
    EventKind.JOINED: "INT-SIDE-JOINED",
    EventKind.LEFT: "INT-SIDE-JOINED",
    EventKind.CHANGED_SIDE: "INT-SIDE-CHANGED",
    EventKind.MADE: "INT-RECORD-MADE",
    EventKind.DELETED: "INT-RECORD-DELETED",
    EventKind.REPLACED: "INT-RECORD-REPLACED",
    EventKind.EDITED: "INT-RECORD-EDITED",
    EventKind.DOUBLED: "INT-RECORD-DOUBLED",
    EventKind.TURN_BACK: "INT-RECORD-TURN-BACK",
    EventKind.PROPERTY_BACK: "INT-RECORD-VALUE-BACK",
    EventKind.TELEPORTED: "INT-RECORD-TELEPORT",
    EventKind.RELOADED: "INT-RECORD-LOADED",
    EventKind.UNBACKED: "INT-DICE-UNBACKED",
}
_INFORMING: Final = frozenset({"roll", "reveal", "draw"})


def judge(chain: Chain) -> Iterator[Finding | Note]:
    """Yield findings and notes of a chain in the order of its files and their steps."""
    for index, link in enumerate(chain.links):
        yield from at_joints(chain, index)
        following = chain.following(index)
        told = [*_undos(link.record, following), *_dice(link.record), *_events(link.record)]
        later = [each for each in told if each.place.step > link.skip]
        yield from sorted(later, key=lambda each: (each.place.step, each.rule.id))
    for double, kept in chain.doubles:
        yield Note(
            rule=CATALOGUE["INT-CHAIN-DOUBLE"],
            place=Place(log=double.name, step=0),
            message=f"{double.name} holds the same as {kept.name}",
        )


def _events(record: FileRecord) -> Iterator[Finding | Note]:
    for event in record.events:
        match event.kind:
            case EventKind.UNMASKED | EventKind.REVEALED:
                is_other = event.is_owner is False and event.is_certain
                yield _made("INT-HIDDEN-BY-OTHER" if is_other else "INT-HIDDEN-SHOWN", event)
            case EventKind.PEEKED:
                yield _made("INT-HIDDEN-SHOWN", event) if event.is_owner else _by_whom("INT-HIDDEN-PEEK", event)
            case EventKind.TAKEN_OVER:
                yield _made("INT-HIDDEN-SHOWN", event) if event.is_owner else _by_whom("INT-HIDDEN-TAKEN", event)
            case EventKind.DISLOCATED:
                yield _made("INT-RECORD-GAP" if _is_modern(record) else "INT-RECORD-GAP-OLD", event)
            case _:
                yield _made(_NOTES[event.kind], event)


def _made(identity: str, event: Event) -> Finding | Note:
    rule = CATALOGUE[identity]
    text = _by(event.text, event)
    if rule.severity is Severity.NONE:
        return Note(rule=rule, place=event.place, message=text, player=event.player)
    return Finding(
        rule=rule,
        place=event.place,
        mark=f"{event.place.step} {event.text}",
        outcome=Outcome(verdict=Verdict.VIOLATION, message=_sentence(text), units=_units(event)),
    )


def _by_whom(identity: str, event: Event) -> Finding:
    """Return a finding that hangs on who did it; where no step says who, it is not decided."""
    is_known = event.is_certain and event.is_owner is False
    facts: dict[str, object] = {}
    if not is_known:
        facts["would_decide"] = "who did it"
        if event.player is not None:
            facts["probably"] = event.player
    return Finding(
        rule=CATALOGUE[identity],
        place=event.place,
        mark=f"{event.place.step} {event.text}",
        outcome=Outcome(
            verdict=Verdict.VIOLATION if is_known else Verdict.UNKNOWN,
            because=() if is_known else (Reason.AUTHOR,),
            message=_sentence(_by(event.text, event)),
            units=_units(event),
            facts=facts,
        ),
    )


def _by(text: str, event: Event) -> str:
    if event.player is None or event.player in text:
        return text
    return f"{text}, {'' if event.is_certain else 'probably '}by {event.player}"


def _units(event: Event) -> tuple[UnitId, ...]:
    return tuple(UnitId(piece) for piece in event.pieces)


def _is_modern(record: FileRecord) -> bool:
    """Tell whether a file was written by VASSAL 3 or later."""
    major = (record.versions.engine or "").partition(".")[0]
    return major.isdecimal() and len(major) < 5 and int(major) >= 3


# --- what was taken back ---------------------------------------------------------------------------------------------


def _undos(record: FileRecord, following: FileRecord | None) -> Iterator[Finding | Note]:
    thrown = {roll.place.step: roll for roll in record.rolls if not roll.is_in_force}
    rolls = [*record.rolls, *(following.rolls if following else ())]
    again: dict[int, Roll] = {
        roll.repeats: roll
        for roll in rolls
        if roll.repeats is not None and (roll.repeats_in or roll.place.log) == record.name
    }
    for run in record.undo_runs:
        yield from _run(run, thrown, again)
    if record.loose_undos:
        first = next(run for run in record.undo_runs if any(act.step is None for act in run.acts))
        text = f"{number_of(record.loose_undos, 'undo', 'undos')} of something that is not in this log"
        yield Note(rule=CATALOGUE["INT-UNDO-LOOSE"], place=first.place, message=text)


def _run(run: UndoRun, thrown: Mapping[int, Roll], again: Mapping[int, Roll]) -> Iterator[Finding | Note]:
    acts = [act for act in run.acts if act.step is not None]
    rolls = [thrown[step] for act in acts if (step := act.step) is not None and step in thrown]
    restored = {roll.place.step for roll in rolls if roll.restored_at is not None}
    pairs = [(roll, again[roll.place.step]) for roll in rolls if roll.place.step in again.keys() - restored]
    seen = frozenset().union(*(act.kinds for act in acts if act.step not in restored))
    if pairs:
        yield _rerolled(run, pairs)
    elif seen & _INFORMING:
        yield _informed("INT-UNDO-INFORMED", run, acts)
    elif restored:
        yield Note(rule=CATALOGUE["INT-DICE-RESTORED"], place=run.place, message=_restored(rolls), player=run.player)
    elif "flip" in seen and _is_turned(acts):
        yield _informed("INT-UNDO-FLIP", run, acts)
    elif acts:
        yield Note(rule=CATALOGUE["INT-UNDO-PLAIN"], place=run.place, message=_taken_back(acts), player=run.player)


def _is_turned(acts: Sequence[UndoneAct]) -> bool:
    """Tell whether a counter was turned, and not turned back already by hand."""
    turns = Counter(words for act in acts if act.kinds == {"flip"} for words in act.seen)
    return any(number % 2 for number in turns.values())


def _restored(rolls: Sequence[Roll]) -> str:
    words = [
        f"{roll.button} = {roll.result} of step {roll.place.step}, again in step {roll.restored_at}"
        f"{f' of {roll.restored_in}' if roll.restored_in else ''}"
        for roll in reversed(rolls)
    ]
    return f"taken back and there again with the same result: {listed(words, 4)}"


def _rerolled(run: UndoRun, again: Sequence[tuple[Roll, Roll]]) -> Finding:
    ordered = sorted(again, key=lambda pair: pair[0].place.step)
    first = ordered[0][0]
    pairs = [
        f"{before.button} = {before.result} in step {before.place.step}, then {after.result} in step {after.place.step}"
        f"{f' of {after.place.log}' if after.repeats_in else ''}"
        for before, after in ordered
    ]
    player = first.player or run.player or "somebody"
    what = "a roll was" if len(ordered) == 1 else f"{len(ordered)} rolls were"
    others = [act for act in run.acts if act.step not in {before.place.step for before, _ in ordered}]
    return Finding(
        rule=CATALOGUE["INT-DICE-REROLL"],
        place=run.place,
        mark=f"{first.place.step} {' '.join(pairs)}",
        outcome=Outcome(
            verdict=Verdict.VIOLATION,
            message=f"{what[0].upper()}{what[1:]} taken back and made again by {player}: {listed(pairs, 4)}.",
            facts={
                "taken back in": _steps(run),
                "first results": [before.result for before, _ in ordered],
                "second results": [after.result for _, after in ordered],
                **({"taken back as well": _taken_back(others)} if others else {}),
            },
        ),
    )


def _informed(identity: str, run: UndoRun, acts: Sequence[UndoneAct]) -> Finding:
    seen = [f"{words} (step {act.step})" for act in reversed(acts) for words in act.seen]
    plain = [act for act in acts if not act.seen]
    player = f" by {run.player}" if run.player else ""
    facts: dict[str, object] = {"taken back in": _steps(run), "what had been seen": seen}
    if plain:
        facts["taken back as well"] = _taken_back(plain)
    return Finding(
        rule=CATALOGUE[identity],
        place=run.place,
        mark=" ".join(f"{act.step} {' '.join((*act.seen, *act.deeds))}" for act in acts),
        outcome=Outcome(
            verdict=Verdict.VIOLATION,
            message=f"{number_of(len(acts), 'step')} taken back{player} after this was seen: {listed(seen, 4)}.",
            facts=facts,
        ),
    )


def _taken_back(acts: Sequence[UndoneAct]) -> str:
    words = [f"step {act.step}: {listed([*act.seen, *act.deeds], 2) or 'nothing that shows'}" for act in reversed(acts)]
    return f"{listed(words, 4)}"


def _steps(run: UndoRun) -> str:
    return f"step {run.place.step}" if run.last == run.place.step else f"steps {run.place.step} to {run.last}"


# --- dice ------------------------------------------------------------------------------------------------------------


def _dice(record: FileRecord) -> Iterator[Note]:
    for roll in record.rolls:
        if roll.source is Source.PROPERTY:
            yield Note(
                rule=CATALOGUE["INT-DICE-SILENT"],
                place=roll.place,
                message=f"{roll.button} = {roll.result}, without a line in the chat",
                player=roll.player,
            )


def _sentence(text: str) -> str:
    return f"{text[:1].upper()}{text[1:]}."


def rolls_of(links: Sequence[Link]) -> tuple[Roll, ...]:
    """Return the rolls of files in their order, those that two files hold once."""
    return tuple(roll for link in links for roll in link.record.rolls if roll.place.step > link.skip)
