"""Predicates and references: compiled descriptions of dice and players, one class per word."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final, final

from dicemasters.cards.language.vocabulary import TYPES
from dicemasters.game.abilities.expressions import Predicate, Quantity, Reference
from dicemasters.game.abilities.selectors import Selector, energy_symbols, select_unordered
from dicemasters.game.queries import characteristics, combat_status, costs, die_identity, static_rules
from dicemasters.game.state.constants import (
    ATTACKING,
    BAG,
    BLOCKED,
    BY_BLOCKING,
    CARD,
    DAMAGED_THIS_TURN,
    EARLIER,
    FIELD,
    FIELDED_BEFORE,
    FIELDED_NOW,
    HAND,
    LEFT_FIELD,
    PERSON,
    PLAYER,
    PREP,
    RESERVE,
    ROLLED,
    USED,
)
from dicemasters.game.state.frames import AbilityFrame
from dicemasters.game.state.state import State
from dicemasters.game.state.values import NOBODY, SPIN_DOWN

# zones that a text can name; dice Out of Play are out of reach (rules 2.1b4)
PLACES: Final = {"bag": BAG, "prep": PREP, "reserve": RESERVE, "field": FIELD, "used": USED, "hand": HAND}

# --- combinators ---------------------------------------------------------------------------------------------------


@final
class And(Predicate):
    __slots__ = ("first", "second")

    def __init__(self, first: Predicate, second: Predicate) -> None:
        self.first = first
        self.second = second

    def matches(self, s: State, x: int, ctx: AbilityFrame) -> bool:
        return self.first.matches(s, x, ctx) and self.second.matches(s, x, ctx)


@final
class AllOf(Predicate):
    """Conjunction of more than two predicates."""

    __slots__ = ("parts",)

    def __init__(self, parts: list[Predicate]) -> None:
        self.parts = parts

    def matches(self, s: State, x: int, ctx: AbilityFrame) -> bool:
        for part in self.parts:
            if not part.matches(s, x, ctx):
                return False
        return True


@final
class Or(Predicate):
    __slots__ = ("first", "second")

    def __init__(self, first: Predicate, second: Predicate) -> None:
        self.first = first
        self.second = second

    def matches(self, s: State, x: int, ctx: AbilityFrame) -> bool:
        return self.first.matches(s, x, ctx) or self.second.matches(s, x, ctx)


@final
class Not(Predicate):
    __slots__ = ("inner",)

    def __init__(self, inner: Predicate) -> None:
        self.inner = inner

    def matches(self, s: State, x: int, ctx: AbilityFrame) -> bool:
        return not self.inner.matches(s, x, ctx)


# --- words without arguments ---------------------------------------------------------------------------------------


@final
class AnyDie(Predicate):
    __slots__ = ()

    def matches(self, s: State, x: int, ctx: AbilityFrame) -> bool:
        return x < PLAYER


@final
class Character(Predicate):
    __slots__ = ()

    def matches(self, s: State, x: int, ctx: AbilityFrame) -> bool:
        return x < PLAYER and die_identity.is_character(s, x)


@final
class CanBeCharacter(Predicate):
    __slots__ = ()

    def matches(self, s: State, x: int, ctx: AbilityFrame) -> bool:
        if x >= PLAYER or s.place[x] >> 2 not in (FIELD, RESERVE):
            return x < PLAYER and s.spec.is_character_die[x]
        return s.spec.kinds[s.spec.face_base[x] + s.face[x]] == die_identity.CHARACTER


@final
class Own(Predicate):
    __slots__ = ()

    def matches(self, s: State, x: int, ctx: AbilityFrame) -> bool:
        return x < PLAYER and s.place[x] & 3 == ctx.you


@final
class OfPlayer(Predicate):
    """Dice of the player at position `n` in choosing order, active side first."""

    __slots__ = ("n",)

    def __init__(self, n: int) -> None:
        self.n = n

    def matches(self, s: State, x: int, ctx: AbilityFrame) -> bool:
        return x < PLAYER and s.place[x] & 3 == die_identity.player_by_turn(s, self.n)


@final
class Opposing(Predicate):
    __slots__ = ()

    def matches(self, s: State, x: int, ctx: AbilityFrame) -> bool:
        return x < PLAYER and ((s.place[x] ^ ctx.you) & 1 == 1 or (bool(s.holdings) and _opposes_by_owner(s, x, ctx)))


@final
class OfActivePlayer(Predicate):
    __slots__ = ()

    def matches(self, s: State, x: int, ctx: AbilityFrame) -> bool:
        return x < PLAYER and s.place[x] & 1 == s.active & 1


@final
class Payer(Predicate):
    __slots__ = ()

    def matches(self, s: State, x: int, ctx: AbilityFrame) -> bool:
        return x == PLAYER + (ctx.payer & 1)


@final
class OfPayer(Predicate):
    __slots__ = ()

    def matches(self, s: State, x: int, ctx: AbilityFrame) -> bool:
        """Return whether the payer may give up the die: an opponent may also give a partner's (docs/doubles.md)."""
        if x >= PLAYER:
            return False
        return s.place[x] & 3 == ctx.payer or ((ctx.payer ^ ctx.you) & 1 == 1 and (s.place[x] ^ ctx.payer) & 1 == 0)


