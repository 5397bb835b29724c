"""What each player does to dice of their own: everybody chooses, and then it is done at once (rules 5.3, 5.7a2)."""

from __future__ import annotations

from typing import Final

from dicemasters.cards.language import vocabulary as w

MAX_PLAYERS: Final = 4
_NTH: Final = "player "  # "player 0" chooses first: of the side whose turn it is


def player_selections(effect: w.EachPlayer) -> list[w.Select]:
    """Give what each player chooses among, in the order in which they do; nothing if they choose nothing."""
    for e in effect.effects:
        if isinstance(what := _what(e), w.Select):
            where = what.where & w.Where("can be KO'd") if isinstance(e, w.Ko) else what.where
            return [
                what.replace(where=_substitute(where, "own", w.Where("of player", (n,))), by=f"{_NTH}{n}")
                for n in range(MAX_PLAYERS)
            ]
    return []


def choosing_position(by: str) -> int:
    """Give as the how many-th of all players somebody chooses, from 0 on; -1 for who chooses alone."""
    return int(by[len(_NTH) :]) if by.startswith(_NTH) else -1


def joint_effects(effect: w.EachPlayer, registers: list[int]) -> list[w.Effect]:
    """Give what is done to all that was chosen so, or to all others."""
    chosen = w.chosen(registers[0])
    for n in registers[1:]:
        chosen |= w.chosen(n)
    out: list[w.Effect] = []
    for e in effect.effects:
        what = _what(e)
        to = (
            chosen
            if isinstance(what, w.Select)
            else _substitute(_substitute(what, "own", w.character), "chosen", chosen)
        )
        if isinstance(e, w.Ko):
            out.append(e.replace(what=to))
        elif isinstance(e, w.Damage):
            out.append(e.replace(to=to))
        elif not isinstance(e, w.Choose):
            raise ValueError(
                f"the card language has no way to let each player do '{type(e).__name__}' to what they choose"
            )
    return out


def _what(effect: w.Effect) -> w.Select | w.Where:
    match effect:
        case w.Ko(what) | w.Choose(what) | w.Damage(_, what):
            return what
    return w.this


def _substitute(where: w.Where, op: str, to: w.Where) -> w.Where:
    """Give a description in which something else stands for a word."""
    if where.op == op:
        return to
    return w.Where(where.op, tuple(_substitute(x, op, to) if isinstance(x, w.Where) else x for x in where.args))
