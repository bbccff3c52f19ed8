"""The routes of ``/v1``."""

from __future__ import annotations

from threading import BoundedSemaphore

from flask import Blueprint, Response, jsonify, request

from vassal_bridge import __version__
from vassal_bridge.report.audit_json import as_json
from vassal_bridge.web.errors import Refusal
from vassal_bridge.web.openapi import openapi_document
from vassal_bridge.web.settings import Settings
from vassal_bridge.web.work import audit_of, read_order

__all__ = ["routes"]


def routes(settings: Settings) -> Blueprint:
    """Make the blueprint for one run of the service."""
    blueprint = Blueprint("v1", __name__, url_prefix="/v1")
    running = BoundedSemaphore(settings.max_audits)

    @blueprint.get("/ping")
    def ping() -> Response:
        if request.accept_mimetypes.best_match(["text/plain", "application/json"]) == "application/json":
            return jsonify(ok=True, service="rules-service", protocol=1, version=__version__)
        return Response(f"rules-service 1 {__version__}\n", mimetype="text/plain")

    @blueprint.get("/openapi.json")
    def openapi() -> Response:
        return jsonify(openapi_document())

    @blueprint.post("/audit")
    def audit() -> Response:
        if not running.acquire(blocking=False):
            raise Refusal(503, "too many audits are running; ask again later")
        try:
            result = audit_of(read_order(request, settings), settings)
        finally:
            running.release()
        return Response(as_json(result), mimetype="application/json")

    return blueprint