@final
class SourceDie(Predicate):
    __slots__ = ()

    def matches(self, s: State, x: int, ctx: AbilityFrame) -> bool:
        return x == ctx.this


@final
class OfThisCard(Predicate):
    __slots__ = ()

    def matches(self, s: State, x: int, ctx: AbilityFrame) -> bool:
        # a card's own name means its owner's dice (rules 5.2a)
        return x < PLAYER and s.place[x] & 3 == ctx.you and _is_of_this_card(s, x, ctx)


@final
class EventDie(Predicate):
    __slots__ = ()

    def matches(self, s: State, x: int, ctx: AbilityFrame) -> bool:
        return x == ctx.event.die


@final
class OtherEventDie(Predicate):
    __slots__ = ()

    def matches(self, s: State, x: int, ctx: AbilityFrame) -> bool:
        return x == ctx.event.other


@final
class Partner(Predicate):
    __slots__ = ()

    def matches(self, s: State, x: int, ctx: AbilityFrame) -> bool:
        return x < PLAYER and ctx.this != NOBODY and x == die_identity.partner_of(s, ctx.this)


@final
class JustMoved(Predicate):
    __slots__ = ()

    def matches(self, s: State, x: int, ctx: AbilityFrame) -> bool:
        return x in s.last_affected


@final
class Sidekick(Predicate):
    __slots__ = ()

    def matches(self, s: State, x: int, ctx: AbilityFrame) -> bool:
        return x < PLAYER and characteristics.is_sidekick(s, x)


@final
class ActionDie(Predicate):
    __slots__ = ()

    def matches(self, s: State, x: int, ctx: AbilityFrame) -> bool:
        return x < PLAYER and not s.spec.is_character_die[x]


@final
class Attacking(Predicate):
    __slots__ = ()

    def matches(self, s: State, x: int, ctx: AbilityFrame) -> bool:
        return x < PLAYER and s.flags[x] & ATTACKING != 0


@final
class Blocking(Predicate):
    __slots__ = ()

    def matches(self, s: State, x: int, ctx: AbilityFrame) -> bool:
        return combat_status.is_blocking(s, x)


@final
class Blocked(Predicate):
    __slots__ = ()

    def matches(self, s: State, x: int, ctx: AbilityFrame) -> bool:
        return x < PLAYER and s.flags[x] & (ATTACKING | BLOCKED) == ATTACKING | BLOCKED


@final
class Unblocked(Predicate):
    __slots__ = ()

    def matches(self, s: State, x: int, ctx: AbilityFrame) -> bool:
        return x < PLAYER and s.flags[x] & (ATTACKING | BLOCKED) == ATTACKING


@final
class Engaged(Predicate):
    __slots__ = ()

    def matches(self, s: State, x: int, ctx: AbilityFrame) -> bool:
        return combat_status.is_engaged(s, x)


@final
class EngagedWithThis(Predicate):
    __slots__ = ()

    def matches(self, s: State, x: int, ctx: AbilityFrame) -> bool:
        return (x, ctx.this) in s.blocks or (ctx.this, x) in s.blocks


