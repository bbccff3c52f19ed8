"""``audit --server``: let a running service do the audit."""

from __future__ import annotations

import os
from collections.abc import Sequence
from contextlib import ExitStack
from pathlib import Path
from typing import TYPE_CHECKING, Any
from urllib.parse import urlsplit

from vassal_bridge.datadirs import service_file
from vassal_bridge.errors import BridgeError, OptionError

if TYPE_CHECKING:
    import requests

__all__ = ["TOKEN_VARIABLE", "audit_at"]

TOKEN_VARIABLE = "VASSAL_BRIDGE_TOKEN"
_LOCAL = frozenset({"127.0.0.1", "localhost"})
_CONNECT, _READ = 5, 120  # seconds


def audit_at(url: str, logs: Sequence[Path], module: Path | None, rules: str | None, profile: str | None) -> str:
    """Send files to a service and return its report, JSON as it came.

    Raises:
        OptionError: The address is none, or there is no token for it.
        BridgeError: The service does not answer, or refuses.
        OSError: A file cannot be read.
    """
    # Not at the top: every command would start a tenth of a second later.
    import requests

    headers = {"Authorization": f"Bearer {_token(url)}"}
    fields = {name: value for name, value in (("rules", rules), ("profile", profile)) if value is not None}
    with ExitStack() as opened:
        named = [("log", log) for log in logs] + ([("module", module)] if module is not None else [])
        files = [(field, (path.name, opened.enter_context(path.open("rb")))) for field, path in named]
        try:
            answer = requests.post(
                f"{url.rstrip('/')}/v1/audit",
                headers=headers,
                data=fields,
                files=files,
                timeout=(_CONNECT, _READ),
                allow_redirects=False,
            )
        except requests.RequestException as error:
            raise BridgeError(f"the service does not answer ({type(error).__name__})", file=url) from None
    if answer.status_code != requests.codes.ok:
        raise _refusal(url, answer)
    answer.encoding = "utf-8"
    return answer.text


def _token(url: str) -> str:
    """Return the token for an address; that of the local service goes to nobody else."""
    parts = urlsplit(url)
    if parts.scheme not in ("http", "https") or not parts.hostname:
        raise OptionError("this is no address of a service, such as http://127.0.0.1:8437", file=url)
    if given := os.environ.get(TOKEN_VARIABLE):
        return given
    if parts.hostname in _LOCAL and service_file().is_file():
        lines = service_file().read_text(encoding="ascii", errors="replace").splitlines()
        settings = dict(line.split("=", 1) for line in lines if "=" in line)
        if settings.get("port") == str(parts.port) and "token" in settings:
            return settings["token"]
    raise OptionError(f"no service of yours runs there, and {TOKEN_VARIABLE} is not set", file=url)


def _refusal(url: str, answer: requests.Response) -> BridgeError:
    try:
        error: Any = answer.json()["error"]
        return BridgeError(str(error["message"]), file=url, place=str(error["where"]) if error["where"] else None)
    except (ValueError, KeyError, TypeError):
        return BridgeError(f"the service answers with HTTP status {answer.status_code}", file=url)
