"""A line typed at the terminal, with editing, history and completion."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterable
from typing import Protocol

from dicemasters.paths import data_dir
from dicemasters.terminal.inspect_commands import LineReader

HISTORY = "history"


class LineSource(Protocol):
    """Whoever reads lines at a terminal, and knows what a line can become."""

    read: LineReader

    def completions(self, line: str) -> list[str]: ...


def enable_line_editing(source: LineSource) -> None:
    """Let lines be edited, if somebody sits at a terminal, and not a pipe."""
    if sys.stdin.isatty() and sys.stdout.isatty():
        source.read = make_line_reader(source.completions)


def make_line_reader(completions: Callable[[str], Iterable[str]]) -> LineReader:
    """Give what reads a line: Tab completes it from what it can become, and the arrows find earlier ones."""
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