@final
class BlockingThis(Predicate):
    __slots__ = ()

    def matches(self, s: State, x: int, ctx: AbilityFrame) -> bool:
        return (x, ctx.this) in s.blocks


@final
class BlockedByThis(Predicate):
    __slots__ = ()

    def matches(self, s: State, x: int, ctx: AbilityFrame) -> bool:
        return (ctx.this, x) in s.blocks


@final
class AttachedTo(Predicate):
    __slots__ = ()

    def matches(self, s: State, x: int, ctx: AbilityFrame) -> bool:
        return x in die_identity.attached_to(s, ctx.this)


@final
class CapturedByThis(Predicate):
    __slots__ = ()

    def matches(self, s: State, x: int, ctx: AbilityFrame) -> bool:
        return any(h.kind == "capture" and (h.die, h.holder) == (x, ctx.this) for h in s.holdings)


@final
class EngagedThisTurn(Predicate):
    __slots__ = ()

    def matches(self, s: State, x: int, ctx: AbilityFrame) -> bool:
        return any(d == x and other == ctx.this and not flags & LEFT_FIELD for d, other, flags in s.engagements)


@final
class HasBlockedThis(Predicate):
    __slots__ = ()

    def matches(self, s: State, x: int, ctx: AbilityFrame) -> bool:
        return any(
            d == x and other == ctx.this and flags & (BY_BLOCKING | EARLIER | LEFT_FIELD) == BY_BLOCKING
            for d, other, flags in s.engagements
        )


@final
class FieldedThisTurn(Predicate):
    __slots__ = ()

    def matches(self, s: State, x: int, ctx: AbilityFrame) -> bool:
        return x < PLAYER and s.flags[x] & FIELDED_NOW != 0


@final
class FieldedLastTurn(Predicate):
    __slots__ = ()

    def matches(self, s: State, x: int, ctx: AbilityFrame) -> bool:
        return x < PLAYER and s.flags[x] & FIELDED_BEFORE != 0


@final
class IsLastingAction(Predicate):
    __slots__ = ()

    def matches(self, s: State, x: int, ctx: AbilityFrame) -> bool:
        return x in static_rules.lasting_action_dice(s)


@final
class JustRolled(Predicate):
    __slots__ = ()

    def matches(self, s: State, x: int, ctx: AbilityFrame) -> bool:
        return x < PLAYER and s.place[x] >> 2 == PREP and s.flags[x] & ROLLED != 0


@final
class Damaged(Predicate):
    __slots__ = ()

    def matches(self, s: State, x: int, ctx: AbilityFrame) -> bool:
        return x < PLAYER and s.damage[x] > 0


@final
class DamagedThisTurn(Predicate):
    __slots__ = ()

    def matches(self, s: State, x: int, ctx: AbilityFrame) -> bool:
        return x < PLAYER and s.flags[x] & DAMAGED_THIS_TURN != 0


@final
class Drawn(Predicate):
    __slots__ = ()

    def matches(self, s: State, x: int, ctx: AbilityFrame) -> bool:
        return x < PLAYER and s.place[x] == HAND * 4 + ctx.you


@final
class OnSale(Predicate):
    __slots__ = ()

    def matches(self, s: State, x: int, ctx: AbilityFrame) -> bool:
        return x < PLAYER and s.place[x] >> 2 == CARD and s.spec.card_of[x] in s.spec.buyable[ctx.you]


@final
class ShowingCharacter(Predicate):
    __slots__ = ()

    def matches(self, s: State, x: int, ctx: AbilityFrame) -> bool:
        return s.spec.kinds[s.spec.face_base[x] + s.face[x]] == die_identity.CHARACTER


@final
class ShowingAction(Predicate):
    __slots__ = ()

    def matches(self, s: State, x: int, ctx: AbilityFrame) -> bool:
        return s.spec.kinds[s.spec.face_base[x] + s.face[x]] == die_identity.ACTION


@final
class ShowingEnergy(Predicate):
    __slots__ = ()

    def matches(self, s: State, x: int, ctx: AbilityFrame) -> bool:
        return s.spec.kinds[s.spec.face_base[x] + s.face[x]] == die_identity.ENERGY


