"""Compound choices: several decisions of the engine, shown as one question and answered at once.

This module parses the answer to a whole question and plays it as a whole or not at all (see
game/answers/whole_answers.py).
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

from dicemasters.game.answers.whole_answers import whole_answer_options
from dicemasters.game.autoplay import HoldsPriority, no_seat_holds, play_forced
from dicemasters.game.decision import FairDiceNeededError, IllegalChoiceError
from dicemasters.game.fair_dice import FairThrow
from dicemasters.game.game import Game
from dicemasters.game.inspect.view import NOBODY, UNDECIDED, Option
from dicemasters.game.state.decision_kinds import DECISION_KINDS

LEFTOVER_ENERGY = -1  # die number that stands for energy without a die in a client's choice


class InvalidChoiceError(ValueError):
    """The choice cannot be made; the text is one sentence that says why."""


class AppliedChoice(NamedTuple):
    """A choice that was made: the game after it, and the texts of the options that were played."""

    game: Game
    texts: tuple[str, ...]


def apply_choice(
    game: Game, choice: object, holds_priority: HoldsPriority = no_seat_holds, ready: FairThrow | None = None
) -> AppliedChoice:
    """Return a copy of the game after a choice and the forced moves that follow; raise InvalidChoiceError if illegal.

    A choice is a mapping with one key: `option` (index), `dice` (a set), `blocks` (pairs of blocker and attacker),
    `spend` (pairs of die and amount) or `split` (pairs of die and amount). `ready` is the throw of fair dice for it.
    Without one, a choice that rolls dice raises a FairDiceNeededError with the texts of the moves up to the roll.
    """
    if game.state.result != UNDECIDED:
        raise InvalidChoiceError("The game is over.")
    if not isinstance(choice, Mapping) or len(choice) != 1:
        raise InvalidChoiceError("A choice needs exactly one of option, dice, blocks, spend and split.")
    trial = game.copy()
    trial.ready = ready
    try:
        _play_choice(trial, choice)
        play_forced(trial, holds_priority)
    except FairDiceNeededError as error:
        raise FairDiceNeededError(*(move.text for move in trial.moves[len(game.moves) :]), *error.args) from None
    trial.ready = None
    return AppliedChoice(trial, tuple(move.text for move in trial.moves[len(game.moves) :]))


def _play_choice(game: Game, choice: Mapping[object, object]) -> None:
    """Play all parts of a choice."""
    ((key, value),) = choice.items()
    if key == "option":
        _play_option(game, value)
        return
    kind = game.state.decision.kind
    if key != _KEYS.get(DECISION_KINDS[kind].mode):
        raise InvalidChoiceError("That does not answer this question.")
    parts: list[Option]
    if key == "dice":
        parts = [(kind, d, 0) for d in _parse_numbers(value)]
    elif key == "blocks":
        parts = [("block", b, a) for b, a in _parse_pairs(value)]
    elif key == "spend":
        parts = [("pay", NOBODY if d == LEFTOVER_ENERGY else d, n) for d, n in _parse_pairs(value)]
    else:
        parts = [("amount", d, n) for d, n in _parse_pairs(value)]
    try:
        options = whole_answer_options(game.state, parts)
    except IllegalChoiceError as error:
        raise InvalidChoiceError(str(error)) from None
    for option in options:
        game.play(game.state.options.index(option))


_KEYS = {"many": "dice", "blocks": "blocks", "spend": "spend", "split": "split"}  # key of a choice by mode


def _parse_numbers(value: object) -> list[int]:
    if not isinstance(value, list | tuple) or not all(type(x) is int for x in value):
        raise InvalidChoiceError("Dice are named by a list of their numbers.")
    if len(set(value)) < len(value):
        raise InvalidChoiceError("A die is named twice.")
    return list(value)


def _parse_pairs(value: object) -> list[tuple[int, int]]:
    is_valid = isinstance(value, list | tuple) and all(
        isinstance(pair, list | tuple) and len(pair) == 2 and all(type(x) is int for x in pair) for pair in value
    )
    if not is_valid:
        raise InvalidChoiceError("This is answered by a list of pairs of numbers.")
    assert isinstance(value, list | tuple)
    pairs = [(pair[0], pair[1]) for pair in value]
    if len(set(pairs)) < len(pairs):
        raise InvalidChoiceError("A pair is named twice.")
    return pairs


def _play_option(game: Game, value: object) -> None:
    if type(value) is not int or not 0 <= value < len(game.state.options):
        raise InvalidChoiceError("There is no such option.")
    game.play(value)
