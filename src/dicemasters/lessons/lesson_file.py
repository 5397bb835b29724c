"""Lesson files: a title, and steps with a position, coach texts, expected choices and reasons (docs/lessons.md)."""

from __future__ import annotations

import re
from dataclasses import dataclass, field, replace
from functools import cache
from importlib.resources import files

from dicemasters.game.notation import NotationError, lines_of
from dicemasters.game.scenarios.runner import is_chance

MAX_CHARACTERS = 100_000
MAX_LINES = 2_000
MAX_STEPS = 40
MAX_ACTIONS = 20  # lines of play per step
MAX_CHOICES = 5  # the learner's choices per step
MAX_TITLE_LENGTH = 40
MAX_COACH_TEXT_LENGTH = 200  # characters of a single text of the coach
MAX_SENTENCES = 2
LEARNER = "A"

ZONES = ("field", "reserve", "prep", "bag", "used", "out", "life", "cards")
TABLE_AREAS = ("bar", "stage", "steps", "globals", "basics", "log")
_HIGHLIGHT = re.compile(rf"(?:(your|rival) (?:{'|'.join(ZONES)})|{'|'.join(TABLE_AREAS)}|(?:card|dice) .+)")
_PLAYER = re.compile(r"\s*([A-Ba-b])\s*:")


@dataclass(frozen=True, slots=True)
class WrongChoice:
    """The coach's answer to an unexpected choice; without `choice_text` it answers every other choice."""

    choice_text: str
    reason: str
    line: int


@dataclass(frozen=True, slots=True)
class LessonAction:
    """A line of play: a scripted draw or roll, or a player's choice with reasons against the alternatives."""

    line: int
    player: str  # "" for a scripted draw or roll
    text: str
    say: str = ""  # new text of the coach before this choice, "" for none
    wrong: tuple[WrongChoice, ...] = ()

    @property
    def parts(self) -> tuple[str, ...]:
        """The options of the choice, in the engine's order."""
        return tuple(part.strip() for part in self.text.split(";"))


@dataclass(frozen=True, slots=True)
class LessonStep:
    """One step of a lesson. Without a position it continues where the previous step ended."""

    title: str
    line: int
    say: str = ""
    show: tuple[tuple[int, str], ...] = ()
    position: tuple[tuple[int, str], ...] = ()
    chance: tuple[tuple[int, str], ...] = ()  # scripted draws and rolls of the position
    actions: tuple[LessonAction, ...] = ()
    done: str = ""  # the coach's text when the step is done

    def coach_text(self, done: int) -> str:
        """Return the coach's text after `done` choices."""
        choices = [action for action in self.actions if action.player == LEARNER]
        return next((action.say for action in reversed(choices[: done + 1]) if action.say), self.say)

    @property
    def choice_count(self) -> int:
        """The number of choices the learner makes."""
        return sum(action.player == LEARNER for action in self.actions)


@dataclass(frozen=True, slots=True)
class Lesson:
    """A lesson: its key in URLs, title, subject, opponent's name and steps."""

    key: str
    title: str
    about: str
    rival: str
    steps: tuple[LessonStep, ...]


@cache
def lessons() -> dict[str, Lesson]:
    """Return the lessons that come with the program, in order."""
    return {key: replace(read_lesson(text), key=key) for key, text in lesson_texts().items()}


def lesson_texts() -> dict[str, str]:
    """Return the lesson files by key: `2-keywords.lesson` comes second and has the key "keywords"."""
    paths = sorted((files("dicemasters.lessons") / "files").iterdir(), key=lambda file: file.name)
    return {file.name.removesuffix(".lesson").partition("-")[2]: file.read_text("utf-8") for file in paths}


def read_lesson(text: str) -> Lesson:
    """Return the lesson in a text. Raise `NotationError`, naming the line, if it is invalid.

    The legality of its choices is checked only when it is played (`check_lesson`).
    """
    reader = _Reader()
    for number, raw in enumerate(lines_of(text, MAX_CHARACTERS, MAX_LINES), 1):
        line = raw.split("  #", 1)[0].rstrip()
        if line.strip() and not line.lstrip().startswith("#"):
            reader.line(number, line.strip())
    return reader.lesson()


