"""Read a rule set from its folder, and say everything that is wrong with it at once.

A game is a folder with ``game.toml`` (sides, phases, numbering, shared definitions), ``units.toml``, ``terrain.toml``,
``defects.toml``, and any number of files with ``[[rule]]`` entries, one for each family.
"""

from __future__ import annotations

import dataclasses
import re
import tomllib
from collections.abc import Iterator, Mapping
from pathlib import Path
from types import GenericAlias
from typing import Any, TypeVar

from pydantic import ConfigDict, TypeAdapter, ValidationError

from vassal_bridge.board.game import Game, Phase, PhaseId
from vassal_bridge.board.units import UnitType
from vassal_bridge.datadirs import data_dir
from vassal_bridge.errors import RuleFileError
from vassal_bridge.rulebook.check import Check
from vassal_bridge.rulebook.rule import Defect, Rule, RuleSet, Severity, Status

__all__ = ["find_rules", "load_rules", "problems"]

T = TypeVar("T")

_DEFINITIONS = ("game.toml", "units.toml", "terrain.toml", "defects.toml")


def find_rules() -> dict[str, Path]:
    """Return the folders of the rule sets that come with the package, by game id."""
    return {folder.name: folder for folder in sorted(data_dir("rules").iterdir()) if (folder / "game.toml").is_file()}


def load_rules(game: str | Path, checks: Mapping[str, Check[Any]]) -> RuleSet:
    """Read the rule set of a game that comes with the package, or of a folder.

    Raises:
        RuleFileError: There is no such game, or the files have faults; ``problems`` holds all of them.
    """
    folder = _folder(game)
    reader = _Reader(folder, checks)
    rule_set = reader.read()
    if reader.faults or rule_set is None:
        raise RuleFileError(reader.faults[0], file=str(folder), problems=tuple(reader.faults))
    return rule_set


def problems(folder: str | Path, checks: Mapping[str, Check[Any]]) -> list[str]:
    """Return all faults of a rule set as file, id, key and what is wrong; an empty list if there are none."""
    reader = _Reader(_folder(folder), checks)
    reader.read()
    return reader.faults


def _folder(game: str | Path) -> Path:
    known = find_rules()
    if isinstance(game, str) and game in known:
        return known[game]
    folder = Path(game)
    if not (folder / "game.toml").is_file():
        raise RuleFileError(
            f"no rule set: neither one of {', '.join(known) or 'none'} nor a folder with a game.toml", file=str(game)
        )
    return folder


