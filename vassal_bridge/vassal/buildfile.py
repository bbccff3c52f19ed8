"""The build file as XML: parsed without trust, extensions put where they belong, components counted.

In a build file every tag is the name of a Java class. A class of a module's own is taken for the engine's class of the
same last name where that is one of those read here (``example.TurnTracker`` is a turn tracker), since modules derive
theirs from it; all are counted under their full name. Folders (3.6 and later) are looked through.

Reading a component never fails: what cannot be read takes the engine's default and is noted among the problems.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from math import isfinite

from lxml import etree

from vassal_bridge.errors import BuildFileError
from vassal_bridge.vassal.sequence import decode

__all__ = [
    "EXTENSION_ROOTS",
    "MODULE_ROOTS",
    "NAME_ATTRIBUTES",
    "Element",
    "Notes",
    "ancestors",
    "children",
    "count_classes",
    "descendants",
    "full_class",
    "graft",
    "line_of",
    "parse",
    "short_class",
    "text_of",
]

Element = etree._Element

MODULE_ROOTS = frozenset({"VASSAL.build.GameModule", "VASSAL.launch.BasicModule"})
EXTENSION_ROOTS = frozenset({"VASSAL.build.module.ModuleExtension"})

_FOLDERS = frozenset({"ModuleSubFolder", "MapSubFolder", "DeckSubFolder", "GlobalPropertyFolder", "PrototypeFolder"})
_TRANSPARENT = _FOLDERS | {"ExtensionElement"}
NAME_ATTRIBUTES = ("name", "mapName", "entryName", "chartName")
_INT_LIMIT = 1 << 31
_MAX_PROBLEMS = 200


@dataclass(frozen=True, slots=True)
class Notes:
    """Collects what is odd in one build file, a line each, up to a limit; the rest is counted."""

    problems: list[str] = field(default_factory=list)
    left_out: Counter[str] = field(default_factory=Counter)

    def add(self, element: Element | None, problem: str) -> None:
        """Note a problem, with the line and class of the element that has it."""
        if len(self.problems) >= _MAX_PROBLEMS:
            self.left_out["problems"] += 1
        elif element is None:
            self.problems.append(problem)
        else:
            self.problems.append(f"line {line_of(element)}: {short_class(element)}: {problem}")

    def integer(self, element: Element, key: str, default: int) -> int:
        """Read a Java int."""
        text = element.get(key)
        if text is None or text == "":
            return default
        try:
            value = int(text) if text.isascii() and "_" not in text else None
        except ValueError:
            value = None
        if value is None or not -_INT_LIMIT <= value < _INT_LIMIT:
            self.add(element, f"{key} is no number")
            return default
        return value

    def number(self, element: Element, key: str) -> float | None:
        """Read a Java double; ``None`` if it is absent or no number."""
        text = element.get(key)
        if text is None or text == "":
            return None
        try:
            value = float(text)
        except ValueError:
            value = float("nan")
        if isfinite(value):
            return value
        self.add(element, f"{key} is no number")
        return None


def parse(data: bytes) -> Element:
    """Parse a build file.

    Entities are not resolved, nothing is fetched, and the parser's own limits on depth and size hold.

    Raises:
        BuildFileError: It is no XML, has a document type, or its root is neither a module nor an extension.
    """
    parser = etree.XMLParser(
        resolve_entities=False,
        no_network=True,
        load_dtd=False,
        dtd_validation=False,
        huge_tree=False,
        remove_comments=True,
        remove_pis=True,
    )
    try:
        root = etree.fromstring(data, parser)
    except etree.XMLSyntaxError as error:
        raise BuildFileError(f"no readable XML: {_one_line(error)}", place=f"line {error.lineno}") from None
    except ValueError as error:
        raise BuildFileError(f"no readable XML: {_one_line(error)}") from None
    # Only a document type can declare entities, and VASSAL writes none.
    if root.getroottree().docinfo.internalDTD is not None:
        raise BuildFileError("declares a document type, which no build file needs", place="line 1")
    if root.tag not in MODULE_ROOTS | EXTENSION_ROOTS:
        raise BuildFileError(f"the root {str(root.tag)[:80]!r} is neither a module nor an extension", place="line 1")
    return root


def full_class(element: Element) -> str:
    """Return the Java class of a component; empty for what is no element (an entity reference)."""
    return element.tag if isinstance(element.tag, str) else ""


def short_class(element: Element) -> str:
    """Return the last part of the Java class of a component."""
    return full_class(element).rpartition(".")[2]


def line_of(element: Element) -> int:
    """Return the line of the build file where an element stands; 0 if it is not known."""
    line = element.sourceline
    return line if isinstance(line, int) else 0


def text_of(element: Element) -> str:
    """Join the text of an element, trimmed like Java's ``trim``.

    CDATA sections count too; the engine passes over them, but writes none.
    """
    parts = [element.text or ""]
    parts.extend(child.tail or "" for child in element)
    return "".join(parts).strip(_TRIMMED)


_TRIMMED = "".join(map(chr, range(0x21)))


def children(element: Element, *classes: str) -> Iterator[Element]:
    """Yield the components in a component, in order, folders looked through; only these classes if any are named."""
    waiting = list(reversed(element))
    while waiting:
        child = waiting.pop()
        short = short_class(child)
        if short in _TRANSPARENT:
            waiting.extend(reversed(child))
        elif short and (not classes or short in classes):
            yield child


def descendants(element: Element, *classes: str) -> Iterator[Element]:
    """Yield all components below an element that are of these classes, in document order."""
    return (child for child in element.iterdescendants() if short_class(child) in classes)


def ancestors(element: Element) -> Iterator[Element]:
    """Yield the components around an element, innermost first, without folders and without the root."""
    return (
        parent
        for parent in element.iterancestors()
        if short_class(parent) not in _TRANSPARENT and parent.getparent() is not None
    )


def count_classes(root: Element) -> Counter[str]:
    """Count the components of a build file by class."""
    return Counter(full_class(element) for element in root.iterdescendants() if isinstance(element.tag, str))


def graft(module: Element, extension: Element, notes: Notes) -> None:
    """Put the components of an extension into the module, where its targets say (``ExtensionElement.addTo``).

    A target that is not there is noted; its component then joins the module's root, so that it is not lost.
    """
    for child in list(extension):
        if short_class(child) != "ExtensionElement":
            module.append(child)
            continue
        target = _find(module, decode(child.get("target", ""), "/")) if child.get("target") else module
        if target is None:
            notes.add(child, f"there is no {child.get('target', '')[:200]!r} in the module")
        for component in list(child)[:1]:
            (module if target is None else target).append(component)


def _find(start: Element, path: list[str]) -> Element | None:
    """Follow a component path (``ComponentPathBuilder.getPath``)."""
    if not path:
        return start
    class_name, *names = decode(path[0], ":")
    name = names[0] if names else None
    candidates = [child for child in start if full_class(child) == class_name]
    exact = next((child for child in candidates if _name_of(child) == name), None)
    if exact is not None:
        return _find(exact, path[1:])
    if len(path) == 1:
        return candidates[0] if candidates else None
    # The name may have changed since: any component of the class that holds the rest of the path will do.
    return next((found for child in candidates if (found := _find(child, path[1:])) is not None), None)


def _name_of(element: Element) -> str | None:
    return next((element.get(key) for key in NAME_ATTRIBUTES if element.get(key) is not None), None)


def _one_line(error: Exception) -> str:
    message = error.msg if isinstance(error, etree.XMLSyntaxError) and error.msg else str(error)
    return re.sub(r", line \d+, column \d+$", "", " ".join(message.split()))[:200]
