"""Life: lost, gained, and the end of the game (rules 4)."""

from __future__ import annotations

from dicemasters.game.queries import die_identity
from dicemasters.game.state.constants import TIE
from dicemasters.game.state.state import State


def lose_life(s: State, side: int, amount: int) -> None:
    """Reduce a side's life; losing or paying life is never damage (rules 3.1b2)."""
    s.life[side] -= amount
    if s.journal is not None:
        s.journal.append(("life", side, -amount))
    check_game_end(s)


def gain_life(s: State, side: int, amount: int) -> None:
    """Raise a side's life, to no more than the starting amount (rules 4.3a)."""
    gained = min(amount, die_identity.starting_life(s, side) - s.life[side])
    if gained > 0:
        s.life[side] += gained
        if s.journal is not None:
            s.journal.append(("life", side, gained))


def check_game_end(s: State) -> None:
    """End the game if a side is at 0 life; both at once is a tie or the active side's win (rules 4.1a, 4.2a, 4.2b)."""
    a, b = s.life
    if a > 0 and b > 0:
        return
    s.life = [max(0, a), max(0, b)]
    if a <= 0 and b <= 0:
        if s.spec.edition.tie_possible:
            s.result, s.result_reason = TIE, f"both {_party_word(s)}s were brought to 0 life at one moment"
        else:
            s.result = s.active & 1
            s.result_reason = f"both {_party_word(s)}s were brought to 0 life, and the active {_party_word(s)} wins"
    else:
        s.result = 0 if b <= 0 else 1
        loser = 1 - s.result
        s.result_reason = f"{'AB'[loser]} was brought to 0 life"
        if s.spec.n_seats > 2:
            s.result_reason = f"{'AB'[loser]} and {'CD'[loser]} were brought to 0 life"


def _party_word(s: State) -> str:
    return "player" if s.spec.n_seats == 2 else "side"
