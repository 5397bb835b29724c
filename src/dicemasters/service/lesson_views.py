"""Lessons for the browser: the moments of a lesson as data, and the answers to the learner's choices."""

from __future__ import annotations

from typing import cast

from dicemasters.game.answers.compound import compound_decision
from dicemasters.game.answers.ordering import PARTS
from dicemasters.game.game import Game, ScriptedDiceError
from dicemasters.game.scenarios.runner import forget_chance
from dicemasters.lessons.lesson_file import Lesson, lessons
from dicemasters.lessons.lesson_session import (
    Highlight,
    LessonMoment,
    expected_choice,
    explain_wrong_choice,
    game_at,
    games_to,
    highlights_of,
    next_moment,
)
from dicemasters.players.scripted import explain
from dicemasters.service.games.choices import InvalidChoiceError, apply_choice
from dicemasters.service.games.view_builder import build_table, build_view
from dicemasters.service.protocol import game_schema, http_schema, messages

_VIEWS_PER_MOMENT = 10  # upper bound of views per moment, so that each view has a unique version


class LessonNotFoundError(LookupError):
    """The lesson or step does not exist."""


def build_lessons() -> http_schema.LessonList:
    """Return the list of lessons."""
    return {
        "lessons": [
            {"key": lesson.key, "title": lesson.title, "about": lesson.about, "steps": len(lesson.steps)}
            for lesson in lessons().values()
        ]
    }


def build_lesson_moment(key: str, step: int, done: int) -> http_schema.LessonMomentData:
    """Return a moment of a lesson: the table, the position, the coach's text and the highlights."""
    lesson, moment = _find_moment(key, step, done)
    lesson_step = lesson.steps[step]
    game = game_at(lesson, moment)
    expected = expected_choice(lesson, moment)
    return {
        "lesson": key,
        "title": lesson.title,
        "rival": lesson.rival,
        "step": step,
        "steps": len(lesson.steps),
        "done": done,
        "choices": lesson_step.choice_count,
        "heading": lesson_step.title,
        "say": lesson_step.coach_text(done),
        "praise": lesson_step.done,
        "show": [_highlight_data(highlight) for highlight in highlights_of(lesson, moment)] if not done else [],
        "answer": _expected_choice_data(game, expected.parts) if expected is not None else None,
        "table": build_table(game.table),
        "view": build_view(game, _version(moment), reason=_script_explanation(game)),
    }


def answer_lesson_choice(key: str, step: int, done: int, choice: object) -> http_schema.LessonAnswer:
    """Return the answer to a choice: the following views if it is the expected one, otherwise why it is wrong."""
    lesson, moment = _find_moment(key, step, done)
    game = game_at(lesson, moment)
    reason = _rejection_reason(lesson, moment, game, choice)
    if reason:
        return {"right": False, "reason": reason, "views": [], "next": None}
    after = LessonMoment(step, done + 1)
    games = games_to(lesson, after)
    move_counts = [len(game.moves), *(len(g.moves) for g in games)]
    upcoming = next_moment(lesson, moment)
    return {
        "right": True,
        "reason": "",
        "views": [build_view(g.copy(), _version(after) + i + 1, move_counts[i]) for i, g in enumerate(games)],
        "next": {"step": upcoming.step, "done": upcoming.choices_made} if upcoming is not None else None,
    }


def _script_explanation(game: Game) -> game_schema.Explanation | None:
    """Return the rule behind the script's choice in the game's first position, or None if it made no choice there."""
    script = game.table.solitaire
    if script is None or not game.moves or game.moves[0].player != game_schema.SEATS[script.seat]:
        return None
    explanation = explain(game.began)
    return {"rule": explanation.rule, "text": explanation.why}


def _rejection_reason(lesson: Lesson, moment: LessonMoment, game: Game, choice: object) -> str:
    try:
        applied = apply_choice(game, choice)
    except InvalidChoiceError as error:
        return str(error)
    except ScriptedDiceError:  # the choice rolls dice that the lesson does not script
        forget_chance(game.state)
        return explain_wrong_choice(lesson, moment, None, apply_choice(game, choice).texts)
    return explain_wrong_choice(lesson, moment, applied.game, applied.texts)


def _find_moment(key: str, step: int, done: int) -> tuple[Lesson, LessonMoment]:
    lesson = lessons().get(key)
    if lesson is None:
        raise LessonNotFoundError("there is no such lesson")
    if not 0 <= step < len(lesson.steps) or not 0 <= done <= lesson.steps[step].choice_count:
        raise LessonNotFoundError("the lesson has no such step")
    return lesson, LessonMoment(step, done)


def _version(moment: LessonMoment) -> int:
    return (moment.step * 100 + moment.choices_made) * _VIEWS_PER_MOMENT


def _highlight_data(highlight: Highlight) -> http_schema.HighlightData:
    return {
        "dice": list(highlight.dice),
        "card": highlight.card if highlight.card >= 0 else None,
        "zone": highlight.zone,
        "seat": next((seat for seat in game_schema.SEATS if seat == highlight.seat), None),
    }


_CHOICE_KEYS = {"many": "dice", "blocks": "blocks", "spend": "spend", "split": "split"}


def _expected_choice_data(game: Game, texts: tuple[str, ...]) -> messages.Choice:
    """Return the expected choice in the form a browser would send."""
    mode = compound_decision(game.state).mode
    if mode == "one":
        return {"option": game.find(texts[0])}
    trial = game.copy()
    parts: list[int | tuple[int, int]] = []
    for text in texts:
        kind, x, y = trial.state.options[trial.find(text)]
        if kind in PARTS:
            parts.append(x if mode == "many" else (x, y))
        trial.play(text)
    return cast(messages.Choice, {_CHOICE_KEYS[mode]: parts})