@dataclass
class _Reader:
    """The state of parsing a lesson."""

    head: dict[str, str] = field(default_factory=dict)
    steps: list[LessonStep] = field(default_factory=list)
    pending_text: tuple[int, str] | None = None  # (line, text) of the coach before the next choice

    def line(self, number: int, line: str) -> None:
        key, colon, value = line.partition(":")
        key, value = key.strip().casefold(), value.strip()
        if not colon:
            raise NotationError(f"expected 'something: ...', found '{line}'", number)
        if key == "step":
            self._check_no_pending_text()
            if len(self.steps) >= MAX_STEPS:
                raise NotationError(f"there are more than {MAX_STEPS} steps", number)
            self.steps.append(LessonStep(_title(value, number), number))
        elif not self.steps:
            self._head(number, key, value)
        else:
            self.steps[-1] = self._in_step(self.steps[-1], number, line, key, value)

    def _head(self, number: int, key: str, value: str) -> None:
        if key not in ("lesson", "about", "rival"):
            raise NotationError(f"before its first step a lesson has lesson, about and rival, not '{key}'", number)
        if key in self.head:
            raise NotationError(f"'{key}' is given twice", number)
        self.head[key] = _parse_coach_text(value, number) if key == "about" else _title(value, number)

    def _in_step(self, step: LessonStep, number: int, line: str, key: str, value: str) -> LessonStep:
        if (key == "say" and step.say) or (key == "done" and step.done):
            raise NotationError(f"'{key}' is given twice in this step", number)
        if key == "say":
            return replace(step, say=_parse_coach_text(value, number))
        if key == "done":
            return replace(step, done=_parse_coach_text(value, number))
        if key == "then":
            self._check_no_pending_text()
            if not step.choice_count:
                raise NotationError("'then' must follow a choice; use 'say' before the first one", number)
            self.pending_text = (number, _parse_coach_text(value, number))
            return step
        if key == "show":
            highlights = [(number, part.strip()) for part in value.split(";")]
            for _, words in highlights:
                if not _HIGHLIGHT.fullmatch(words):
                    raise NotationError(f"'{words}' cannot be shown", number)
            return replace(step, show=(*step.show, *highlights))
        if key == "wrong":
            return replace(step, actions=_with_reason(step.actions, number, value))
        if is_chance(line) and step.position and not step.actions:
            return replace(step, chance=(*step.chance, (number, line)))
        if is_chance(line):
            return replace(step, actions=(*step.actions, LessonAction(number, "", line)))
        if match := _PLAYER.match(line):
            if not value:
                raise NotationError("nothing is chosen", number)
            action = LessonAction(number, match[1].upper(), value)
            if self.pending_text is not None and action.player == LEARNER:
                action, self.pending_text = replace(action, say=self.pending_text[1]), None
            return replace(step, actions=(*step.actions, action))
        if step.actions:
            raise NotationError(f"'{key}' comes after a choice; a position must come before all choices", number)
        return replace(step, position=(*step.position, (number, line)))

    def _check_no_pending_text(self) -> None:
        """Raise `NotationError` if no choice follows a text of the coach."""
        if self.pending_text is not None:
            raise NotationError(f"no choice of {LEARNER} follows these words", self.pending_text[0])

    def lesson(self) -> Lesson:
        self._check_no_pending_text()
        for key in ("lesson", "about"):
            if key not in self.head:
                raise NotationError(f"the lesson lacks '{key}: ...'")
        if not self.steps:
            raise NotationError("the lesson has no step")
        if not self.steps[0].position:
            raise NotationError("the first step needs a position", self.steps[0].line)
        for step in self.steps:
            if not step.say:
                raise NotationError("the coach says nothing in this step", step.line)
            if step.choice_count > MAX_CHOICES or len(step.actions) > MAX_ACTIONS:
                raise NotationError(
                    f"a step has at most {MAX_CHOICES} choices and {MAX_ACTIONS} lines of play", step.line
                )
            for action in step.actions:
                if action.player == LEARNER and not any(not wrong.choice_text for wrong in action.wrong):
                    raise NotationError("no reason is given against other choices (wrong: ...)", action.line)
        return Lesson("", self.head["lesson"], self.head["about"], self.head.get("rival", "Rival"), tuple(self.steps))


def _with_reason(actions: tuple[LessonAction, ...], number: int, value: str) -> tuple[LessonAction, ...]:
    """Add a reason to the last choice: `words = reason`, or a reason alone for all other choices."""
    if not actions or actions[-1].player != LEARNER:
        raise NotationError(f"a reason must follow a choice of {LEARNER}", number)
    choice_text, equals, reason = value.partition(" = ")
    wrong = WrongChoice(
        choice_text.strip() if equals else "", _parse_coach_text(reason if equals else value, number), number
    )
    return (*actions[:-1], replace(actions[-1], wrong=(*actions[-1].wrong, wrong)))


def _title(value: str, number: int) -> str:
    if not 0 < len(value) <= MAX_TITLE_LENGTH:
        raise NotationError(f"a title has 1 to {MAX_TITLE_LENGTH} characters, this has {len(value)}", number)
    return value


def _parse_coach_text(value: str, number: int) -> str:
    """Return a text of the coach. Raise `NotationError` if it is empty or too long."""
    if not 0 < len(value.strip()) <= MAX_COACH_TEXT_LENGTH:
        raise NotationError(
            f"the coach says 1 to {MAX_COACH_TEXT_LENGTH} characters at once, this is {len(value.strip())}", number
        )
    if len(re.findall(r"[.!?](?=\s|$)", value)) > MAX_SENTENCES:
        raise NotationError(f"the coach says at most {MAX_SENTENCES} sentences at once", number)
    return value.strip()
