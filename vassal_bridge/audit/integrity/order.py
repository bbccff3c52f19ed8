"""Put the files of a game in order by what they hold, and say how each is joined to the one before.

A log starts with a whole position. So each file has two ends, and the order is found by laying end to start: first
where both are the same, then where least differs. What that cannot explain has a name of its own: a file that starts in
the middle of another (its later steps were dropped), two that start from one position (a branch), one that repeats all
steps of another and goes on (appended), two records of one session, the same file twice. Names and dates of the files
are not asked: both can be changed by hand.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from itertools import pairwise

from vassal_bridge.audit.integrity.chain import Chain, Joint, JointKind, Link
from vassal_bridge.audit.integrity.deeds import turn_number
from vassal_bridge.audit.integrity.differences import distance, find_difference
from vassal_bridge.audit.integrity.line import shortest_line
from vassal_bridge.audit.integrity.positions import Pool
from vassal_bridge.audit.integrity.record import FileRecord
from vassal_bridge.vassal.commands import PieceId
from vassal_bridge.vassal.module import Module

__all__ = ["make_chains"]

#: Of the pieces of the smaller of two positions, how many the other must share for the two to be of one game.
_KIN = 0.25
#: Of the steps of the shorter of two logs, how many the other must share for both to be records of one session.
_SAME_SESSION = 0.6
_FEW = 5


def make_chains(records: Sequence[FileRecord], pool: Pool, module: Module | None = None) -> tuple[Chain, ...]:
    """Order files; those that share no pieces are chains of their own, the longest chain first.

    The order in which the files are given does not matter, but for files that hold the same.
    """
    kept, doubles = _without_doubles(records)
    chains = [
        _Order(family, pool, module).chain([pair for pair in doubles if pair[1] in family])
        for family in _families(kept, pool)
    ]
    return tuple(sorted(chains, key=lambda chain: (-len(chain.links), chain.links[0].record.name)))


def _without_doubles(
    records: Sequence[FileRecord],
) -> tuple[list[FileRecord], list[tuple[FileRecord, FileRecord]]]:
    kept: dict[str, FileRecord] = {}
    doubles: list[tuple[FileRecord, FileRecord]] = []
    for record in sorted(records, key=lambda record: (record.name, record.path)):
        first = kept.setdefault(record.content, record)
        if first is not record:
            doubles.append((record, first))
    # In an order that the names do not decide.
    return sorted(kept.values(), key=lambda record: record.content), doubles


def _families(records: Sequence[FileRecord], pool: Pool) -> list[list[FileRecord]]:
    pieces = [
        {pool[number].id for position in (record.start, record.end) for number in position.numbers}
        for record in records
    ]
    families: list[list[int]] = []
    for index in range(len(records)):
        kin = [family for family in families if any(_is_kin(pieces[index], pieces[other]) for other in family)]
        families = [family for family in families if family not in kin]
        families.append([*(member for family in kin for member in family), index])
    return [[records[index] for index in family] for family in families]


def _is_kin(some: set[PieceId], others: set[PieceId]) -> bool:
    smaller = min(len(some), len(others))
    return len(some & others) >= max(1, _KIN * smaller) if smaller else not some and not others


class _Order:
    """Orders the files of one game."""

    def __init__(self, records: Sequence[FileRecord], pool: Pool, module: Module | None) -> None:
        self._records = records
        self._pool = pool
        self._module = module
        logs = [index for index, record in enumerate(records) if record.steps]
        self._logs = logs or list(range(len(records)))
        self._saves = [index for index in range(len(records)) if index not in self._logs]
        self._sides: dict[int, Joint] = {}
        self._costs: dict[tuple[int, int], int] = {}
        self._distances: dict[tuple[int, int], int] = {}

    def chain(self, doubles: Sequence[tuple[FileRecord, FileRecord]]) -> Chain:
        """Return the chain."""
        main = self._set_aside(self._logs)
        line = self._line(main)
        for save in self._saves:
            self._place_save(save, line)
        order = self._with_sides(line)
        place = {index: number for number, index in enumerate(order)}
        joints = [self._joint(one, two) for one, two in pairwise(line)]
        joints += self._sides.values()
        return Chain(
            links=tuple(
                Link(record=self._records[index], is_side=index not in line, skip=self._skip(index)) for index in order
            ),
            joints=tuple(
                sorted(
                    (_renumbered(joint, place) for joint in self._judged(joints, line)), key=lambda joint: joint.later
                )
            ),
            doubles=tuple(doubles),
        )

    def _skip(self, index: int) -> int:
        joint = self._sides.get(index)
        if joint is None:
            return 0
        is_repetition = joint.kind in (JointKind.APPENDS, JointKind.SAME_SESSION)
        return self._records[index].steps if is_repetition else joint.common

    # --- which files lie on the main line ------------------------------------------------------------------------

    def _set_aside(self, logs: Sequence[int]) -> list[int]:
        """Find the logs that share steps with another, and return the others.

        Of two that start alike, the one is on the main line from whose end another file goes on; else the longer one.
        """
        aside: set[int] = set()
        ordered = sorted(logs, key=self._rank, reverse=True)
        for position, main in enumerate(ordered):
            if main in aside:
                continue
            for other in ordered[position + 1 :]:
                if other not in aside and (joint := self._shared(main, other)) is not None:
                    aside.add(other)
                    self._sides[other] = joint
        return [index for index in logs if index not in aside]

    def _rank(self, index: int) -> tuple[bool, int, str]:
        record = self._records[index]
        goes_on = any(
            other.start.digest == record.end.digest and other.start.digest != record.start.digest
            for other in self._records
            if other is not record
        )
        return goes_on, record.steps, record.content

    def _shared(self, main: int, other: int) -> Joint | None:
        """Return how a log hangs on one that starts from the same position, None if it starts elsewhere."""
        one, two = self._records[main], self._records[other]
        if one.start.digest != two.start.digest or len(one.start) != len(two.start):
            return None
        common = _common(one.acts, two.acts)
        if common == two.steps:
            # All of it is in the longer one; the record is the same up to there.
            return Joint(earlier=main, later=other, kind=JointKind.APPENDS, common=common)
        if not common and one.start.digest in (one.end.digest, two.end.digest):
            # One of them only talks and rolls; the other may simply follow it.
            return None
        shared = (Counter(one.acts) & Counter(two.acts)).total()
        shorter = min(one.steps, two.steps)
        if shorter >= _FEW and shared >= _SAME_SESSION * shorter and not _is_cut(one, two, common):
            return Joint(earlier=main, later=other, kind=JointKind.SAME_SESSION, common=shared)
        return Joint(earlier=main, later=other, kind=JointKind.BRANCHES, at_step=common, common=common)

    # --- the main line -------------------------------------------------------------------------------------------

    def _line(self, main: Sequence[int]) -> list[int]:
        """Return the files of the main line in the order in which the ends lie least apart."""
        return shortest_line(self._without_reloaded(main), self._cost)

    def _without_reloaded(self, main: Sequence[int]) -> list[int]:
        """Set aside the files that start in the middle of one whose end another takes up, and what follows them."""
        left = list(main)
        for index in main:
            one = next((other for other in left if other != index and self._reload_step(other, index)), None)
            if one is None or self._is_taken_up(index, left):
                continue
            if any(self._cost(one, other) == 0 for other in left if other not in (one, index)):
                step = self._reload_step(one, index)
                self._sides[index] = Joint(earlier=one, later=index, kind=JointKind.RELOADS, at_step=step)
                left.remove(index)
        for index in tuple(left):
            if self._is_taken_up(index, left):
                continue
            # A game may come back to a position; then a file can follow one that hangs on itself.
            followed = (other for other in self._sides if self._takes_up(other, index) and self._root(other) != index)
            side = next(followed, None)
            if side is not None:
                self._sides[index] = self._joint(side, index)
                left.remove(index)
        return left

    def _root(self, index: int) -> int:
        """Return the file of the main line that a file hangs on in the end."""
        while index in self._sides:
            index = self._sides[index].earlier
        return index

    def _is_taken_up(self, index: int, others: Sequence[int]) -> bool:
        return any(self._takes_up(other, index) for other in others)

    def _takes_up(self, one: int, two: int) -> bool:
        """Tell whether a file starts exactly where another, that did something, ended."""
        record = self._records[one]
        return one != two and self._distance(one, two) == 0 and record.start.digest != record.end.digest

    def _reload_step(self, one: int, two: int) -> int | None:
        """Return the step in the middle of one file after which the other starts, None if it takes up its end."""
        if self._distance(one, two) == 0 or self._records[one].start.digest == self._records[two].start.digest:
            return None
        return _last_step(self._records[one], self._records[two].start.digest)

    def _cost(self, one: int, two: int) -> int:
        """Return how ill two files fit together, a file that starts in the middle of another nearly perfectly."""
        found = self._costs.get((one, two))
        if found is None:
            # Ten for each standing, so that between equals the age of the pieces and the turn decide.
            found = 5 if self._reload_step(one, two) else 10 * self._distance(one, two)
            if found:
                found += self._records[two].newest[0] < self._records[one].newest[1]
                found += 2 * _goes_back(self._records[one], self._records[two])
            self._costs[one, two] = found
        return found

    def _distance(self, one: int, two: int) -> int:
        if (one, two) not in self._distances:
            self._distances[one, two] = distance(self._records[one].end, self._records[two].start)
        return self._distances[one, two]

    # --- saves ---------------------------------------------------------------------------------------------------

    def _place_save(self, save: int, line: list[int]) -> None:
        """Put a save where it belongs: at a joint that it fits, or beside the log during which it was made."""
        digest = self._records[save].start.digest
        for position, index in enumerate(line):
            if self._records[index].end.digest == digest:
                line.insert(position + 1, save)
                return
        if self._records[line[0]].start.digest == digest:
            line.insert(0, save)
            return
        for index in (*line, *self._sides):
            if (step := _last_step(self._records[index], digest)) is not None:
                self._sides[save] = Joint(earlier=index, later=save, kind=JointKind.SNAPSHOT, at_step=step)
                return
        line.insert(self._best_gap(save, line), save)

    def _best_gap(self, save: int, line: Sequence[int]) -> int:
        """Return where in the line a save makes the ends lie least apart."""

        def extra(position: int) -> int:
            one = line[position - 1] if position else None
            two = line[position] if position < len(line) else None
            cost = (self._cost(one, save) if one is not None else 0) + (self._cost(save, two) if two is not None else 0)
            return cost - (self._cost(one, two) if one is not None and two is not None else 0)

        return min(range(len(line) + 1), key=lambda position: (extra(position), position))

    # --- the joints ----------------------------------------------------------------------------------------------

    def _joint(self, one: int, two: int) -> Joint:
        if (step := self._reload_step(one, two)) is not None:
            return Joint(earlier=one, later=two, kind=JointKind.RELOADS, at_step=step)
        difference = find_difference(self._records[one], self._records[two], self._pool, self._module)
        kind = JointKind.DIFFERS if difference else JointKind.CONTINUES
        return Joint(earlier=one, later=two, kind=kind, difference=difference)

    def _judged(self, joints: Sequence[Joint], line: Sequence[int]) -> Iterable[Joint]:
        """Tell joints at which a whole file seems to be missing from those at which little differs."""
        changes = sorted(distance(self._records[index].start, self._records[index].end) for index in self._logs)
        usual = changes[len(changes) // 2] // 4 if changes else 0
        for joint in joints:
            if joint.kind is not JointKind.DIFFERS:
                yield joint
                continue
            difference = joint.difference
            is_large = usual > 0 and self._distance(joint.earlier, joint.later) // 2 >= usual
            is_missing = difference.turns or (is_large and len(difference.pieces) > 1)
            yield replace(
                joint,
                kind=JointKind.MISSING if is_missing else JointKind.DIFFERS,
                nearer=self._nearer(joint, line),
            )

    def _nearer(self, joint: Joint, line: Sequence[int]) -> tuple[int, int] | None:
        if joint.earlier not in line:
            return None
        before = line[: line.index(joint.earlier)]
        best = min(before, key=lambda index: self._distance(index, joint.later), default=None)
        if best is None or self._distance(best, joint.later) >= self._distance(joint.earlier, joint.later):
            return None
        difference = find_difference(self._records[best], self._records[joint.later], self._pool, self._module)
        fewer = len(difference.pieces)
        return (best, fewer) if fewer < len(joint.difference.pieces) else None

    def _with_sides(self, line: Sequence[int]) -> list[int]:
        order = list(line)
        waiting = dict(self._sides)
        while waiting:
            ready = [index for index, joint in waiting.items() if joint.earlier in order]
            if not ready:
                order += waiting
                break
            for index in sorted(ready, key=lambda index: self._records[index].content):
                order.insert(order.index(waiting.pop(index).earlier) + 1, index)
        return order


def _common(some: Sequence[int], others: Sequence[int]) -> int:
    """Return how many steps two logs have in common from their beginning."""
    count = 0
    for one, two in zip(some, others, strict=False):
        if one != two:
            break
        count += 1
    return count


def _is_cut(one: FileRecord, two: FileRecord, common: int) -> bool:
    """Tell two logs that part ways after a common beginning from two records of one session.

    Two clients mix what they receive in another order, but both hold it all; after a cut, the rest is other acts.
    """
    rest_one, rest_two = Counter(one.acts[common:]), Counter(two.acts[common:])
    shorter = min(rest_one.total(), rest_two.total())
    return (rest_one & rest_two).total() < 0.5 * shorter


def _goes_back(one: FileRecord, two: FileRecord) -> bool:
    """Tell whether a turn tracker shows an earlier turn at the start of the second than at the end of the first."""
    for name, state in two.before.turns.items():
        old, new = turn_number(one.after.turns.get(name, "")), turn_number(state)
        if old is not None and new is not None and new < old:
            return True
    return False


def _last_step(record: FileRecord, digest: int) -> int | None:
    """Return the step before its end after which a log last came to have a position, None if it never had it.

    Steps that change no piece, such as rolls, leave the position as it is: the first of them that has it counts.
    """
    digests = record.digests
    for step in range(len(digests) - 2, 0, -1):
        if digests[step] == digest:
            while step > 1 and digests[step - 1] == digest:
                step -= 1
            return step
    return None


def _renumbered(joint: Joint, place: Mapping[int, int]) -> Joint:
    nearer = None if joint.nearer is None else (place[joint.nearer[0]], joint.nearer[1])
    return replace(joint, earlier=place[joint.earlier], later=place[joint.later], nearer=nearer)
