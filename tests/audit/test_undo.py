from __future__ import annotations

import pytest

from vassal_bridge.audit.undo import steps_in_force


@pytest.mark.parametrize(
    ("undone", "in_force"),
    [
        ({}, {1, 2, 3, 4}),
        ({2: 1}, {3, 4}),
        ({3: 2, 4: 1}, set()),
        ({2: 1, 3: 2}, {1, 4}),  # redo
        ({2: 1, 3: 2, 4: 3}, set()),  # and undo again
    ],
)
def test_undo_and_redo(undone: dict[int, int], in_force: set[int]) -> None:
    assert steps_in_force((number, undone.get(number)) for number in range(1, 5)) == in_force
