"""The same position is the same value, whichever of several like dice lies where.

Dice of one card are interchangeable. The canonical form numbers them in the order in which a position is written
down, so that two states are equal exactly when they read the same and play on alike.
"""

from __future__ import annotations

from itertools import pairwise

from dicemasters.game.combat import Assigning
from dicemasters.game.damage import Announcing, Crushing, Damaging, Koing, Packet, Through
from dicemasters.game.descriptions import DOWN
from dicemasters.game.effects import Targeting, Using
from dicemasters.game.energy import Pay
from dicemasters.game.look import Running
from dicemasters.game.solitaire import Mirroring
from dicemasters.game.state import (
    ATTACKING,
    BAG,
    CARD,
    FIELD,
    GONE,
    HAND,
    HELD,
    IN_ORDER,
    NOBODY,
    OUT,
    PREP,
    RESERVE,
    ROLLED,
    USED,
    Frame,
    Happening,
    Option,
    State,
    marks,
    same_gift,
)
from dicemasters.game.triggers import Dooming
from dicemasters.game.turn import Act, Going

WRITING_ORDER = (FIELD, RESERVE, PREP, HAND, BAG, USED, OUT, HELD, CARD, GONE)
_RANK = {place: i for i, place in enumerate(WRITING_ORDER)}
_DIE_OPTIONS = ("field", "use", "reroll", "attack", "block", "choose", "up", "down", "pay", "amount", "end")


def shows_face(s: State, d: int) -> bool:
    """Tell whether the die's face matters where it lies (rules 2.2)."""
    place = s.place[d] >> 2
    return place in (FIELD, RESERVE) or (place in (PREP, HAND) and s.flags[d] & ROLLED != 0)


def canonical(s: State) -> State:
    """Give the state with like dice numbered in writing order and faces that do not matter set to 0.

    Where dice look alike, those that something half done mentions come first, in the order they are mentioned.
    """
    t = s.table
    noting = _Noter(t.n_dice)
    _rename(s.copy(), noting)
    new = list(range(t.n_dice))
    for dice in t.dice_of:
        order = sorted(dice, key=lambda d: (_RANK[s.place[d] >> 2], s.place[d], _sort_key(s, d), noting.of(d), d))
        for number, d in zip(dice, order, strict=True):
            new[d] = number
    c = s.copy()
    for d in range(t.n_dice):
        n = new[d]
        c.place[n] = s.place[d]
        c.owner[n] = s.owner[d]
        c.damage[n] = s.damage[d]
        c.flags[n] = s.flags[d]
        c.face[n] = s.face[d] if shows_face(s, d) else 0
    rename = _Renamer(new)
    _rename(c, rename)
    c.options = [rename.option(o) for o in s.options]  # each names the first of its like, which says nothing more
    _order_gifts(c)
    earliest = min((q.moment for q in s.queue), default=s.moment)
    c.queue = [q._replace(moment=q.moment - earliest) for q in c.queue]
    c.moment = s.moment - earliest
    return c


def _order_gifts(c: State) -> None:
    """The same given to several dice: whichever got it first, list it in the order of the dice.

    What one of them or all got in between stays between (rules 5.4), where the order counts anything.
    """
    in_order = any(r.word in IN_ORDER for r in c.records)
    places: dict[int, list[int]] = {}
    for i, r in enumerate(c.records):
        if r.subject != NOBODY:  # what was given to nobody stays where it is
            places.setdefault(next(j for j, x in enumerate(c.records) if same_gift(r, x)), []).append(i)
    for at in places.values():
        dice = {c.records[i].subject for i in at}
        runs = [at[:1]]
        for before, i in pairwise(at):
            between = c.records[before + 1 : i]
            if (between and in_order) or any(r.subject in dice or r.subject == NOBODY for r in between):
                runs.append([])
            runs[-1].append(i)
        for run in runs:
            for i, r in zip(run, sorted((c.records[i] for i in run), key=lambda r: r.subject), strict=True):
                c.records[i] = r


def _rename(c: State, rename: _Renamer) -> None:
    """Put the new numbers wherever a die is mentioned."""
    one = rename.one
    c.stack = [rename.frame(f) for f in c.stack]
    c.queue = [q._replace(this=one(q.this), event=rename.happening(q.event), about=one(q.about)) for q in c.queue]
    c.blocks = [(one(b), one(a)) for b, a in c.blocks]
    c.met = [(one(x), one(y), z) for x, y, z in c.met]
    c.pairs = [(one(x), one(y), z) for x, y, z in c.pairs]
    c.spent = [(a, 1000 + one(x - 1000) if x >= 1000 else x) for a, x in c.spent]
    c.records = [r._replace(subject=one(r.subject), source=one(r.source)) for r in c.records]
    c.holdings = [h._replace(die=one(h.die), holder=one(h.holder)) for h in c.holdings]
    c.done = rename.many(c.done)
    c.paid = rename.many(c.paid)
    if c.ask.kind == "split":
        c.ask = c.ask._replace(about=one(c.ask.about), number=one(c.ask.number))


