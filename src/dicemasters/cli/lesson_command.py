"""`dicemasters lesson`: list the lessons, or take one at the terminal."""

from __future__ import annotations

import argparse
import textwrap

from rich.console import Console

from dicemasters.lessons.lesson_file import lessons
from dicemasters.terminal.inspect_commands import LineReader
from dicemasters.terminal.lesson_ui import TerminalLesson
from dicemasters.terminal.prompt import enable_line_editing

EXAMPLES = """\
examples:
  dicemasters lesson                           list the lessons
  dicemasters lesson first-game                your first game, in eleven short steps
  dicemasters lesson first-game --step 5       start at the fifth step"""


def add_arguments(commands: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """Add the `lesson` command."""
    lesson = commands.add_parser(
        "lesson",
        description="Learn the game at the terminal, step by step. Without a name, list the lessons.",
        epilog=EXAMPLES,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    lesson.add_argument(
        "lesson", nargs="?", choices=list(lessons()), metavar="NAME", help="lesson to take: %(choices)s"
    )
    lesson.add_argument("--step", type=int, default=1, metavar="N", help="step to start at (default: %(default)s)")


def main(args: argparse.Namespace, read: LineReader = input) -> int:
    """List the lessons or take one. Return the exit code."""
    if args.lesson is None:
        console = Console(highlight=False)
        for key, lesson in lessons().items():
            words = f"{key:18} {lesson.title}: {lesson.about}"
            print(textwrap.fill(words, console.width, subsequent_indent=" " * 19) if console.is_terminal else words)
        print("Start one with: dicemasters lesson first-game")
        return 0
    lesson = lessons()[args.lesson]
    if not 1 <= args.step <= len(lesson.steps):
        raise ValueError(f"the lesson '{lesson.key}' has steps 1 to {len(lesson.steps)}, not {args.step}")
    ui = TerminalLesson(lesson, Console(highlight=False), read, args.step - 1)
    enable_line_editing(ui)
    return ui.run()
