"""HTTP requests to a server."""

from __future__ import annotations

import json
import urllib.error
import urllib.request
from typing import Any

REQUEST_TIMEOUT = 120.0  # seconds; a server may still be starting


def get(address: str, path: str) -> Any:
    """Return the JSON at a path of the server."""
    return json.loads(get_text(address, path))


def get_text(address: str, path: str) -> str:
    """Return the text at a path of the server."""
    with urllib.request.urlopen(f"http://{address}{path}", timeout=REQUEST_TIMEOUT) as response:
        text: str = response.read().decode()
        return text


def post(address: str, path: str, data: object) -> Any:
    """Post JSON to a path of the server and return the JSON response."""
    headers = {"Content-Type": "application/json"}
    request = urllib.request.Request(f"http://{address}{path}", json.dumps(data).encode(), headers)
    with urllib.request.urlopen(request, timeout=REQUEST_TIMEOUT) as response:
        return json.load(response)
