"""A file of results, a line each, that a stopped run goes on with."""

from __future__ import annotations

import json
import os
from collections.abc import Sequence
from pathlib import Path
from typing import Any

Data = dict[str, Any]


class Notebook:
    """Results as they come; the first line says of which run they are, so that no other is mixed in."""

    def __init__(self, path: Path, run: Data) -> None:
        self._path = path
        self.found: list[Data] = []
        if path.exists() and path.stat().st_size:
            self.found = self._read(run)
        else:
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(json.dumps({"run": run}) + "\n", encoding="utf-8")

    def _read(self, run: Data) -> list[Data]:
        text = self._path.read_bytes()
        whole = text[: text.rfind(b"\n") + 1]
        try:
            first, *lines = whole.decode("utf-8").splitlines() or [""]
            head = json.loads(first)
            if not isinstance(head, dict) or "run" not in head:
                raise ValueError("its first line does not say of which run it is")
            if head["run"] != json.loads(json.dumps(run)):
                raise ValueError("it holds another run; give another name, or delete it")
            found = [json.loads(line) for line in lines]
        except ValueError as error:
            raise ValueError(f"{self._path}: cannot go on with this file: {error}") from None
        if len(whole) < len(text):
            self._path.write_bytes(whole)  # stopped in the middle of a line
        return found

    def write(self, some: Sequence[Data]) -> None:
        """Write down results at once, so that nothing finished is lost."""
        with self._path.open("a", encoding="utf-8") as file:
            file.writelines(json.dumps(data, separators=(",", ":")) + "\n" for data in some)
            file.flush()
            os.fsync(file.fileno())
