"""What `dicemasters lesson` does: a lesson at the terminal, with a coach and one right answer at a time."""

from __future__ import annotations

import argparse
import textwrap

from rich.console import Console
from rich.text import Text

from dicemasters.game.arrange import goes_on
from dicemasters.game.forced import go_on
from dicemasters.game.game import ScriptError
from dicemasters.lessons.course import Moment, expected, game_at, games_to, next_moment, reason_against
from dicemasters.lessons.lesson import Lesson, lessons
from dicemasters.table.looking import Commands, LeaveError, Read
from dicemasters.table.prompt import edit_lines
from dicemasters.table.screen import Part, whole
from dicemasters.table.styles import ACCENT
from dicemasters.table.terminal import Sitting, help_without

_LEFT_OUT = ("undo", "u", "hold", "load", "save", "coach", "row")  # what leaves the lesson's path, or has no use on it


def add_arguments(commands: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """Add `lesson`."""
    lesson = commands.add_parser(
        "lesson", help="learn the game", description="Learn the game at the terminal; without a name, list the lessons."
    )
    lesson.add_argument("lesson", nargs="?", choices=list(lessons()), help="one of: %(choices)s")
    lesson.add_argument("--step", type=int, default=1, metavar="N", help="begin with that step (%(default)s)")


def main(args: argparse.Namespace, read: Read = input) -> int:
    """List the lessons, or take one."""
    if args.lesson is None:
        console = Console(highlight=False)
        for key, lesson in lessons().items():
            words = f"{key:18} {lesson.title}: {lesson.about}"
            print(textwrap.fill(words, console.width, subsequent_indent=" " * 19) if console.is_terminal else words)
        print("Begin one: dicemasters lesson first-game")
        return 0
    lesson = lessons()[args.lesson]
    if not 1 <= args.step <= len(lesson.steps):
        raise ValueError(f"the lesson '{lesson.key}' has steps 1 to {len(lesson.steps)}, not {args.step}")
    taught = Taught(lesson, Console(highlight=False), read, args.step - 1)
    edit_lines(taught)
    return taught.run()


class Taught(Sitting):
    """A learner at a table, who goes through a lesson."""

    help = help_without(_LEFT_OUT)

    def __init__(self, lesson: Lesson, console: Console, read: Read = input, step: int = 0) -> None:
        self.lesson = lesson
        self.moment: Moment | None = Moment(step, 0)
        super().__init__(game_at(lesson, self.moment), [None, None], console, read)
        self.names = ["you", lesson.rival]

    def commands(self) -> Commands:
        """Allow what looks, not what leaves the lesson's path."""
        return {word: do for word, do in super().commands().items() if word not in _LEFT_OUT}

    def _play_alone(self) -> bool:
        """Take the learner from moment to moment, and leave when the lesson is over."""
        assert self.moment is not None
        self._teach(self.moment)
        return True

    def _teach(self, moment: Moment) -> None:
        step = self.lesson.steps[moment.step]
        if expected(self.lesson, moment) is None:
            self._draw()
            self.read("Enter goes on > ")
        else:
            self._try(moment)
            last = moment.done + 1 == step.choices
            self.remarks = [step.done] if last and step.done else []
        self.moment = next_moment(self.lesson, moment)
        if self.moment is None:
            self._draw()
            raise LeaveError("The lesson is over. Play your first game: dicemasters play")
        self.game = game_at(self.lesson, self.moment)

    def _below(self) -> list[Part]:
        """Give what the coach says below the question."""
        if self.moment is None:
            return []
        step = self.lesson.steps[self.moment.step]
        said = [
            Text(f"{self.moment.step + 1} of {len(self.lesson.steps)} · {step.title}", "bold"),
            *Text(step.said(self.moment.done), ACCENT).wrap(self.console, self.console.width),
        ]
        return [whole(said)]

    def _try(self, moment: Moment) -> None:
        """Ask until the expected choice was made."""
        base = game_at(self.lesson, moment)
        while True:
            self.game = base.copy()
            self._ask()
            while goes_on(base.state, self.game.state):
                self._ask()
            texts = tuple(move.text for move in self.game.moves[len(base.moves) :])
            go_on(self.game)
            against = reason_against(self.lesson, moment, self.game, texts)
            if not against:
                break
            self.remarks = [against]
        self.game = games_to(self.lesson, Moment(moment.step, moment.done + 1))[-1].copy()

    def _choose(self, line: str) -> None:
        try:
            super()._choose(line)
        except ScriptError:  # other dice would be rolled than the lesson has set
            assert self.moment is not None
            raise ValueError(reason_against(self.lesson, self.moment, None, ())) from None
