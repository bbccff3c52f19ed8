"""The program: its commands, and how every one of them ends."""

from __future__ import annotations

import sys
from collections.abc import Sequence

import click

from vassal_bridge import __version__
from vassal_bridge.cli.audit import audit
from vassal_bridge.cli.demo import demo
from vassal_bridge.cli.exits import FAILED, OK
from vassal_bridge.cli.failure import sentence
from vassal_bridge.cli.make_module import make_module
from vassal_bridge.cli.record import chain, dice
from vassal_bridge.cli.replay import replay
from vassal_bridge.cli.rule_files import check_rules, test_rules
from vassal_bridge.cli.rules import explain, rules
from vassal_bridge.cli.serve import Service, serve
from vassal_bridge.cli.show import show
from vassal_bridge.cli.transcript import transcript

__all__ = ["program", "run"]

_INTERRUPTED = 130  # as shells say it: 128 and the number of the signal


@click.group(context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100})
@click.version_option(__version__, prog_name="vassal-bridge")
def program() -> None:
    """Audit VASSAL games: read modules, saves and logs, and name the rules that were broken.

    Results go to the standard output, remarks and progress to the error stream. Exit codes: 0 nothing wrong,
    1 violations found, 2 could not run.
    """


for command in (
    demo, show, replay, transcript, audit, chain, dice, rules, explain, check_rules, test_rules, make_module, serve,
):  # fmt: skip
    program.add_command(command)


def run(arguments: Sequence[str] | None = None, *, service: Service | None = None) -> int:
    """Run one command and return its exit code; whatever goes wrong is one line on the error stream.

    Args:
        arguments: The words after the program's name; those of the process by default.
        service: What ``serve`` starts; without one it refuses.
    """
    try:
        code = program.main(args=arguments, prog_name="vassal-bridge", standalone_mode=False, obj=service)
    except click.exceptions.NoArgsIsHelpError as error:
        sys.stderr.write(f"{error.format_message()}\n")
        return FAILED
    except (click.Abort, KeyboardInterrupt):
        return _INTERRUPTED
    except Exception as error:
        sys.stderr.write(f"{sentence(error)}\n")
        return FAILED
    return code if isinstance(code, int) else OK
