"""Structured log records, with the number of the request."""

from __future__ import annotations

import logging
import secrets
from contextvars import ContextVar

LOGGER = logging.getLogger("dicemasters.table")
REQUEST_ID: ContextVar[str] = ContextVar("request", default="")  # the name of the request or live socket being served


def log_event(event: str, *, level: int = logging.INFO, **facts: object) -> None:
    """Write a line: what happened, and the facts of it."""
    request = REQUEST_ID.get()
    LOGGER.log(level, event, extra={"facts": {"request": request, **facts} if request else facts})


def set_request_id() -> str:
    """Name the request that is being served; what is noted meanwhile bears that name."""
    request_id = secrets.token_hex(6)
    REQUEST_ID.set(request_id)
    return request_id
