"""A rule as rule data states it, and the rule set of a game."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Any

from vassal_bridge.board.game import Game
from vassal_bridge.rulebook.check import Check, When

__all__ = ["Category", "Defect", "Rule", "RuleSet", "Severity", "Status"]


class Severity(StrEnum):
    """What a certain violation is worth; NONE for rows that permit or compute: only a wrong claim is a finding."""

    ILLEGAL = "illegal"
    SUSPICIOUS = "suspicious"
    BOOKKEEPING = "bookkeeping"
    NONE = "none"


class Status(StrEnum):
    """How far a rule is checked."""

    CHECKED = "checked"
    PREVIEW = "preview"
    PLANNED = "planned"
    NOT_CHECKABLE = "not-checkable"


class Category(StrEnum):
    """What a rule is about: the closed list."""

    STACKING = "stacking"
    ZOC = "zoc"
    MOVEMENT = "movement"
    TERRAIN = "terrain"
    RAIL = "rail"
    OVERRUN = "overrun"
    STRATEGIC_WITHDRAWAL = "strategic-withdrawal"
    SUPPLY = "supply"
    ISOLATION = "isolation"
    HQ = "hq"
    COMBAT_ELIGIBILITY = "combat-eligibility"
    COMBAT_OBLIGATION = "combat-obligation"
    COMBAT_LIMITS = "combat-limits"
    COMBAT_ODDS = "combat-odds"
    COMBAT_RESULT = "combat-result"
    RETREAT = "retreat"
    ADVANCE = "advance"
    DISBAND = "disband"
    AIR = "air"
    REINFORCEMENT = "reinforcement"
    REPLACEMENT = "replacement"
    SETUP = "setup"
    WEATHER = "weather"
    CONTROL = "control"
    DIRECTIVE = "directive"
    CONTINUOUS_FRONT = "continuous-front"
    SPECIAL_UNITS = "special-units"
    VICTORY = "victory"
    CONTINUITY = "continuity"


@dataclass(frozen=True, slots=True, kw_only=True)
class Rule:
    """One case of the printed rules.

    Attributes:
        id: Game prefix, paragraph and case letter (``SNO-4.2a``); never reused.
        title: What the rule says, in few words.
        cite: Paragraph of the rulebook.
        summary: The rule in our words.
        category: What it is about.
        when: The occasion it is asked on.
        status: How far it is checked.
        severity: What a violation is worth.
        check: Name of the check, None for rows that permit or that are not checked.
        params: The check's parameters, an instance of its parameter class.
        errata: The erratum that decides, where one does.
        reading: The ambiguity whose reading decides, an entry of ``defects.toml``.
        same_as: The row that is checked in its place; either id may be cited.
        option: The optional rule that it belongs to.
        since: The version of the rule set in which it came.
        see: Rows that rest on it, or that it rests on.
        former_ids: Ids that it had before a change of name; they may still be cited.
        why: Why it cannot be checked.
    """

    id: str
    title: str
    cite: str
    summary: str
    category: Category
    when: When
    status: Status
    severity: Severity
    check: str | None = None
    params: Any = None
    errata: str | None = None
    reading: str | None = None
    same_as: str | None = None
    option: str | None = None
    since: str | None = None
    see: tuple[str, ...] = ()
    former_ids: tuple[str, ...] = ()
    why: str | None = None

    @property
    def is_checked(self) -> bool:
        """True if the audit asks it (or its twin)."""
        return self.status in (Status.CHECKED, Status.PREVIEW)


@dataclass(frozen=True, slots=True, kw_only=True)
class Defect:
    """A gap or contradiction of the printed rules, with the reading in use.

    Attributes:
        id: ``AMB-27``.
        where: Paragraphs concerned.
        question: What is open.
        readings: The possible readings, the one in use first.
        authority: On whose word that one is used.
    """

    id: str
    where: str
    question: str
    readings: tuple[str, ...]
    authority: str


@dataclass(frozen=True, slots=True, kw_only=True)
class RuleSet:
    """The rules of one game, with its definitions and the checks that they name."""

    game: Game
    rules: Mapping[str, Rule]
    defects: Mapping[str, Defect] = field(default_factory=dict)
    checks: Mapping[str, Check[Any]] = field(default_factory=dict)

    def asked_on(self, when: When) -> Iterator[Rule]:
        """Yield the rules to ask on an occasion, in the order of the files."""
        for rule in self.rules.values():
            if rule.when is when and rule.is_checked and rule.check and not rule.same_as:
                yield rule

    def twins(self, rule_id: str) -> frozenset[str]:
        """Return all ids under which a rule may be cited, itself included."""
        head = self.rules[rule_id].same_as or rule_id
        return frozenset({head, *(each.id for each in self.rules.values() if each.same_as == head)})
