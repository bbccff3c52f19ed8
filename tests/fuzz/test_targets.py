"""The fuzz targets still run: each over its seeds and some careless changes of them, without coverage."""

from __future__ import annotations

import importlib
import random
from types import ModuleType

import pytest

from tests.fuzz.run import TARGETS
from vassal_bridge.errors import BridgeError


@pytest.fixture(params=TARGETS)
def target(request: pytest.FixtureRequest) -> ModuleType:
    return importlib.import_module(f"tests.fuzz.targets.{request.param}")


def test_every_target_takes_its_seeds_and_changed_ones(target: ModuleType) -> None:
    chance = random.Random(7)
    seeds = target.seeds()[:40]
    assert any(_takes(target, seed) for seed in seeds)
    for seed in seeds:
        for _ in range(3):
            _takes(target, _changed(seed, target.WORDS, chance))


def _takes(target: ModuleType, data: bytes) -> bool:
    try:
        target.try_one(data)
    except BridgeError:
        return False
    return True


def _changed(seed: bytes, words: tuple[bytes, ...], chance: random.Random) -> bytes:
    data = bytearray(seed)
    for _ in range(chance.randint(1, 4)):
        at = chance.randrange(len(data) + 1)
        match chance.randrange(3):
            case 0:
                data[at:at] = chance.choice(words)
            case 1:
                del data[at : at + chance.randint(1, 8)]
            case _:
                data[at : at + 1] = bytes([chance.randrange(256)])
    return bytes(data)
