"""Analysis of decisions and games: win chances, the main line and the reason for it; a game's turning points.

A win chance is the evaluator's value at the end of this turn, averaged over rollouts with their own dice; the turn is
played on as in the rollouts of level 5. The interval is that of the mean over the dice, and ignores errors of the
evaluator (docs/players.md).
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass
from typing import Final

from dicemasters.game import Game
from dicemasters.game.decision import SetupError
from dicemasters.game.game import check_seed
from dicemasters.game.inspect.features import SIDE_FEATURES, WIDTH, features
from dicemasters.game.inspect.view import UNDECIDED, State, opponent_of, player_number, side_of
from dicemasters.game.text import describe
from dicemasters.players.analysis_defaults import ROLLOUTS, ROLLOUTS_PER_GAME
from dicemasters.players.monte_carlo import MonteCarloPlayer, SearchArm, SearchSettings, rollout, win_chance
from dicemasters.players.rng import SplitMix64
from dicemasters.players.value_weights import load_weights

NOT_ENDED: Final = "not ended"
COMPARISON_ROLLOUTS: Final = 24  # rollouts per option for the reason
MAX_RIVALS: Final = 3  # options compared with the best one, until one differs
MAX_TURNING_POINTS: Final = 5  # reported per game
MIN_DIFFERENCE: Final = 0.3  # smallest difference of means worth mentioning

# feature, whether it is the opponent's, texts for more and for less of it, and the value of one unit
_DIFFERENCE_TEXTS: Final = (
    ("life", True, "deals {n} less damage", "deals {n} more damage", -1.0),
    ("life", False, "keeps {n} more life for {me}", "costs {me} {n} more life", 1.0),
    (
        "field: dice",
        True,
        "leaves {other} {dice} more in the field",
        "leaves {other} {dice} fewer in the field",
        -1.5,
    ),
    ("field: dice", False, "leaves {me} {dice} more in the field", "leaves {me} {dice} fewer in the field", 1.5),
    ("owned: bought dice", False, "buys {dice} more for {me}", "buys {dice} fewer for {me}", 1.5),
    (
        "owned: mean cost",
        False,
        "gives {me} dice that cost {n} more on average",
        "gives {me} dice that cost {n} less on average",
        1.0,
    ),
    ("next roll: dice", False, "lets {me} roll {dice} more next turn", "lets {me} roll {dice} fewer next turn", 0.5),
)


@dataclass(frozen=True)
class RatedOption:
    """An option with its win chance for the deciding player."""

    index: int
    text: str
    chance: float
    margin: float  # half the width of the 95 % interval
    tries: int


@dataclass(frozen=True)
class Analysis:
    """The options of a decision, best first, the main line of the best one, and the reason for it."""

    player: str
    question: str
    turn: int
    options: tuple[RatedOption, ...]
    line: tuple[str, ...]
    why: str

    @property
    def chance(self) -> float:
        """Return the win chance of the deciding player with the best option."""
        return self.options[0].chance

    def of(self, index: int) -> RatedOption:
        """Return an option by its index in the decision."""
        return next(rated for rated in self.options if rated.index == index)


@dataclass(frozen=True)
class MoveReview:
    """A choice in a game: side A's win chance with the best option and with the chosen one."""

    move: int  # counted from 1
    turn: int
    player: str
    text: str
    best: str
    chance: float
    chosen: float

    @property
    def loss(self) -> float:
        """Return the win chance that the choice cost its player, as far as the rollouts show."""
        return max(0.0, self.chance - self.chosen if self.player in "AC" else self.chosen - self.chance)


@dataclass(frozen=True)
class GameReview:
    """A game's win chances, choice by choice, and its result."""

    points: tuple[MoveReview, ...]
    result: str

    @property
    def mistakes(self) -> list[MoveReview]:
        """Return the choices that cost the most, worst first."""
        points = sorted(self.points, key=lambda point: (-point.loss, point.move))
        return [point for point in points[:MAX_TURNING_POINTS] if point.loss >= 0.02]

    @property
    def luck_swings(self) -> list[tuple[MoveReview, MoveReview]]:
        """Return the largest changes between two choices, which dice or forced choices caused, largest first."""
        pairs = list(zip(self.points, self.points[1:], strict=False))
        pairs.sort(key=lambda pair: (-abs(pair[1].chance - pair[0].chosen), pair[0].move))
        return [pair for pair in pairs[:MAX_TURNING_POINTS] if abs(pair[1].chance - pair[0].chosen) >= 0.05]


