"""Choices of several parts: shown as one question, answered once, played as the engine's questions one by one.

Here an answer to the whole question (see game/answers/compound.py) is read as it comes from outside, played in the engine's order
(see game/answers/ordering.py), or refused with a sentence. An answer that cannot be played as a whole is not played at all.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from typing import NamedTuple

from dicemasters.game.answers.compound import CompoundDecision, block_options_of, compound_decision, damage_split_of
from dicemasters.game.answers.ordering import order_options
from dicemasters.game.autoplay import HoldsPriority, no_seat_holds, play_forced
from dicemasters.game.decision import FairDiceNeededError
from dicemasters.game.fair_dice import FairThrow
from dicemasters.game.game import Game
from dicemasters.game.inspect import view
from dicemasters.game.inspect.view import NOBODY, RESERVE, UNDECIDED, Option, Price, State
from dicemasters.game.text import describe

LEFT_OVER = -1  # stands for energy that belongs to no die, where dice are named from outside


class InvalidChoiceError(ValueError):
    """The choice cannot be made; the text says why in one sentence."""


class AppliedChoice(NamedTuple):
    """A choice that was made: the game after it, and the texts of the options that were played."""

    game: Game
    texts: tuple[str, ...]


def apply_choice(
    game: Game, choice: object, holds_priority: HoldsPriority = no_seat_holds, ready: FairThrow | None = None
) -> AppliedChoice:
    """Make a choice on a copy of the game, with the follow-up questions that have one answer; InvalidChoiceError if it cannot be.

    A choice is a mapping with one key: `option` (index), `dice` (a set), `blocks` (pairs of blocker and attacker),
    `spend` (pairs of die and amount) or `split` (pairs of die and amount). `ready` are the fair dice for it; without them a
    FairDiceNeededError names what was chosen up to where they fall.
    """
    if game.state.result != UNDECIDED:
        raise InvalidChoiceError("The game is over.")
    if not isinstance(choice, Mapping) or len(choice) != 1:
        raise InvalidChoiceError("A choice says one of option, dice, blocks, spend and split.")
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
    """Play the parts of a choice."""
    ((key, value),) = choice.items()
    mode = compound_decision(game.state).mode if key != "option" else ""
    if key == "option":
        _play_option(game, value)
    elif key == "dice" and mode == "many":
        _play_dice(game, _parse_numbers(value))
    elif key == "blocks" and mode == "blocks":
        _play_blocks(game, _parse_pairs(value))
    elif key == "spend" and mode == "spend":
        _play_payment(game, _parse_pairs(value))
    elif key == "split" and mode == "split":
        _play_damage_split(game, _parse_pairs(value))
    else:
        raise InvalidChoiceError("That does not answer this question.")


def _parse_numbers(value: object) -> list[int]:
    if not isinstance(value, list | tuple) or not all(type(x) is int for x in value):
        raise InvalidChoiceError("Dice are named by a list of their numbers.")
    if len(set(value)) < len(value):
        raise InvalidChoiceError("A die is named twice.")
    return list(value)


def _parse_pairs(value: object) -> list[tuple[int, int]]:
    fits = isinstance(value, list | tuple) and all(
        isinstance(pair, list | tuple) and len(pair) == 2 and all(type(x) is int for x in pair) for pair in value
    )
    if not fits:
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


# --- picking dice --------------------------------------------------------------------------------------------------


def _play_dice(game: Game, dice: list[int]) -> None:
    """Pick the dice of a reroll, an attack or a selection, and finish."""
    s = game.state
    form = compound_decision(s)
    picks: dict[int, str] = {}  # what can be picked, and how
    for part in form.options:
        if part.option[0] in _PICKS:
            picks |= dict.fromkeys((part.option[1], *part.dice), part.option[0])
    for d in dice:
        if d not in picks:
            raise InvalidChoiceError(f"{_name(s, d)} cannot be picked now.")
    if len(dice) < form.minimum:
        raise InvalidChoiceError(_too_few(s, form, dice))
    if len(dice) > form.maximum:
        raise InvalidChoiceError(f"At most {form.maximum} can be picked.")
    wanted = [(picks[d], d, 0) for d in dice]
    found = order_options(s, wanted, finish=True)
    if found is None:
        missing = order_options(s, wanted, allow_others=True) is not None
        raise InvalidChoiceError(_too_few(s, form, dice) if missing else "These dice cannot be picked together.")
    _play_all(game, found.options)


_PICKS = frozenset(("reroll", "attack", "choose"))


def _too_few(s: State, form: CompoundDecision, dice: list[int]) -> str:
    if s.decision.kind == "attack":
        can = [d for part in form.options if part.option[0] == "attack" for d in part.dice if d not in dice]
        must = [d for d in can if view.is_affected_by(s, "must attack", d) and view.can_attack_freely(s, d)]
        return f"{_name(s, must[0])} must attack." if must else "Somebody must attack."
    return f"At least {form.minimum} must be picked."


def _play_all(game: Game, options: list[Option]) -> None:
    for option in options:
        game.play(game.state.options.index(option))


def _name(s: State, d: int) -> str:
    if 0 <= d < s.spec.n_dice:
        return describe.die_text(s, d)
    return "That"


# --- blocking ------------------------------------------------------------------------------------------------------


def _play_blocks(game: Game, pairs: list[tuple[int, int]]) -> None:
    s = game.state
    possible = {(b, a) for part in block_options_of(s) for b in part.dice for a in part.to}
    for b, a in pairs:
        if (b, a) not in possible:
            raise InvalidChoiceError(f"{_name(s, b)} cannot block {_name(s, a)}.")
    for b, n in Counter(b for b, _ in pairs).items():
        if n > 1 and not view.can_block_several(s, b):
            raise InvalidChoiceError(f"{_name(s, b)} can block only one.")
    found = order_options(s, [("block", b, a) for b, a in pairs], finish=True)
    if found is None:
        raise InvalidChoiceError(_why_no_blocks(s, pairs))
    _play_all(game, found.options)


def _why_no_blocks(s: State, pairs: list[tuple[int, int]]) -> str:
    """Name somebody who must block or be blocked and does not, as far as that is the reason."""
    left_out = {a for part in block_options_of(s) for a in part.to} - {a for _, a in pairs}
    for a in sorted(left_out):
        if view.is_affected_by(s, "must be blocked", a):
            return f"{_name(s, a)} must be blocked."
    idle = {b for part in block_options_of(s) for b in part.dice} - {b for b, _ in pairs}
    for b in sorted(idle):
        if view.is_affected_by(s, "must block", b) or view.is_affected_by(s, "must block this", b):
            return f"{_name(s, b)} must block."
    return "These blocks cannot be made together." if pairs else "Somebody has to block."


# --- paying --------------------------------------------------------------------------------------------------------


def _play_payment(game: Game, pairs: list[tuple[int, int]]) -> None:
    s = game.state
    bill = view.pending_payment_of(s)
    spent: Counter[int] = Counter()
    for d, n in pairs:
        if n < 1 or (d != LEFT_OVER and d not in s.dice_in(RESERVE, bill.seat)):
            raise InvalidChoiceError(f"{_name(s, d)} cannot pay for this.")
        spent[d] += n
    if spent.total() != bill.left:
        raise InvalidChoiceError(f"{bill.left} energy must be paid, and this is {spent.total()}.")
    wanted: list[Option] = [("pay", NOBODY, 1)] * spent.pop(LEFT_OVER, 0)
    wanted += [("pay", d, n) for d, n in spent.items()]
    found = order_options(s, wanted, finish=True)
    if found is None:
        raise InvalidChoiceError(_cannot_pay(bill.price))
    _play_all(game, found.options)


def _cannot_pay(price: Price) -> str:
    names = ("fist", "bolt", "mask", "shield")
    kinds = [name for name, n in zip(names, price[:4], strict=True) if n]
    return f"The payment needs {' and '.join(f'one {kind}' for kind in kinds)}." if kinds else "This cannot be paid so."


# --- splitting damage ----------------------------------------------------------------------------------------------


def _play_damage_split(game: Game, pairs: list[tuple[int, int]]) -> None:
    s = game.state
    total, shares = damage_split_of(s)
    wanted: Counter[int] = Counter()
    for d, n in pairs:
        if d not in [x for x, _ in shares] or n < 0:
            raise InvalidChoiceError(f"{_name(s, d)} gets none of this damage.")
        wanted[d] += n
    question, asked = s.decision, [d for d, _ in shares]
    for at, d in enumerate(asked):
        now = game.state
        if now.decision.kind != question.kind or now.decision.about != question.about or now.options[0][1] != d:
            rest = total - sum(wanted[x] for x in asked[:at])  # the engine gives what is left to the last
            if [wanted[x] for x in asked[at:]] != [rest, *(0 for _ in asked[at + 1 :])]:
                raise InvalidChoiceError(f"{total} damage must be split, and this is {wanted.total()}.")
            return
        found = next((i for i, o in enumerate(now.options) if o[2] == wanted[d]), -1)
        if found < 0:
            raise InvalidChoiceError(f"{_name(now, d)} cannot be given {wanted[d]} damage.")
        game.play(found)
