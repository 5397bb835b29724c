"""A file of results, one per line, from which a stopped run is resumed."""

from __future__ import annotations

import json
import os
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path
from typing import Any, overload

from dicemasters.lab.io.output_path import naming_file

Data = dict[str, Any]


class CompactRows(Sequence[Data]):
    """Results stored as JSON text, which takes an eighth of the memory; a row is parsed when it is accessed."""

    def __init__(self, lines: Iterable[bytes] = ()) -> None:
        self._lines = list(lines)

    @overload
    def __getitem__(self, index: int) -> Data: ...
    @overload
    def __getitem__(self, index: slice) -> CompactRows: ...
    def __getitem__(self, index: int | slice) -> Data | CompactRows:
        if isinstance(index, slice):
            return CompactRows(self._lines[index])
        row: Data = json.loads(self._lines[index])
        return row

    def __len__(self) -> int:
        return len(self._lines)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, CompactRows) and self._lines == other._lines

    __hash__ = None  # type: ignore[assignment]  # compared by content


def to_json_line(data: Data) -> bytes:
    """Return a result as a line of JSON."""
    return json.dumps(data, separators=(",", ":")).encode()


class Checkpoint:
    """Results, written as they arrive. The first line identifies the run, so results of two runs are never mixed."""

    def __init__(self, path: Path, run: Data, is_result: Callable[[Data], bool] = bool) -> None:
        self._path = path
        self._header = to_json_line({"run": run}) + b"\n"
        self.results = CompactRows()
        text = path.read_bytes() if path.is_file() else b""
        with naming_file(path):
            if self._header.startswith(text):  # new, or interrupted within the first line
                path.parent.mkdir(parents=True, exist_ok=True)
                path.write_bytes(self._header)
            else:
                self.results = self._read(text, run, is_result)

    def _read(self, text: bytes, run: Data, is_result: Callable[[Data], bool]) -> CompactRows:
        complete = text[: text.rfind(b"\n") + 1]
        first, *lines = complete.split(b"\n")[:-1] or [b""]
        header = _parse_row(first)
        if header is None or not isinstance(header.get("run"), dict):
            raise self._error("its first line does not identify the run")
        this_run: Data = json.loads(self._header)["run"]
        differing = [key for key in {**this_run, **header["run"]} if header["run"].get(key) != this_run.get(key)]
        if differing:
            raise self._error(
                f"it belongs to another run, with other {', '.join(differing)}; choose another name, or delete it"
            )
        for number, line in enumerate(lines, 2):
            data = _parse_row(line)
            if data is None or not is_result(data):
                raise self._error(f"line {number} is not a result of this run")
        if len(complete) < len(text):
            self._path.write_bytes(complete)  # interrupted within the last line
        return CompactRows(lines)

    def _error(self, reason: str) -> ValueError:
        return ValueError(f"{self._path}: cannot resume from this file: {reason}")

    def write(self, rows: Sequence[Data]) -> None:
        """Append results and sync them to disk, so that no finished work is lost."""
        with naming_file(self._path), self._path.open("ab") as file:
            file.writelines(to_json_line(data) + b"\n" for data in rows)
            file.flush()
            os.fsync(file.fileno())


def _parse_row(line: bytes) -> Data | None:
    try:
        data = json.loads(line)
    except ValueError:
        return None
    return data if isinstance(data, dict) else None