def analyse(game: Game, *, tries: int = ROLLOUTS, seed: int = 0, stop: Callable[[], bool] | None = None) -> Analysis:
    """Return the options of the pending decision with their win chances. Raise `SetupError` if the game is over.

    >>> from dicemasters.game import Game
    >>> game = Game.new(first="A", seed=3)
    >>> found = analyse(game, tries=20)
    >>> found.player, 0 <= found.chance <= 1, len(found.options) == len(game.decision.options)
    ('A', True, True)
    """
    _check_arguments(game, tries, seed)
    s = game.state
    if s.result != UNDECIDED:
        raise SetupError("the game is over: there is nothing to decide")
    arms = _search_arms(s, tries, seed, stop)
    texts = describe.option_texts(s)
    best = arms[0]
    best_arms = _best_arm_per_option(arms)
    rated = tuple(RatedOption(arm.option, texts[arm.option], arm.mean, arm.margin, arm.rollouts) for arm in best_arms)
    why = _explain_best(s, best, [(arm, texts[arm.option]) for arm in best_arms[1:]], seed)
    return Analysis(
        describe.seat_name(s.decision.seat), describe.question(s), s.turn, rated, _main_line(s, best, seed), why
    )


def _check_arguments(game: object, tries: object, seed: object) -> None:
    if not isinstance(game, Game):
        raise SetupError(f"only a Game can be analysed, not {game!r:.60}")
    if type(tries) is not int or tries < 1:
        raise SetupError(f"tries must be an integer of at least 1, not {tries!r:.60}")
    check_seed(seed)


def rate_choice(
    game: Game,
    chosen: str,
    *,
    tries: int = ROLLOUTS_PER_GAME,
    seed: int = 0,
    stop: Callable[[], bool] | None = None,
) -> tuple[RatedOption, RatedOption]:
    """Return the ratings of the best option of a decision and of the chosen one."""
    s = game.state
    index = game.find(chosen)
    arms = _best_arm_per_option(_search_arms(s, tries, seed, stop))
    chosen_arm = next(arm for arm in arms if arm.option == index)
    texts = describe.option_texts(s)
    best, rated_choice = (
        RatedOption(arm.option, texts[arm.option], arm.mean, arm.margin, arm.rollouts) for arm in (arms[0], chosen_arm)
    )
    return best, rated_choice


def analyse_game(
    game: Game,
    *,
    tries: int = ROLLOUTS_PER_GAME,
    seed: int = 0,
    told: Callable[[int, int], None] | None = None,
    stop: Callable[[], bool] | None = None,
) -> GameReview:
    """Return the win chances of a played game, choice by choice.

    `told` is called with the number of reviewed choices and of all choices; `stop` ends the review early.
    """
    _check_arguments(game, tries, seed)
    moves = tuple(game.moves)
    replay = game.copy()
    replay.undo(len(moves))
    points: list[MoveReview] = []
    for number, move in enumerate(moves):
        s = replay.state
        index = replay.find(move.text)
        if len(s.options) > 1:
            if stop is not None and stop():
                break
            best, chosen = rate_choice(replay, move.text, tries=tries, seed=seed + number, stop=stop)
            is_side_b = side_of(s.decision.seat)
            chances = [1 - rated.chance if is_side_b else rated.chance for rated in (best, chosen)]
            points.append(
                MoveReview(number + 1, s.turn, describe.seat_name(s.decision.seat), chosen.text, best.text, *chances)
            )
        if told is not None:
            told(number + 1, len(moves))
        replay.play(index)
    result = game.result
    outcome = NOT_ENDED if result is None else f"{result.winner or 'nobody'} won: {result.why}"
    return GameReview(tuple(points), outcome)


def _search_arms(s: State, tries: int, seed: int, stop: Callable[[], bool] | None) -> list[SearchArm]:
    settings = SearchSettings(
        rollouts_per_round=2, rounds=0, max_rollouts=max(tries, 2 * len(s.options)), plans=2, stop_when_clear=False
    )
    return MonteCarloPlayer("analysis", load_weights().network, settings, seed, stop=stop).search(s)


def _best_arm_per_option(arms: list[SearchArm]) -> list[SearchArm]:
    """Return the best arm of each option."""
    best: dict[int, SearchArm] = {}
    for arm in arms:
        best.setdefault(arm.option, arm)
    return list(best.values())


