"""A file of results, a line each, that a stopped run goes on with."""

from __future__ import annotations

import json
import os
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path
from typing import Any, overload

from dicemasters.lab.io.output_path import naming_file

Data = dict[str, Any]


class CompactRows(Sequence[Data]):
    """Results as text, which takes an eighth of the room; each is made when somebody looks at it."""

    def __init__(self, lines: Iterable[bytes] = ()) -> None:
        self._lines = list(lines)

    @overload
    def __getitem__(self, at: int) -> Data: ...
    @overload
    def __getitem__(self, at: slice) -> CompactRows: ...
    def __getitem__(self, at: int | slice) -> Data | CompactRows:
        if isinstance(at, slice):
            return CompactRows(self._lines[at])
        found: Data = json.loads(self._lines[at])
        return found

    def __len__(self) -> int:
        return len(self._lines)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, CompactRows) and self._lines == other._lines

    __hash__ = None  # type: ignore[assignment]  # they compare by what they hold


def to_json_line(data: Data) -> bytes:
    """Write a result in one line."""
    return json.dumps(data, separators=(",", ":")).encode()


class Checkpoint:
    """Results as they come; the first line says of which run they are, so that no other is mixed in."""

    def __init__(self, path: Path, run: Data, is_result: Callable[[Data], bool] = bool) -> None:
        self._path = path
        self._head = to_json_line({"run": run}) + b"\n"
        self.found = CompactRows()
        text = path.read_bytes() if path.is_file() else b""
        with naming_file(path):
            if self._head.startswith(text):  # new, or stopped in the middle of the first line
                path.parent.mkdir(parents=True, exist_ok=True)
                path.write_bytes(self._head)
            else:
                self.found = self._read(text, run, is_result)

    def _read(self, text: bytes, run: Data, is_result: Callable[[Data], bool]) -> CompactRows:
        whole = text[: text.rfind(b"\n") + 1]
        first, *lines = whole.split(b"\n")[:-1] or [b""]
        head = _data(first)
        if head is None or not isinstance(head.get("run"), dict):
            raise self._error("its first line does not say of which run it is")
        ours: Data = json.loads(self._head)["run"]
        other = [key for key in {**ours, **head["run"]} if head["run"].get(key) != ours.get(key)]
        if other:
            raise self._error(f"it holds another run, with other {', '.join(other)}; give another name, or delete it")
        for number, line in enumerate(lines, 2):
            data = _data(line)
            if data is None or not is_result(data):
                raise self._error(f"its line {number} is no result of this run")
        if len(whole) < len(text):
            self._path.write_bytes(whole)  # stopped in the middle of a line
        return CompactRows(lines)

    def _error(self, what: str) -> ValueError:
        return ValueError(f"{self._path}: cannot go on with this file: {what}")

    def write(self, some: Sequence[Data]) -> None:
        """Write down results at once, so that nothing finished is lost."""
        with naming_file(self._path), self._path.open("ab") as file:
            file.writelines(to_json_line(data) + b"\n" for data in some)
            file.flush()
            os.fsync(file.fileno())


def _data(line: bytes) -> Data | None:
    try:
        found = json.loads(line)
    except ValueError:
        return None
    return found if isinstance(found, dict) else None
