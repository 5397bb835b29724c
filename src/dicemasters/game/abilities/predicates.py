"""Descriptions: what each word for dice or players means, as a small class with one test."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final, final

from dicemasters.cards.language.vocabulary import TYPES
from dicemasters.game.abilities.expressions import Predicate, Quantity, Reference
from dicemasters.game.abilities.selectors import Group, gather, pips
from dicemasters.game.queries import characteristics, combat_status, costs, die_identity, static_rules
from dicemasters.game.state.constants import (
    ATTACKING,
    BAG,
    BLOCKED,
    BY_BLOCKING,
    CARD,
    EARLIER,
    FIELD,
    FIELDED_BEFORE,
    FIELDED_NOW,
    HAND,
    HURT,
    LEFT,
    PERSON,
    PLAYER,
    PREP,
    RESERVE,
    ROLLED,
    USED,
)
from dicemasters.game.state.frames import Running
from dicemasters.game.state.state import State
from dicemasters.game.state.values import DOWN, NOBODY

PLACES: Final = {"bag": BAG, "prep": PREP, "reserve": RESERVE, "field": FIELD, "used": USED, "hand": HAND}

# --- joined --------------------------------------------------------------------------------------------------------


@final
class And(Predicate):
    __slots__ = ("first", "second")

    def __init__(self, first: Predicate, second: Predicate) -> None:
        self.first = first
        self.second = second

    def holds(self, s: State, x: int, c: Running) -> bool:
        return self.first.holds(s, x, c) and self.second.holds(s, x, c)


@final
class All(Predicate):
    """More than two that must hold."""

    __slots__ = ("parts",)

    def __init__(self, parts: list[Predicate]) -> None:
        self.parts = parts

    def holds(self, s: State, x: int, c: Running) -> bool:
        for part in self.parts:
            if not part.holds(s, x, c):
                return False
        return True


@final
class Or(Predicate):
    __slots__ = ("first", "second")

    def __init__(self, first: Predicate, second: Predicate) -> None:
        self.first = first
        self.second = second

    def holds(self, s: State, x: int, c: Running) -> bool:
        return self.first.holds(s, x, c) or self.second.holds(s, x, c)


@final
class Not(Predicate):
    __slots__ = ("inner",)

    def __init__(self, inner: Predicate) -> None:
        self.inner = inner

    def holds(self, s: State, x: int, c: Running) -> bool:
        return not self.inner.holds(s, x, c)


# --- words without brackets ----------------------------------------------------------------------------------------


@final
class AnyDie(Predicate):
    __slots__ = ()

    def holds(self, s: State, x: int, c: Running) -> bool:
        return x < PLAYER


@final
class Character(Predicate):
    __slots__ = ()

    def holds(self, s: State, x: int, c: Running) -> bool:
        return x < PLAYER and die_identity.is_character(s, x)


@final
class CanBeCharacter(Predicate):
    __slots__ = ()

    def holds(self, s: State, x: int, c: Running) -> bool:
        if x >= PLAYER or s.place[x] >> 2 not in (FIELD, RESERVE):
            return x < PLAYER and s.table.is_character_die[x]
        return s.table.kinds[s.table.m6[x] + s.face[x]] == die_identity.CHARACTER


@final
class Own(Predicate):
    __slots__ = ()

    def holds(self, s: State, x: int, c: Running) -> bool:
        return x < PLAYER and s.place[x] & 3 == c.you


@final
class OfPlayer(Predicate):
    """It is a die of the n-th of all players, those whose turn it is first."""

    __slots__ = ("n",)

    def __init__(self, n: int) -> None:
        self.n = n

    def holds(self, s: State, x: int, c: Running) -> bool:
        return x < PLAYER and s.place[x] & 3 == die_identity.player_by_turn(s, self.n)


@final
class Opposing(Predicate):
    __slots__ = ()

    def holds(self, s: State, x: int, c: Running) -> bool:
        return x < PLAYER and ((s.place[x] ^ c.you) & 1 == 1 or (bool(s.holdings) and _belongs_to_other(s, x, c)))


@final
class OfActivePlayer(Predicate):
    __slots__ = ()

    def holds(self, s: State, x: int, c: Running) -> bool:
        return x < PLAYER and s.place[x] & 1 == s.active & 1


@final
class Payer(Predicate):
    __slots__ = ()

    def holds(self, s: State, x: int, c: Running) -> bool:
        return x == PLAYER + (c.payer & 1)


@final
class OfPayer(Predicate):
    __slots__ = ()

    def holds(self, s: State, x: int, c: Running) -> bool:
        """An opponent who pays may give up a partner's die too: "one of their characters" (docs/doubles.md)."""
        if x >= PLAYER:
            return False
        return s.place[x] & 3 == c.payer or ((c.payer ^ c.you) & 1 == 1 and (s.place[x] ^ c.payer) & 1 == 0)


