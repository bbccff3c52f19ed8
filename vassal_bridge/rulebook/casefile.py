"""Case files: small positions with the verdict that a referee must reach, read into typed values.

A case file is a TOML document: a header with the words of the game, then cases in titled sections. All faults of a file
are found before it is refused. The header keys ``catalog`` and ``rule``, which tell other tools where rule ids are
listed, are passed over: the ids of a file are those in its ``rules``, and the runner holds them against the rule set.
"""

from __future__ import annotations

import json
import re
import tomllib
from collections.abc import Callable, Iterable, Iterator, Mapping
from pathlib import Path
from typing import Annotated, Any, Literal, TypeVar

from pydantic import AfterValidator, BaseModel, ConfigDict, Field, ValidationError

from vassal_bridge.board.units import UnitId
from vassal_bridge.errors import CaseError
from vassal_bridge.rulebook.case import Case, CaseFile, CaseVerdict, PastEvent, RunKind, Step, StepKind, UnitLine
from vassal_bridge.rulebook.notation import EVENTS, FACTS, QUERIES, Statement, Token, option, parse, read, tokens
from vassal_bridge.rulebook.words import KINDS, LISTED, Fault, Scope, Vocabulary

__all__ = ["parse_cases", "read_cases"]

T = TypeVar("T")


def read_cases(path: str | Path) -> CaseFile:
    """Read a case file.

    Raises:
        CaseError: The file cannot be read, or does not follow the notation; ``problems`` holds all faults.
    """
    name = str(path)
    try:
        text = Path(path).read_text(encoding="utf-8")
    except OSError as error:
        raise CaseError(f"cannot be read: {error.strerror}", file=name) from error
    except UnicodeDecodeError as error:
        raise CaseError("is not UTF-8 text", file=name, place=f"byte {error.start}") from error
    return parse_cases(text, name=name)


def parse_cases(text: str, *, name: str) -> CaseFile:
    """Read the text of a case file; ``name`` stands for the file in faults.

    Raises:
        CaseError: The text does not follow the notation; ``problems`` holds all faults.
    """
    try:
        document = _Document.model_validate(tomllib.loads(text))
    except ValidationError as error:
        raise _refusal(name, [_pydantic_fault(each, document_text=text) for each in error.errors()]) from error
    except (ValueError, RecursionError) as error:  # a number of 5000 digits is an error of its own
        raise CaseError(f"is not TOML: {error}", file=name) from error
    vocabulary = document.vocabulary()
    reader = _Reader(vocabulary=vocabulary, lines=_lines_by_id(text))
    cases = [reader.case(entry, section.title) for section in document.section for entry in section.case]
    if reader.problems:
        raise _refusal(name, reader.problems)
    return CaseFile(name=name, vocabulary=vocabulary, cases=tuple(cases))


def _refusal(name: str, problems: list[str]) -> CaseError:
    return CaseError(problems[0], file=name, problems=tuple(problems))


def _regex(text: str) -> str:
    try:
        re.compile(text)
    except (re.error, OverflowError, RecursionError) as error:
        raise ValueError(f"is no regular expression: {error}") from error
    return text


Regex = Annotated[str, AfterValidator(_regex)]


class _Strict(BaseModel):
    model_config = ConfigDict(extra="forbid", strict=True, frozen=True)


class _GameTable(_Strict):
    id: str
    notation: Literal[1]
    prefix: str
    hex: Regex
    shift: str
    under: Literal["barred", "lowest"]
    factors: list[Regex]
    catalog: str = ""
    rule: str = ""


class _Entry(_Strict):
    id: str = Field(min_length=1)
    v: str
    run: str
    rules: list[str] = Field(min_length=1)
    ph: str
    a: list[str] = Field(min_length=1)
    why: str = Field(min_length=1)
    also: list[str] = []
    gt: int | None = None
    date: str | None = None
    wx: str | None = None
    sc: str | None = None
    opt: list[str] = []
    u: list[str] = []
    t: list[str] = []
    h: list[str] = []
    given: str | None = None
    reading: str | None = None
    checked: bool = False


class _Section(_Strict):
    title: str
    case: list[_Entry]


