"""Encoding of messages: JSON, serialised once for all recipients."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any


def _dump_json(value: object) -> bytes:
    return json.dumps(value, ensure_ascii=False, separators=(",", ":")).encode()


to_json: Callable[[Any], bytes]
try:
    from pydantic_core import to_json  # several times faster
except ImportError:  # in a browser's worker
    to_json = _dump_json


class OutgoingMessage:
    """A message to clients."""

    __slots__ = ("framed", "text")

    def __init__(self, text: bytes) -> None:
        self.text = text  # JSON
        self.framed: dict[bool, bytes] = {}  # WebSocket frames by compression, built on first use
