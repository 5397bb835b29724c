"""Lessons at the terminal, with a coach and one correct answer at a time."""

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

# commands that would leave the lesson or have no use in it
_DISABLED_COMMANDS = ("undo", "u", "hold", "load", "save", "coach", "row")


class TerminalLesson(TerminalGame):
    """Terminal game that leads a learner through a lesson."""

    help = help_text(_DISABLED_COMMANDS)

    def __init__(self, lesson: Lesson, console: Console, read: LineReader = input, step: int = 0) -> None:
        self.lesson = lesson
        self.moment: LessonMoment | None = LessonMoment(step, 0)
        super().__init__(game_at(lesson, self.moment), [None, None], console, read)
        self.names = ["you", lesson.rival]

    def commands(self) -> Commands:
        """Return the commands without those that would leave the lesson."""
        allowed = {word: command for word, command in super().commands().items() if word not in _DISABLED_COMMANDS}
        return allowed | self.pick_commands()

    def _play_automatically(self) -> bool:
        """Teach the current moment. Leave when the lesson is over."""
        assert self.moment is not None
        self._teach(self.moment)
        return True

    def _teach(self, moment: LessonMoment) -> None:
        step = self.lesson.steps[moment.step]
        if expected_choice(self.lesson, moment) is None:
            self._draw()
            self.read("Press Enter to continue > ")
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
        """Return the coach's text below the question."""
        if self.moment is None:
            return []
        step = self.lesson.steps[self.moment.step]
        lines = [
            Text(f"{self.moment.step + 1} of {len(self.lesson.steps)} · {step.title}", "bold"),
            *Text(step.coach_text(self.moment.choices_made), ACCENT).wrap(self.console, self.console.width),
        ]
        return [fixed_section(lines)]

    def _prompt_until_correct(self, moment: LessonMoment) -> None:
        """Prompt until the expected choice is made."""
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
        except ScriptedDiceError:  # the choice would need other dice than the lesson scripts
            assert self.moment is not None
            raise ValueError(explain_wrong_choice(self.lesson, self.moment, None, ())) from None
