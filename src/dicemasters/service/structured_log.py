"""Structured log records that carry the id of the current request."""

from __future__ import annotations

import logging
import secrets
from contextvars import ContextVar

LOGGER = logging.getLogger(__name__)
REQUEST_ID: ContextVar[str] = ContextVar("request", default="")  # id of the request or live socket being handled


def log_event(event: str, *, level: int = logging.INFO, **facts: object) -> None:
    """Log an event with its facts."""
    request = REQUEST_ID.get()
    LOGGER.log(level, event, extra={"facts": {"request": request, **facts} if request else facts})


def set_request_id() -> str:
    """Assign a new id to the current request and return it; log records made while it is handled carry the id."""
    request_id = secrets.token_hex(6)
    REQUEST_ID.set(request_id)
    return request_id
