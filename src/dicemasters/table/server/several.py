"""Choices of several parts: shown as one question, answered once, played as the engine's questions one by one.

The engine asks for attackers, blocks, rerolls, payments and the like part by part, in a fixed order, and takes like
dice for each other. Here the answer to the whole question (see game/parts.py) becomes the list of the engine's
options. An answer that cannot be played as a whole is not played at all.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping
from typing import NamedTuple

from dicemasters.game import energy, look, say, turn
from dicemasters.game.code import DOWN
from dicemasters.game.decide import alike
from dicemasters.game.energy import Pay, Price
from dicemasters.game.game import Game
from dicemasters.game.look import Running
from dicemasters.game.parts import MOST_TRIED, Shape, block_parts, shape, shares_of
from dicemasters.game.state import HAND, NOBODY, RESERVE, UNDECIDED, Option, State

LEFT_OVER = -1  # stands for energy that belongs to no die, where dice are named from outside


class ChoiceError(ValueError):
    """The choice cannot be made; the text says why in one sentence."""


class Made(NamedTuple):
    """A choice that was made: the game after it, and the texts of the options that were played."""

    game: Game
    texts: tuple[str, ...]


AsksAgain = Callable[[int], bool]  # whether a seat that has passed wants to be asked for its last word


def nobody(seat: int) -> bool:
    """To pass is meant by everybody."""
    return False


def make(game: Game, choice: object, asks_again: AsksAgain = nobody) -> Made:
    """Make a choice on a copy of the game, with the follow-up questions that have one answer; ChoiceError if it cannot be.

    A choice is a mapping with one key: `option` (index), `dice` (a set), `blocks` (pairs of blocker and attacker),
    `spend` (pairs of die and amount) or `split` (pairs of die and amount).
    """
    if game.state.result != UNDECIDED:
        raise ChoiceError("The game is over.")
    if not isinstance(choice, Mapping) or len(choice) != 1:
        raise ChoiceError("A choice says one of option, dice, blocks, spend and split.")
    trial = game.copy()
    ((key, value),) = choice.items()
    mode = shape(game.state).mode if key != "option" else ""
    if key == "option":
        _option(trial, value)
    elif key == "dice" and mode == "many":
        _dice(trial, _numbers(value))
    elif key == "blocks" and mode == "blocks":
        _blocks(trial, _pairs(value))
    elif key == "spend" and mode == "spend":
        _spend(trial, _pairs(value))
    elif key == "split" and mode == "split":
        _split(trial, _pairs(value))
    else:
        raise ChoiceError("That does not answer this question.")
    go_on(trial, asks_again)
    return Made(trial, tuple(move.text for move in trial.moves[len(game.moves) :]))


def go_on(game: Game, asks_again: AsksAgain = nobody) -> None:
    """Play on while the question has one answer: nobody is asked what they cannot decide (docs/rulings.md).

    Whoever has passed has meant it, and is asked for a last word only if they want to be.
    """
    while game.state.result == UNDECIDED:
        s = game.state
        if len(s.options) == 1:
            game.play(0)
        elif say.is_last_word(s) and not asks_again(s.ask.seat):
            game.play("pass")
        else:
            break


def _numbers(value: object) -> list[int]:
    if not isinstance(value, list | tuple) or not all(type(x) is int for x in value):
        raise ChoiceError("Dice are named by a list of their numbers.")
    if len(set(value)) < len(value):
        raise ChoiceError("A die is named twice.")
    return list(value)


def _pairs(value: object) -> list[tuple[int, int]]:
    fits = isinstance(value, list | tuple) and all(
        isinstance(pair, list | tuple) and len(pair) == 2 and all(type(x) is int for x in pair) for pair in value
    )
    if not fits:
        raise ChoiceError("This is answered by a list of pairs of numbers.")
    assert isinstance(value, list | tuple)
    pairs = [(pair[0], pair[1]) for pair in value]
    if len(set(pairs)) < len(pairs):
        raise ChoiceError("A pair is named twice.")
    return pairs


def _option(game: Game, value: object) -> None:
    if type(value) is not int or not 0 <= value < len(game.state.options):
        raise ChoiceError("There is no such option.")
    game.play(value)


# --- picking dice --------------------------------------------------------------------------------------------------


def _dice(game: Game, dice: list[int]) -> None:
    """Pick the dice of a reroll, an attack or a selection, and finish."""
    s = game.state
    form = shape(s)
    picks: dict[int, tuple[int, ...]] = {}  # what can be picked, and what it is like
    for part in form.parts:
        if part.option[0] in _PICKS:
            picks |= dict.fromkeys((part.option[1], *part.dice), alike(s, part.option[1]))
    for d in dice:
        if d not in picks:
            raise ChoiceError(f"{_name(s, d)} cannot be picked now.")
    if len(dice) < form.least:
        raise ChoiceError(_too_few(s, form))
    if len(dice) > form.most:
        raise ChoiceError(f"At most {form.most} can be picked.")
    wanted = Counter(picks[d] for d in dice)
    question, made = s.ask, _progress(s)
    while wanted.total():
        s = game.state
        if not _is_same(s, question, made):
            break
        found = next((i for i, o in enumerate(s.options) if o[0] in _PICKS and wanted[picks[o[1]]]), -1)
        if found < 0:
            break
        picked = s.options[found][1]
        wanted[picks[picked]] -= 1
        made = (*made, picked)
        game.play(found)
    s = game.state
    waits = _is_same(s, question, made)
    done = next((i for i, o in enumerate(s.options) if o[0] == "done"), -1)
    if waits and done < 0:
        raise ChoiceError(_too_few(s, form))
    if wanted.total() and (waits or not _picks_itself(form, question.kind)):
        raise ChoiceError("These dice cannot be picked together.")
    if waits:
        game.play(done)


_PICKS = frozenset(("reroll", "attack", "choose"))


def _picks_itself(form: Shape, kind: str) -> bool:
    """The engine picks by itself what has to be picked where a selection has a least number."""
    return kind == "choose" and form.least > 0


def _too_few(s: State, form: Shape) -> str:
    if s.ask.kind == "attack":
        must = [d for what, d, _ in s.options if what == "attack" and look.is_ruled(s, "must attack", d)]
        return f"{_name(s, must[0])} must attack." if must else "Somebody must attack."
    return f"At least {form.least} must be picked."


def _progress(s: State) -> tuple[int, ...]:
    """Give what has been picked so far in the question the game waits for."""
    if s.ask.kind == "reroll":
        return tuple(s.dice_in(HAND, s.ask.seat))
    if s.ask.kind == "attack":
        return tuple(look.attackers(s))
    frame = s.stack[-1]
    assert isinstance(frame, Running)
    return tuple(x & (DOWN - 1) for x in frame.picked)


def _is_same(s: State, question: tuple[int, str, int, int], made: tuple[int, ...]) -> bool:
    """Tell whether the game still waits for more of the same question, in which these have been picked."""
    if s.result != UNDECIDED or s.ask != question:
        return False
    if s.ask.kind == "choose" and not isinstance(s.stack[-1], Running):
        return False
    now = _progress(s)
    return now[: len(made)] == made if s.ask.kind == "choose" else set(now) == set(made)


def _name(s: State, d: int) -> str:
    if 0 <= d < s.table.n_dice:
        return say.die_text(s, d)
    return "That"


# --- blocking ------------------------------------------------------------------------------------------------------


def _blocks(game: Game, pairs: list[tuple[int, int]]) -> None:
    s = game.state
    possible = {(b, a) for part in block_parts(s) for b in part.dice for a in part.to}
    for b, a in pairs:
        if (b, a) not in possible:
            raise ChoiceError(f"{_name(s, b)} cannot block {_name(s, a)}.")
    for b, n in Counter(b for b, _ in pairs).items():
        if n > 1 and not look.is_ruled(s, "blocks more", b):
            raise ChoiceError(f"{_name(s, b)} can block only one.")
    found = _Blocking(s).search(s, pairs, {})
    if found is None:
        raise ChoiceError(_why_no_blocks(s, pairs))
    for option in found:
        game.play(game.state.options.index(option))


def _why_no_blocks(s: State, pairs: list[tuple[int, int]]) -> str:
    """Name somebody who must block or be blocked and does not, as far as that is the reason."""
    left_out = {a for part in block_parts(s) for a in part.to} - {a for _, a in pairs}
    for a in sorted(left_out):
        if look.is_ruled(s, "must be blocked", a):
            return f"{_name(s, a)} must be blocked."
    idle = {b for part in block_parts(s) for b in part.dice} - {b for b, _ in pairs}
    for b in sorted(idle):
        if look.is_ruled(s, "must block", b) or look.is_ruled(s, "must block this", b):
            return f"{_name(s, b)} must block."
    return "These blocks cannot be made together." if pairs else "Somebody has to block."


class _Blocking:
    """A search for the engine's options that make these blocks, like dice standing for each other."""

    def __init__(self, s: State) -> None:
        dice = {d for seat in range(s.table.n_seats) for d in look.fielded(s, seat)}
        self.sort = {d: alike(s, d) for d in dice}
        self.tried = 0

    def search(self, s: State, wanted: list[tuple[int, int]], stands_for: dict[int, int]) -> list[Option] | None:
        """Give the options from here on, `done` included where it is asked for; None if there is no way."""
        self.tried += 1
        if self.tried > MOST_TRIED:
            return None
        if not wanted:
            done = next((o for o in s.options if o[0] == "done"), None)
            return None if done is None else [done]
        ways = [(option, pair) for option in s.options if option[0] == "block" for pair in wanted]
        ways.sort(key=lambda way: way[0][1:] != way[1])  # the very dice first, then those like them
        tried: set[tuple[object, ...]] = set()
        for option, pair in ways:
            now = self._match(option, pair, stands_for)
            way = (option, *self._role(pair, wanted, stands_for))
            if now is None or way in tried:
                continue
            tried.add(way)
            then = s.copy()
            turn.play(then, option)
            rest = [x for x in wanted if x != pair]
            goes_on = then.ask == s.ask and len(then.blocks) == len(s.blocks) + 1
            if not goes_on and not rest:
                return [option]  # nothing else can be declared, so the engine does not ask
            found = self.search(then, rest, now) if goes_on else None
            if found is not None:
                return [option, *found]
        return None

    def _role(
        self, pair: tuple[int, int], wanted: list[tuple[int, int]], stands_for: dict[int, int]
    ) -> tuple[object, ...]:
        """Describe a wanted block so that two of the same description are the same to try."""
        blocker, attacker = pair
        named = set(stands_for.values())
        if sum(b == blocker for b, _ in wanted) > 1:
            return pair  # one that blocks several is told apart from all others
        others = sorted(str((self.sort[b], b if b in named else -1)) for b, a in wanted if a == attacker)
        who = (self.sort[blocker], blocker if blocker in named else -1)
        whom = (self.sort[attacker], attacker if attacker in named else -1)
        return who, whom, *others

    def _match(self, option: Option, pair: tuple[int, int], stands_for: dict[int, int]) -> dict[int, int] | None:
        """Let the option's dice stand for the pair's, if they are alike and stand for no others."""
        now = dict(stands_for)
        for mine, theirs in zip(option[1:], pair, strict=True):
            if mine in now or theirs in now.values():
                if now.get(mine) != theirs:
                    return None
            elif self.sort.get(mine) != self.sort.get(theirs):
                return None
            now[mine] = theirs
        return now


