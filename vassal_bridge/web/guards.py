"""Who is served: requests of this user's own programs, and nobody else's.

A page in the user's browser can send requests to 127.0.0.1, and read the answers if it makes its own name point there.
So every path wants the token (which forces a browser to ask first, and is not granted), any request that says which
page it comes from is refused, and so is a Host that is not ours. Nothing helps against programs of the same user.
"""

from __future__ import annotations

import hmac

from flask import Flask, Response, request

from vassal_bridge.web.errors import Refusal
from vassal_bridge.web.settings import Settings

__all__ = ["guard"]


def guard(app: Flask, settings: Settings) -> None:
    """Make the app ask each request who it is before anything else looks at it."""
    hosts = frozenset(f"{name}:{settings.port}" for name in ("127.0.0.1", "localhost"))
    bearer = f"Bearer {settings.token}".encode()

    @app.before_request
    def check() -> None:
        if "Origin" in request.headers:
            raise Refusal(403, "requests from web pages are not served")
        if request.environ.get("HTTP_HOST") not in hosts:
            raise Refusal(421, f"this service is 127.0.0.1:{settings.port}, not the host asked for")
        if request.method == "OPTIONS":
            raise Refusal(403, "requests from web pages are not served")
        given = request.headers.get("Authorization", "").encode("utf-8", "replace")
        if not hmac.compare_digest(given, bearer):
            # No WWW-Authenticate: Java's client would not hand on the 401 then.
            raise Refusal(401, "the token is missing or wrong; it is in the file that the service names at its start")
        if (request.content_length or 0) > settings.max_bytes:
            raise Refusal(413, f"the request is larger than {settings.max_megabytes} million bytes")

    @app.after_request
    def harden(response: Response) -> Response:
        response.headers["Cache-Control"] = "no-store"
        response.headers["X-Content-Type-Options"] = "nosniff"
        response.headers["Content-Security-Policy"] = "default-src 'none'"
        return response
