"""Recognise a die roll in the commands of a step.

Dice have no command of their own. A dice button leaves a chat line in a format of the module author's and, since 3.1,
its result in properties named after the button; special dice leave the faces that came up. A line is read by the
formats of the module where that is at hand, else by the shapes that modules have used from VASSAL 2 to 3.8. Typed words
are never a roll. Source: ``VASSAL.build.module.DiceButton`` and ``SpecialDiceButton``.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from functools import lru_cache
from typing import Final

from vassal_bridge.audit.integrity.words import without_markup
from vassal_bridge.vassal.chat import is_undo, speaker
from vassal_bridge.vassal.commands import Chat, Command, DiceResult, SetProperty
from vassal_bridge.vassal.components import Dice, DiceKind

__all__ = ["DiceReader", "Source", "Throw"]


class Source(StrEnum):
    """What in the log tells of a roll."""

    REPORT = "report"
    PROPERTY = "property"
    BOTH = "report and property"


@dataclass(frozen=True, slots=True, kw_only=True)
class Throw:
    """One roll.

    Attributes:
        button: The dice button's name, or what the line calls the roll.
        result: The result as the log has it.
        faces: The dice one by one, where the log tells them.
        sides: Sides of each die, if the module or the name of the roll says so.
        player: The name in the line.
        source: What tells of it.
        text: The chat line; empty if there is none.
    """

    button: str
    result: str
    faces: tuple[int, ...] = ()
    sides: int | None = None
    player: str | None = None
    source: Source = Source.REPORT
    text: str = ""


# Atomic groups and possessive repeats throughout: what a line of chat costs must not grow beyond its square.
_NUMBERS: Final = r"(?>[-+]?\d{1,18}(?:\s*[,;+ ]\s*[-+]?\d{1,18})*)"
_COLOUR: Final = r"[|!?~`]?+\s*+"
#: ``*** 2d6 = 3,4 *** <Bob>``; the name is at the end and may hold angle brackets itself.
_EQUALS: Final = re.compile(
    rf"[*\-]++\s*+{_COLOUR}(?P<button>[^=*]+?)\s*+=\s*+(?P<result>{_NUMBERS})\s*+(?:\*++\s*+(?P<tail>.*))?$", re.DOTALL
)
#: ``*** Weather = Clear *** <Bob>``: a die with texts for faces. Needs its three asterisks to be told from a report.
_TEXT_EQUALS: Final = re.compile(
    r"\*\*\*\s*+(?P<button>[^=*]+?)\s*+=\s*+(?P<result>[^*]+?)\s*+\*\*\*\s*+(?P<tail><.*>)\s*+$"
)
#: ``*** (IFT DR) 3,4 *** <Bob> ...``: statistics follow the name.
_BRACKETS: Final = re.compile(
    rf"\*++\s*+\((?P<button>[^()]*\bd\d*r)\)\s*+(?P<result>{_NUMBERS})\s*+\*++\s*+<(?P<player>.+?)>", re.I | re.DOTALL
)
#: ``Bob rolls 2d6: 3,4``, ``[ Bob rolls 3 dice: INFx1 CAVx2 ]``.
_ROLLS: Final = re.compile(
    r"[*\-\[\s]*+(?P<player>[^\[\]*]+?) (?:rolls|rolled|throws) (?P<button>\d+ (?:die|dice)|\d*d\d+(?:\s*[-+]\s*\d+)?)"
    r"\s*+(?:[:=>-]+|and gets|getting)\s*+(?P<result>[^\]*]*?)[\]*\s]*+$",
    re.I | re.DOTALL,
)
_SIDES: Final = re.compile(r"(?<![a-z\d])(?P<count>\d{0,4})d(?P<sides>\d{1,3})(?![a-z\d])", re.I)
_PLAYER_TAIL: Final = re.compile(r"<(?P<player>.*)>\s*$", re.DOTALL)
_WORD: Final = re.compile(r"\$(\w+)\$")
_LONGEST: Final = 2000  # characters of a line that may report a roll
_RESULT: Final = "_result"
_COMPANIONS: Final = ("_total", "_keep", "_summary")


class DiceReader:
    """Reads rolls by what a module says of its dice buttons, and without a module."""

    def __init__(self, dice: Iterable[Dice] = ()) -> None:
        self._dice: Mapping[str, Dice] = {button.name: button for button in dice}
        self._formats = [
            (pattern, button)
            for button in self._dice.values()
            if (pattern := _format_pattern(button.report_format)) is not None
        ]
        self._thrown: set[str] = set()

    def throws(self, commands: Sequence[Command]) -> list[Throw]:
        """Return the rolls of one step, in their order."""
        reports: list[Throw] = []
        values: list[Throw] = []
        properties: dict[str, str] = {}
        for command in commands:
            if isinstance(command, Chat):
                if (throw := self._report(command.text)) is not None:
                    reports.append(throw)
            elif isinstance(command, SetProperty):
                properties[command.name] = command.new
            elif isinstance(command, DiceResult):
                values.append(self._symbols(command))
        if properties:
            values += self._values(properties)
        return _paired(reports, values) if values else reports

    def _report(self, text: str) -> Throw | None:
        if is_undo(text) or not text:
            return None
        is_likely = text[0] in "*-[" or "roll" in text
        if not (is_likely or self._formats) or (not text.startswith("*") and speaker(text) is not None):
            return None
        line = without_markup(text)
        if len(line) > _LONGEST:
            return None
        for pattern, button in self._formats:
            if (match := pattern.fullmatch(line)) is not None:
                return self._by_format(match, button, text)
        return self._by_shape(line, text) if is_likely else None

    def _by_format(self, match: re.Match[str], button: Dice, text: str) -> Throw:
        found = match.groupdict()
        singles = [found[name] for name in sorted(found, key=_order) if re.fullmatch(r"result\d+", name)]
        result = found.get("result") or ",".join(singles) or found.get("numericalTotal") or ""
        player = found.get("PlayerName") or found.get("playerName")
        return Throw(
            button=button.name,
            result=result,
            faces=self._faces(button, result),
            sides=_sides_of(button),
            player=player,
            text=text,
        )

    def _by_shape(self, line: str, text: str) -> Throw | None:
        for pattern in (_BRACKETS, _EQUALS, _TEXT_EQUALS, _ROLLS):
            match = pattern.match(line)
            if match is None:
                continue
            found = match.groupdict()
            name = " ".join(found["button"].split())
            button = self._dice.get(name)
            tail = _PLAYER_TAIL.match(found.get("tail") or "")
            player = found.get("player") or (tail["player"] if tail else None)
            if pattern is _EQUALS and not self._is_roll(name, player, line):
                continue
            result = found["result"].strip()
            faces = self._faces(button, result)
            return Throw(
                button=name,
                result=result,
                # One number for several dice is their sum.
                faces=() if len(faces) == 1 and _named_count(name) > 1 else faces,
                sides=_sides_of(button) if button else _named_sides(name, pattern is _BRACKETS),
                player=player.strip() if player else None,
                text=text,
            )
        return None

    def _is_roll(self, name: str, player: str | None, line: str) -> bool:
        """Tell a roll from an automatic report of a value, such as ``* Strength = 4``."""
        return line.startswith("***") or name in self._dice or (player is not None and bool(_SIDES.search(name)))

    def _values(self, properties: Mapping[str, str]) -> Iterator[Throw]:
        for name, value in properties.items():
            base = name.removesuffix(_RESULT)
            if base == name or not value:
                continue
            button = self._dice.get(base)
            if button is None and not any(base + companion in properties for companion in _COMPANIONS):
                continue
            sides = _sides_of(button) if button else _named_sides(base, is_bracketed=False)
            yield Throw(
                button=base, result=value, faces=self._faces(button, value), sides=sides, source=Source.PROPERTY
            )

    def _symbols(self, command: DiceResult) -> Throw:
        button = self._dice.get(command.button)
        words = []
        for index, face in enumerate(command.faces):
            faces = button.dice[index].faces if button and index < len(button.dice) else ()
            words.append(faces[face].text if 0 <= face < len(faces) else f"face {face + 1}")
        return Throw(button=command.button, result=", ".join(words), source=Source.PROPERTY)

    def _faces(self, button: Dice | None, result: str) -> tuple[int, ...]:
        """Return the dice one by one; none where the result is a sum of several, or no number at all."""
        numbers = _numbers(result)
        if button is None:
            return numbers
        if button.kind not in (DiceKind.NUMBERS, DiceKind.SERVER):
            return numbers if button.is_numeric else ()
        if button.reports_total and (button.count > 1 or button.prompts):
            return ()
        plus = button.plus + (button.add_to_total if button.reports_total else 0)
        return tuple(number - plus for number in numbers)


def _paired(reports: list[Throw], values: list[Throw]) -> list[Throw]:
    """Put together what two commands tell of one roll."""
    left = list(values)
    out: list[Throw] = []
    for report in reports:
        match = next((each for each in left if each.button == report.button), None)
        if match is None and len(reports) == len(values) == 1:
            match = left[0]
        if match is None:
            out.append(report)
            continue
        left.remove(match)
        out.append(
            Throw(
                button=match.button,
                result=match.result if match.faces and not report.faces else report.result,
                faces=match.faces or report.faces,
                sides=match.sides or report.sides,
                player=report.player,
                source=Source.BOTH,
                text=report.text,
            )
        )
    return out + left


@lru_cache(maxsize=4096)
def _numbers(result: str) -> tuple[int, ...]:
    return tuple(map(int, re.findall(r"[-+]?\d+", result))) if re.fullmatch(_NUMBERS, result) else ()


def _sides_of(button: Dice) -> int | None:
    return button.sides if button.kind in (DiceKind.NUMBERS, DiceKind.SERVER) and not button.prompts else None


def _named_sides(name: str, is_bracketed: bool) -> int | None:
    match = _SIDES.search(name)
    if match is not None:
        return int(match["sides"]) or None
    return 6 if is_bracketed else None


def _named_count(name: str) -> int:
    match = _SIDES.search(name)
    return int(match["count"] or 1) if match else 1


def _order(name: str) -> tuple[int, str]:
    return len(name), name


def _format_pattern(report_format: str) -> re.Pattern[str] | None:
    """Return the pattern of a report format; None if it says no result, or nothing besides."""
    plain = without_markup(report_format).strip()
    names = _WORD.findall(plain)
    if not any(name.startswith("result") or name == "numericalTotal" for name in names):
        return None
    if not _WORD.sub("", plain).strip(" *-<>[]()"):
        return None
    seen: set[str] = set()
    first, *rest = _WORD.split(plain)
    parts = ["[*-]? ?", re.escape(first)]
    for word, literal in zip(rest[::2], rest[1::2], strict=True):
        part = f"(?P<{word}>.*?)" if word not in seen and word.isidentifier() else ".*?"
        seen.add(word)
        # The nearest place of a literal is always right, but for the last, which must end the line.
        parts.append(f"(?>{part}{re.escape(literal)})")
    parts[-1] = parts[-1].replace("(?>", "(?:", 1)
    try:
        return re.compile("".join(parts), re.DOTALL)
    except re.error:
        return None