# --- paying --------------------------------------------------------------------------------------------------------


def _spend(game: Game, pairs: list[tuple[int, int]]) -> None:
    s = game.state
    frame = s.stack[-1]
    assert isinstance(frame, Pay)
    left = frame.price[4] - sum(frame.spent)
    wanted: Counter[tuple[int, int]] = Counter()
    spent: Counter[int] = Counter()
    for d, n in pairs:
        if n < 1 or (d != LEFT_OVER and not (0 <= d < s.table.n_dice and s.place[d] == RESERVE * 4 + frame.seat)):
            raise ChoiceError(f"{_name(s, d)} cannot pay for this.")
        spent[d] += n
    for d, n in spent.items():
        if d == LEFT_OVER:
            wanted[energy.sort_of(s, NOBODY), 1] += n
        else:
            wanted[energy.sort_of(s, d), n] += 1
    if spent.total() != left:
        raise ChoiceError(f"{left} energy must be paid, and this is {spent.total()}.")
    while left > 0:
        s = game.state
        found = next(
            (i for i, (what, d, n) in enumerate(s.options) if what == "pay" and wanted[energy.sort_of(s, d), n]), -1
        )
        if found < 0:
            raise ChoiceError(_cannot_pay(frame.price))
        sorts = {d: energy.sort_of(s, d) for d in (*s.dice_in(RESERVE, frame.seat), NOBODY)}
        moves = len(game.moves)
        game.play(found)
        for line in game.news(moves):
            if line.kind == "pay" and left > 0:
                key = sorts[line.dice[0] if line.dice else NOBODY], line.amount
                if not wanted[key]:
                    raise ChoiceError(_cannot_pay(frame.price))
                wanted[key] -= 1
                left -= line.amount


