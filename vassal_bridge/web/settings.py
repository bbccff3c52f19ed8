"""What can be set in the service: one table of names, defaults and remarks."""

from __future__ import annotations

import secrets
from dataclasses import dataclass, field, fields
from typing import Any

__all__ = ["Settings", "new_token", "settings_table"]

_TOKEN_BYTES = 32  # twice the 128 bits that are asked for


def new_token() -> str:
    """Return a fresh random token."""
    return secrets.token_urlsafe(_TOKEN_BYTES)


def _setting(default: int, remark: str) -> Any:
    return field(default=default, metadata={"default": default, "remark": remark})


@dataclass(frozen=True, slots=True, kw_only=True)
class Settings:
    """The settings of one run of the service; ``token`` and ``port`` belong to the run, the rest to the table."""

    token: str = field(repr=False)
    port: int
    max_megabytes: int = _setting(32, "largest request, in millions of bytes")
    max_text_megabytes: int = _setting(
        256, "largest text of a game or entry of a file once unpacked, in millions of bytes"
    )
    max_seconds: int = _setting(60, "longest time that one audit may take")
    max_audits: int = _setting(2, "audits that run at the same time; more are told to come again")

    @property
    def max_bytes(self) -> int:
        """Largest request in bytes."""
        return self.max_megabytes * 1_000_000


def settings_table() -> dict[str, tuple[int, str]]:
    """Return name -> default and remark, for the options of ``serve`` and the documentation."""
    return {
        each.name: (each.metadata["default"], each.metadata["remark"]) for each in fields(Settings) if each.metadata
    }
