"""Where the program is put together: the commands, and the service that one of them starts.

Neither of the two knows the other.
"""

from __future__ import annotations

import sys
from typing import NoReturn

from vassal_bridge.cli import Started, prepare_streams, run

__all__ = ["main"]


def main() -> NoReturn:
    """Run the command ``vassal-bridge`` and leave the interpreter with its exit code."""
    prepare_streams()
    sys.exit(run(service=_service))


def _service(port: int, limits: dict[str, int], started: Started) -> None:
    # Not at the top: the other commands start faster without the web framework.
    from vassal_bridge.web import run_service

    run_service(port, limits, started)


if __name__ == "__main__":
    main()