def _sort_key(s: State, d: int) -> tuple[int, int, int, tuple[int, ...], int]:
    attacking = s.flags[d] & ATTACKING  # first among its like, as it was declared in order
    return (s.face[d] if shows_face(s, d) else 0, s.damage[d], s.flags[d] - attacking, marks(s, d), -attacking)


class _Renamer:
    def __init__(self, new: list[int]) -> None:
        self.new = new

    def one(self, x: int) -> int:
        if 0 <= x < len(self.new):
            return self.new[x]
        if x >= DOWN and x - DOWN < len(self.new):
            return self.new[x - DOWN] + DOWN
        return x

    def many(self, xs: tuple[int, ...]) -> tuple[int, ...]:
        return tuple(self.one(x) for x in xs)

    def set(self, xs: tuple[int, ...]) -> tuple[int, ...]:
        return tuple(sorted(self.many(xs)))

    def happening(self, h: Happening) -> Happening:
        known = h.known
        if h.word == "fielded":  # the dice that paid, then those that lay in the Used Piles
            known = self.many(known[: h.amount]) + self.set(known[h.amount :])
        return h._replace(die=self.one(h.die), other=self.one(h.other), known=known)

    def packets(self, packets: tuple[Packet, ...]) -> tuple[Packet, ...]:
        return tuple(Packet(self.one(p.source), self.one(p.to), p.amount) for p in packets)

    def through(self, through: tuple[Through, ...]) -> tuple[Through, ...]:
        return tuple(x._replace(source=self.one(x.source), foes=self.many(x.foes)) for x in through)

    def option(self, o: Option) -> Option:
        what, x, y = o
        if what in _DIE_OPTIONS:
            return what, self.one(x), self.one(y) if what in ("block", "end") else y
        return what, x, self.one(y) if what == "ability" else y

    def frame(self, f: Frame) -> Frame:
        match f:
            case Running():
                return f._replace(
                    this=self.one(f.this),
                    event=self.happening(f.event),
                    chosen=tuple(self.many(r) for r in f.chosen),
                    paid=self.many(f.paid),
                    picked=self.many(f.picked),
                    spared=self.many(f.spared),
                    asked=self.many(f.asked),
                )
            case Pay():
                return f._replace(dice=self.many(f.dice))
            case Damaging():
                asked = tuple(
                    (a, you, self.one(this), i if i < 1000 else 1000 + self.one(i - 1000))
                    for a, you, this, i in f.asked
                )
                a, you, this, i = f.trying
                return f._replace(
                    packets=self.packets(f.packets),
                    leaving=self.many(f.leaving),
                    asked=asked,
                    declined=tuple((a, you, self.one(this), i, n) for a, you, this, i, n in f.declined),
                    trying=(a, you, self.one(this), i),
                    through=self.through(f.through),
                )
            case Koing():
                a, this, d = f.trying
                return f._replace(
                    dice=self.many(f.dice),
                    doer=self.one(f.doer),
                    asked=tuple((a, self.one(this), self.one(d)) for a, this, d in f.asked),
                    hits=self.packets(f.hits),
                    declined=tuple((a, self.one(this), self.one(d)) for a, this, d in f.declined),
                    trying=(a, self.one(this), self.one(d)),
                )
            case Announcing():
                return f._replace(happenings=tuple(self.happening(h) for h in f.happenings))
            case Assigning():
                return f._replace(
                    sources=self.many(f.sources), packets=self.packets(f.packets), through=self.through(f.through)
                )
            case Act():
                return f._replace(option=self.option(f.option), paid=self.many(f.paid))
            case Targeting() | Mirroring() | Crushing() | Dooming():
                return f
            case Using():
                return f._replace(die=self.one(f.die))
            case Going():
                return f._replace(acts=tuple(self.option(o) for o in f.acts), paid=self.many(f.paid))
        raise TypeError(f"no such frame: {f!r}")


class _Noter(_Renamer):
    """Renames nothing, but notes in which order dice are mentioned; what is mentioned as a set shares its number."""

    def __init__(self, n_dice: int) -> None:
        super().__init__(list(range(n_dice)))
        self.mentions: list[list[int]] = [[] for _ in range(n_dice)]
        self._number = 0

    def one(self, x: int) -> int:
        self._note(x)
        self._number += 1
        return x

    def set(self, xs: tuple[int, ...]) -> tuple[int, ...]:
        for x in xs:
            self._note(x)
        self._number += 1
        return xs

    def _note(self, x: int) -> None:
        d = x - DOWN if x >= DOWN else x
        if 0 <= d < len(self.mentions):
            self.mentions[d].append(self._number)

    def of(self, d: int) -> tuple[bool, list[int]]:
        """Give what sorts the dice: those that are mentioned first, by their mentions."""
        return not self.mentions[d], self.mentions[d]
