"""A whole campaign on our schematic module, played by a seeded chance: for timing the audit, not for its findings."""

from __future__ import annotations

import random

from tests.audit.scribe import Scribe
from vassal_bridge.vassal.components import ListLevel
from vassal_bridge.vassal.container import VassalFile
from vassal_bridge.vassal.game import read_game
from vassal_bridge.vassal.replay import Replay

__all__ = ["campaign"]

_MARKERS = ("Railhead", "Cleared", "Axis Interdiction", "Soviet Interdiction")
_LEGS = 3
_ATTACKS = 12


def campaign(turns: int) -> tuple[VassalFile, int]:
    """Return a log of a number of game-turns, and how many steps it has.

    Every unit moves in every movement phase of its side, in several legs; attacks are declared, some with their odds,
    and rolled.
    """
    dice = random.Random(2)
    scribe = Scribe()
    forces = _forces()
    columns = {"ax": (45, 50), "so": (38, 43)}
    where = {
        name: (5 + number % 30, 47 if side == "ax" else 43)
        for side, force in forces.items()
        for number, name in enumerate(force)
    }
    for name, at in where.items():
        scribe.place(name, _hex(at))
    (turn_level,) = scribe.module.turn_trackers[0].levels
    (phase_level,) = turn_level.levels
    assert isinstance(phase_level, ListLevel)
    for turn in range(1, turns + 1):
        for phase in phase_level.items:
            scribe.phase(phase, turn=turn)
            side = "ax" if phase.startswith("Axis") else "so"
            if "Movement" in phase:
                for name in forces[side]:
                    for _ in range(_LEGS):
                        where[name] = _near(dice, where[name], columns[side])
                        scribe.move(name, _hex(where[name]))
            if phase.endswith("Combat"):
                for number in range(_ATTACKS):
                    attacker, defender = dice.choice(forces[side]), dice.choice(forces["so" if side == "ax" else "ax"])
                    odds = " odds=1:1" if number % 3 == 0 else ""
                    scribe.say(f"!attack {_hex(where[attacker])} -> {_hex(where[defender])}{odds}")
                    scribe.roll(dice.randint(1, 6))
    return scribe.file(), scribe.step


def _forces() -> dict[str, list[str]]:
    muster = Scribe()
    for name in muster.names:
        if name not in _MARKERS:
            muster.place(name, "N2030")
    forces: dict[str, list[str]] = {"ax": [], "so": []}
    for piece in Replay(read_game(muster.file())).board.pieces.values():
        forces[piece.marks["Side"]].append(piece.name)
    return forces


def _near(dice: random.Random, at: tuple[int, int], columns: tuple[int, int]) -> tuple[int, int]:
    row, column = at
    return (
        min(37, max(2, row + dice.randint(-2, 2))),
        min(columns[1], max(columns[0], column + dice.randint(-2, 2))),
    )


def _hex(at: tuple[int, int]) -> str:
    return f"N{at[0]:02}{at[1]:02}"
