"""Every error of the service has one shape, made here."""

from __future__ import annotations

import logging
from typing import Final

from flask import Flask, Response, jsonify
from werkzeug.exceptions import HTTPException

from vassal_bridge.errors import BridgeError, LimitError, OptionError

__all__ = ["Refusal", "error_body", "handle_errors"]

_LOG = logging.getLogger(__name__)

# What a status means to a program that reads the answer; anything else is named by its number.
_CODES: Final = {
    400: "bad-request",
    401: "unauthorized",
    403: "forbidden",
    404: "not-found",
    405: "method-not-allowed",
    411: "length-required",
    413: "too-large",
    415: "unsupported-media-type",
    421: "misdirected",
    422: "unreadable",
    500: "internal",
    503: "busy",
    504: "timeout",
}


class Refusal(Exception):  # noqa: N818 (the word of the field: a service refuses)
    """A request that is not served; ``status`` is the HTTP status."""

    def __init__(self, status: int, message: str) -> None:
        super().__init__(message)
        self.status = status
        self.message = message


def error_body(status: int, message: str, where: str | None = None) -> dict[str, object]:
    """Return the body of every error: ``{"ok": false, "error": {"code", "message", "where"}}``."""
    code = _CODES.get(status, f"http-{status}")
    return {"ok": False, "error": {"code": code, "message": message, "where": where}}


def handle_errors(app: Flask) -> None:
    """Make the app answer every error in the one shape."""

    @app.errorhandler(Refusal)
    def refused(error: Refusal) -> Response:
        return _answer(error.status, error.message)

    @app.errorhandler(BridgeError)
    def not_read(error: BridgeError) -> Response:
        status = 413 if isinstance(error, LimitError) else 400 if isinstance(error, OptionError) else 422
        where = ": ".join(part for part in (error.file, error.entry, error.place) if part)
        return _answer(status, error.message, where or None)

    @app.errorhandler(HTTPException)
    def failed(error: HTTPException) -> Response:
        status = error.code or 500
        # The stock sentences may repeat parts of the request; ours do not.
        return _answer(status, error.name.lower(), None, allow=_allowed(error))

    @app.errorhandler(Exception)
    def broken(error: Exception) -> Response:
        # The text of an exception may hold a piece of the game, even a password; its type does not.
        _LOG.error("internal error: %s", type(error).__name__)
        return _answer(500, f"internal error ({type(error).__name__})")


def _allowed(error: HTTPException) -> str | None:
    methods = getattr(error, "valid_methods", None)
    return ", ".join(sorted(set(methods) - {"OPTIONS"})) if methods else None


def _answer(status: int, message: str, where: str | None = None, *, allow: str | None = None) -> Response:
    response = jsonify(error_body(status, message, where))
    response.status_code = status
    if allow:
        response.headers["Allow"] = allow
    return response