class _Document(_Strict):
    game: _GameTable
    columns: dict[str, list[str]]
    words: dict[str, list[str]]
    attrs: dict[str, str] = {}
    types: dict[str, dict[str, object]]
    section: list[_Section]

    def vocabulary(self) -> Vocabulary:
        """Return the header's words; the rule ids are those that the cases name."""
        words = {kind: frozenset(listed) for kind, listed in self.words.items()}
        words["type"] = frozenset(self.types)
        entries = [entry for section in self.section for entry in section.case]
        words["rule"] = frozenset(rule for entry in entries for rule in (*entry.rules, *entry.also))
        return Vocabulary(
            game=self.game.id,
            prefix=self.game.prefix,
            hex=re.compile(self.game.hex),
            factors=tuple(re.compile(form) for form in self.game.factors),
            under=self.game.under,
            columns={side: tuple(columns) for side, columns in self.columns.items()},
            words=words,
            attributes={key: kind for key, kind in self.attrs.items() if kind in KINDS or kind in LISTED},
        )


def _pydantic_fault(error: Any, *, document_text: str) -> str:
    """Say in one line which key is wrong; of a case its id and line, as far as they can be found."""
    path = [str(part) for part in error["loc"]]
    where = ".".join(path)
    entry: Any = tomllib.loads(document_text)
    for part in error["loc"][:4]:
        try:
            entry = entry[part]
        except (KeyError, IndexError, TypeError):
            return f"{where}: {error['msg']}"
    if path[0] == "section" and len(path) > 4 and isinstance(entry, dict):
        case = str(entry.get("id"))
        line, _ = _lines_by_id(document_text).get(case, (0, ""))
        return f"line {line}: {case}: {'.'.join(path[4:])}: {error['msg']}"
    return f"{where}: {error['msg']}"


def _lines_by_id(text: str) -> dict[str, tuple[int, str]]:
    """Return number and text of the line where each id is given; a case is one line, if its author kept to the form."""
    pattern = re.compile(r'\bid\s*=\s*"([^"]*)"')
    found: dict[str, tuple[int, str]] = {}
    for number, line in enumerate(text.splitlines(), 1):
        if match := pattern.search(line):
            found.setdefault(match[1], (number, line))
    return found


