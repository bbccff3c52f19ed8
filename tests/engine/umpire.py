"""A second opinion on the scripted game, small and independent of the package.

The script of the sample game says of every act whether it is planted as a mistake. So that it plants no other, this
module works out movement, zones of control, stacking, supply and retreats again, from the terrain file alone and in the
plainest way. It knows one sheet, no railroads (all terrain is paid in full, and no supply runs on track) and no control
of hexes but the sources that the script names; so what it calls legal is legal without them.
"""

from __future__ import annotations

import heapq
import tomllib
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path

__all__ = ["Counter", "Umpire"]

MOBILITY = {"pz": "mech", "pg": "mech", "tank": "mech", "truck": "mech", "cav": "cav"}
# Entry cost and the price of a hexside, as the rule catalog lists them (chart and section 10).
ENTRY = {"lw": (2, 1), "hw": (2, 1), "rough": (3, 2)}
HEXSIDE = {"river": {"ax": 2, "so": 1}, "don": {"ax": 3, "so": 2}}
LINE_OF_SUPPLY = {"ax": 14, "so": 12}


@dataclass(slots=True)
class Counter:
    name: str
    type: str
    side: str
    division: str
    faces: list[str]
    hex: str
    face: int = 0
    disrupted: bool = False
    in_supply: bool = True  # at the start of the phase

    @property
    def kind(self) -> str:
        return self.type.split(".")[1]

    @property
    def nation(self) -> str:
        return self.type.split(".")[0]

    @property
    def fights(self) -> bool:
        return self.kind not in ("truck", "air")

    @property
    def mobility(self) -> str:
        return MOBILITY.get(self.kind, "foot")

    @property
    def allowance(self) -> int:
        return int(self.faces[self.face].rsplit("-", 1)[1])

    @property
    def rating(self) -> int:
        return int(self.faces[0][1:].split("-")[0])

    def strength(self, *, attacking: bool) -> int:
        """Printed factor of the face that is up; Axis units have one for both."""
        numbers = self.faces[self.face].split("-")
        return int(numbers[0] if attacking or len(numbers) == 2 else numbers[1])


