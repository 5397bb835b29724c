"""Messages to browsers: JSON, written once for all who are told."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any


def _dump_json(value: object) -> bytes:
    return json.dumps(value, ensure_ascii=False, separators=(",", ":")).encode()


to_json: Callable[[Any], bytes]
try:
    from pydantic_core import to_json  # several times as quick
except ImportError:  # in a browser's worker
    to_json = _dump_json


class OutgoingMessage:
    """A message to browsers."""

    __slots__ = ("framed", "text")

    def __init__(self, text: bytes) -> None:
        self.text = text  # JSON
        self.framed: dict[bool, bytes] = {}  # as a wire sends it: compressed or not, each made when it is first needed
