"""Where results and remarks go: results to the standard output or a file, remarks and progress to the error stream."""

from __future__ import annotations

import io
import os
import sys
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Protocol

from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn
from rich.table import Table
from rich.text import Text

from vassal_bridge.errors import OptionError
from vassal_bridge.report.plain import visible

__all__ = [
    "Advance",
    "console",
    "emit",
    "emit_lines",
    "prepare_streams",
    "print_table",
    "progress",
    "protect",
    "remark",
    "write_file",
]

_PLAIN_WIDTH = 100  # columns, where no terminal says how wide it is


class Advance(Protocol):
    """Told how far a long work has come."""

    def __call__(self, done: int, total: int) -> None:
        """Take note that ``done`` of ``total`` parts are done."""


def prepare_streams() -> None:
    """Make both streams UTF-8 with plain line feeds, so that a report has the same bytes on every system."""
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(encoding="utf-8", errors="backslashreplace", newline="\n")


def emit(text: str) -> None:
    """Write a result to the standard output; a reader that has gone away (``| head``) is no error."""
    try:
        sys.stdout.write(text)
        sys.stdout.flush()
    except BrokenPipeError:
        _forget_stdout()


def emit_lines(lines: Iterable[str]) -> None:
    """Write a long result line by line; stops when the reader has gone away."""
    try:
        for line in lines:
            sys.stdout.write(line)
        sys.stdout.flush()
    except BrokenPipeError:
        _forget_stdout()


def _forget_stdout() -> None:
    # The interpreter flushes the stream once more at its end; let that go nowhere.
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def remark(text: str) -> None:
    """Write one remark to the error stream."""
    sys.stderr.write(f"vassal-bridge: {visible(text)}\n")


def console() -> Console:
    """Return a console for tables: colours on a terminal, else plain text of fixed width."""
    is_terminal = sys.stdout.isatty()
    return Console(
        file=sys.stdout,
        width=None if is_terminal else _PLAIN_WIDTH,
        force_terminal=is_terminal,
        color_system="auto" if is_terminal else None,
        markup=False,
        emoji=False,
        highlight=False,
    )


def print_table(title: str, columns: Iterable[str], rows: Iterable[Iterable[str]]) -> None:
    """Print a table, without the blanks that fill its lines."""
    table = Table(title=title or None, title_justify="left", box=None, pad_edge=False)
    for column in columns:
        table.add_column(column)
    for row in rows:
        table.add_row(*(Text(cell) for cell in row))
    screen = console()
    with screen.capture() as captured:
        screen.print(table)
    emit("".join(f"{line.rstrip()}\n" for line in captured.get().splitlines()))


@contextmanager
def progress(what: str) -> Iterator[Advance]:
    """Show a bar on the error stream while the work lasts, if that is a terminal."""
    if not sys.stderr.isatty():
        yield lambda done, total: None
        return
    columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn())
    with Progress(*columns, console=Console(stderr=True), transient=True) as bar:
        task = bar.add_task(what, total=None)
        yield lambda done, total: bar.update(task, completed=done, total=total)


@contextmanager
def waiting(what: str) -> Iterator[None]:
    """Show on the error stream that something is going on, if that is a terminal."""
    if not sys.stderr.isatty():
        yield
        return
    with Console(stderr=True).status(what):
        yield


def protect(output: Path | None, inputs: Iterable[Path | None]) -> None:
    """Refuse to write over a file that the command reads, by whatever name.

    Raises:
        OptionError: The output is one of the inputs.
    """
    if output is None or not output.exists():
        return
    for each in inputs:
        if each is not None and each.exists() and output.samefile(each):
            raise OptionError("this is one of the files that are read; they are never written to", file=str(output))


def write_file(output: Path, content: str | bytes) -> None:
    """Write a result to a file, all of it or nothing."""
    data = content.encode("utf-8", "backslashreplace") if isinstance(content, str) else content
    if output.exists() and not output.is_file():
        output.write_bytes(data)  # a device such as /dev/stdout has no place for a file beside it
        return
    beside = output.with_name(f".{output.name}.{os.getpid()}.part")
    try:
        beside.write_bytes(data)
        beside.replace(output)
    except OSError as error:
        beside.unlink(missing_ok=True)
        raise OSError(error.errno, error.strerror, str(output)) from None
