"""Global properties of a build file: of the module, of maps, of zones, and scenario options."""

from __future__ import annotations

from collections.abc import Iterator

from vassal_bridge.vassal.buildfile import Element, children, short_class
from vassal_bridge.vassal.components import GlobalProperty, PropertyHolder, ScenarioKind
from vassal_bridge.vassal.values import read_list

__all__ = ["read_properties"]

_SCENARIO = {
    "BooleanScenarioProperty": ScenarioKind.BOOLEAN,
    "ListScenarioProperty": ScenarioKind.LIST,
    "StringScenarioProperty": ScenarioKind.STRING,
    "NumberScenarioProperty": ScenarioKind.NUMBER,
}


def read_properties(
    element: Element, *, holder: PropertyHolder, map_identifier: str | None = None, zone: str | None = None
) -> Iterator[GlobalProperty]:
    """Yield the properties that stand directly in a module, map or zone; not those of the maps in a module."""
    for group in children(element, "GlobalProperties", "ScenarioPropertiesOptionTab", "ZoneProperty"):
        members = [group] if short_class(group) == "ZoneProperty" else children(group, "GlobalProperty", *_SCENARIO)
        for member in members:
            yield _read_property(member, holder, map_identifier, zone)


def _read_property(
    element: Element, holder: PropertyHolder, map_identifier: str | None, zone: str | None
) -> GlobalProperty:
    is_numeric = element.get("isNumeric") == "true"
    return GlobalProperty(
        name=element.get("name", ""),
        initial=element.get("initialValue", ""),
        holder=holder,
        map=map_identifier,
        zone=zone,
        is_numeric=is_numeric,
        minimum=_limit(element, "min") if is_numeric else None,
        maximum=_limit(element, "max") if is_numeric else None,
        wraps=element.get("wrap") == "true",
        scenario=_SCENARIO.get(short_class(element)),
        choices=read_list(element.get("options")),
    )


def _limit(element: Element, key: str) -> str | None:
    # The editor writes the word null where there is no limit.
    text = element.get(key, "")
    return None if text in ("", "null") else text
