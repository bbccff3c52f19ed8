"""A table to play the sample game at: the real engine on one side, the umpire on the other.

Every act goes to both. The engine writes the log; the umpire says whether the act is legal, and an act that the script
does not plant as a mistake must be. What was planted, what only looks like a mistake, and what was undone is noted with
the log step that did it (steps count from 1).
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import Any

from .client import Engine
from .umpire import Counter, Umpire, odds

__all__ = ["Note", "Table"]

MAP, BOXES = "North Sheet", "Boxes"
CTRL, ALT = 130, 520
NEXT_PHASE, COMBAT_DIE, DIRECTIVE_DIE = f"78,{ALT}", f"68,{ALT}", f"69,{ALT}"
NEXT_FACE, DISRUPTED, ELIMINATE = f"70,{CTRL}", f"82,{CTRL}", f"69,{CTRL}"
MOVEMENT = {"Initial Movement", "Mechanized/Cavalry Movement"}
SIDES = {"Axis": "ax", "Soviet": "so"}


@dataclass(frozen=True, slots=True, kw_only=True)
class Note:
    """Something of the game that a referee should see, or should not mind.

    Attributes:
        rule: Case of the rulebook.
        text: What it is.
        also: Rules that the same act may be said to break as well.
    """

    rule: str
    text: str
    also: tuple[str, ...] = ()


@dataclass(slots=True)
class Table:
    """One game in progress."""

    engine: Engine
    umpire: Umpire
    ids: dict[str, str] = field(default_factory=dict)
    turn: int = 1
    phase: str = ""
    noted: dict[str, list[dict[str, Any]]] = field(
        default_factory=lambda: {"violation": [], "near_miss": [], "undone": []}
    )
    dice: list[int] = field(default_factory=list)
    _overstacked: set[str] = field(default_factory=set)

    # Setting up

    def set_up(self, places: dict[str, str]) -> None:
        self.engine.do("new")
        self.engine.do("side", "Solitaire")
        for text, where in places.items():
            for name in text.split(", "):
                self.umpire.place(name, where)
                self.ids[name] = self.engine.do("place", name, MAP, f"{MAP}/{where}")
        self.phase = self._tracker()[1]

    # Phases

    def next_phase(self, expected: str, *, violation: Note | None = None) -> None:
        """Go on to the next phase; ``violation`` is a stack that is too large as the movement phase ends."""
        side, _, name = self.phase.partition(" ")
        overstacked = self._all_overstacked(SIDES[side]) if name in MOVEMENT else set()
        fresh = overstacked - self._overstacked
        assert bool(fresh) == bool(violation), f"end of {self.phase}: overstacked {sorted(fresh)}"
        before = self._log_size()
        ended, turn = self.phase, self.turn
        self.engine.do("hotkey", NEXT_PHASE)
        turn_text, self.phase = self._tracker()
        self.turn = int(turn_text)
        assert self.phase == expected, self.phase
        if violation:
            units = [unit.name for where in fresh for unit in self.umpire.at(where, SIDES[side]) if unit.fights]
            self._note("violation", violation, before, sorted(fresh), units, turn=turn, phase=ended)
            self._overstacked |= fresh
        side, _, name = self.phase.partition(" ")
        if name in MOVEMENT:
            self.umpire.start_phase(SIDES[side])

    def _all_overstacked(self, side: str) -> set[str]:
        hexes = {unit.hex for unit in self.umpire.counters.values() if unit.side == side}
        return {where for where in hexes if self.umpire.is_overstacked(where, side)}

    def check_stacks(self) -> None:
        """Hold all stacks against the limit, as during a Combat Phase."""
        for side in SIDES.values():
            assert self._all_overstacked(side) <= self._overstacked

    def check_stack(self, where: str, *, counts: int, near_miss: Note) -> None:
        """Note a stack that only looks too large, as it stands when the phase ends."""
        units = [unit for unit in self.umpire.at(where) if unit.fights]
        assert self.umpire.count(where, units[0].side) == counts
        assert not self.umpire.is_overstacked(where, units[0].side)
        self._note("near_miss", near_miss, self._log_size(), [where], [unit.name for unit in units])

    # Movement

    def move(self, names: str, *stops: str, violation: Note | None = None, near_misses: Sequence[Note] = ()) -> None:
        """Drag units that stand together to the last of the stops, one drag a stop."""
        units = [self._unit(name) for name in names.split(", ")]
        start = units[0].hex
        self._must_be_phasing(units)
        for unit in units:
            fault = self.umpire.fault_of_move(unit.name, stops[-1])
            assert fault == (violation.rule if violation else ""), f"{unit.name} {start}-{stops[-1]}: {fault}"
        before = self._log_size()
        for stop in stops:
            self._drag(units, stop)
        self._note_both(violation, near_misses, before, [start, stops[-1]], [unit.name for unit in units])

    def mistake(self, name: str, goal: str, rule: str, text: str) -> None:
        """Make an illegal move and take it back."""
        unit = self._unit(name)
        start = unit.hex
        assert self.umpire.fault_of_move(name, goal) == rule
        before = self._log_size()
        self._drag([unit], goal)
        self.engine.do("undo")
        unit.hex = start
        assert self._engine_place(name) == start
        self._note("undone", Note(rule=rule, text=text), before, [start, goal], [name])

    # Combat

    def attack(
        self,
        declaration: str,
        attackers: str,
        target: str,
        *,
        column: str,
        die: int,
        overrun: bool = False,
        violation: Note | None = None,
        near_misses: Sequence[Note] = (),
    ) -> None:
        """Declare an attack, turn up Untried units, roll; ``column`` is the right one of the table."""
        units = [self._unit(name) for name in attackers.split(", ")]
        defenders = [unit for unit in self.umpire.at(target) if unit.fights]
        before = self._log_size()
        self.chat(declaration)
        out_of_reach = [unit for unit in units if unit.nation != "ger" and not self.umpire.headquarters(unit)]
        assert bool(out_of_reach) == bool(violation and violation.rule == "11.47")
        hexes = [*dict.fromkeys(unit.hex for unit in units), target]
        self._note_both(violation, near_misses, before, hexes, [unit.name for unit in units])
        for unit in [*units, *defenders]:
            if unit.faces[unit.face].startswith("U"):
                self.next_face(unit.name)
        attack = self.umpire.attack_strength([unit.name for unit in units]) // (2 if overrun else 1)
        defense = self.umpire.defense_strength(target, defenders[0].side)
        assert odds(attack, defense) == column, f"{declaration}: {attack} against {defense}"
        self.roll(COMBAT_DIE, "Combat die", die)

    def roll(self, key: str, name: str, expected: int) -> None:
        self.engine.do("hotkey", key)
        rolled = int(self.engine.do("state")["properties"][f"{name}_result"])
        assert rolled == expected, f"{name}: {rolled} instead of {expected}"
        self.dice.append(rolled)

    def next_face(self, name: str) -> None:
        """Turn a unit to its next face: an Untried one up, another by a step down."""
        unit = self._unit(name)
        unit.face += 1
        assert unit.face < len(unit.faces)
        self.engine.do("key", self.ids[name], NEXT_FACE)

    def disrupt(self, name: str, *, disrupted: bool) -> None:
        unit = self._unit(name)
        assert unit.disrupted != disrupted
        unit.disrupted = disrupted
        self.engine.do("key", self.ids[name], DISRUPTED)

    def eliminate(self, name: str) -> None:
        self.engine.do("key", self.ids[name], ELIMINATE)
        del self.umpire.counters[name]

    def retreat(self, name: str, *path: str, violation: Note | None = None, near_misses: Sequence[Note] = ()) -> None:
        """Retreat a unit, one drag a hex."""
        unit = self._unit(name)
        start = unit.hex
        fault = self.umpire.fault_of_retreat(name, list(path))
        assert fault == (violation.rule if violation else ""), f"{name}: {fault}"
        before = self._log_size()
        for stop in path:
            self._drag([unit], stop)
        if violation and self.umpire.is_overstacked(path[-1], unit.side):
            self._overstacked.add(path[-1])
        self._note_both(violation, near_misses, before, [start, *path], [name])

    def advance(self, name: str, goal: str) -> None:
        unit = self._unit(name)
        assert not self.umpire.at(goal)
        self._drag([unit], goal)
        assert not self.umpire.is_overstacked(goal, unit.side)

    def chat(self, text: str) -> None:
        self.engine.do("chat", text)

    # Plumbing

    def _unit(self, name: str) -> Counter:
        return self.umpire.counters[name]

    def _must_be_phasing(self, units: Iterable[Counter]) -> None:
        side, _, name = self.phase.partition(" ")
        assert name in MOVEMENT
        for unit in units:
            assert unit.side == SIDES[side]
            assert name == "Initial Movement" or unit.mobility in ("mech", "cav") or unit.kind == "hq"

    def _drag(self, units: Sequence[Counter], goal: str) -> None:
        self.engine.do("move", MAP, f"{MAP}/{goal}", ",".join(self.ids[unit.name] for unit in units))
        for unit in units:
            unit.hex = goal
            assert self._engine_place(unit.name) == goal

    def _engine_place(self, name: str) -> str:
        pieces = self.engine.do("state")["pieces"]
        return str(next(piece["location"] for piece in pieces if piece["id"] == self.ids[name]))

    def _tracker(self) -> tuple[str, str]:
        turn = self.engine.do("state")["turn"]["Turn"]
        return turn["GameTurn"] or "1", turn["TurnPhase"] or "Hitler Directive Inter-Phase"

    def _log_size(self) -> int:
        return int(self.engine.do("state")["logSize"])

    def _note_both(
        self, violation: Note | None, near_misses: Sequence[Note], before: int, hexes: list[str], units: list[str]
    ) -> None:
        if violation:
            self._note("violation", violation, before, hexes, units)
        for near_miss in near_misses:
            self._note("near_miss", near_miss, before, hexes, units)

    def _note(
        self,
        kind: str,
        note: Note,
        before: int,
        hexes: Sequence[str],
        units: Sequence[str],
        *,
        turn: int | None = None,
        phase: str | None = None,
    ) -> None:
        entry: dict[str, Any] = {"rule": note.rule, "turn": turn or self.turn, "phase": phase or self.phase}
        entry |= {"steps": [before + 1, max(before + 1, self._log_size())], "hexes": list(hexes), "units": list(units)}
        entry |= {"text": note.text}
        if note.also:
            entry["also"] = list(note.also)
        self.noted[kind].append(entry)

    def truth(self) -> str:
        """Return what was noted as TOML, in the order of the game."""
        lines: list[str] = []
        for kind, entries in self.noted.items():
            for entry in sorted(entries, key=lambda entry: entry["steps"][0]):
                lines.append(f"[[{kind}]]")
                lines += [f"{key} = {json.dumps(value)}" for key, value in entry.items()]
                lines.append("")
        return "\n".join(lines)
