"""Structured log records, with the number of the request."""

from __future__ import annotations

import logging
import secrets
from contextvars import ContextVar

LOG = logging.getLogger("dicemasters.table")
REQUEST: ContextVar[str] = ContextVar("request", default="")  # the name of the request or live socket being served


def note(what: str, *, level: int = logging.INFO, **facts: object) -> None:
    """Write a line: what happened, and the facts of it."""
    request = REQUEST.get()
    LOG.log(level, what, extra={"facts": {"request": request, **facts} if request else facts})


def new_request() -> str:
    """Name the request that is being served; what is noted meanwhile bears that name."""
    name = secrets.token_hex(6)
    REQUEST.set(name)
    return name
