"""End work that takes too long.

The audit has no place where it asks for the time, and a process of its own for each request would cost more than most
audits. So the interpreter is told to raise an exception in the thread at work, which it does between two bytecodes: all
of the audit is Python, so it comes within moments.
"""

from __future__ import annotations

import ctypes
import threading
from collections.abc import Callable
from typing import TypeVar

__all__ = ["TooLongError", "within"]

T = TypeVar("T")


class TooLongError(Exception):
    """The work was ended."""


class _Alarm(BaseException):
    """Raised in the thread at work; no handler of ``Exception`` on the way stops it."""


def within(seconds: float, work: Callable[[], T]) -> T:
    """Do the work and return its result.

    Raises:
        TooLongError: It took longer than that many seconds.
    """
    worker = threading.get_ident()
    guard = threading.Lock()
    is_done = False

    def ring() -> None:
        with guard:
            if not is_done:
                ctypes.pythonapi.PyThreadState_SetAsyncExc(ctypes.c_ulong(worker), ctypes.py_object(_Alarm))

    timer = threading.Timer(seconds, ring)
    timer.daemon = True
    timer.start()
    try:
        try:
            return work()
        finally:
            # An alarm that rings while we wait for the lock is raised here still, not later in the caller.
            with guard:
                is_done = True
            timer.cancel()
    except _Alarm:
        raise TooLongError from None
