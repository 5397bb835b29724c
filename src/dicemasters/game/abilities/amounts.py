"""Amounts: what each word for a number means."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final, final

from dicemasters.cards.language.vocabulary import TYPES
from dicemasters.game.abilities.expressions import Quantity
from dicemasters.game.abilities.selectors import Group, count, gather, pips
from dicemasters.game.queries import characteristics, die_identity, static_rules
from dicemasters.game.state.constants import FIELD, PLAYER
from dicemasters.game.state.frames import Running
from dicemasters.game.state.state import State
from dicemasters.game.state.values import Record


@final
class Fixed(Quantity):
    """A plain number."""

    __slots__ = ("n",)

    def __init__(self, n: int) -> None:
        self.n = n

    def worth(self, s: State, c: Running) -> int:
        return self.n


class OfGroup(Quantity):
    """An amount that is read off the dice or players of a description."""

    __slots__ = ("what",)

    def __init__(self, what: Group) -> None:
        self.what = what


@final
class Count(Quantity):
    __slots__ = ("by_dice", "what")

    def __init__(self, what: Group, by_dice: bool) -> None:
        self.what = what
        self.by_dice = by_dice

    def worth(self, s: State, c: Running) -> int:
        return count(s, self.what, c, self.by_dice)


@final
class Attack(OfGroup):
    __slots__ = ()

    def worth(self, s: State, c: Running) -> int:
        return _known(s, c, self.what, 0)


@final
class Defence(OfGroup):
    __slots__ = ()

    def worth(self, s: State, c: Running) -> int:
        return _known(s, c, self.what, 1)


@final
class Level(OfGroup):
    __slots__ = ()

    def worth(self, s: State, c: Running) -> int:
        return _known(s, c, self.what, 2)


@final
class Life(OfGroup):
    __slots__ = ()

    def worth(self, s: State, c: Running) -> int:
        return sum([s.life[x - PLAYER] for x in gather(s, self.what, c)])


@final
class Symbols(Quantity):
    __slots__ = ("kind", "what")

    def __init__(self, symbol: str, what: Group) -> None:
        self.kind = TYPES.index(symbol)
        self.what = what

    def worth(self, s: State, c: Running) -> int:
        return sum([pips(s, d, self.kind) for d in gather(s, self.what, c)])


@final
class HighestLevel(OfGroup):
    __slots__ = ()

    def worth(self, s: State, c: Running) -> int:
        return max([die_identity.level(s, d) for d in gather(s, self.what, c)], default=0)


@final
class LowestDefence(OfGroup):
    __slots__ = ()

    def worth(self, s: State, c: Running) -> int:
        return min([characteristics.stats(s, d)[1] for d in gather(s, self.what, c)], default=0)


@final
class EnergyTypes(OfGroup):
    __slots__ = ()

    def worth(self, s: State, c: Running) -> int:
        return len({e for d in gather(s, self.what, c) for e in s.table.cards[die_identity.identity(s, d)].energy})


@final
class Half(Quantity):
    __slots__ = ("of",)

    def __init__(self, of: Quantity) -> None:
        self.of = of

    def worth(self, s: State, c: Running) -> int:
        return self.of.worth(s, c) // 2


@final
class Times(Quantity):
    __slots__ = ("n", "of")

    def __init__(self, n: int, of: Quantity) -> None:
        self.n = n
        self.of = of

    def worth(self, s: State, c: Running) -> int:
        return self.n * self.of.worth(s, c)


@final
class Affected(Quantity):
    __slots__ = ()

    def worth(self, s: State, c: Running) -> int:
        return len(s.done)


@final
class KodByIt(Quantity):
    __slots__ = ()

    def worth(self, s: State, c: Running) -> int:
        return sum([x < PLAYER and s.place[x] >> 2 != FIELD for x in s.done])


@final
class Paid(Quantity):
    __slots__ = ()

    def worth(self, s: State, c: Running) -> int:
        return c.given


@final
class EventAmount(Quantity):
    __slots__ = ()

    def worth(self, s: State, c: Running) -> int:
        return c.event.amount


@final
class EventTotal(Quantity):
    __slots__ = ()

    def worth(self, s: State, c: Running) -> int:
        return c.event.known[0] if c.event.known else c.event.amount


@final
class First(Quantity):
    __slots__ = ("n",)

    def __init__(self, n: int) -> None:
        self.n = n

    def worth(self, s: State, c: Running) -> int:
        return min(max(0, self.n - static_rules.counted(s, c) + c.event.amount), c.event.amount)


@final
class Counters(Quantity):
    __slots__ = ("name",)

    def __init__(self, name: str) -> None:
        self.name = name

    def worth(self, s: State, c: Running) -> int:
        return s.counters[static_rules.card_of_text(s, c)]


@final
class OwnAttack(Quantity):
    """Stands for the A of each die that deals the damage, which is worked out die by die."""

    __slots__ = ()

    def worth(self, s: State, c: Running) -> int:
        return 0


def is_count(amount: Quantity) -> bool:
    """Tell whether an amount counts what lies on the table now, whatever is chosen, so that it may come to 0."""
    if isinstance(amount, (Half, Times)):
        return is_count(amount.of)
    if isinstance(amount, (Count, Symbols, EnergyTypes)):
        return amount.what.refs is None and not amount.what.depends and not amount.what.registers
    return False


def _known(s: State, c: Running, group: Group, which: int) -> int:
    """Give A, D or level of the dice meant, as last known of one that was KO'd or has left before its text's turn."""
    total = 0
    for d in gather(s, group, c):
        if c.event.word == "KO'd" and d == c.event.die:
            total += c.event.known[which]
        elif which < 2 and d == c.this and s.place[d] >> 2 != FIELD and (left := _when_it_left(s, c)) is not None:
            total += left.d if which else left.a
        elif which == 2:
            total += die_identity.level(s, d)
        else:
            total += characteristics.stats(s, d)[which]
    return total


def _when_it_left(s: State, c: Running) -> Record | None:
    """Give what was noted of the die whose text it is when it left the field."""
    noted = [r for r in s.records if r.word == "numbers" and r.source == c.this and r.ability == c.ability]
    return noted[-1] if noted else None


# by the word they are registered for; what stands in its brackets makes them
QUANTITIES: Final[dict[str, Callable[..., Quantity]]] = {
    "count": Count,
    "attack": Attack,
    "defence": Defence,
    "level": Level,
    "life": Life,
    "symbols": Symbols,
    "highest level": HighestLevel,
    "lowest defence": LowestDefence,
    "types": EnergyTypes,
    "half": Half,
    "times": Times,
    "affected": Affected,
    "KOs": KodByIt,
    "paid": Paid,
    "event": EventAmount,
    "event total": EventTotal,
    "first": First,
    "up to": Fixed,
    "counters": Counters,
    "own attack": OwnAttack,
}
