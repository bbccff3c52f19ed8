"""What the counters, places, turn tracker and dice of a module mean: VASSAL on one side, the typed game on the other.

A profile says where to look; here is what is found there. What cannot be read is told apart: a counter that is no unit
and no marker (:class:`Unread`), a place that the profile does not know (None), a phase that it does not name.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Protocol

from vassal_bridge.board.game import Game, PhaseId
from vassal_bridge.board.hexes import Hex
from vassal_bridge.board.knowledge import UNKNOWN, Unknown
from vassal_bridge.board.units import Box, Factors, Place, Side, Unit, UnitId, UnitType, parse_factors
from vassal_bridge.errors import ProfileError
from vassal_bridge.profiles.model import MapPart, Source
from vassal_bridge.profiles.profile import Profile

__all__ = ["Clock", "LayerView", "MarkerCounter", "PieceView", "Reading", "TrackerView", "Unread"]


class LayerView(Protocol):
    """A layer of a counter: ``level`` counts from 1."""

    @property
    def name(self) -> str: ...  # noqa: D102
    @property
    def level(self) -> int: ...  # noqa: D102
    @property
    def active(self) -> bool: ...  # noqa: D102


class PieceView(Protocol):
    """What a reading needs of a VASSAL piece."""

    @property
    def id(self) -> str: ...  # noqa: D102
    @property
    def name(self) -> str: ...  # noqa: D102
    @property
    def marks(self) -> Mapping[str, str]: ...  # noqa: D102
    @property
    def layers(self) -> Sequence[LayerView]: ...  # noqa: D102
    @property
    def hidden(self) -> bool: ...  # noqa: D102
    @property
    def masked(self) -> bool: ...  # noqa: D102


class TrackerView(Protocol):
    """State of a turn tracker: its text, and the value of each level by name."""

    @property
    def text(self) -> str: ...  # noqa: D102
    @property
    def levels(self) -> Mapping[str, str]: ...  # noqa: D102


@dataclass(frozen=True, slots=True, kw_only=True)
class Clock:
    """What the turn tracker shows; None where it does not say or the profile does not know."""

    turn: str | None = None
    phase: PhaseId | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class MarkerCounter:
    """A counter that is a marker, and the place where it lies."""

    kind: str
    at: Place | None


@dataclass(frozen=True, slots=True, kw_only=True)
class Unread:
    """A counter that the profile cannot read; ``why`` is a word for the count of such counters.

    A counter that claims to be nothing (a chart, a status counter without a type) is no such thing, but None.
    """

    why: str


@dataclass(frozen=True, slots=True)
class Reading:
    """A profile bound to the definitions of its game.

    Raises:
        ProfileError: The profile names a phase or flag that the game does not have.
    """

    profile: Profile
    game: Game
    _maps: Mapping[str, MapPart] = field(init=False, compare=False, repr=False)
    _patterns: Mapping[str, re.Pattern[str]] = field(init=False, compare=False, repr=False)
    _places: dict[tuple[str, str], Place | None] = field(default_factory=dict, init=False, compare=False, repr=False)
    _factors: dict[str, Factors] = field(default_factory=dict, init=False, compare=False, repr=False)

    def __post_init__(self) -> None:
        maps = {part.name: part for part in self.profile.file.maps}
        object.__setattr__(self, "_maps", maps)
        patterns = {name: re.compile(part.hex) for name, part in maps.items() if part.hex is not None}
        object.__setattr__(self, "_patterns", patterns)
        phases = self.profile.file.phases
        strangers = sorted(set(phases.names.values()) - set(self.game.phases)) if phases else []
        if strangers:
            raise ProfileError(
                f"phases.names: the game has no phase {', '.join(strangers)}",
                file=f"{self.profile.name}/profile.toml",
                problems=tuple(f"phases.names: the game has no phase {each}" for each in strangers),
            )

    def place(self, map_name: str | None, location: str | None) -> Place | None:
        """Return the hex or box of a location, None if the profile does not know it.

        Args:
            map_name: The VASSAL map, None for a counter that is on none.
            location: The engine's ``LocationName`` there, None where the module is not at hand.
        """
        if map_name is None or location is None:
            return None
        key = (map_name, location)
        if key not in self._places:
            self._places[key] = self._find_place(map_name, location)
        return self._places[key]

    def unit(self, piece: PieceView, at: Place | None) -> Unit | MarkerCounter | Unread | None:
        """Read a counter that stands at ``at``: a unit, a marker, something unreadable, or nothing to the game.

        A masked counter, and one of a type that the game does not have, becomes ``<side>.any`` if its side is known. A
        hidden counter is unread: what a side may not see is not told, and not used.
        """
        how = self.profile.file.units
        shown = _Shown(id=piece.id, name=piece.name, marks=piece.marks, layers=piece.layers)
        code = shown.value(how.type)
        if not code:
            return self._marker(shown, at)
        if piece.hidden:
            return Unread(why="hidden")
        known = self.game.unit_types.get(code)
        side = known.side if known else self._side(shown.value(how.side))
        if known is None or piece.masked:
            return self._masked(shown, side, at) if side else Unread(why=f"type {code}")
        return Unit(
            id=UnitId(piece.id),
            type=known,
            at=at,
            factors=self._face(shown, known),
            name=shown.value(how.name) or piece.name,
            division=self._division(shown),
            flags=self._flags(shown),
        )

    def clock(self, trackers: Mapping[str, TrackerView]) -> Clock:
        """Read turn and phase from the turn tracker that the profile names."""
        how = self.profile.file.phases
        state = trackers.get(how.tracker) if how else None
        if how is None or state is None:
            return Clock()
        shown = state.levels.get(how.phase)
        name = how.names.get(shown or "") or how.names.get(state.text)
        return Clock(turn=state.levels.get(how.turn), phase=PhaseId(name) if name else None)

    def use_of_die(self, button: str) -> str | None:
        """Return what a dice button is for (``combat``), None if the profile does not name it."""
        return next((use for use, name in self.profile.file.dice.items() if name == button), None)

    def _find_place(self, map_name: str, location: str) -> Place | None:
        part = self._maps.get(map_name)
        if part is None:
            return None
        if part.kind == "boxes" or location in part.boxes:
            box = part.boxes.get(location)
            return Box(box) if box else None
        match = self._patterns[map_name].fullmatch(location)
        at = self.game.numbering.parse(match["hex"]) if match else None
        return at if isinstance(at, Hex) else None

    def _marker(self, piece: _Shown, at: Place | None) -> MarkerCounter | Unread | None:
        how = self.profile.file.markers
        word = piece.value(how.kind) if how else None
        if how is None or not word:
            return None
        kind = how.kinds.get(word)
        return MarkerCounter(kind=kind, at=at) if kind else Unread(why=f"marker {word}")

    def _side(self, word: str | None) -> Side | None:
        if word is None:
            return None
        if word in self.game.sides:
            return Side(word)
        named = self.profile.file.sides.get(word)
        return Side(named) if named in self.game.sides else None

    def _masked(self, piece: _Shown, side: Side, at: Place | None) -> Unit:
        code = f"{side}.any"
        masked = self.game.unit_types.get(code) or UnitType(code=code, side=side)
        return Unit(
            id=UnitId(piece.id),
            type=masked,
            at=at,
            factors=self._parse("-"),
            name="",
            division=UNKNOWN,
        )

    def _face(self, piece: _Shown, known: UnitType) -> Factors:
        how = self.profile.file.units
        listed = piece.value(how.faces)
        faces = listed.split("|") if listed else list(known.faces)
        step = 1
        if how.step is not None and how.step.layer is not None:
            step = next((layer.level for layer in piece.layers if layer.name == how.step.layer), 1)
        elif how.step is not None:
            shown = piece.value(how.step) or "1"
            step = int(shown) if shown.isdecimal() and len(shown) < 10 else 1
        return self._parse(faces[step - 1].strip() if 0 < step <= len(faces) else "-")

    def _parse(self, text: str) -> Factors:
        if text not in self._factors:
            self._factors[text] = parse_factors(text)
        return self._factors[text]

    def _division(self, piece: _Shown) -> str | Unknown | None:
        how = self.profile.file.units.division
        if how is None:
            return UNKNOWN
        return piece.value(how) or None

    def _flags(self, piece: _Shown) -> frozenset[str]:
        flags = self.profile.file.units.flags
        return frozenset(flag for flag, source in flags.items() if piece.is_on(source))


@dataclass(frozen=True, slots=True, kw_only=True)
class _Shown:
    """What a counter shows, taken from it once: its properties are worked out anew at each look."""

    id: str
    name: str
    marks: Mapping[str, str]
    layers: Sequence[LayerView]

    def value(self, source: Source | None) -> str | None:
        if source is None:
            return None
        if source.mark is not None:
            return self.marks.get(source.mark)
        return next((str(layer.level) for layer in self.layers if layer.name == source.layer and layer.active), None)

    def is_on(self, source: Source) -> bool:
        if source.layer is not None:
            return any(layer.active for layer in self.layers if layer.name == source.layer)
        return self.marks.get(source.mark or "", "") not in ("", "false", "0")
