"""Effects of each player on their own dice: all players choose, then everything resolves at once (rules 5.3, 5.7a2)."""

from __future__ import annotations

from typing import Final

from dicemasters.cards.language import vocabulary as w

MAX_PLAYERS: Final = 4
_NTH: Final = "player "  # "player 0" chooses first and is on the active side


def player_selections(effect: w.EachPlayer) -> list[w.Select]:
    """Return each player's selection in choosing order, or an empty list if the effect has no choice."""
    for inner in effect.effects:
        if isinstance(recipient := _recipient_of(inner), w.Select):
            where = recipient.where & w.Where("can be KO'd") if isinstance(inner, w.Ko) else recipient.where
            return [
                recipient.replace(where=_substitute(where, "own", w.Where("of player", (n,))), by=f"{_NTH}{n}")
                for n in range(MAX_PLAYERS)
            ]
    return []


def choosing_position(by: str) -> int:
    """Return the position in choosing order that `by` names, or -1 if a single player chooses."""
    return int(by[len(_NTH) :]) if by.startswith(_NTH) else -1


def joint_effects(effect: w.EachPlayer, registers: list[int]) -> list[w.Effect]:
    """Return the effects on all chosen dice, or on all others, to be applied at once."""
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
            raise ValueError(f"EachPlayer cannot apply '{type(inner).__name__}' to the chosen dice")
    return effects


def _recipient_of(effect: w.Effect) -> w.Select | w.Where:
    match effect:
        case w.Ko(what) | w.Choose(what) | w.Damage(_, what):
            return what
    return w.this


def _substitute(where: w.Where, op: str, replacement: w.Where) -> w.Where:
    """Return a copy of the description with every `op` replaced."""
    if where.op == op:
        return replacement
    return w.Where(
        where.op, tuple(_substitute(x, op, replacement) if isinstance(x, w.Where) else x for x in where.args)
    )
