"""Whatever ends a command is said in one line on the error stream; never a traceback."""

from __future__ import annotations

import traceback
from pathlib import Path

import click

from vassal_bridge.errors import BridgeError
from vassal_bridge.report.plain import visible

__all__ = ["sentence"]


def sentence(error: BaseException) -> str:
    """Return the one line for an error, without a line feed."""
    return f"vassal-bridge: {visible(_reason(error))}"


def _reason(error: BaseException) -> str:
    match error:
        case BridgeError():
            return str(error)
        case click.UsageError(ctx=click.Context(command_path=path)) if " " in path:
            return f"{path.partition(' ')[2]}: {_usage(error)}"
        case click.ClickException():
            return _usage(error)
        case OSError():
            return ": ".join(
                str(part) for part in (error.filename, _lower(error.strerror or "input or output failed")) if part
            )
        case MemoryError():
            return "not enough memory"
        case _:
            return f"internal error: {type(error).__name__} in {_origin(error)}; please report it"


def _usage(error: click.ClickException) -> str:
    return _lower(error.format_message().rstrip("."))


def _lower(message: str) -> str:
    return message[:1].lower() + message[1:]


def _origin(error: BaseException) -> str:
    """Name the line that failed; the text of an unforeseen error may hold a piece of a game, so it is left out."""
    frames = traceback.extract_tb(error.__traceback__)
    return f"{Path(frames[-1].filename).name}:{frames[-1].lineno}" if frames else "no known place"
