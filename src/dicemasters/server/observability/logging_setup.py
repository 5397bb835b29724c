"""Logging: one line per event, as text for people or as JSON for programs."""

from __future__ import annotations

import json
import logging
import re
import sys
from datetime import UTC, datetime
from typing import TextIO

from dicemasters.service.token_bucket import TokenBucket

LINE_BURST = 5  # lines of one event in a burst
LINES_PER_SECOND = 0.5  # lines of one event per second, on average
_SECRET = re.compile(r"(?<![A-Za-z0-9_-])(?:[A-Za-z0-9_-]{32}|[0-9a-f]{64})(?![A-Za-z0-9_-])")
REDACTED = "(hidden)"


class _LogThrottle(logging.Filter):
    """Rate-limits lines of the same event. The next line that passes states how many were suppressed."""

    def __init__(self) -> None:
        super().__init__()
        self._buckets: dict[str, TokenBucket] = {}
        self._suppressed: dict[str, int] = {}

    def filter(self, record: logging.LogRecord) -> bool:
        event = str(record.msg)[:200]
        if event not in self._buckets and len(self._buckets) >= 1000:
            self._buckets.clear()
        bucket = self._buckets.setdefault(event, TokenBucket(LINES_PER_SECOND, LINE_BURST))
        if not bucket.acquire():
            self._suppressed[event] = self._suppressed.get(event, 0) + 1
            return False
        suppressed = self._suppressed.pop(event, 0)
        if suppressed:
            record.facts = {**getattr(record, "facts", {}), "left_out_before": suppressed}
        return True


class _LineFormatter(logging.Formatter):
    """Formats time, level, event and facts. Control characters from clients are escaped."""

    def __init__(self, *, as_json: bool) -> None:
        super().__init__()
        self.as_json = as_json

    def format(self, record: logging.LogRecord) -> str:
        timestamp = datetime.fromtimestamp(record.created, UTC).isoformat(timespec="milliseconds")
        facts: dict[str, object] = dict(getattr(record, "facts", {}))
        if record.exc_info:
            facts["error"] = self.formatException(record.exc_info)
        facts = {key: _redact_secrets(value) for key, value in facts.items()}
        if self.as_json:
            line = {"at": timestamp, "level": record.levelname.lower(), "what": record.getMessage(), **facts}
            return json.dumps(line, ensure_ascii=True, default=str)
        pairs = "".join(f" {key}={json.dumps(value, ensure_ascii=False, default=str)}" for key, value in facts.items())
        return f"{timestamp[11:19]} {record.getMessage()}{pairs}"


def _redact_secrets(value: object) -> object:
    """Replace anything that looks like the secret of a seat or of fair dice."""
    return value if isinstance(value, int | float | None) else _SECRET.sub(REDACTED, str(value))


def configure_logging(*, as_json: bool, stream: TextIO | None = None) -> None:
    """Send the server's log lines to `stream`, by default to standard error."""
    handler = logging.StreamHandler(stream or sys.stderr)
    handler.setFormatter(_LineFormatter(as_json=as_json))
    handler.addFilter(_LogThrottle())
    for name in ("dicemasters", "uvicorn.error", "asyncio"):
        logger = logging.getLogger(name)
        logger.handlers[:] = [handler]
        logger.propagate = False
        logger.setLevel(logging.INFO if name.startswith("dice") else logging.WARNING)