@final
class CanReroll(Predicate):
    __slots__ = ()

    def matches(self, s: State, x: int, ctx: AbilityFrame) -> bool:
        return x < PLAYER and characteristics.can_reroll(s, x)


@final
class CanBeKod(Predicate):
    __slots__ = ()

    def matches(self, s: State, x: int, ctx: AbilityFrame) -> bool:
        return x < PLAYER and characteristics.can_be_kod(s, x)


@final
class PaidWith(Predicate):
    __slots__ = ()

    def matches(self, s: State, x: int, ctx: AbilityFrame) -> bool:
        return x in (ctx.event.last_known[: ctx.event.amount] if ctx.event.word == "fielded" else ctx.paid)


@final
class You(Predicate):
    __slots__ = ()

    def matches(self, s: State, x: int, ctx: AbilityFrame) -> bool:
        return x == PLAYER + (ctx.you & 1) or x == PERSON + ctx.you


@final
class Opponent(Predicate):
    __slots__ = ()

    def matches(self, s: State, x: int, ctx: AbilityFrame) -> bool:
        return x == PLAYER + 1 - (ctx.you & 1) or (PERSON <= x < NOBODY and (x ^ ctx.you) & 1 == 1)


@final
class AnyPlayer(Predicate):
    __slots__ = ()

    def matches(self, s: State, x: int, ctx: AbilityFrame) -> bool:
        return x >= PLAYER and x != NOBODY


@final
class OfNamedType(Predicate):
    __slots__ = ()

    def matches(self, s: State, x: int, ctx: AbilityFrame) -> bool:
        return x < PLAYER and name_choice(s, ctx) in s.spec.cards[die_identity.effective_card(s, x)].energy


@final
class OfNamedAffiliation(Predicate):
    __slots__ = ()

    def matches(self, s: State, x: int, ctx: AbilityFrame) -> bool:
        return x < PLAYER and characteristics.has_affiliation(s, x, name_choice(s, ctx))


@final
class OfEventCard(Predicate):
    __slots__ = ()

    def matches(self, s: State, x: int, ctx: AbilityFrame) -> bool:
        return x < PLAYER and die_identity.card_under(s, ctx.this) == die_identity.effective_card(s, x)


@final
class OfNamedCard(Predicate):
    __slots__ = ()

    def matches(self, s: State, x: int, ctx: AbilityFrame) -> bool:
        return x < PLAYER and s.spec.cards[die_identity.effective_card(s, x)].key == name_choice(s, ctx)


def _opposes_by_owner(s: State, x: int, ctx: AbilityFrame) -> bool:
    """Return whether the opponent owns the die, in editions where that makes it opposing (rules 5.2d)."""
    return not s.spec.edition.opposing_is_controlled and s.owner[x] != NOBODY and (s.owner[x] ^ ctx.you) & 1 == 1


def name_choice(s: State, ctx: AbilityFrame) -> str:
    """Return the energy type, affiliation or card that the ability's card has named."""
    return die_identity.name_choice_of(s, s.spec.abilities[ctx.ability].card)


def _is_of_this_card(s: State, x: int, ctx: AbilityFrame) -> bool:
    """Return whether the die belongs to the ability's card; in a copied text, to the copier's card (rules 5.13c5)."""
    card = die_identity.effective_card(s, ctx.this) if ctx.this < PLAYER else s.spec.abilities[ctx.ability].card
    return die_identity.effective_card(s, x) == card


# --- words with arguments ------------------------------------------------------------------------------------------


@final
class OfType(Predicate):
    __slots__ = ("letters",)

    def __init__(self, *letters: str) -> None:
        self.letters = letters

    def matches(self, s: State, x: int, ctx: AbilityFrame) -> bool:
        return x < PLAYER and any(e in s.spec.cards[die_identity.effective_card(s, x)].energy for e in self.letters)


@final
class ShowingSymbol(Predicate):
    __slots__ = ("kind",)

    def __init__(self, symbol: str) -> None:
        self.kind = TYPES.index(symbol)

    def matches(self, s: State, x: int, ctx: AbilityFrame) -> bool:
        return x < PLAYER and energy_symbols(s, x, self.kind) > 0