@final
class This(Predicate):
    __slots__ = ()

    def holds(self, s: State, x: int, c: Running) -> bool:
        return x == c.this


@final
class OfThisCard(Predicate):
    __slots__ = ()

    def holds(self, s: State, x: int, c: Running) -> bool:
        return x < PLAYER and s.place[x] & 3 == c.you and _is_of_this_card(s, x, c)


@final
class That(Predicate):
    __slots__ = ()

    def holds(self, s: State, x: int, c: Running) -> bool:
        return x == c.event.die


@final
class TheOther(Predicate):
    __slots__ = ()

    def holds(self, s: State, x: int, c: Running) -> bool:
        return x == c.event.other


@final
class Partner(Predicate):
    __slots__ = ()

    def holds(self, s: State, x: int, c: Running) -> bool:
        return x < PLAYER and c.this != NOBODY and x == die_identity.partner_of(s, c.this)


@final
class JustMoved(Predicate):
    __slots__ = ()

    def holds(self, s: State, x: int, c: Running) -> bool:
        return x in s.done


@final
class Sidekick(Predicate):
    __slots__ = ()

    def holds(self, s: State, x: int, c: Running) -> bool:
        return x < PLAYER and characteristics.is_sidekick(s, x)


@final
class ActionDie(Predicate):
    __slots__ = ()

    def holds(self, s: State, x: int, c: Running) -> bool:
        return x < PLAYER and not s.table.is_character_die[x]


@final
class Attacking(Predicate):
    __slots__ = ()

    def holds(self, s: State, x: int, c: Running) -> bool:
        return x < PLAYER and s.flags[x] & ATTACKING != 0


@final
class Blocking(Predicate):
    __slots__ = ()

    def holds(self, s: State, x: int, c: Running) -> bool:
        return combat_status.is_blocking(s, x)


@final
class Blocked(Predicate):
    __slots__ = ()

    def holds(self, s: State, x: int, c: Running) -> bool:
        return x < PLAYER and s.flags[x] & (ATTACKING | BLOCKED) == ATTACKING | BLOCKED


@final
class Unblocked(Predicate):
    __slots__ = ()

    def holds(self, s: State, x: int, c: Running) -> bool:
        return x < PLAYER and s.flags[x] & (ATTACKING | BLOCKED) == ATTACKING


@final
class Engaged(Predicate):
    __slots__ = ()

    def holds(self, s: State, x: int, c: Running) -> bool:
        return combat_status.is_engaged(s, x)


@final
class EngagedWithThis(Predicate):
    __slots__ = ()

    def holds(self, s: State, x: int, c: Running) -> bool:
        return (x, c.this) in s.blocks or (c.this, x) in s.blocks


@final
class BlockingThis(Predicate):
    __slots__ = ()

    def holds(self, s: State, x: int, c: Running) -> bool:
        return (x, c.this) in s.blocks


@final
class BlockedByThis(Predicate):
    __slots__ = ()

    def holds(self, s: State, x: int, c: Running) -> bool:
        return (c.this, x) in s.blocks


@final
class Touched(Predicate):
    __slots__ = ()

    def holds(self, s: State, x: int, c: Running) -> bool:
        return x in die_identity.touched_by(s, c.this)