def _main_line(s: State, best: SearchArm, seed: int) -> tuple[str, ...]:
    """Return the choices of a rollout with a median result."""
    evaluator, side = load_weights().network, side_of(s.decision.seat)
    rng = SplitMix64(seed)
    rollouts: list[tuple[float, int]] = []
    for _ in range(9):
        dice_seed = rng.below(1 << 62)
        *_, (end, _) = rollout(s, best.option, best.plan, dice_seed)
        rollouts.append((win_chance(end, side, evaluator), dice_seed))
    _, dice_seed = sorted(rollouts)[len(rollouts) // 2]
    line: list[str] = []
    for position, i in rollout(s, best.option, best.plan, dice_seed):
        if i >= 0 and len(position.options) > 1:
            line.append(
                f"{describe.seat_name(position.decision.seat)}: {option_in_context(position, describe.option_texts(position)[i])}"
            )
    return tuple(line)


def _explain_best(s: State, best: SearchArm, others: list[tuple[SearchArm, str]], seed: int) -> str:
    """Return what the best option gains by the end of the turn, against the next option with a notable difference."""
    if not others:
        return "There is no other option."
    rng = SplitMix64(seed ^ 0x3A7)
    dice_seeds = [rng.below(1 << 62) for _ in range(COMPARISON_ROLLOUTS)]
    best_features = _mean_end_features(s, best, dice_seeds)
    seat = s.decision.seat
    me, rival = (describe.player_name(s, player_number(x)) for x in (seat, opponent_of(seat)))
    for other, text in others[:MAX_RIVALS]:
        if difference := _describe_difference(best_features, _mean_end_features(s, other, dice_seeds), me, rival):
            return f"Against '{option_in_context(s, text)}' it {difference}."
    return f"Against '{option_in_context(s, others[0][1])}' it makes little difference that can be counted when the turn ends."


def option_in_context(s: State, text: str) -> str:
    """Return an option's text so that it is clear without its question: "no" is "do not use Hulk's ability"."""
    match = re.fullmatch(r"Do you (.+)\?", describe.question(s))
    if match is None or text not in ("yes", "no"):
        return text
    deed_text = re.sub(r"@\d\**(?='s )", "", match[1])  # the level says nothing here
    return deed_text if text == "yes" else f"do not {deed_text}"


def _describe_difference(best_features: list[float], other_features: list[float], me: str, other: str) -> str:
    """Return the advantages of one mean position over another, with its main drawback; empty without an advantage."""
    parts: list[tuple[float, str]] = []
    if best_features[0] - other_features[0] >= 0.05:
        parts.append((100.0, f"wins at once in {best_features[0]:.0%} of the tries instead of {other_features[0]:.0%}"))
    if other_features[1] - best_features[1] >= 0.05:
        parts.append(
            (100.0, f"loses at once in {best_features[1]:.0%} of the tries instead of {other_features[1]:.0%}")
        )
    for i, (_, _, more, less, weight) in enumerate(_DIFFERENCE_TEXTS, 2):
        difference = best_features[i] - other_features[i]
        if abs(difference) >= MIN_DIFFERENCE:
            n = f"{abs(difference):.1f}".removesuffix(".0")
            dice = f"{n} {'die' if n == '1' else 'dice'}"
            text = (more if difference > 0 else less).format(n=n, dice=dice, me=me, other=other)
            parts.append((difference * weight, text))
    gains = [text for weight, text in sorted(parts, reverse=True) if weight > 0][:2]
    losses = [text for weight, text in sorted(parts) if weight < 0][:1]
    return f"{' and '.join(gains)}{f', but {losses[0]}' if losses else ''}" if gains else ""


def _mean_end_features(s: State, arm: SearchArm, dice_seeds: list[int]) -> list[float]:
    """Return the means over rollouts of wins, losses and the features in `_DIFFERENCE_TEXTS`."""
    side = side_of(s.decision.seat)
    sums = [0.0] * (2 + len(_DIFFERENCE_TEXTS))
    for dice_seed in dice_seeds:
        *_, (end, _) = rollout(s, arm.option, arm.plan, dice_seed)
        sums[0] += end.result == side
        sums[1] += end.result == 1 - side
        row = features(end)
        base = 0 if side_of(end.active) == side else WIDTH
        for i, (name, opposing, *_) in enumerate(_DIFFERENCE_TEXTS, 2):
            sums[i] += row[(WIDTH - base if opposing else base) + SIDE_FEATURES.index(name)]
    return [n / len(dice_seeds) for n in sums]
