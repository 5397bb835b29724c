"""What the server writes down about itself: one line an event, for people or as JSON for programs."""

from __future__ import annotations

import json
import logging
import sys
from datetime import UTC, datetime

LOG = logging.getLogger("dicemasters.table")


def note(what: str, *, level: int = logging.INFO, **facts: object) -> None:
    """Write a line: what happened, and the facts of it."""
    LOG.log(level, what, extra={"facts": facts})


class _Lines(logging.Formatter):
    """Time, level, what happened, facts; control characters that strangers sent are written as escapes."""

    def __init__(self, *, as_json: bool) -> None:
        super().__init__()
        self.as_json = as_json

    def format(self, record: logging.LogRecord) -> str:
        at = datetime.fromtimestamp(record.created, UTC).isoformat(timespec="milliseconds")
        facts: dict[str, object] = dict(getattr(record, "facts", {}))
        if record.exc_info:
            facts["error"] = self.formatException(record.exc_info)
        if self.as_json:
            line = {"at": at, "level": record.levelname.lower(), "what": record.getMessage(), **facts}
            return json.dumps(line, ensure_ascii=True, default=str)
        said = "".join(f" {key}={json.dumps(value, ensure_ascii=False, default=str)}" for key, value in facts.items())
        return f"{at[11:19]} {record.getMessage()}{said}"


def open_journal(*, as_json: bool) -> None:
    """Write the server's lines to the error output."""
    handler = logging.StreamHandler(sys.stderr)
    handler.setFormatter(_Lines(as_json=as_json))
    for name in ("dicemasters.table", "uvicorn.error"):
        log = logging.getLogger(name)
        log.handlers[:] = [handler]
        log.propagate = False
        log.setLevel(logging.INFO if name.startswith("dice") else logging.WARNING)
