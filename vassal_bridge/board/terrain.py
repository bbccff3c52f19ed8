"""The map: terrain by hex and hexside, railroads, and what each of them does.

Terrain is a matter of the map (of a module, or of a case); its effects are the rule set's.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any

from vassal_bridge.board.hexes import Hex, Hexside

__all__ = ["ANYTHING", "Terrain", "TerrainEffects"]

ANYTHING: frozenset[str] = frozenset({"*"})  # bound of an unknown hex or hexside: any word of the game


@dataclass(frozen=True, slots=True, kw_only=True)
class Terrain:
    """What is known of the map.

    Attributes:
        tags: Words that hold of a hex (``hw``, ``major``, ``west``); a hex without an entry is clear.
        features: Words that hold of a hexside (``river``, ``don``).
        tracks: Pairs of hexes joined by railroad.
        links: Price in rail points of joined hexes where it is not the usual one.
        costs: Stated entry costs that overrule the terrain.
        land: The only hexes that can be entered, None if all can.
        unknown_hexes: Hexes of which nothing is known but their tags here, with the words that may be true.
        unknown_sides: Likewise hexsides; ``track`` among the words means that a railroad may cross.
        is_complete: True if what is not drawn is clear; False if what is not stated is unknown.
        lines: First and last line of hexes on each sheet, where the map ends before the numbering does.
        memo: What the analysis has worked out of this very map.
    """

    tags: Mapping[Hex, frozenset[str]] = field(default_factory=dict)
    features: Mapping[Hexside, frozenset[str]] = field(default_factory=dict)
    tracks: frozenset[Hexside] = frozenset()
    links: Mapping[Hexside, int] = field(default_factory=dict)
    costs: Mapping[Hex, int] = field(default_factory=dict)
    land: frozenset[Hex] | None = None
    unknown_hexes: Mapping[Hex, frozenset[str]] = field(default_factory=dict)
    unknown_sides: Mapping[Hexside, frozenset[str]] = field(default_factory=dict)
    is_complete: bool = True
    lines: Mapping[str, tuple[int, int]] = field(default_factory=dict)
    memo: dict[str, Any] = field(default_factory=dict, init=False, compare=False, repr=False)


@dataclass(frozen=True, slots=True, kw_only=True)
class TerrainEffects:
    """The terrain effects chart, in movement points and multipliers; a missing cost means prohibited.

    Attributes:
        entry: Tag -> mobility -> cost of entering such a hex; the dearest tag counts, ``clear`` if none has a cost.
        crossing: Feature -> side -> surcharge for crossing such a hexside; absent: prohibited.
    """

    entry: Mapping[str, Mapping[str, Fraction]]
    crossing: Mapping[str, Mapping[str, Fraction]]