class _Reader:
    """Reads the strings of cases one after the other and gathers the faults of all of them."""

    def __init__(self, *, vocabulary: Vocabulary, lines: Mapping[str, tuple[int, str]]) -> None:
        self.vocabulary = vocabulary
        self.lines = lines
        self.problems: list[str] = []
        self._seen: set[str] = set()
        self._scope = Scope(vocabulary)
        self._case_id = ""

    def case(self, entry: _Entry, section: str) -> Case:
        """Read one case; where a part is wrong it is left out and its fault is kept."""
        self._scope, self._case_id = Scope(self.vocabulary), entry.id
        turn = str(entry.gt) if entry.gt is not None else self._word("when", entry.date)
        case = Case(
            id=entry.id,
            verdict=self._member(CaseVerdict, entry.v, CaseVerdict.LEGAL),
            run=self._member(RunKind, entry.run, RunKind.FULL),
            rules=tuple(entry.rules),
            also=tuple(entry.also),
            phase=self._word("phase", entry.ph) or "",
            turn=turn,
            weather=self._word("weather", entry.wx),
            scenario=self._word("scenario", entry.sc),
            options=tuple(self._each(entry.opt, lambda text: str(read("variant", Token(text, 1), self._scope)))),
            units=tuple(self._each(entry.u, self._unit)),
            facts=tuple(self._each(entry.t, self._fact)),
            history=tuple(self._each(entry.h, self._past)),
            steps=tuple(self._each(entry.a, self._step)),
            given=entry.given,
            reading=entry.reading,
            is_checked=entry.checked,
            why=entry.why,
            section=section,
        )
        self._judge_whole(case)
        return case

    def _judge_whole(self, case: Case) -> None:
        if case.id in self._seen:
            self._complain("this id is used twice")
        self._seen.add(case.id)
        is_loose = case.given is not None or any(s.kind in (StepKind.SAY, StepKind.SKIPPED) for s in case.steps)
        if is_loose == (case.run is RunKind.FULL):
            self._complain("run is full exactly if nothing is given, said or marked with !")
        if case.verdict is CaseVerdict.UNKNOWN and not case.leaves_something_open:
            self._complain("an unknown verdict needs something unknown")

    def _complain(self, message: str, *, text: str | None = None, column: int = 0) -> None:
        number, line = self.lines.get(self._case_id, (0, ""))
        start = line.find(json.dumps(text, ensure_ascii=False)) + 1 if text is not None else 0
        place = f"line {number}, column {start + column}" if start else f"line {number}"
        self.problems.append(f"{place}: {self._case_id}: {message}")

    def _member(self, of: Callable[[str], T], text: str, default: T) -> T:
        try:
            return of(text)
        except ValueError:
            self._complain(f"'{text}' is no {'verdict' if of is CaseVerdict else 'kind of run'}", text=text, column=1)
            return default

    def _word(self, kind: str, text: str | None) -> str | None:
        found = self._each([] if text is None else [text], lambda one: str(read(kind, Token(one, 1), self._scope)))
        return next(iter(found), None)

    def _each(self, texts: Iterable[str], read_one: Callable[[str], T]) -> Iterable[T]:
        found: list[T] = []
        for text in texts:
            try:
                found.append(read_one(text))
            except Fault as fault:
                self._complain(fault.message, text=text, column=fault.column)
        return found

    def _unit(self, text: str) -> UnitLine:
        found = tokens(text)
        if len(found) < 4:
            raise Fault("a unit needs an id, a type, factors and a place", 1)
        name, code, factors, at, *more = found
        unit = UnitId(name.text)
        if not re.fullmatch(r"[A-Za-z][A-Za-z0-9]*", unit) or unit in self._scope.units:
            raise Fault(f"'{unit}' is no new unit id", name.column)
        # Known from here on, so that one fault in its line does not make a fault of every line that names it.
        self._scope.units.add(unit)
        pairs = {token: option(token, self.vocabulary.attributes, self._scope) for token in more}
        attributes: dict[str, Any] = {}
        for token, pair in pairs.items():
            if pair and pair[0] in attributes:
                raise Fault(f"'{pair[0]}=' stands twice", token.column)
            attributes.update([pair] if pair else [])
        return UnitLine(
            id=unit,
            type=read("type", code, self._scope),
            factors=None if factors.text == "-" else read("factors", factors, self._scope),
            place=read("hex/box", at, self._scope),
            flags=frozenset(read("flag", token, self._scope) for token, pair in pairs.items() if not pair),
            attributes=attributes,
        )

    def _fact(self, text: str) -> Statement:
        first, *rest = tokens(text) or [Token("", 1)]
        if first.text in FACTS:
            return parse(FACTS, "fact", text, self._scope)
        if "=" in first.text:
            link = read("link", first, self._scope)
            price = read("int", rest[0], self._scope) if rest else 1
            if len(rest) > 1:
                raise Fault(f"'{rest[1].text}' is too much", rest[1].column)
            return Statement(verb="link", arguments={"link": link, "n": price}, text=text)
        kind, name, verb = ("feature", "edges", "features") if "|" in first.text else ("tag", "hexes", "tags")
        places = read(name, first, self._scope)
        if len(rest) != 1:
            raise Fault(f"expected {verb}", rest[1].column if rest else len(text) + 1)
        words = tuple(self._parts(kind, rest[0]))
        return Statement(verb=verb, arguments={name: places, verb: words}, text=text)

    def _parts(self, kind: str, token: Token) -> Iterator[str]:
        column = token.column
        for part in token.text.split(","):
            yield read(kind, Token(part, column), self._scope)
            column += len(part) + 1

    def _past(self, text: str) -> PastEvent:
        stamp: dict[str, str] = {}
        found = tokens(text)
        kinds = {"gt": "when", "date": "when", "ph": "phase"}
        while found and (pair := option(found[0], kinds, self._scope)):
            stamp[pair[0]] = pair[1]
            found.pop(0)
        start = found[0].column - 1 if found else len(text)
        statement = parse(EVENTS, "event", text, self._scope, start=start)
        return PastEvent(statement=statement, turn=stamp.get("gt", stamp.get("date")), phase=stamp.get("ph"))

    def _step(self, text: str) -> Step:
        if text.startswith("say "):
            return Step(kind=StepKind.SAY, text=text)
        if text.startswith("?"):
            return self._read_step(StepKind.QUERY, text, start=1)
        if text.startswith("claim "):
            return self._read_step(StepKind.CLAIM, text, start=6)
        if text.startswith("!"):
            return self._read_step(StepKind.SKIPPED, text, start=1)
        return self._read_step(StepKind.EVENT, text, start=0)

    def _read_step(self, kind: StepKind, text: str, *, start: int) -> Step:
        is_query = kind in (StepKind.QUERY, StepKind.CLAIM)
        table, what = (QUERIES, "query") if is_query else (EVENTS, "event")
        return Step(kind=kind, text=text, statement=parse(table, what, text, self._scope, start=start))