class _Reader:
    """Reads one folder and collects its faults."""

    def __init__(self, folder: Path, checks: Mapping[str, Check[Any]]) -> None:
        self.folder = folder
        self.checks = checks
        self.faults: list[str] = []
        self._stated: set[str] = set()

    def read(self) -> RuleSet | None:
        game = self._game()
        defects = self._entries("defects.toml", "defect", Defect) if (self.folder / "defects.toml").is_file() else []
        rules = list(self._rules())
        known = {rule.id: rule for rule in rules}
        self._judge_references(known, {defect.id for defect in defects}, game)
        if game is None:
            return None
        return RuleSet(
            game=game, rules=known, defects={defect.id: defect for defect in defects}, checks=dict(self.checks)
        )

    # --- definitions ---------------------------------------------------------------------------------------------

    def _game(self) -> Game | None:
        data = self._document("game.toml")
        units = self._entries("units.toml", "unit", UnitType)
        stated = self._tables(data.pop("phase", []), "game.toml", "phase")
        phases = [self._build(Phase, each, "game.toml", f"phase {each.get('id')}") for each in stated]
        data["phases"] = {phase.id: phase for phase in phases if phase is not None}
        data["unit_types"] = {unit.code: unit for unit in units}
        data["terrain"] = self._document("terrain.toml")
        self._judge_sides(data, units)
        game = self._build(Game, data, "game.toml", str(data.get("id", "")))
        if game is not None:
            self.faults += [f"game.toml: {fault}" for fault in (*_wrong_forms(game), *_missing_rows(game))]
        return game

    def _judge_sides(self, data: Mapping[str, Any], units: list[UnitType]) -> None:
        stated = data.get("sides")
        if not isinstance(stated, list):
            return
        sides = {str(each) for each in stated}
        for unit in units:
            if unit.side not in sides:
                self.faults.append(f"units.toml: {unit.code}: side: no side {unit.side!r}")
        phases: Mapping[PhaseId, Phase] = data["phases"]
        for phase in phases.values():
            if phase.side is not None and phase.side not in sides:
                self.faults.append(f"game.toml: phase {phase.id}: side: no side {phase.side!r}")

    # --- rules ---------------------------------------------------------------------------------------------------

    def _rules(self) -> Iterator[Rule]:
        seen: dict[str, str] = {}
        for path in sorted(self.folder.glob("*.toml")):
            if path.name in _DEFINITIONS:
                continue
            for entry in self._only_tables(path.name, "rule"):
                rule = self._rule(path.name, entry)
                if rule is None:
                    continue
                if rule.id in seen:
                    self.faults.append(f"{path.name}: {rule.id}: id: already used in {seen[rule.id]}")
                seen[rule.id] = path.name
                yield rule

    def _rule(self, file: str, entry: dict[str, Any]) -> Rule | None:
        name = str(entry.get("id", "?"))
        self._stated.add(name)
        stated = entry.pop("params", None)
        rule = self._build(Rule, entry, file, name)
        if rule is None:
            return None
        if rule.check is None:
            return self._rule_without_check(file, rule, stated)
        check = self.checks.get(rule.check)
        if check is None:
            self.faults.append(f"{file}: {name}: check: no check {rule.check!r}")
            return None
        if rule.when not in check.when:
            allowed = ", ".join(sorted(check.when))
            self.faults.append(f"{file}: {name}: when: {rule.check} is asked on {allowed}, not on {rule.when}")
        if not rule.is_checked:
            self.faults.append(f"{file}: {name}: status: a rule with a check is checked or preview, not {rule.status}")
        if not isinstance(stated, dict | None):
            self.faults.append(f"{file}: {name}: params: must be a table")
            return None
        params = self._build(check.params, stated or {}, file, f"{name}: params")
        return None if params is None else dataclasses.replace(rule, params=params)

    def _rule_without_check(self, file: str, rule: Rule, stated: object) -> Rule:
        if stated is not None:
            self.faults.append(f"{file}: {rule.id}: params: given without a check")
        needs_check = rule.is_checked and rule.severity is not Severity.NONE and rule.same_as is None
        if needs_check:
            self.faults.append(f"{file}: {rule.id}: check: missing, although the rule is {rule.status}")
        if rule.status is Status.NOT_CHECKABLE and not rule.why:
            self.faults.append(f"{file}: {rule.id}: why: missing, although the rule is not checkable")
        return rule

    def _judge_references(self, rules: Mapping[str, Rule], defects: set[str], game: Game | None) -> None:
        for rule in rules.values():
            for key, other in [("same_as", rule.same_as), *(("see", each) for each in rule.see)]:
                # A rule with faults of its own is told of once, where it stands.
                if other is not None and other not in self._stated:
                    self.faults.append(f"{rule.id}: {key}: no rule {other!r}")
            if rule.reading is not None and rule.reading not in defects:
                self.faults.append(f"{rule.id}: reading: no entry {rule.reading!r} in defects.toml")
            if game is not None and not rule.id.startswith(game.prefix):
                self.faults.append(f"{rule.id}: id: does not begin with {game.prefix}")
            if game is not None:
                self.faults += [f"{rule.id}: params.{fault}" for fault in _foreign_words(rule, game, defects)]

    # --- documents -----------------------------------------------------------------------------------------------

    def _document(self, name: str) -> dict[str, Any]:
        path = self.folder / name
        try:
            return tomllib.loads(path.read_text(encoding="utf-8"))
        except FileNotFoundError:
            self.faults.append(f"{name}: missing")
        except OSError as error:
            self.faults.append(f"{name}: cannot be read: {error.strerror}")
        except (ValueError, RecursionError) as error:  # a number of 5000 digits is an error of its own
            self.faults.append(f"{name}: is not TOML: {error}")
        return {}

    def _only_tables(self, name: str, key: str) -> list[dict[str, Any]]:
        """Return the tables ``[[key]]`` of a file that holds nothing else."""
        document = self._document(name)
        self.faults += [f"{name}: {other}: unknown key" for other in sorted(document.keys() - {key})]
        return self._tables(document.get(key, []), name, key)

    def _tables(self, stated: object, name: str, key: str) -> list[dict[str, Any]]:
        if isinstance(stated, list) and all(isinstance(each, dict) for each in stated):
            return stated
        self.faults.append(f"{name}: {key}: must be tables, each headed [[{key}]]")
        return []

    def _entries(self, name: str, key: str, cls: type[T]) -> list[T]:
        entries = self._only_tables(name, key)
        built = [self._build(cls, each, name, str(each.get("id") or each.get("code") or "?")) for each in entries]
        return [each for each in built if each is not None]

    def _build(self, cls: type[T], data: Mapping[str, Any], file: str, name: str) -> T | None:
        """Make a dataclass of a table; unknown keys are faults at any depth, as are missing ones and wrong types."""
        try:
            around: Any = GenericAlias(tuple, (cls,))
            (built,) = TypeAdapter[tuple[T]](around, config=_STRANGERS_REFUSED).validate_python((data,))
        except ValidationError as error:
            for fault in error.errors():
                key = ".".join(str(part) for part in fault["loc"][1:])
                is_strange = fault["type"] == "unexpected_keyword_argument"
                what = "unknown key" if is_strange else fault["msg"].removeprefix("Value error, ")
                self.faults.append(": ".join(part for part in (file, name, key, what) if part))
            return None
        return built


