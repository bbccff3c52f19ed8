"""Read what a request asks for, and do it within the limits."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from pathlib import PureWindowsPath
from typing import TypedDict

from flask import Request
from werkzeug.datastructures import FileStorage

from vassal_bridge.audit.audit import audit_files
from vassal_bridge.audit.finding import AuditResult
from vassal_bridge.datadirs import data_dir
from vassal_bridge.rulebook.load import find_rules
from vassal_bridge.vassal.container import Limits, VassalFile, open_bytes
from vassal_bridge.web.alarm import TooLongError, within
from vassal_bridge.web.errors import Refusal
from vassal_bridge.web.settings import Settings

__all__ = ["Order", "audit_of", "read_order"]

_OPTIONS = frozenset({"rules", "profile"})


@dataclass(frozen=True, slots=True, kw_only=True)
class Order:
    """An audit that a request asks for; ``rules`` and ``profile`` are names of shipped ones, never paths."""

    logs: tuple[VassalFile, ...]
    module: VassalFile | None = None
    rules: str | None = None
    profile: str | None = None


def audit_of(order: Order, settings: Settings) -> AuditResult:
    """Do the audit.

    Raises:
        Refusal: It takes longer than the settings allow.
        BridgeError: A file is no log, or options do not fit each other.
    """
    try:
        return within(
            settings.max_seconds,
            lambda: audit_files(order.logs, module=order.module, rules=order.rules, profile=order.profile),
        )
    except TooLongError:
        raise Refusal(504, f"the audit takes longer than {settings.max_seconds} seconds") from None


def read_order(request: Request, settings: Settings) -> Order:
    """Read a form, or a raw log with its fields in the query.

    Raises:
        Refusal: It is neither, or no log is in it.
        BridgeError: A file cannot be read, or a field has no such value.
    """
    match request.mimetype:
        case "multipart/form-data":
            return _form(request, settings)
        case "application/octet-stream":
            return _raw(request, settings)
        case _:
            raise Refusal(415, "send multipart/form-data, or one log as application/octet-stream")


def _form(request: Request, settings: Settings) -> Order:
    _refuse_unknown(request.form, _OPTIONS)
    _refuse_unknown(request.files, {"log", "module"})
    _refuse_unknown(request.args, _OPTIONS)
    logs = request.files.getlist("log")
    modules = request.files.getlist("module")
    if not logs:
        raise Refusal(400, "the field log is missing")
    if len(modules) > 1:
        raise Refusal(400, "there is more than one module")
    limits = _limits(settings)
    return Order(
        logs=tuple(_open(each, f"log {number}", limits) for number, each in enumerate(logs, 1)),
        module=_open(modules[0], "module", limits) if modules else None,
        **_options(request.form.getlist, request.args.getlist),
    )


def _raw(request: Request, settings: Settings) -> Order:
    _refuse_unknown(request.args, _OPTIONS | {"name"})
    name = _base_name(request.args.get("name")) or "log"
    return Order(
        logs=(open_bytes(request.get_data(), name, limits=_limits(settings)),),
        **_options(request.args.getlist),
    )


class _Options(TypedDict):
    rules: str | None
    profile: str | None


def _options(*sources: Callable[[str], list[str]]) -> _Options:
    given = {field: _one([value for source in sources for value in source(field)], field) for field in _OPTIONS}
    profiles = [file.parent.name for file in data_dir("modules").glob("*/profile.toml")]
    return {
        "rules": _shipped(given["rules"], find_rules(), "rules"),
        "profile": _shipped(given["profile"], profiles, "profiles"),
    }


def _refuse_unknown(given: Mapping[str, object], known: frozenset[str] | set[str]) -> None:
    if unknown := sorted(set(given) - known):
        raise Refusal(400, f"there is no field {unknown[0]!r}")


def _one(values: list[str], field: str) -> str | None:
    if len(values) > 1:
        raise Refusal(400, f"the field {field} is given more than once")
    return next(iter(values), None) or None


def _open(upload: FileStorage, otherwise: str, limits: Limits) -> VassalFile:
    return open_bytes(upload.read(), _base_name(upload.filename) or otherwise, limits=limits)


def _base_name(name: str | None) -> str:
    """Take folders off a file name of any system; it is shown, never opened."""
    return PureWindowsPath(name or "").name


def _limits(settings: Settings) -> Limits:
    text = settings.max_text_megabytes * 1_000_000
    return Limits(file=settings.max_bytes, entry=2 * text, text=text, total=4 * text)


def _shipped(value: str | None, known: Iterable[str], field: str) -> str | None:
    """Return the name of something of ours; a path would let a request look at any file."""
    names = sorted(known)
    if value is not None and value not in names:
        raise Refusal(400, f"there are no {field} of that name, only: {', '.join(names)}")
    return value