@final
class OfAffiliation(Predicate):
    __slots__ = ("names",)

    def __init__(self, *names: str) -> None:
        self.names = names

    def matches(self, s: State, x: int, ctx: AbilityFrame) -> bool:
        return x < PLAYER and any(characteristics.has_affiliation(s, x, name) for name in self.names)


@final
class WithKeyword(Predicate):
    __slots__ = ("names",)

    def __init__(self, *names: str) -> None:
        self.names = names

    def matches(self, s: State, x: int, ctx: AbilityFrame) -> bool:
        return x < PLAYER and any(characteristics.has_keyword(s, x, name) for name in self.names)


@final
class WithTitle(Predicate):
    __slots__ = ("names",)

    def __init__(self, *names: str) -> None:
        self.names = names

    def matches(self, s: State, x: int, ctx: AbilityFrame) -> bool:
        if x >= PLAYER:
            return False
        cards = s.spec.cards
        title = cards[die_identity.effective_card(s, x)].title
        own = cards[s.spec.abilities[ctx.ability].card].title
        if own in self.names and ctx.this < PLAYER:  # in a copied text, its own name means the copier (rules 5.13c5)
            return title == cards[die_identity.effective_card(s, ctx.this)].title or (
                title != own and title in self.names
            )
        return title in self.names


@final
class InZone(Predicate):
    __slots__ = ("places",)

    def __init__(self, *places: str) -> None:
        self.places = tuple([PLACES[place] for place in places])

    def matches(self, s: State, x: int, ctx: AbilityFrame) -> bool:
        return x < PLAYER and s.place[x] >> 2 in self.places


@final
class ShowingBurst(Predicate):
    __slots__ = ("stars",)

    def __init__(self, stars: int) -> None:
        self.stars = stars

    def matches(self, s: State, x: int, ctx: AbilityFrame) -> bool:
        return x < PLAYER and static_rules.burst(s, x) == self.stars


@final
class Chosen(Predicate):
    __slots__ = ("register",)

    def __init__(self, register: int) -> None:
        self.register = register

    def matches(self, s: State, x: int, ctx: AbilityFrame) -> bool:
        register = self.register
        return register < len(ctx.chosen) and (x in ctx.chosen[register] or x | SPIN_DOWN in ctx.chosen[register])


@final
class CanSpin(Predicate):
    """Dice that can be spun in the direction of `levels`; 0 accepts either direction (rules 5.12a)."""

    __slots__ = ("levels",)

    def __init__(self, levels: int) -> None:
        self.levels = levels

    def matches(self, s: State, x: int, ctx: AbilityFrame) -> bool:
        return characteristics.can_spin(s, x, self.levels)


# --- comparisons and relations -------------------------------------------------------------------------------------


def compare(a: int, operator: str, b: int) -> bool:
    """Return whether `a` compares to `b` as the operator (=, <, <=, > or >=) says."""
    if operator == "=":
        return a == b
    if operator == "<=":
        return a <= b
    if operator == ">=":
        return a >= b
    return a < b if operator == "<" else a > b


class Compared(Predicate):
    """Base class of predicates that compare a number of the die with an amount."""

    __slots__ = ("operator", "quantity")

    def __init__(self, operator: str, quantity: Quantity) -> None:
        self.operator = operator
        self.quantity = quantity

    def number(self, s: State, d: int) -> int:
        raise NotImplementedError

    def matches(self, s: State, x: int, ctx: AbilityFrame) -> bool:
        return x < PLAYER and compare(self.number(s, x), self.operator, self.quantity.evaluate(s, ctx))


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
        return characteristics.printed_numbers(s, d)[0]


@final
class WithDefence(Compared):
    __slots__ = ()

    def number(self, s: State, d: int) -> int:
        return characteristics.current_stats(s, d)[1]


@final
class Cheapest(Predicate):
    __slots__ = ("selector",)

    def __init__(self, selector: Selector) -> None:
        self.selector = selector

    def matches(self, s: State, x: int, ctx: AbilityFrame) -> bool:
        dice = select_unordered(s, self.selector, ctx)
        lowest_cost = min([die_identity.printed_cost(s, d) for d in dice], default=0)
        return x in dice and die_identity.printed_cost(s, x) == lowest_cost


