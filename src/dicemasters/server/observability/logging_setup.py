"""What the server writes down about itself: one line an event, for people or as JSON for programs."""

from __future__ import annotations

import json
import logging
import re
import sys
from datetime import UTC, datetime
from typing import TextIO

from dicemasters.service.token_bucket import TokenBucket

LINE_BURST = 5  # of the same event at once
LINES_PER_SECOND = 0.5  # of the same event
_SECRET = re.compile(r"(?<![A-Za-z0-9_-])(?:[A-Za-z0-9_-]{32}|[0-9a-f]{64})(?![A-Za-z0-9_-])")
REDACTED = "(hidden)"


class _LogThrottle(logging.Filter):
    """Lets only so many lines of the same event through, and says how many were left out."""

    def __init__(self) -> None:
        super().__init__()
        self._of: dict[str, TokenBucket] = {}
        self._left_out: dict[str, int] = {}

    def filter(self, record: logging.LogRecord) -> bool:
        what = str(record.msg)[:200]
        if what not in self._of and len(self._of) >= 1000:
            self._of.clear()
        bucket = self._of.setdefault(what, TokenBucket(LINES_PER_SECOND, LINE_BURST))
        if not bucket.acquire():
            self._left_out[what] = self._left_out.get(what, 0) + 1
            return False
        missing = self._left_out.pop(what, 0)
        if missing:
            record.facts = {**getattr(record, "facts", {}), "left_out_before": missing}
        return True


class _LineFormatter(logging.Formatter):
    """Time, level, what happened, facts; control characters that strangers sent are written as escapes."""

    def __init__(self, *, as_json: bool) -> None:
        super().__init__()
        self.as_json = as_json

    def format(self, record: logging.LogRecord) -> str:
        at = datetime.fromtimestamp(record.created, UTC).isoformat(timespec="milliseconds")
        facts: dict[str, object] = dict(getattr(record, "facts", {}))
        if record.exc_info:
            facts["error"] = self.formatException(record.exc_info)
        facts = {key: _redact_secrets(value) for key, value in facts.items()}
        if self.as_json:
            line = {"at": at, "level": record.levelname.lower(), "what": record.getMessage(), **facts}
            return json.dumps(line, ensure_ascii=True, default=str)
        said = "".join(f" {key}={json.dumps(value, ensure_ascii=False, default=str)}" for key, value in facts.items())
        return f"{at[11:19]} {record.getMessage()}{said}"


def _redact_secrets(value: object) -> object:
    """Hide what could be the secret of a seat or of dice, whatever way it came into a fact."""
    return value if isinstance(value, int | float | None) else _SECRET.sub(REDACTED, str(value))


def configure_logging(*, as_json: bool, out: TextIO | None = None) -> None:
    """Write the server's lines to the error output, or to another."""
    handler = logging.StreamHandler(out or sys.stderr)
    handler.setFormatter(_LineFormatter(as_json=as_json))
    handler.addFilter(_LogThrottle())
    for name in ("dicemasters.table", "uvicorn.error", "asyncio"):
        log = logging.getLogger(name)
        log.handlers[:] = [handler]
        log.propagate = False
        log.setLevel(logging.INFO if name.startswith("dice") else logging.WARNING)