# Pydantic takes a setting for dataclasses, nested ones included, only through a type around them.
_STRANGERS_REFUSED = ConfigDict(extra="forbid")


def _foreign_words(rule: Rule, game: Game, defects: set[str]) -> Iterator[str]:
    """Yield parameters that name a side, nationality or ambiguity which the game does not have.

    They go by the names of the fields: ``nations``, ``reading``, ``readings``, and what ends in ``side``.
    """
    if rule.params is None:
        return
    nations = set(game.nations)
    for field in dataclasses.fields(rule.params):
        value = getattr(rule.params, field.name)
        if field.name == "nations":
            yield from (f"nations: no nationality {each!r}" for each in value if each not in nations)
        elif field.name.endswith("side") and value and value not in game.sides:
            yield f"{field.name}: no side {value!r}"
        elif field.name == "reading" and value not in defects:
            yield f"reading: no entry {value!r} in defects.toml"
        elif field.name == "readings":
            yield from (
                f"readings: no entry {each!r} in defects.toml" for each in value.values() if each not in defects
            )


def _wrong_forms(game: Game) -> Iterator[str]:
    """Yield what is wrong with the patterns and other texts of a fixed form."""
    patterns = [("numbering.pattern", game.numbering.pattern, {"line", "position"})]
    patterns += [(f"divisions.{number}.pattern", kind.pattern, set()) for number, kind in enumerate(game.divisions)]
    for key, pattern, groups in patterns:
        try:
            missing = groups - set(re.compile(pattern).groupindex)
        except (re.error, OverflowError, RecursionError) as error:
            yield f"{key}: is no regular expression: {error}"
        else:
            yield from (f"{key}: has no group named {group}" for group in sorted(missing))
    try:
        game.numbering.form.format(sheet="", line="A" if game.numbering.lettered else 1, position=1)
    except (KeyError, IndexError, ValueError) as error:
        yield f"numbering.form: is no format of sheet, line and position: {error!r}"
    for key, odds, form in (("lowest", game.strength.lowest, r"1:\d+"), ("highest", game.strength.highest, r"\d+:1")):
        if not re.fullmatch(form, odds):
            yield f"strength.{key}: {odds!r} is no odds column of that end"


def _missing_rows(game: Game) -> Iterator[str]:
    """Yield what the tables lack that every unit or side needs."""
    clear = game.terrain.entry.get("clear", {})
    moving = {unit.mobility for unit in game.unit_types.values() if unit.mobility is not None}
    for mobility in sorted(moving | {game.supply.line_mobility}):
        if mobility not in clear:
            yield f"terrain.entry.clear: no cost for {mobility}"
    for side in game.sides:
        if side not in game.supply.line:
            yield f"supply.line: no length for {side}"
    divisors = [game.strength.unsupplied_divisor, *game.strength.headquarters_defense_divisor.values()]
    if min(divisors) < 1:
        yield "strength: a divisor is less than 1"
