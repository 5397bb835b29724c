"""What each player does to dice of their own: everybody chooses, and then it is done at once (rules 5.3, 5.7a2)."""

from __future__ import annotations

from typing import Final

from dicemasters.cards.language import vocabulary as w

MAX_PLAYERS: Final = 4
_NTH: Final = "player "  # "player 0" chooses first: of the side whose turn it is


def player_selections(effect: w.EachPlayer) -> list[w.Select]:
    """Give what each player chooses among, in the order in which they do; nothing if they choose nothing."""
    for inner in effect.effects:
        if isinstance(recipient := _recipient_of(inner), w.Select):
            where = recipient.where & w.Where("can be KO'd") if isinstance(inner, w.Ko) else recipient.where
            return [
                recipient.replace(where=_substitute(where, "own", w.Where("of player", (n,))), by=f"{_NTH}{n}")
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
    effects: list[w.Effect] = []
    for inner in effect.effects:
        recipient = _recipient_of(inner)
        joint = (
            chosen
            if isinstance(recipient, w.Select)
            else _substitute(_substitute(recipient, "own", w.character), "chosen", chosen)
        )
        if isinstance(inner, w.Ko):
            effects.append(inner.replace(what=joint))
        elif isinstance(inner, w.Damage):
            effects.append(inner.replace(to=joint))
        elif not isinstance(inner, w.Choose):
            raise ValueError(
                f"the card language has no way to let each player do '{type(inner).__name__}' to what they choose"
            )
    return effects


def _recipient_of(effect: w.Effect) -> w.Select | w.Where:
    match effect:
        case w.Ko(what) | w.Choose(what) | w.Damage(_, what):
            return what
    return w.this


def _substitute(where: w.Where, op: str, replacement: w.Where) -> w.Where:
    """Give a description in which something else stands for a word."""
    if where.op == op:
        return replacement
    return w.Where(
        where.op, tuple(_substitute(x, op, replacement) if isinstance(x, w.Where) else x for x in where.args)
    )
