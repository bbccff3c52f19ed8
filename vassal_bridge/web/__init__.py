"""The local HTTP service: parse, call the audit, hand to the report."""

from vassal_bridge.web.app import create_app
from vassal_bridge.web.server import run_service
from vassal_bridge.web.settings import Settings

__all__ = ["Settings", "create_app", "run_service"]
