"""Audit the logs of a game: the one entry that all fronts call.

What is not given is looked up: the profile by the module that the files name, the rule set by the profile, the module
itself where it is one of ours. What cannot be found limits the audit and is said in a remark; it is no error.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path, PurePath

from vassal_bridge import __version__
from vassal_bridge.audit.events import LogRecord
from vassal_bridge.audit.finding import AuditResult, Coverage, InputFile
from vassal_bridge.audit.integrity import Integrity, Openable, audit_integrity
from vassal_bridge.audit.integrity.record import FileRecord
from vassal_bridge.audit.record import read_log
from vassal_bridge.audit.shipped import shipped_module
from vassal_bridge.audit.walk import Walk
from vassal_bridge.checks import CHECKS
from vassal_bridge.datadirs import data_dir
from vassal_bridge.errors import OptionError
from vassal_bridge.profiles import Profile, Reading, find_profile, load_profile
from vassal_bridge.rulebook.load import find_rules, load_rules
from vassal_bridge.rulebook.rule import RuleSet, Status
from vassal_bridge.vassal.container import FileKind, Metadata, VassalFile
from vassal_bridge.vassal.game import Game, read_game
from vassal_bridge.vassal.module import Module, read_module

__all__ = ["audit_files", "audit_log"]


def audit_files(
    files: Sequence[Openable],
    *,
    module: VassalFile | None = None,
    rules: str | Path | None = None,
    profile: str | Path | None = None,
) -> AuditResult:
    """Audit logs and saves with what options name: the integrity of the record, and the rules where they are known.

    Args:
        files: Logs and saves in any order; they are put in order by what they hold. What only opens a file is called
            when its turn has come, so that few are open at a time.
        module: Their module; needed for modules that are not ours.
        rules: Name of a shipped rule set, or the folder of another one.
        profile: Name of a shipped profile, or the folder of another one.

    Raises:
        BridgeError: A file is no log or save, an option names nothing that is there, or rules or profile have faults.
    """
    if not files:
        raise OptionError("there is no file to audit")
    chosen = _named_profile(profile) if profile is not None else None
    if chosen is None and module is not None:
        chosen = find_profile(module)
    first = _opened(files[0])
    places = _places(first, chosen, module)
    integrity = audit_integrity([first, *files[1:]], places)
    tools = _look_up(
        [each for each in (record.metadata for record in integrity.records) if each is not None],
        load_rules(rules, CHECKS) if rules is not None else None,
        chosen,
        places,
    )
    if tools is None:
        return _integrity_only(integrity)
    played = [files[record.index] for record in integrity.main_line]
    return _joined(_with_rules(played, tools), integrity)


def audit_log(
    files: Sequence[VassalFile],
    *,
    rule_set: RuleSet | None = None,
    profile: Profile | None = None,
    module: Module | None = None,
) -> AuditResult:
    """Audit the logs of one game in their order, or a saved game alone, against the rules only.

    Args:
        files: Logs and saves, opened.
        rule_set: The rules; None takes those that the profile names.
        profile: What the module means; None looks for one that fits.
        module: Where its places are; None takes ours, if it is one of ours, else no place is known.

    Raises:
        BridgeError: A file is no log or save, there is no profile for it, or rules or profile have faults or do not fit
            each other.
    """
    if not files:
        raise OptionError("there is no file to audit")
    known = [file.module_metadata for file in files if file.module_metadata is not None]
    tools = _look_up(known, rule_set, profile, module)
    if tools is None:
        raise OptionError(_no_profile(known))
    return _with_rules(files, tools)


@dataclass(frozen=True, slots=True, kw_only=True)
class _Tools:
    rules: RuleSet
    profile: Profile
    module: Module | None


def _look_up(
    known: Sequence[Metadata], rule_set: RuleSet | None, profile: Profile | None, module: Module | None
) -> _Tools | None:
    found = profile or next((each for of in known if (each := find_profile(of)) is not None), None)
    if found is None:
        return None
    if rule_set is None:
        if found.game not in find_rules():
            return None
        rule_set = load_rules(found.game, CHECKS)
    elif rule_set.game.id != found.game:
        raise OptionError(f"the profile {found.name} is for the rules of {found.game}, not of {rule_set.game.id}")
    return _Tools(rules=rule_set, profile=found, module=module or shipped_module(found))


def _opened(file: Openable) -> VassalFile:
    return file if isinstance(file, VassalFile) else file()


def _places(first: VassalFile, profile: Profile | None, module: VassalFile | None) -> Module | None:
    """Return the module of the files, for the names of places: the one given, or ours if it is one of ours."""
    if module is not None:
        return read_module(module)
    profile = profile or find_profile(first)
    return shipped_module(profile) if profile is not None else None


def _named_profile(name: str | Path) -> Profile:
    folder = data_dir("modules") / str(name)
    if isinstance(name, str) and PurePath(name).name == name and (folder / "profile.toml").is_file():
        return load_profile(folder)
    return load_profile(Path(name))


# --- with rules ------------------------------------------------------------------------------------------------------


def _with_rules(files: Sequence[Openable], tools: _Tools) -> AuditResult:
    terrain = tools.profile.terrain(tools.rules.game.numbering)
    reading = Reading(tools.profile, tools.rules.game)
    walk = Walk(rules=tools.rules, terrain=terrain)
    records, inputs = [], []
    for file in files:
        # One game at a time: of each only what the rules need is kept.
        game = read_game(_opened(file))
        record = read_log(_name(game), game, tools.module, reading)
        records.append(record)
        inputs.append(_input(game, record))
        if len(files) == 1 and game.file.kind is not FileKind.LOG:
            walk.inspect_only(record)
        else:
            walk.add(record)
    walk.close()
    return AuditResult(
        tool_version=__version__,
        inputs=tuple(inputs),
        coverage=_coverage(tools.rules, walk, records),
        findings=walk.ledger.findings(),
        undecided=walk.ledger.undecided(),
        game=tools.rules.game.id,
        rules_version=tools.rules.game.version,
        profile=tools.profile.name,
        phases={phase.id: phase.name for phase in tools.rules.game.phases.values()},
        remarks=tuple(_remarks(tools, walk, records)),
    )


def _coverage(rules: RuleSet, walk: Walk, records: Sequence[LogRecord]) -> Coverage:
    statuses = Counter(rule.status for rule in rules.rules.values())
    unread: dict[str, Counter[str]] = {}
    for record in records:
        for kind, names in record.unread.items():
            unread.setdefault(kind, Counter()).update(names)
    return Coverage(
        checked=statuses[Status.CHECKED] + statuses[Status.PREVIEW],
        planned=statuses[Status.PLANNED],
        not_checkable=statuses[Status.NOT_CHECKABLE],
        occasions=walk.ledger.occasions(),
        unread={kind: dict(sorted(count.items())) for kind, count in sorted(unread.items())},
    )


def _remarks(tools: _Tools, walk: Walk, records: Sequence[LogRecord]) -> list[str]:
    remarks = [f"{record.log}: {record.damage}" for record in records if record.damage]
    if tools.module is None:
        remarks.append("the module is not at hand: no place on its maps is known, so hardly any rule could be checked")
    if not records[0].start.is_opening:
        remarks.append(f"{records[0].log} begins in mid-game: what was done before it is not known")
    remarks += [
        f"{where}: {count} counters are elsewhere or different from what the steps led to expect"
        for where, count in walk.differences.items()
    ]
    remarks += walk.remarks
    remarks += walk.declarations.remarks
    if walk.unexplained:
        first = walk.unexplained[0]
        count = len(walk.unexplained)
        changes = "1 change on the board fits" if count == 1 else f"{count} changes on the board fit"
        remarks.append(f"{changes} no act of the game, the first in step {first.step} of {first.log}")
    return remarks


# --- the record ------------------------------------------------------------------------------------------------------


def _integrity_only(integrity: Integrity) -> AuditResult:
    known = [each for each in (record.metadata for record in integrity.records) if each is not None]
    remarks = [_no_profile(known), *(f"{each.name}: {each.damage}" for each in integrity.records if each.damage)]
    return AuditResult(
        tool_version=__version__,
        inputs=tuple(_record_input(record) for record in integrity.records),
        coverage=Coverage(unread=integrity.unread),
        findings=integrity.findings,
        remarks=tuple(remarks),
        integrity=integrity,
    )


def _joined(result: AuditResult, integrity: Integrity) -> AuditResult:
    """Put the findings of both audits together, those on the record first."""
    judged = {each.sha256: each for each in result.inputs}
    left_out = [record.name for record in integrity.records if record.sha256 not in judged]
    remarks = list(result.remarks)
    if left_out:
        remarks.append(f"not on the main line of the game, so no rule was asked of them: {', '.join(left_out)}")
    return replace(
        result,
        inputs=tuple(judged.get(record.sha256) or _record_input(record) for record in integrity.records),
        findings=(*integrity.findings, *result.findings),
        remarks=tuple(remarks),
        integrity=integrity,
    )


def _record_input(record: FileRecord) -> InputFile:
    before, after = (", ".join(moment.turn_texts.values()) or None for moment in (record.before, record.after))
    return InputFile(
        file=record.name,
        sha256=record.sha256,
        kind=record.kind,
        steps=record.steps,
        from_turn=before,
        to_turn=after,
    )


def _no_profile(known: Sequence[Metadata]) -> str:
    metadata = next(iter(known), None)
    if metadata is None or not metadata.name:
        return "the file does not name its module, so no profile was found and no rules were checked"
    version = f" {metadata.version}" if metadata.version else ""
    return f"no profile fits the module {metadata.name}{version}: no rules were checked"


def _name(game: Game) -> str:
    return PurePath(game.file.name).name


def _input(game: Game, record: LogRecord | None) -> InputFile:
    return InputFile(
        file=_name(game),
        sha256=game.file.sha256,
        kind=game.file.kind.value,
        steps=len(game.steps),
        from_turn=record.start.clock.turn if record else None,
        to_turn=record.end.clock.turn if record else None,
    )
