"""What was put right after it was sealed, and which violation follows from an earlier one."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field, replace
from typing import NamedTuple

from vassal_bridge.audit.finding import Place as LogPlace
from vassal_bridge.audit.ledger import Entry
from vassal_bridge.audit.referee import Judgement
from vassal_bridge.board.hexes import Hex, distance
from vassal_bridge.board.state import GameState
from vassal_bridge.board.units import Place, UnitId
from vassal_bridge.rulebook.outcome import Outcome, Verdict

__all__ = ["Blame", "Moment", "Standing"]


class Moment(NamedTuple):
    """A place in the record, and the same for sorting: number of the log, step."""

    order: tuple[int, int]
    place: LogPlace


@dataclass(slots=True)
class Standing:
    """Positions that break a rule and were left standing.

    A position is told once, however often it is looked at; it is mended as soon as one of its units stands elsewhere.
    """

    _open: dict[tuple[str, tuple[str, ...]], tuple[Entry, Mapping[UnitId, Place | None]]] = field(default_factory=dict)

    def is_known(self, judgement: Judgement) -> bool:
        """Tell whether this very position has been reported already."""
        return _key(judgement) in self._open

    def add(self, entry: Entry, state: GameState) -> None:
        """Keep a new violation under watch."""
        places = {unit: state.units[unit].at for unit in entry.judgement.outcome.units if unit in state.units}
        self._open[_key(entry.judgement)] = (entry, places)

    def look(self, state: GameState, moved_at: Mapping[UnitId, Moment]) -> list[Entry]:
        """Close what was put right, and return it.

        Args:
            state: The position now.
            moved_at: Where in the record each unit was moved last.
        """
        closed = []
        for key, (entry, places) in list(self._open.items()):
            gone = [unit for unit, at in places.items() if unit not in state.units or state.units[unit].at != at]
            if gone:
                later = (moved_at[unit] for unit in gone if unit in moved_at and moved_at[unit].order > entry.order)
                first = min(later, key=lambda moment: moment.order, default=None)
                entry.mended_at = first.place if first is not None else None
                closed.append(entry)
                del self._open[key]
        return closed


def _key(judgement: Judgement) -> tuple[str, tuple[str, ...]]:
    return judgement.rule.id, judgement.outcome.hexes


@dataclass(slots=True)
class Blame:
    """Illegal moves whose units still stand where they brought them."""

    _moves: list[tuple[Entry, Mapping[UnitId, tuple[Place, Place]]]] = field(default_factory=list)

    def add(self, entry: Entry, start: Place, end: Place) -> None:
        """Remember an illegal journey."""
        self._moves.append((entry, dict.fromkeys(entry.units, (start, end))))

    def clear(self) -> None:
        """Forget what was done in a turn that is over."""
        self._moves.clear()

    def put_back(self, units: Iterable[UnitId], at: Moment) -> None:
        """Note that units were put back to where they had come from."""
        for entry, ways in self._moves:
            if entry.mended_at is None and at.order > entry.order and any(unit in ways for unit in units):
                entry.mended_at = at.place

    def causes(
        self,
        judgement: Judgement,
        state: GameState,
        acting: Iterable[UnitId],
        rejudge: Callable[[GameState], Iterable[Outcome]],
    ) -> tuple[str, ...]:
        """Return the fingerprints of earlier findings without which an act or position would be legal.

        For each illegal journey that began or ended near the hexes concerned, and whose units still stand at its end
        and do not act themselves, the units are thought back to where they started, and the rule is asked again. So a
        cause at a distance, such as a unit that cuts a supply line far off, is not found.

        Args:
            judgement: The violation.
            state: The state that it was judged on.
            acting: The units that act.
            rejudge: Asks the rule about another state.
        """
        found = []
        mine = set(acting)
        numbering = state.game.numbering
        concerned = [at for name in judgement.outcome.hexes if (at := numbering.parse(name)) is not None]
        for entry, ways in self._moves:
            if not any(_is_near(way, concerned) for way in ways.values()):
                continue
            here = {unit: way for unit, way in ways.items() if unit not in mine and unit in state.units}
            if entry.mended_at or not here or any(state.units[unit].at != end for unit, (_, end) in here.items()):
                continue
            back = [replace(state.units[unit], at=start) for unit, (start, _) in here.items()]
            otherwise = replace(state.with_units(*back), phase_memo={})
            if not any(_is_same(judgement.outcome, outcome) for outcome in rejudge(otherwise)):
                found.append(entry.finding.fingerprint)
        return tuple(dict.fromkeys(found))


# A zone of control reaches one hex beyond the unit, and a unit may be judged by the hex that it came from.
_NEAR = 2


def _is_near(way: tuple[Place, Place], concerned: Iterable[Hex]) -> bool:
    for at in concerned:
        for end in way:
            if isinstance(end, Hex) and (apart := distance(end, at)) is not None and apart <= _NEAR:
                return True
    return False


def _is_same(before: Outcome, after: Outcome) -> bool:
    return after.verdict is Verdict.VIOLATION and after.hexes == before.hexes