@final
class CapturedByThis(Predicate):
    __slots__ = ()

    def holds(self, s: State, x: int, c: Running) -> bool:
        return any(h.kind == "capture" and (h.die, h.holder) == (x, c.this) for h in s.holdings)


@final
class MetThis(Predicate):
    __slots__ = ()

    def holds(self, s: State, x: int, c: Running) -> bool:
        return any(d == x and other == c.this and not how & LEFT for d, other, how in s.met)


@final
class HasBlockedThis(Predicate):
    __slots__ = ()

    def holds(self, s: State, x: int, c: Running) -> bool:
        return any(
            d == x and other == c.this and how & (BY_BLOCKING | EARLIER | LEFT) == BY_BLOCKING
            for d, other, how in s.met
        )


@final
class FieldedThisTurn(Predicate):
    __slots__ = ()

    def holds(self, s: State, x: int, c: Running) -> bool:
        return x < PLAYER and s.flags[x] & FIELDED_NOW != 0


@final
class FieldedLastTurn(Predicate):
    __slots__ = ()

    def holds(self, s: State, x: int, c: Running) -> bool:
        return x < PLAYER and s.flags[x] & FIELDED_BEFORE != 0


@final
class InForce(Predicate):
    __slots__ = ()

    def holds(self, s: State, x: int, c: Running) -> bool:
        return x in static_rules.in_force(s)


@final
class JustRolled(Predicate):
    __slots__ = ()

    def holds(self, s: State, x: int, c: Running) -> bool:
        return x < PLAYER and s.place[x] >> 2 == PREP and s.flags[x] & ROLLED != 0


@final
class Damaged(Predicate):
    __slots__ = ()

    def holds(self, s: State, x: int, c: Running) -> bool:
        return x < PLAYER and s.damage[x] > 0


@final
class DamagedThisTurn(Predicate):
    __slots__ = ()

    def holds(self, s: State, x: int, c: Running) -> bool:
        return x < PLAYER and s.flags[x] & HURT != 0


@final
class Drawn(Predicate):
    __slots__ = ()

    def holds(self, s: State, x: int, c: Running) -> bool:
        return x < PLAYER and s.place[x] == HAND * 4 + c.you


@final
class OnSale(Predicate):
    __slots__ = ()

    def holds(self, s: State, x: int, c: Running) -> bool:
        return x < PLAYER and s.place[x] >> 2 == CARD and s.table.card_of[x] in s.table.buyable[c.you]


@final
class ShowingCharacter(Predicate):
    __slots__ = ()

    def holds(self, s: State, x: int, c: Running) -> bool:
        return s.table.kinds[s.table.m6[x] + s.face[x]] == die_identity.CHARACTER


@final
class ShowingAction(Predicate):
    __slots__ = ()

    def holds(self, s: State, x: int, c: Running) -> bool:
        return s.table.kinds[s.table.m6[x] + s.face[x]] == die_identity.ACTION


@final
class ShowingEnergy(Predicate):
    __slots__ = ()

    def holds(self, s: State, x: int, c: Running) -> bool:
        return s.table.kinds[s.table.m6[x] + s.face[x]] == die_identity.ENERGY


@final
class CanReroll(Predicate):
    __slots__ = ()

    def holds(self, s: State, x: int, c: Running) -> bool:
        return x < PLAYER and characteristics.can_reroll(s, x)


@final
class CanBeKod(Predicate):
    __slots__ = ()

    def holds(self, s: State, x: int, c: Running) -> bool:
        return x < PLAYER and characteristics.can_be_kod(s, x)


@final
class Paying(Predicate):
    __slots__ = ()

    def holds(self, s: State, x: int, c: Running) -> bool:
        return x in (c.event.known[: c.event.amount] if c.event.word == "fielded" else c.paid)


@final
class You(Predicate):
    __slots__ = ()

    def holds(self, s: State, x: int, c: Running) -> bool:
        return x == PLAYER + (c.you & 1) or x == PERSON + c.you


