"""A lesson at the terminal, with a coach and one right answer at a time."""

from __future__ import annotations

from rich.console import Console
from rich.text import Text

from dicemasters.game.answers.ordering import expects_more
from dicemasters.game.autoplay import play_forced
from dicemasters.game.game import ScriptedDiceError
from dicemasters.lessons.lesson_file import Lesson
from dicemasters.lessons.lesson_session import (
    LessonMoment,
    expected_choice,
    explain_wrong_choice,
    game_at,
    games_to,
    next_moment,
)
from dicemasters.terminal.game_ui import TerminalGame, help_text
from dicemasters.terminal.inspect_commands import Commands, LineReader, QuitError
from dicemasters.terminal.layout import ScreenSection, fixed_section
from dicemasters.terminal.theme import ACCENT

_DISABLED_COMMANDS = (
    "undo",
    "u",
    "hold",
    "load",
    "save",
    "coach",
    "row",
)  # what leaves the lesson's path, or has no use on it


class TerminalLesson(TerminalGame):
    """A learner at a table, who goes through a lesson."""

    help = help_text(_DISABLED_COMMANDS)

    def __init__(self, lesson: Lesson, console: Console, read: LineReader = input, step: int = 0) -> None:
        self.lesson = lesson
        self.moment: LessonMoment | None = LessonMoment(step, 0)
        super().__init__(game_at(lesson, self.moment), [None, None], console, read)
        self.names = ["you", lesson.rival]

    def commands(self) -> Commands:
        """Allow what looks, not what leaves the lesson's path."""
        return {word: command for word, command in super().commands().items() if word not in _DISABLED_COMMANDS}

    def _play_automatically(self) -> bool:
        """Take the learner from moment to moment, and leave when the lesson is over."""
        assert self.moment is not None
        self._teach(self.moment)
        return True

    def _teach(self, moment: LessonMoment) -> None:
        step = self.lesson.steps[moment.step]
        if expected_choice(self.lesson, moment) is None:
            self._draw()
            self.read("Enter goes on > ")
        else:
            self._prompt_until_correct(moment)
            last = moment.choices_made + 1 == step.choice_count
            self.remarks = [step.done] if last and step.done else []
        self.moment = next_moment(self.lesson, moment)
        if self.moment is None:
            self._draw()
            raise QuitError("The lesson is over. Play your first game: dicemasters play")
        self.game = game_at(self.lesson, self.moment)

    def _footer(self) -> list[ScreenSection]:
        """Give what the coach says below the question."""
        if self.moment is None:
            return []
        step = self.lesson.steps[self.moment.step]
        lines = [
            Text(f"{self.moment.step + 1} of {len(self.lesson.steps)} · {step.title}", "bold"),
            *Text(step.coach_text(self.moment.choices_made), ACCENT).wrap(self.console, self.console.width),
        ]
        return [fixed_section(lines)]

    def _prompt_until_correct(self, moment: LessonMoment) -> None:
        """Ask until the expected choice was made."""
        base = game_at(self.lesson, moment)
        while True:
            self.game = base.copy()
            self._ask()
            while expects_more(base.state, self.game.state):
                self._ask()
            texts = tuple(move.text for move in self.game.moves[len(base.moves) :])
            play_forced(self.game)
            objection = explain_wrong_choice(self.lesson, moment, self.game, texts)
            if not objection:
                break
            self.remarks = [objection]
        self.game = games_to(self.lesson, LessonMoment(moment.step, moment.choices_made + 1))[-1].copy()

    def _choose(self, line: str) -> None:
        try:
            super()._choose(line)
        except ScriptedDiceError:  # other dice would be rolled than the lesson has set
            assert self.moment is not None
            raise ValueError(explain_wrong_choice(self.lesson, self.moment, None, ())) from None
