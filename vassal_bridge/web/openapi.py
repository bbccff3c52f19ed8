"""The OpenAPI document of the service, made from the shapes that it answers with."""

from __future__ import annotations

from typing import Any

from vassal_bridge import __version__
from vassal_bridge.report.models import Report

__all__ = ["openapi_document"]

_TEXT = {"type": "string"}
_FILE = {"type": "string", "contentMediaType": "application/octet-stream"}


def openapi_document() -> dict[str, Any]:
    """Return the document; every path wants the token."""
    return {
        "openapi": "3.1.0",
        "info": {
            "title": "vassal-bridge",
            "version": __version__,
            "description": "Audits VASSAL games. Clients ignore keys that they do not know.",
        },
        "security": [{"token": []}],
        "paths": {
            "/v1/ping": {"get": _ping()},
            "/v1/openapi.json": {"get": _document()},
            "/v1/audit": {"post": _audit()},
        },
        "components": {
            "securitySchemes": {"token": {"type": "http", "scheme": "bearer"}},
            "schemas": _schemas(),
        },
    }


def _ping() -> dict[str, Any]:
    return {
        "operationId": "ping",
        "summary": "Tell that the service answers, and its version",
        "responses": {
            "200": {
                "description": "name, version of the protocol, version of the program",
                "content": {
                    "text/plain": {"schema": {"type": "string", "pattern": "^rules-service 1 "}},
                    "application/json": {"schema": {"$ref": "#/components/schemas/Ping"}},
                },
            },
            **_errors(401, 403, 421),
        },
    }


def _document() -> dict[str, Any]:
    return {
        "operationId": "openapi",
        "summary": "This document",
        "responses": {
            "200": {"description": "OpenAPI 3.1", "content": {"application/json": {"schema": {"type": "object"}}}},
            **_errors(401, 403, 421),
        },
    }


def _audit() -> dict[str, Any]:
    form = {
        "type": "object",
        "properties": {
            "log": {"type": "array", "items": _FILE, "minItems": 1, "description": "logs in order, or one save"},
            "module": {**_FILE, "description": "the module of the game"},
            "rules": {**_TEXT, "description": "id of a rule set; default: the profile's"},
            "profile": {**_TEXT, "description": "name of a module profile; default: the one that fits"},
        },
        "required": ["log"],
        "additionalProperties": False,
    }
    query = [
        {"name": name, "in": "query", "required": False, "schema": _TEXT, "description": remark}
        for name, remark in (
            ("rules", "as the field of the form"),
            ("profile", "as the field of the form"),
            ("name", "file name of a raw log, for the report"),
        )
    ]
    return {
        "operationId": "audit",
        "summary": "Audit a chain of logs or a save",
        "parameters": query,
        "requestBody": {
            "required": True,
            "content": {
                "multipart/form-data": {
                    "schema": form,
                    "encoding": {
                        "log": {"contentType": "application/octet-stream"},
                        "module": {"contentType": "application/octet-stream"},
                    },
                },
                "application/octet-stream": {"schema": {}},
            },
        },
        "responses": {
            "200": {
                "description": "the report",
                "content": {"application/json": {"schema": {"$ref": "#/components/schemas/Report"}}},
            },
            **_errors(400, 401, 403, 413, 415, 421, 422, 503, 504),
        },
    }


def _errors(*statuses: int) -> dict[str, Any]:
    meaning = {
        400: "a field is missing, unknown, or has no such value",
        401: "the token is missing or wrong",
        403: "the request comes from a web page",
        413: "the request, or a file once unpacked, is too large",
        415: "neither a form nor a raw log",
        421: "the host asked for is not this service",
        422: "a file cannot be read",
        503: "too many audits are running",
        504: "the audit took too long",
    }
    shape = {"application/json": {"schema": {"$ref": "#/components/schemas/Error"}}}
    return {str(status): {"description": meaning[status], "content": shape} for status in statuses}


def _schemas() -> dict[str, Any]:
    report = Report.model_json_schema(mode="serialization", ref_template="#/components/schemas/{model}")
    parts = report.pop("$defs")
    error = {
        "type": "object",
        "properties": {
            "ok": {"const": False},
            "error": {
                "type": "object",
                "properties": {
                    "code": _TEXT,
                    "message": _TEXT,
                    "where": {"type": ["string", "null"], "description": "file, entry and place"},
                },
                "required": ["code", "message", "where"],
            },
        },
        "required": ["ok", "error"],
    }
    ping = {
        "type": "object",
        "properties": {
            "ok": {"const": True},
            "service": {"const": "rules-service"},
            "protocol": {"const": 1},
            "version": _TEXT,
        },
        "required": ["ok", "service", "protocol", "version"],
    }
    return {**parts, "Report": report, "Error": error, "Ping": ping}