@final
class Opponent(Predicate):
    __slots__ = ()

    def holds(self, s: State, x: int, c: Running) -> bool:
        return x == PLAYER + 1 - (c.you & 1) or (PERSON <= x < NOBODY and (x ^ c.you) & 1 == 1)


@final
class EachPlayer(Predicate):
    __slots__ = ()

    def holds(self, s: State, x: int, c: Running) -> bool:
        return x >= PLAYER and x != NOBODY


@final
class OfNamedType(Predicate):
    __slots__ = ()

    def holds(self, s: State, x: int, c: Running) -> bool:
        return x < PLAYER and named(s, c) in s.table.cards[die_identity.identity(s, x)].energy


@final
class OfNamedAffiliation(Predicate):
    __slots__ = ()

    def holds(self, s: State, x: int, c: Running) -> bool:
        return x < PLAYER and characteristics.has_affiliation(s, x, named(s, c))


@final
class OfItsCard(Predicate):
    __slots__ = ()

    def holds(self, s: State, x: int, c: Running) -> bool:
        return x < PLAYER and die_identity.lies_on(s, c.this) == die_identity.identity(s, x)


@final
class OfNamedCard(Predicate):
    __slots__ = ()

    def holds(self, s: State, x: int, c: Running) -> bool:
        return x < PLAYER and s.table.cards[die_identity.identity(s, x)].key == named(s, c)


def _belongs_to_other(s: State, x: int, c: Running) -> bool:
    """Tell whether the die is opposing by its owner alone, where an edition reads it so (rules 5.2)."""
    return not s.table.edition.opposing_is_controlled and s.owner[x] != NOBODY and (s.owner[x] ^ c.you) & 1 == 1


def named(s: State, c: Running) -> str:
    """Give what this card has named: a type, an affiliation or a card."""
    return die_identity.named_by(s, s.table.sentences[c.ability].card)


def _is_of_this_card(s: State, x: int, c: Running) -> bool:
    """Tell whether the die is one of the card whose text it is; in copied text the copier's name stands (5.13c)."""
    card = die_identity.identity(s, c.this) if c.this < PLAYER else s.table.sentences[c.ability].card
    return die_identity.identity(s, x) == card


# --- words with brackets -------------------------------------------------------------------------------------------


@final
class OfType(Predicate):
    __slots__ = ("letters",)

    def __init__(self, *letters: str) -> None:
        self.letters = letters

    def holds(self, s: State, x: int, c: Running) -> bool:
        return x < PLAYER and any(e in s.table.cards[die_identity.identity(s, x)].energy for e in self.letters)


@final
class ShowingSymbol(Predicate):
    __slots__ = ("kind",)

    def __init__(self, symbol: str) -> None:
        self.kind = TYPES.index(symbol)

    def holds(self, s: State, x: int, c: Running) -> bool:
        return x < PLAYER and pips(s, x, self.kind) > 0


@final
class OfAffiliation(Predicate):
    __slots__ = ("names",)

    def __init__(self, *names: str) -> None:
        self.names = names

    def holds(self, s: State, x: int, c: Running) -> bool:
        return x < PLAYER and any(characteristics.has_affiliation(s, x, name) for name in self.names)


@final
class WithKeyword(Predicate):
    __slots__ = ("names",)

    def __init__(self, *names: str) -> None:
        self.names = names

    def holds(self, s: State, x: int, c: Running) -> bool:
        return x < PLAYER and any(characteristics.has_keyword(s, x, name) for name in self.names)


@final
class WithTitle(Predicate):
    __slots__ = ("names",)

    def __init__(self, *names: str) -> None:
        self.names = names

    def holds(self, s: State, x: int, c: Running) -> bool:
        if x >= PLAYER:
            return False
        cards = s.table.cards
        name, own = cards[die_identity.identity(s, x)].title, cards[s.table.sentences[c.ability].card].title
        if own in self.names and c.this < PLAYER:  # where a copied text names itself the copier's name stands (5.13c)
            return name == cards[die_identity.identity(s, c.this)].title or (name != own and name in self.names)
        return name in self.names


