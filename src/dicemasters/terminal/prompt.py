"""Line input with editing, history and completion."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterable
from typing import Protocol

from dicemasters.paths import data_dir
from dicemasters.terminal.inspect_commands import LineReader

HISTORY = "history"


class LineSource(Protocol):
    """Reads lines through `read` and completes them."""

    read: LineReader

    def completions(self, line: str) -> list[str]: ...


def enable_line_editing(source: LineSource) -> None:
    """Install a line editor as `source.read` if standard input and output are terminals."""
    if sys.stdin.isatty() and sys.stdout.isatty():
        source.read = make_line_reader(source.completions)


def make_line_reader(completions: Callable[[str], Iterable[str]]) -> LineReader:
    """Return a line reader with Tab completion and a history that is saved between games."""
    from prompt_toolkit import PromptSession
    from prompt_toolkit.completion import CompleteEvent, Completer, Completion
    from prompt_toolkit.document import Document
    from prompt_toolkit.history import FileHistory, History, InMemoryHistory

    class Words(Completer):
        def get_completions(self, document: Document, complete_event: CompleteEvent) -> Iterable[Completion]:
            line = document.text_before_cursor
            return [Completion(text, start_position=-len(line)) for text in completions(line)]

    history: History
    try:
        folder = data_dir()
        folder.mkdir(parents=True, exist_ok=True)
        history = FileHistory(str(folder / HISTORY))
    except OSError:
        history = InMemoryHistory()
    session: PromptSession[str] = PromptSession(history=history, completer=Words(), complete_while_typing=False)
    return session.prompt
