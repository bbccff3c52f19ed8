"""The commands: parse, call what does the work, hand the result to the report."""

from vassal_bridge.cli.output import prepare_streams
from vassal_bridge.cli.program import run
from vassal_bridge.cli.serve import Started

__all__ = ["Started", "prepare_streams", "run"]