@final
class LyingIn(Predicate):
    __slots__ = ("places",)

    def __init__(self, *places: str) -> None:
        self.places = tuple([PLACES[place] for place in places])

    def holds(self, s: State, x: int, c: Running) -> bool:
        return x < PLAYER and s.place[x] >> 2 in self.places


@final
class ShowingBurst(Predicate):
    __slots__ = ("stars",)

    def __init__(self, stars: int) -> None:
        self.stars = stars

    def holds(self, s: State, x: int, c: Running) -> bool:
        return x < PLAYER and static_rules.burst(s, x) == self.stars


@final
class Chosen(Predicate):
    __slots__ = ("register",)

    def __init__(self, register: int) -> None:
        self.register = register

    def holds(self, s: State, x: int, c: Running) -> bool:
        k = self.register
        return k < len(c.chosen) and (x in c.chosen[k] or x | DOWN in c.chosen[k])


@final
class CanSpin(Predicate):
    """It can be spun that way at all; 0 asks for either way (rules 5.12)."""

    __slots__ = ("levels",)

    def __init__(self, levels: int) -> None:
        self.levels = levels

    def holds(self, s: State, x: int, c: Running) -> bool:
        return characteristics.can_spin(s, x, self.levels)


# --- words about others --------------------------------------------------------------------------------------------


def compare(a: int, how: str, b: int) -> bool:
    """Tell whether the first number is (= < <= > >=) the second."""
    if how == "=":
        return a == b
    if how == "<=":
        return a <= b
    if how == ">=":
        return a >= b
    return a < b if how == "<" else a > b


class Compared(Predicate):
    """A number of the die is (= < <= > >=) an amount."""

    __slots__ = ("how", "of")

    def __init__(self, how: str, of: Quantity) -> None:
        self.how = how
        self.of = of

    def number(self, s: State, d: int) -> int:
        raise NotImplementedError

    def holds(self, s: State, x: int, c: Running) -> bool:
        return x < PLAYER and compare(self.number(s, x), self.how, self.of.worth(s, c))


@final
class OnLevel(Compared):
    __slots__ = ()

    def number(self, s: State, d: int) -> int:
        return die_identity.level(s, d)


@final
class WithCost(Compared):
    __slots__ = ()

    def number(self, s: State, d: int) -> int:
        return die_identity.printed_cost(s, d)


@final
class WithFieldingCost(Compared):
    __slots__ = ()

    def number(self, s: State, d: int) -> int:
        return costs.fielding_cost(s, d)


@final
class WithPrintedFieldingCost(Compared):
    __slots__ = ()

    def number(self, s: State, d: int) -> int:
        return characteristics.numbers(s, d)[0]


@final
class WithDefence(Compared):
    __slots__ = ()

    def number(self, s: State, d: int) -> int:
        return characteristics.stats(s, d)[1]


@final
class Cheapest(Predicate):
    __slots__ = ("among",)

    def __init__(self, among: Group) -> None:
        self.among = among

    def holds(self, s: State, x: int, c: Running) -> bool:
        dice = gather(s, self.among, c)
        least = min([die_identity.printed_cost(s, d) for d in dice], default=0)
        return x in dice and die_identity.printed_cost(s, x) == least


@final
class OfSameType(Predicate):
    __slots__ = ("like",)

    def __init__(self, like: Group) -> None:
        self.like = like

    def holds(self, s: State, x: int, c: Running) -> bool:
        return x < PLAYER and any(die_identity.shares_type(s, x, d) for d in gather(s, self.like, c))


