"""Look up a declaration's hexes and counter names on the board."""

from __future__ import annotations

from collections.abc import Iterator

from vassal_bridge.audit.declarations import Declaration, DeclarationKind, Group, Stand
from vassal_bridge.board.actions import Attack, ForcePart, Overrun
from vassal_bridge.board.hexes import Hex
from vassal_bridge.board.state import GameState
from vassal_bridge.board.units import Side, Unit, UnitId

__all__ = ["UnresolvedError", "declared_act"]


class UnresolvedError(Exception):
    """A declaration names a hex or counter that is not there; the text says which."""


def declared_act(declaration: Declaration, state: GameState, *, step: int) -> Attack | Overrun:
    """Return the attack or overrun that a declaration means on this board.

    Of a hex without names all combat units of the attackers' side take part, headquarters not: they lend strength
    only where they are named after a plus sign. The attackers' side is the phasing one, or, where the phase is not
    known, the side that stands in the first of their hexes.

    Args:
        declaration: What was declared.
        state: The board as it stood when the die was thrown.
        step: The step of the declaration.

    Raises:
        UnresolvedError: A hex is none of the map, nobody of that side stands there, or a name fits no counter or
            several.
    """
    board = _Board(state, _attacking_side(declaration, state))
    force = tuple(part for group in declaration.groups for part in board.parts(group))
    targets = [unit for stand in declaration.targets for unit in board.defenders(stand)]
    hexes = tuple(dict.fromkeys(board.at(stand) for stand in declaration.targets))
    ids = tuple(unit.id for unit in targets)
    if declaration.kind is DeclarationKind.OVERRUN:
        launches = {board.at(group.stand) for group in declaration.groups}
        launch = launches.pop() if len(launches) == 1 else None
        return Overrun(
            step=step,
            force=force,
            targets=ids,
            target_hexes=hexes,
            launch=launch,
            label=declaration.label,
            claims=declaration.claims,
        )
    return Attack(
        step=step,
        force=force,
        targets=ids,
        target_hexes=hexes,
        label=declaration.label,
        claims=declaration.claims,
        air=declaration.air,
        is_by_hex=not any(group.stand.names or group.headquarters for group in declaration.groups),
    )


def _attacking_side(declaration: Declaration, state: GameState) -> Side:
    if state.phasing is not None:
        return state.phasing
    at = _hex(declaration.groups[0].stand, state)
    sides = {unit.side for unit in state.units_at(at)}
    if len(sides) != 1:
        raise UnresolvedError(f"it is not known whose attack from {declaration.groups[0].stand.hex} this is")
    return sides.pop()


def _hex(stand: Stand, state: GameState) -> Hex:
    numbering = state.game.numbering
    at = numbering.parse(stand.hex) or numbering.parse(stand.hex.upper())
    if at is None:
        raise UnresolvedError(f"{stand.hex} is no hex of the map")
    return at


class _Board:
    def __init__(self, state: GameState, side: Side) -> None:
        self._state = state
        self._side = side

    def at(self, stand: Stand) -> Hex:
        return _hex(stand, self._state)

    def parts(self, group: Group) -> Iterator[ForcePart]:
        attackers = list(self._attackers(group.stand))
        lenders: list[Unit] = []
        for stand in group.headquarters:
            for unit in self._added(stand):
                # Only a headquarters can lend strength; any other unit after a plus sign attacks with the rest.
                (lenders if self._is_headquarters(unit) else attackers).append(unit)
        lent: dict[UnitId, list[UnitId]] = {}
        for lender in lenders:
            # A headquarters strengthens its own stack; named with another hex, it is noted with the first attacker.
            taker = next((unit for unit in attackers if unit.at == lender.at), attackers[0])
            lent.setdefault(taker.id, []).append(lender.id)
        for unit in attackers:
            yield ForcePart(unit=unit.id, headquarters=tuple(lent.get(unit.id, ())))

    def defenders(self, stand: Stand) -> list[Unit]:
        there = [unit for unit in self._state.units_at(self.at(stand)) if unit.side != self._side]
        if stand.names:
            return [self._named(name, stand, there) for name in stand.names]
        if not there:
            raise UnresolvedError(f"no enemy unit stands in {stand.hex}")
        return there

    def _attackers(self, stand: Stand) -> list[Unit]:
        there = self._own(stand)
        if stand.names:
            return [self._named(name, stand, there) for name in stand.names]
        fighters = [unit for unit in there if unit.type.is_combat and not self._is_headquarters(unit)]
        if not fighters:
            raise UnresolvedError(f"no unit that can attack stands in {stand.hex}")
        return fighters

    def _added(self, stand: Stand) -> list[Unit]:
        there = self._own(stand)
        if stand.names:
            return [self._named(name, stand, there) for name in stand.names]
        lenders = [unit for unit in there if self._is_headquarters(unit)]
        if not lenders:
            raise UnresolvedError(f"no headquarters stands in {stand.hex}")
        return lenders

    def _own(self, stand: Stand) -> list[Unit]:
        return list(self._state.units_at(self.at(stand), self._side))

    def _named(self, name: str, stand: Stand, among: list[Unit]) -> Unit:
        matches = [unit for unit in among if " ".join(unit.name.split()).casefold() == name.casefold()]
        if len(matches) != 1:
            how_many = "no counter" if not matches else "more than one counter"
            raise UnresolvedError(f"{how_many} in {stand.hex} is named {name}")
        return matches[0]

    def _is_headquarters(self, unit: Unit) -> bool:
        return unit.type.unit_class == self._state.game.strength.headquarters_class
