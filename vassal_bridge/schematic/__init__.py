"""Modules that we make ourselves, so that games can be played and audited without anybody's map or counters."""

from vassal_bridge.schematic.make import ModuleReport, build_module, module_names

__all__ = ["ModuleReport", "build_module", "module_names"]