@final
class OfSameType(Predicate):
    __slots__ = ("selector",)

    def __init__(self, selector: Selector) -> None:
        self.selector = selector

    def matches(self, s: State, x: int, ctx: AbilityFrame) -> bool:
        return x < PLAYER and any(die_identity.shares_type(s, x, d) for d in select_unordered(s, self.selector, ctx))


# class of each word, constructed with the word's compiled arguments
PREDICATES: Final[dict[str, Callable[..., Predicate]]] = {
    "any": AnyDie,
    "character": Character,
    "own": Own,
    "opposing": Opposing,
    "active player's": OfActivePlayer,
    "payer": Payer,
    "payer's": OfPayer,
    "this": SourceDie,
    "this card": OfThisCard,
    "that": EventDie,
    "the other": OtherEventDie,
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
    "touched": AttachedTo,
    "captured by this": CapturedByThis,
    "met this": EngagedThisTurn,
    "has blocked this": HasBlockedThis,
    "fielded this turn": FieldedThisTurn,
    "fielded last turn": FieldedLastTurn,
    "in force": IsLastingAction,
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
    "paying": PaidWith,
    "you": You,
    "opponent": Opponent,
    "each player": AnyPlayer,
    "of named type": OfNamedType,
    "of named affiliation": OfNamedAffiliation,
    "of its card": OfEventCard,
    "of named card": OfNamedCard,
    "type": OfType,
    "showing symbol": ShowingSymbol,
    "affiliation": OfAffiliation,
    "keyword": WithKeyword,
    "title": WithTitle,
    "in": InZone,
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


# --- references ----------------------------------------------------------------------------------------------------


@final
class ThisReference(Reference):
    __slots__ = ()

    def resolve(self, s: State, ctx: AbilityFrame) -> list[int]:
        return [ctx.this]


@final
class EventDieReference(Reference):
    __slots__ = ()

    def resolve(self, s: State, ctx: AbilityFrame) -> list[int]:
        return [ctx.event.die]


@final
class OtherDieReference(Reference):
    __slots__ = ()

    def resolve(self, s: State, ctx: AbilityFrame) -> list[int]:
        return [ctx.event.other]


@final
class PartnerReference(Reference):
    __slots__ = ()

    def resolve(self, s: State, ctx: AbilityFrame) -> list[int]:
        return [die_identity.partner_of(s, ctx.this)]


@final
class AttachedToReference(Reference):
    __slots__ = ()

    def resolve(self, s: State, ctx: AbilityFrame) -> list[int]:
        return die_identity.attached_to(s, ctx.this)


@final
class LastingActionsReference(Reference):
    __slots__ = ()

    def resolve(self, s: State, ctx: AbilityFrame) -> list[int]:
        return static_rules.lasting_action_dice(s)


@final
class JustMovedReference(Reference):
    __slots__ = ()

    def resolve(self, s: State, ctx: AbilityFrame) -> list[int]:
        return list(s.last_affected)


@final
class ChosenReference(Reference):
    __slots__ = ("register",)

    def __init__(self, register: int) -> None:
        self.register = register

    def resolve(self, s: State, ctx: AbilityFrame) -> list[int]:
        return [x & (SPIN_DOWN - 1) for x in ctx.chosen[self.register]] if self.register < len(ctx.chosen) else []


@final
class UnionReference(Reference):
    __slots__ = ("first", "second")

    def __init__(self, first: Reference, second: Reference) -> None:
        self.first = first
        self.second = second

    def resolve(self, s: State, ctx: AbilityFrame) -> list[int]:
        dice = self.first.resolve(s, ctx)
        return [*dice, *[x for x in self.second.resolve(s, ctx) if x not in dice]]


REFERENCES: Final[dict[str, Callable[..., Reference]]] = {
    "this": ThisReference,
    "that": EventDieReference,
    "the other": OtherDieReference,
    "partner": PartnerReference,
    "touched": AttachedToReference,
    "in force": LastingActionsReference,
    "just moved": JustMovedReference,
    "chosen": ChosenReference,
}
