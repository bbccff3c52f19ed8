"""Exit codes of every command."""

from typing import Final

__all__ = ["FAILED", "OK", "VIOLATIONS"]

OK: Final = 0  # ran, and nothing is wrong
VIOLATIONS: Final = 1  # ran, and found what it looks for
FAILED: Final = 2  # could not run: unreadable input, bad rule file, bad option
