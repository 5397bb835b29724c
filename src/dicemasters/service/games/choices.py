"""Compound choices: several decisions of the engine, shown as one question and answered at once.

This module parses the answer to a whole question (see game/answers/compound.py), plays it in the engine's order (see
game/answers/ordering.py), or rejects it with a message. An answer is played as a whole or not at all.
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


# --- picking dice --------------------------------------------------------------------------------------------------


def _play_dice(game: Game, dice: list[int]) -> None:
    """Pick the dice of a reroll, an attack or a selection, and finish."""
    s = game.state
    compound = compound_decision(s)
    pick_kinds: dict[int, str] = {}  # kind of option by die
    for part in compound.options:
        if part.option[0] in _PICKS:
            pick_kinds |= dict.fromkeys((part.option[1], *part.dice), part.option[0])
    for d in dice:
        if d not in pick_kinds:
            raise InvalidChoiceError(f"{_die_name(s, d)} cannot be picked now.")
    if len(dice) < compound.minimum:
        raise InvalidChoiceError(_explain_too_few(s, compound, dice))
    if len(dice) > compound.maximum:
        raise InvalidChoiceError(f"At most {compound.maximum} can be picked.")
    wanted = [(pick_kinds[d], d, 0) for d in dice]
    ordered = order_options(s, wanted, finish=True)
    if ordered is None:
        is_extendable = order_options(s, wanted, allow_others=True) is not None
        raise InvalidChoiceError(
            _explain_too_few(s, compound, dice) if is_extendable else "These dice cannot be picked together."
        )
    _play_all(game, ordered.options)


_PICKS = frozenset(("reroll", "attack", "choose"))


def _explain_too_few(s: State, compound: CompoundDecision, dice: list[int]) -> str:
    if s.decision.kind == "attack":
        attackers = [d for part in compound.options if part.option[0] == "attack" for d in part.dice if d not in dice]
        obliged = [d for d in attackers if view.is_affected_by(s, "must attack", d) and view.can_attack_freely(s, d)]
        return f"{_die_name(s, obliged[0])} must attack." if obliged else "Somebody must attack."
    return f"At least {compound.minimum} must be picked."


def _play_all(game: Game, options: list[Option]) -> None:
    for option in options:
        game.play(game.state.options.index(option))


def _die_name(s: State, d: int) -> str:
    if 0 <= d < s.spec.n_dice:
        return describe.die_text(s, d)
    return "That"


# --- blocking ------------------------------------------------------------------------------------------------------


def _play_blocks(game: Game, pairs: list[tuple[int, int]]) -> None:
    s = game.state
    possible = {(b, a) for part in block_options_of(s) for b in part.dice for a in part.to}
    for b, a in pairs:
        if (b, a) not in possible:
            raise InvalidChoiceError(f"{_die_name(s, b)} cannot block {_die_name(s, a)}.")
    for b, n in Counter(b for b, _ in pairs).items():
        if n > 1 and not view.can_block_several(s, b):
            raise InvalidChoiceError(f"{_die_name(s, b)} can block only one.")
    ordered = order_options(s, [("block", b, a) for b, a in pairs], finish=True)
    if ordered is None:
        raise InvalidChoiceError(_explain_blocks(s, pairs))
    _play_all(game, ordered.options)


def _explain_blocks(s: State, pairs: list[tuple[int, int]]) -> str:
    """Return why these blocks are illegal, naming a character that must block or be blocked if there is one."""
    unblocked = {a for part in block_options_of(s) for a in part.to} - {a for _, a in pairs}
    for a in sorted(unblocked):
        if view.is_affected_by(s, "must be blocked", a):
            return f"{_die_name(s, a)} must be blocked."
    non_blockers = {b for part in block_options_of(s) for b in part.dice} - {b for b, _ in pairs}
    for b in sorted(non_blockers):
        if view.is_affected_by(s, "must block", b) or view.is_affected_by(s, "must block this", b):
            return f"{_die_name(s, b)} must block."
    return "These blocks cannot be made together." if pairs else "Somebody has to block."


# --- paying --------------------------------------------------------------------------------------------------------


def _play_payment(game: Game, pairs: list[tuple[int, int]]) -> None:
    s = game.state
    payment = view.pending_payment_of(s)
    spent: Counter[int] = Counter()
    for d, n in pairs:
        if n < 1 or (d != LEFTOVER_ENERGY and d not in s.dice_in(RESERVE, payment.seat)):
            raise InvalidChoiceError(f"{_die_name(s, d)} cannot pay for this.")
        spent[d] += n
    if spent.total() != payment.left:
        raise InvalidChoiceError(f"{payment.left} energy must be paid, and this is {spent.total()}.")
    wanted: list[Option] = [("pay", NOBODY, 1)] * spent.pop(LEFTOVER_ENERGY, 0)
    wanted += [("pay", d, n) for d, n in spent.items()]
    ordered = order_options(s, wanted, finish=True)
    if ordered is None:
        raise InvalidChoiceError(_explain_payment(payment.price))
    _play_all(game, ordered.options)


def _explain_payment(price: Price) -> str:
    names = ("fist", "bolt", "mask", "shield")
    types = [name for name, n in zip(names, price[:4], strict=True) if n]
    return (
        f"The payment needs {' and '.join(f'one {kind}' for kind in types)}."
        if types
        else "This cannot be paid that way."
    )


# --- splitting damage ----------------------------------------------------------------------------------------------


def _play_damage_split(game: Game, pairs: list[tuple[int, int]]) -> None:
    s = game.state
    total, shares = damage_split_of(s)
    wanted: Counter[int] = Counter()
    for d, n in pairs:
        if d not in [x for x, _ in shares] or n < 0:
            raise InvalidChoiceError(f"{_die_name(s, d)} gets none of this damage.")
        wanted[d] += n
    decision, receivers = s.decision, [d for d, _ in shares]
    for index, d in enumerate(receivers):
        current = game.state
        if (
            current.decision.kind != decision.kind
            or current.decision.about != decision.about
            or current.options[0][1] != d
        ):
            # the engine assigns the remaining damage to the last receiver
            remaining = total - sum(wanted[x] for x in receivers[:index])
            if [wanted[x] for x in receivers[index:]] != [remaining, *(0 for _ in receivers[index + 1 :])]:
                raise InvalidChoiceError(f"{total} damage must be split, and this is {wanted.total()}.")
            return
        option_index = next((i for i, o in enumerate(current.options) if o[2] == wanted[d]), -1)
        if option_index < 0:
            raise InvalidChoiceError(f"{_die_name(current, d)} cannot be given {wanted[d]} damage.")
        game.play(option_index)