def _cannot_pay(price: Price) -> str:
    names = ("fist", "bolt", "mask", "shield")
    kinds = [name for name, n in zip(names, price[:4], strict=True) if n]
    return f"The payment needs {' and '.join(f'one {kind}' for kind in kinds)}." if kinds else "This cannot be paid so."


# --- splitting damage ----------------------------------------------------------------------------------------------


def _split(game: Game, pairs: list[tuple[int, int]]) -> None:
    s = game.state
    total, shares = shares_of(s)
    wanted: Counter[int] = Counter()
    for d, n in pairs:
        if d not in [x for x, _ in shares] or n < 0:
            raise ChoiceError(f"{_name(s, d)} gets none of this damage.")
        wanted[d] += n
    question, asked = s.ask, [d for d, _ in shares]
    for at, d in enumerate(asked):
        now = game.state
        if now.ask.kind != question.kind or now.ask.about != question.about or now.options[0][1] != d:
            rest = total - sum(wanted[x] for x in asked[:at])  # the engine gives what is left to the last
            if [wanted[x] for x in asked[at:]] != [rest, *(0 for _ in asked[at + 1 :])]:
                raise ChoiceError(f"{total} damage must be split, and this is {wanted.total()}.")
            return
        found = next((i for i, o in enumerate(now.options) if o[2] == wanted[d]), -1)
        if found < 0:
            raise ChoiceError(f"{_name(now, d)} cannot be given {wanted[d]} damage.")
        game.play(found)