# by the word they are registered for; what stands in its brackets makes them
PREDICATES: Final[dict[str, Callable[..., Predicate]]] = {
    "any": AnyDie,
    "character": Character,
    "own": Own,
    "opposing": Opposing,
    "active player's": OfActivePlayer,
    "payer": Payer,
    "payer's": OfPayer,
    "this": This,
    "this card": OfThisCard,
    "that": That,
    "the other": TheOther,
    "partner": Partner,
    "just moved": JustMoved,
    "sidekick": Sidekick,
    "action die": ActionDie,
    "attacking": Attacking,
    "blocking": Blocking,
    "blocked": Blocked,
    "unblocked": Unblocked,
    "engaged": Engaged,
    "engaged with this": EngagedWithThis,
    "blocking this": BlockingThis,
    "blocked by this": BlockedByThis,
    "touched": Touched,
    "captured by this": CapturedByThis,
    "met this": MetThis,
    "has blocked this": HasBlockedThis,
    "fielded this turn": FieldedThisTurn,
    "fielded last turn": FieldedLastTurn,
    "in force": InForce,
    "just rolled": JustRolled,
    "damaged": Damaged,
    "damaged this turn": DamagedThisTurn,
    "drawn": Drawn,
    "on sale": OnSale,
    "showing character": ShowingCharacter,
    "showing action": ShowingAction,
    "showing energy": ShowingEnergy,
    "can be a character": CanBeCharacter,
    "can reroll": CanReroll,
    "can be KO'd": CanBeKod,
    "paying": Paying,
    "you": You,
    "opponent": Opponent,
    "each player": EachPlayer,
    "of named type": OfNamedType,
    "of named affiliation": OfNamedAffiliation,
    "of its card": OfItsCard,
    "of named card": OfNamedCard,
    "type": OfType,
    "showing symbol": ShowingSymbol,
    "affiliation": OfAffiliation,
    "keyword": WithKeyword,
    "title": WithTitle,
    "in": LyingIn,
    "showing burst": ShowingBurst,
    "chosen": Chosen,
    "of player": OfPlayer,
    "can spin": CanSpin,
    "level": OnLevel,
    "cost": WithCost,
    "fielding": WithFieldingCost,
    "printed fielding": WithPrintedFieldingCost,
    "d": WithDefence,
    "cheapest": Cheapest,
    "same type": OfSameType,
}


# --- words that point ----------------------------------------------------------------------------------------------


@final
class ToThis(Reference):
    __slots__ = ()

    def find(self, s: State, c: Running) -> list[int]:
        return [c.this]


@final
class ToThat(Reference):
    __slots__ = ()

    def find(self, s: State, c: Running) -> list[int]:
        return [c.event.die]


@final
class ToTheOther(Reference):
    __slots__ = ()

    def find(self, s: State, c: Running) -> list[int]:
        return [c.event.other]


@final
class ToPartner(Reference):
    __slots__ = ()

    def find(self, s: State, c: Running) -> list[int]:
        return [die_identity.partner_of(s, c.this)]


@final
class ToTouched(Reference):
    __slots__ = ()

    def find(self, s: State, c: Running) -> list[int]:
        return die_identity.touched_by(s, c.this)


@final
class ToThoseInForce(Reference):
    __slots__ = ()

    def find(self, s: State, c: Running) -> list[int]:
        return static_rules.in_force(s)


@final
class ToJustMoved(Reference):
    __slots__ = ()

    def find(self, s: State, c: Running) -> list[int]:
        return list(s.done)


@final
class ToChosen(Reference):
    __slots__ = ("register",)

    def __init__(self, register: int) -> None:
        self.register = register

    def find(self, s: State, c: Running) -> list[int]:
        return [x & (DOWN - 1) for x in c.chosen[self.register]] if self.register < len(c.chosen) else []


@final
class ToBoth(Reference):
    __slots__ = ("first", "second")

    def __init__(self, first: Reference, second: Reference) -> None:
        self.first = first
        self.second = second

    def find(self, s: State, c: Running) -> list[int]:
        found = self.first.find(s, c)
        return [*found, *[x for x in self.second.find(s, c) if x not in found]]


REFERENCES: Final[dict[str, Callable[..., Reference]]] = {
    "this": ToThis,
    "that": ToThat,
    "the other": ToTheOther,
    "partner": ToPartner,
    "touched": ToTouched,
    "in force": ToThoseInForce,
    "just moved": ToJustMoved,
    "chosen": ToChosen,
}
