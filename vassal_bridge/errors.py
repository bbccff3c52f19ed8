"""What can go wrong that is not a player's mistake.

A broken rule is a finding, never an exception. These exceptions are for input that cannot be read, data files of ours
or of a module author that are wrong, and options that make no sense. Each carries the place, so that a front can print
one line that names file, entry and place.
"""

from __future__ import annotations

from dataclasses import dataclass

__all__ = [
    "BridgeError",
    "BuildFileError",
    "CaseError",
    "ContainerError",
    "DecodeError",
    "LimitError",
    "OptionError",
    "ProfileError",
    "RuleFileError",
]


@dataclass(eq=False)
class BridgeError(Exception):
    """Something that ends a command with exit code 2.

    Attributes:
        message: What is wrong, one sentence without a full stop; of several faults the first.
        file: The file as the user named it, where one is concerned.
        entry: The zip entry inside it (``savedGame``, ``buildFile.xml``).
        place: Where in that: ``byte 120``, ``step 7``, ``line 3``, a path of elements.
        problems: All faults, where the reader collects them before it gives up.
    """

    message: str
    file: str | None = None
    entry: str | None = None
    place: str | None = None
    problems: tuple[str, ...] = ()

    def __str__(self) -> str:
        more = f" (and {len(self.problems) - 1} more)" if len(self.problems) > 1 else ""
        return ": ".join(part for part in (self.file, self.entry, self.place, self.message) if part) + more

    def located(self, *, file: str | None = None, entry: str | None = None, place: str | None = None) -> BridgeError:
        """Fill in what an inner reader could not know; what is already known stays. Returns the error itself."""
        self.file = self.file or file
        self.entry = self.entry or entry
        self.place = self.place or place
        return self


class ContainerError(BridgeError):
    """A file is no VASSAL file, or its zip container is damaged."""


class LimitError(ContainerError):
    """A file is larger, deeper or more tightly packed than the limits allow."""


class DecodeError(BridgeError):
    """The text of a save or log cannot be decoded."""


class BuildFileError(BridgeError):
    """A module's build file is no XML, or not a build file."""


class RuleFileError(BridgeError):
    """A rule set has faults; ``problems`` holds all of them."""


class ProfileError(BridgeError):
    """A module profile or map file has faults, or fits no module at hand; ``problems`` holds all of them."""


class CaseError(BridgeError):
    """A case file does not follow the case notation; ``problems`` holds all faults."""


class OptionError(BridgeError):
    """An option or a request field has no such value."""
