"""The Flask application."""

from __future__ import annotations

from flask import Flask

from vassal_bridge.web.errors import handle_errors
from vassal_bridge.web.guards import guard
from vassal_bridge.web.routes import routes
from vassal_bridge.web.settings import Settings

__all__ = ["create_app"]


def create_app(settings: Settings) -> Flask:
    """Make the application for one run of the service."""
    app = Flask("vassal_bridge.web", static_folder=None, template_folder=None)
    app.config["MAX_CONTENT_LENGTH"] = settings.max_bytes
    app.json.sort_keys = False  # type: ignore[attr-defined] # the stock provider has it, its base class does not
    guard(app, settings)
    handle_errors(app)
    app.register_blueprint(routes(settings))
    return app
