"""Lessons for the browser: a moment of a lesson as data, and the answer to a choice made in it."""

from __future__ import annotations

from typing import cast

from dicemasters.game.answers.compound import shape
from dicemasters.game.answers.ordering import PARTS
from dicemasters.game.game import Game, ScriptError
from dicemasters.game.scenarios.runner import forget_chance
from dicemasters.lessons.lesson_file import Lesson, lessons
from dicemasters.lessons.lesson_session import (
    Moment,
    Shown,
    expected,
    game_at,
    games_to,
    next_moment,
    reason_against,
    shown,
)
from dicemasters.players.scripted import explain
from dicemasters.service.games.choices import ChoiceError, make
from dicemasters.service.games.view_builder import table_data, view_data
from dicemasters.service.protocol import game_schema, http_schema, messages

_MOST_SEEN = 10  # views of one moment, so that each has a number of its own


class NoSuchLessonError(LookupError):
    """There is no such lesson, or it has no such step."""


def lessons_data() -> http_schema.LessonList:
    """List the lessons."""
    return {
        "lessons": [
            {"key": lesson.key, "title": lesson.title, "about": lesson.about, "steps": len(lesson.steps)}
            for lesson in lessons().values()
        ]
    }


def moment_data(key: str, step: int, done: int) -> http_schema.LessonMoment:
    """Give a moment of a lesson: the table, the position, what the coach says, what is to be looked at."""
    lesson, moment = _find(key, step, done)
    said = lesson.steps[step]
    game = game_at(lesson, moment)
    act = expected(lesson, moment)
    return {
        "lesson": key,
        "title": lesson.title,
        "rival": lesson.rival,
        "step": step,
        "steps": len(lesson.steps),
        "done": done,
        "choices": said.choices,
        "heading": said.title,
        "say": said.said(done),
        "praise": said.done,
        "show": [_shown_data(found) for found in shown(lesson, moment)] if not done else [],
        "answer": _answer(game, act.parts) if act is not None else None,
        "table": table_data(game.table),
        "view": view_data(game, _version(moment), reason=_why(game)),
    }


def try_data(key: str, step: int, done: int, choice: object) -> http_schema.LessonAnswer:
    """Answer a choice: what is seen next if it is the expected one, else the reason against it."""
    lesson, moment = _find(key, step, done)
    game = game_at(lesson, moment)
    reason = _reason(lesson, moment, game, choice)
    if reason:
        return {"right": False, "reason": reason, "views": [], "next": None}
    after = Moment(step, done + 1)
    seen = games_to(lesson, after)
    before = [len(game.moves), *(len(g.moves) for g in seen)]
    following = next_moment(lesson, moment)
    return {
        "right": True,
        "reason": "",
        "views": [view_data(g.copy(), _version(after) + i + 1, before[i]) for i, g in enumerate(seen)],
        "next": {"step": following.step, "done": following.done} if following is not None else None,
    }


def _why(game: Game) -> game_schema.Said | None:
    """Give the rule behind the script's choice with which the game goes on from its first position, for the log."""
    script = game.table.solitaire
    if script is None or not game.moves or game.moves[0].player != game_schema.SEATS[script.seat]:
        return None
    found = explain(game.began)
    return {"rule": found.rule, "text": found.why}


def _reason(lesson: Lesson, moment: Moment, game: Game, choice: object) -> str:
    try:
        made = make(game, choice)
    except ChoiceError as error:
        return str(error)
    except ScriptError:  # dice are rolled that the lesson has set nothing for
        forget_chance(game.state)
        return reason_against(lesson, moment, None, make(game, choice).texts)
    return reason_against(lesson, moment, made.game, made.texts)


def _find(key: str, step: int, done: int) -> tuple[Lesson, Moment]:
    lesson = lessons().get(key)
    if lesson is None:
        raise NoSuchLessonError("there is no such lesson")
    if not 0 <= step < len(lesson.steps) or not 0 <= done <= lesson.steps[step].choices:
        raise NoSuchLessonError("the lesson has no such step")
    return lesson, Moment(step, done)


def _version(moment: Moment) -> int:
    return (moment.step * 100 + moment.done) * _MOST_SEEN


def _shown_data(found: Shown) -> http_schema.Pointed:
    return {
        "dice": list(found.dice),
        "card": found.card if found.card >= 0 else None,
        "zone": found.zone,
        "seat": next((seat for seat in game_schema.SEATS if seat == found.seat), None),
    }


_KEYS = {"many": "dice", "blocks": "blocks", "spend": "spend", "split": "split"}


def _answer(game: Game, texts: tuple[str, ...]) -> messages.Choice:
    """Give the expected choice as a browser would send it."""
    mode = shape(game.state).mode
    if mode == "one":
        return {"option": game.find(texts[0])}
    trial = game.copy()
    picked: list[int | tuple[int, int]] = []
    for text in texts:
        what, x, y = trial.state.options[trial.find(text)]
        if what in PARTS:
            picked.append(x if mode == "many" else (x, y))
        trial.play(text)
    return cast(messages.Choice, {_KEYS[mode]: picked})
