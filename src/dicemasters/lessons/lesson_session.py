"""A lesson in progress: the game at any moment of it, and the answers to choices.

A moment is a step and the number of choices the learner has made in it. Nothing else is stored: the lesson itself
determines how the game got there, so a learner can leave and return by URL. A choice is correct if it leads to the same
position as the expected one. Any other is answered with a reason, and the game does not change.
"""

from __future__ import annotations

from functools import lru_cache
from typing import NamedTuple

from dicemasters.game.autoplay import play_forced
from dicemasters.game.decision import IllegalChoiceError
from dicemasters.game.game import Game, ScriptedDiceError
from dicemasters.game.inspect import view
from dicemasters.game.inspect.view import FIELD, RESERVE, UNDECIDED, ZONE_NAMES, State
from dicemasters.game.notation import NotationError, has_machine_state, read_lines
from dicemasters.game.scenarios.runner import set_chance
from dicemasters.game.text import describe, matching
from dicemasters.lessons.lesson_file import LEARNER, Lesson, LessonAction, LessonStep


class LessonMoment(NamedTuple):
    """A moment of a lesson: the step, and the number of choices made in it."""

    step: int
    choices_made: int


class Highlight(NamedTuple):
    """Something to highlight: a zone of a seat, an area of the table, a card or dice."""

    zone: str = ""
    seat: str = ""
    card: int = -1
    dice: tuple[int, ...] = ()


def game_at(lesson: Lesson, moment: LessonMoment) -> Game:
    """Return the game at a moment of a lesson. Raise `NotationError`, naming the line, if it cannot be played."""
    return games_to(lesson, moment)[-1].copy()


@lru_cache(maxsize=500)
def games_to(lesson: Lesson, moment: LessonMoment) -> tuple[Game, ...]:
    """Return the games shown on the way to a moment: after the learner's choice, and after each of the opponent's."""
    step = lesson.steps[moment.step]
    if moment.choices_made:
        action = expected_choice(lesson, LessonMoment(moment.step, moment.choices_made - 1))
        assert action is not None
        game = game_at(lesson, LessonMoment(moment.step, moment.choices_made - 1))
        _play(game, action)
        games = [game]
    else:
        games = [_step_start(lesson, moment.step)]
    for action in _actions_after(step, moment.choices_made):
        game = games[-1].copy()
        if action.player:
            _play(game, action)
            games.append(game)
        else:
            set_chance(game.state, action.line, action.text)
            games[-1] = game
    return tuple(games)


def expected_choice(lesson: Lesson, moment: LessonMoment) -> LessonAction | None:
    """Return the choice expected at a moment, or None if the step only has to be read."""
    choices = [action for action in lesson.steps[moment.step].actions if action.player == LEARNER]
    return choices[moment.choices_made] if moment.choices_made < len(choices) else None


def next_moment(lesson: Lesson, moment: LessonMoment) -> LessonMoment | None:
    """Return the moment after an expected choice or a step that was read, or None at the end of the lesson."""
    if moment.choices_made + 1 < lesson.steps[moment.step].choice_count:
        return LessonMoment(moment.step, moment.choices_made + 1)
    return LessonMoment(moment.step + 1, 0) if moment.step + 1 < len(lesson.steps) else None


def explain_wrong_choice(lesson: Lesson, moment: LessonMoment, game_after: Game | None, texts: tuple[str, ...]) -> str:
    """Return the reason why a choice is wrong, or "" if it is the expected one.

    `game_after` is the game after the choice, or None if it is illegal; `texts` are the texts of the choice.
    """
    action = expected_choice(lesson, moment)
    if action is None:
        return "There is nothing to do in this step."
    expected_game = games_to(lesson, LessonMoment(moment.step, moment.choices_made + 1))[0]
    if game_after is not None and game_after.state == expected_game.state:
        return ""
    for wrong in action.wrong:
        if wrong.choice_text and any(matching.match_texts([text], wrong.choice_text) for text in texts):
            return wrong.reason
    return next(wrong.reason for wrong in action.wrong if not wrong.choice_text)


def highlights_of(lesson: Lesson, moment: LessonMoment) -> tuple[Highlight, ...]:
    """Return the highlights of a step."""
    s = game_at(lesson, moment).state
    return tuple(_parse_highlight(s, text, line) for line, text in lesson.steps[moment.step].show)


def check_lesson(lesson: Lesson) -> None:
    """Play a lesson to its end with the expected choices. Raise `NotationError` if that is impossible."""
    for i, step in enumerate(lesson.steps):
        for done in range(step.choice_count + 1):
            game = game_at(lesson, LessonMoment(i, done))
            if done < step.choice_count and (
                game.state.result != UNDECIDED or describe.SEATS[game.state.decision.seat] != LEARNER
            ):
                action = expected_choice(lesson, LessonMoment(i, done))
                assert action is not None
                raise NotationError(f"it is not {LEARNER}'s choice", action.line)
        highlights_of(lesson, LessonMoment(i, 0))


def _step_start(lesson: Lesson, index: int) -> Game:
    """Return the game at the start of a step: its own position, or the end of the previous step."""
    lesson_step = lesson.steps[index]
    if not lesson_step.position:
        return game_at(lesson, LessonMoment(index - 1, lesson.steps[index - 1].choice_count))
    state = read_lines(lesson_step.position)
    for number, line in lesson_step.chance:
        set_chance(state, number, line)
    try:
        return Game(state, written=True, forged=any(has_machine_state(line) for _, line in lesson_step.position))
    except ScriptedDiceError as error:
        raise NotationError(str(error), lesson_step.line) from None


def _actions_after(step: LessonStep, done: int) -> list[LessonAction]:
    """Return the actions between the learner's first `done` choices and the next one."""
    actions: list[LessonAction] = []
    choices_made = 0
    for action in step.actions:
        if action.player == LEARNER:
            choices_made += 1
        elif choices_made == done:
            actions.append(action)
    return actions


def _play(game: Game, action: LessonAction) -> None:
    """Make a choice part by part, then play forced moves."""
    if game.state.result != UNDECIDED or describe.SEATS[game.state.decision.seat] != action.player:
        raise NotationError(f"it is not {action.player}'s choice", action.line)
    try:
        for text in action.parts:
            game.play(text)
        play_forced(game)
    except (IllegalChoiceError, ScriptedDiceError) as error:
        raise NotationError(str(error), action.line) from None


def _parse_highlight(s: State, text: str, line: int) -> Highlight:
    kind, _, name = text.partition(" ")
    if kind in ("your", "rival"):
        return Highlight(zone=name, seat=LEARNER if kind == "your" else "B")
    if kind == "card":
        texts = list(s.spec.names)
        matches = matching.match_texts(texts, name)
        if len(matches) != 1:
            raise NotationError(f"'{name}' is not a card of this game", line)
        return Highlight(card=matches[0])
    if kind == "dice":
        dice = [d for d in range(s.spec.n_dice) if view.zone(s, d) in (FIELD, RESERVE)]
        matches = matching.match_texts([_die_location(s, d) for d in dice], name)
        if not matches:
            raise NotationError(f"no die in a field or a reserve is called '{name}'", line)
        return Highlight(dice=tuple(dice[i] for i in matches))
    return Highlight(zone=text)


def _die_location(s: State, die: int) -> str:
    """Return the controller and zone of a die as text: A's Hulk@1 in field."""
    possessive = f"{describe.SEATS[view.controller(s, die)]}'s "
    return f"{possessive}{describe.die_text(s, die).removeprefix(possessive)} in {ZONE_NAMES[view.zone(s, die)]}"
