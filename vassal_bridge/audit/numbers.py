"""The right numbers that an event of a case states beside the act, as questions to the engine."""

from __future__ import annotations

from collections.abc import Iterator

from vassal_bridge.audit.queries import Unanswered
from vassal_bridge.board.actions import Action, Attack, Move, MoveKind, Overrun, Query, Retreat
from vassal_bridge.board.hexes import Hex
from vassal_bridge.rulebook.acts import numbers_of
from vassal_bridge.rulebook.notation import Statement

__all__ = ["questions_of"]


def questions_of(event: Statement, action: Action) -> Iterator[Query]:
    """Yield the questions whose answers an event states: strengths, odds, points, hexes.

    Raises:
        Unanswered: A number is stated that the engine does not work out yet.
    """
    for key, stated in numbers_of(event).items():
        match action:
            case Attack() | Overrun() if key in ("att", "def", "odds"):
                yield Query(verb=key, arguments={"label": action.label}, answer=stated)
            case Move(units=units, path=path, kind=kind) if key in ("cost", "min") and kind is not MoveKind.RAIL:
                if not all(isinstance(point, Hex) for point in path.points):
                    raise Unanswered(f"`{key}=` of such a move is not worked out yet")
                verb = "path-cost" if key == "cost" and path.is_complete else "least-cost"
                yield Query(verb=verb, arguments={"units": units, "path": path}, answer=stated)
            case Retreat(path=path) if key == "n":
                yield Query(verb="way", arguments={"path": path}, answer=stated)
            case _:
                raise Unanswered(f"`{key}=` of `{event.verb}` is not worked out yet")