class Umpire:
    """The board of the scripted game, and what the rules say of an act on it."""

    def __init__(self, folder: Path) -> None:
        terrain = tomllib.loads((folder / "map.toml").read_text("utf-8"))
        module = tomllib.loads((folder / "module.toml").read_text("utf-8"))
        self.ground = {name: tag for tag in ENTRY for name in terrain["hexes"][tag]}
        self.sides = {frozenset(side.split("|")): kind for kind, sides in terrain["hexsides"].items() for side in sides}
        rail = {name for line in terrain["rail"] for name in line["path"]}
        cities = set(terrain["names"])
        west = set(terrain["hexes"]["west"])
        self.sources = {"ax": (rail | cities) & west, "so": (rail | cities) - west}
        self.kinds = {
            unit["name"]: (group["type"], unit.get("division", ""), unit.get("faces") or group["faces"])
            for group in module["group"]
            for unit in ({"name": entry} if isinstance(entry, str) else entry for entry in group["units"])
        }
        self.counters: dict[str, Counter] = {}

    # The board

    def place(self, name: str, hex_: str) -> None:
        kind, division, faces = self.kinds[name]
        side = "so" if kind.startswith("sov") else "ax"
        self.counters[name] = Counter(name, kind, side, division, list(faces), hex_)

    def at(self, hex_: str, side: str | None = None) -> list[Counter]:
        return [unit for unit in self.counters.values() if unit.hex == hex_ and side in (None, unit.side)]

    def start_phase(self, side: str) -> None:
        for unit in self.counters.values():
            if unit.side == side:
                unit.in_supply = self.supplied(unit)

    # Zones and stacking

    def zone(self, side: str) -> set[str]:
        """Hexes in the zone of control of a side (8.1)."""
        exerting = [unit for unit in self.counters.values() if unit.side == side and unit.fights and not unit.disrupted]
        return {
            near
            for unit in exerting
            for near in neighbours(unit.hex)
            if self.sides.get(frozenset((unit.hex, near))) not in ("don", "volga")
        }

    def count(self, hex_: str, side: str, joining: Iterable[Counter] = ()) -> int:
        """Units that count for stacking (7.1, 7.22)."""
        units = [unit for unit in (*self.at(hex_, side), *joining) if unit.fights]
        total = len(units)
        for division in {unit.division for unit in units if unit.division}:
            regiments = [name for name, kind in self.kinds.items() if kind[1] == division]
            if sum(unit.division == division for unit in units) == len(regiments):
                total -= len(regiments) - 1
        return total

    def is_overstacked(self, hex_: str, side: str, joining: Iterable[Counter] = ()) -> bool:
        units = [*self.at(hex_, side), *joining]
        return self.count(hex_, side, joining) > (4 if any(unit.kind == "hq" for unit in units) else 3)

    # Movement

    def fault_of_move(self, name: str, goal: str) -> str:
        """Return the rule that a move breaks, or nothing."""
        unit = self.counters[name]
        allowance = unit.allowance if unit.in_supply else max(1, unit.allowance // 2)
        if unit.disrupted:
            return "6.62b"
        if unit.fights and unit.hex in self.zone(enemy(unit.side)):
            return "8.22"
        if self.cost(unit, goal) <= allowance:
            return ""
        return "8.0" if self.cost(unit, goal, through_zones=True) <= allowance else "6.23a"

    def cost(self, unit: Counter, goal: str, *, through_zones: bool = False) -> float:
        zone = self.zone(enemy(unit.side))

        def blocked(here: str, there: str) -> bool:
            if any(other.fights for other in self.at(there, enemy(unit.side))):
                return True
            if self.crosses_don_into_zone(unit, here, there):
                return True
            return not through_zones and here != unit.hex and here in zone

        return self.shortest(unit, goal.__eq__, blocked)

    def crosses_don_into_zone(self, unit: Counter, here: str, there: str) -> bool:
        """10.23b: not over the Don into the zone of an enemy who is himself on the Don."""
        if self.sides.get(frozenset((here, there))) != "don" or self.at(there, unit.side):
            return False
        return any(
            other.side != unit.side and other.fights and not other.disrupted and there in neighbours(other.hex)
            and any(self.sides.get(frozenset((other.hex, near))) == "don" for near in neighbours(other.hex))
            for other in self.counters.values()
        )  # fmt: skip

    def shortest(
        self, unit: Counter, goal: Callable[[str], bool], blocked: Callable[[str, str], bool], *, mobility: str = ""
    ) -> float:
        fast = (mobility or unit.mobility) in ("mech", "cav")
        queue: list[tuple[float, str]] = [(0, unit.hex)]
        best = {unit.hex: 0.0}
        while queue:
            spent, here = heapq.heappop(queue)
            if goal(here):
                return spent
            for there in neighbours(here):
                kind = self.sides.get(frozenset((here, there)))
                if kind == "volga" or blocked(here, there):
                    continue
                entry = ENTRY[self.ground[there]][0 if fast else 1] if there in self.ground else 1
                total = spent + entry + (HEXSIDE[kind][unit.side] if kind else 0)
                if total < best.get(there, 1e9):
                    best[there] = total
                    heapq.heappush(queue, (total, there))
        return 1e9

    # Supply and headquarters

    def closed_to_lines(self, side: str) -> Callable[[str, str], bool]:
        """Lines pass no enemy units and no enemy zone, unless a friendly unit is there (12.11, 8.24a)."""
        zone = self.zone(enemy(side))

        def blocked(_here: str, there: str) -> bool:
            if any(other.fights for other in self.at(there, enemy(side))):
                return True
            return there in zone and not any(other.fights for other in self.at(there, side))

        return blocked

    def supplied(self, unit: Counter) -> bool:
        if unit.kind == "hq" or unit.nation in ("ger", "axs"):
            closed = self.closed_to_lines(unit.side)
            cost = self.shortest(unit, self.sources[unit.side].__contains__, closed, mobility="mech")
            return cost <= LINE_OF_SUPPLY[unit.side]
        return any(self.supplied(hq) for hq in self.headquarters(unit))

    def headquarters(self, unit: Counter) -> list[Counter]:
        """Headquarters of the nation within their rating, by a line of hexes (11.1, 11.47, 12.12)."""
        closed = self.closed_to_lines(unit.side)
        length = {unit.hex: 0}
        queue = [unit.hex]
        for here in queue:
            for there in neighbours(here):
                if there not in length and not closed(here, there):
                    length[there] = length[here] + 1
                    queue.append(there)
        return [
            hq
            for hq in self.counters.values()
            if hq.nation == unit.nation and hq.kind == "hq" and not hq.disrupted
            and length.get(hq.hex, 1000) <= hq.rating
        ]  # fmt: skip

    # Combat

    def attack_strength(self, names: Iterable[str]) -> int:
        return self._strength([self.counters[name] for name in names], attacking=True)

    def defense_strength(self, hex_: str, side: str) -> int:
        """Without terrain: the script fights on clear ground, and never across a river alone."""
        assert hex_ not in self.ground
        return self._strength([unit for unit in self.at(hex_, side) if unit.fights], attacking=False)

    def _strength(self, units: list[Counter], *, attacking: bool) -> int:
        total = 0
        left = list(units)
        for division in sorted({unit.division for unit in units if unit.division}):
            regiments = [unit for unit in left if unit.division == division]
            if len(regiments) == sum(kind[1] == division for kind in self.kinds.values()):
                whole = 2 * sum(unit.strength(attacking=attacking) for unit in regiments)
                total += whole if self.supplied(regiments[0]) else max(1, whole // 2)
                left = [unit for unit in left if unit.division != division]
        for unit in left:
            printed = unit.strength(attacking=attacking)
            total += printed if self.supplied(unit) else max(1, printed // 2)
        return total

    def fault_of_retreat(self, name: str, path: list[str]) -> str:
        """Return the rule that a retreat breaks, or nothing (9.71, 9.72, 9.73)."""
        unit = self.counters[name]
        zone = self.zone(enemy(unit.side))
        if distance(unit.hex, path[-1]) != len(path):
            return "9.72b"
        hexes = [unit.hex, *path]
        for here, there in zip(hexes, path, strict=False):
            friends = [other for other in self.at(there, unit.side) if other.fights]
            if self.at(there, enemy(unit.side)) or self.sides.get(frozenset((here, there))) in ("don", "volga"):
                return "9.71c"
            if there in zone and not friends:
                return "9.71b"
            if self.is_overstacked(there, unit.side, [unit]):
                return "9.73b"
            if friends and self.has_vacant_retreat(unit, len(path)):
                return "9.73a"
        return ""

    def has_vacant_retreat(self, unit: Counter, length: int) -> bool:
        zone = self.zone(enemy(unit.side))
        reached = {unit.hex}
        for _ in range(length):
            reached = {
                there
                for here in reached
                for there in neighbours(here)
                if there not in zone and not self.at(there)
                and self.sides.get(frozenset((here, there))) not in ("don", "volga")
            }  # fmt: skip
        return any(distance(unit.hex, there) == length for there in reached)


def odds(attack: int, defense: int) -> str:
    """Column of the combat results table (9.4, 9.5)."""
    if attack >= defense:
        return f"{min(10, attack // defense)}:1"
    return f"1:{min(3, -(-defense // attack))}"


def enemy(side: str) -> str:
    return {"ax": "so", "so": "ax"}[side]


def place_of(name: str) -> tuple[int, int]:
    return int(name[1:3]), int(name[3:5])


def neighbours(name: str) -> list[str]:
    row, column = place_of(name)
    shift = 0 if row % 2 else 1
    places = [(row, column - 1), (row, column + 1)]
    places += [(row + step, column + shift + offset) for step in (-1, 1) for offset in (-1, 0)]
    return [
        f"{name[0]}{r:02d}{c:02d}" for r, c in places if 1 <= r <= 38 and 1 <= c <= (54 if r % 2 else 53)
    ]  # fmt: skip


def distance(first: str, second: str) -> int:
    (row, column), (other_row, other_column) = place_of(first), place_of(second)
    rows = abs(row - other_row)
    doubled = abs(2 * column + (row % 2 == 0) - 2 * other_column - (other_row % 2 == 0))
    return max(rows, (rows + doubled) // 2)


def exactly(answer: Mapping[str, object], **expected: object) -> None:
    """Stop if the script's claim about the position is not the umpire's."""
    assert answer == expected, f"{answer} is not {expected}"
