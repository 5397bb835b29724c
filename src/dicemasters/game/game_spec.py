"""The unchanging part of a game: edition, cards, dice and compiled abilities."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import pairwise
from typing import Final, final

from librt.vecs import vec
from mypy_extensions import i64

from dicemasters.cards.catalogue import Card
from dicemasters.cards.dice import DICE, Die, Face
from dicemasters.cards.language.metadata import RULES
from dicemasters.cards.language.vocabulary import (
    TYPES,
    Ability,
    Condition,
    Give,
    Ko,
    MakeToken,
    character,
    each_player,
    intimidate,
    met_this,
    turn_ends,
)
from dicemasters.game.abilities.compiler import FIELDING, compile_ability, depends_off_field, mentions
from dicemasters.game.abilities.program import CompiledAbility, StaticRule
from dicemasters.game.queries.die_identity import ACTION, CHARACTER, ENERGY
from dicemasters.game.queries.static_rules import ability_context
from dicemasters.game.rulesets.editions import Edition
from dicemasters.game.rulesets.solitaire import SolitaireRules, purchase_order
from dicemasters.game.state.constants import PERSON, PLAYER
from dicemasters.game.state.frames import AbilityFrame
from dicemasters.game.state.state import extended_vector, frozen_vector, zero_vector
from dicemasters.game.state.values import NOBODY

Price = tuple[int, int, int, int, int]  # fist, bolt, mask, shield, total
SIDEKICKS: Final = 8  # rules 1.2a
SEATS: Final = (2, 4)  # two players, or four in Doubles (docs/doubles.md)
TOKENS: Final = 12  # maximum number of tokens of one kind on the table (rules 5.13e3)
# kinds of energy after the four types
WILD: Final = 4
GENERIC: Final = 5
ANY: Final = 6

Team = tuple[tuple[Card, int], ...]

# its cost is 0; it has no type and no text (rules 1.2b, 1.4b)
SIDEKICK_CARD: Final = Card("", 0, "Sidekick", "", "sidekick", 0, "", (), SIDEKICKS, "", DICE["sidekick"], ())


@dataclass(frozen=True)
class GameSetup:
    """Everything a game needs before its first die is rolled: edition, teams, basic actions and life."""

    edition: Edition
    teams: tuple[Team, ...]
    basics: tuple[tuple[Card, int], ...]
    life: int = 20
    solitaire: SolitaireRules | None = None


@final
class CardOffer:
    """A card on sale: its dice, and its price in full, in total and as `only_type`."""

    __slots__ = ("card", "cost", "dice", "only", "price")

    def __init__(self, card: int, price: Price, dice: list[int]) -> None:
        self.card = card
        self.price = price
        self.cost = price[4]
        self.only = only_type(price)
        self.dice = dice


@final
class GlobalOffer:
    """A Global that a player may use: the context of its use, and its price in full, in total and as `only_type`."""

    __slots__ = ("ability", "context", "cost", "only", "price")

    def __init__(self, ability: CompiledAbility, context: AbilityFrame) -> None:
        self.ability = ability
        self.price = ability.need.price
        self.cost = self.price[4]
        self.only = only_type(self.price)
        self.context = context


class GameSpec:
    """A game setup compiled for play: flat lists that answer the engine's queries by index."""

    def __init__(self, setup: GameSetup) -> None:
        self.setup = setup
        self.text_cache: dict[int, str] = {}  # rendered texts of abilities, by index
        self.edition: Edition = setup.edition
        self.n_seats: int = len(setup.teams)
        if self.n_seats not in SEATS:
            raise ValueError(f"a game has two or four teams, not {self.n_seats}")
        if setup.solitaire is not None and self.n_seats > 2:
            raise ValueError("a solitaire game has two teams")
        # by seat: the seats of its side, starting with the lead (rules 7.3a)
        self.sides: tuple[tuple[int, ...], ...] = ((0,), (1,)) if self.n_seats == 2 else ((0, 2), (1, 3)) * 2
        self.person: int = PLAYER if self.n_seats == 2 else PERSON
        self.start_life: int = setup.life
        self.solitaire: SolitaireRules | None = setup.solitaire
        self.start_lives: tuple[int, int] = _lives(setup)
        self.cards: list[Card] = []
        self.owner_of_card: vec[i64] = frozen_vector([])  # by card: seat, or -1 for a basic action
        self.base_of_card: vec[i64] = frozen_vector([])  # by card: index of its first face in the face lists
        self.dice_of: list[list[int]] = []
        self.card_of: vec[i64] = frozen_vector([])
        self.face_base: vec[i64] = frozen_vector([])  # by die: index of its first face in the face lists
        self.is_token: list[bool] = []
        # face lists, one entry per face of each kind of die
        self.kinds: vec[i64] = frozen_vector([])
        self.levels: vec[i64] = frozen_vector([])
        self.attack: vec[i64] = frozen_vector([])
        self.defence: vec[i64] = frozen_vector([])
        self.costs: vec[i64] = frozen_vector([])
        self.bursts: vec[i64] = frozen_vector([])
        self.energy: vec[i64] = frozen_vector([])  # 0 to 3 for the types, 4 wild, 5 generic, -1 none
        self.pips: vec[i64] = frozen_vector([])
        self.first_equal_face: vec[i64] = frozen_vector([])  # the first face of the die that is printed the same
        # the face with one energy less, -1 if there is none (rules 3.3a6)
        self.half_spent_face: vec[i64] = frozen_vector([])
        self._models: dict[Die, int] = {}
        owners: list[int] = []
        for seat in range(self.n_seats):  # rules 1.2a, 7.3c
            self._add_card(SIDEKICK_CARD, seat, SIDEKICKS, owners)
        for seat, team in enumerate(setup.teams):  # equal cards of two players are different cards (rules 5.2b)
            for card, n in team:
                self._add_card(card, seat, n, owners)
        for card, n in setup.basics:
            self._add_card(card, -1, n, owners)
        self.n_real_cards: int = len(self.cards)
        self._compile(owners)
        self.owners: vec[i64] = frozen_vector(owners)
        self.n_cards: int = len(self.cards)
        doubles = [i for i, n in enumerate(self.pips) if n > 1 and self.energy[i] != GENERIC]
        # by face: the order in which dice of a card are offered for payment, doubles before singles
        self.pay_order: vec[i64] = frozen_vector(
            [self.energy[i] << 4 | (8 - self.pips[i]) << 1 for i in range(len(self.pips))]
        )
        # some double cannot be half spent (rules 3.3a7)
        self.has_unsplittable_energy: bool = any(self.half_spent_face[i] < 0 for i in doubles)
        self.n_dice: int = len(self.card_of)
        if self.n_dice > PLAYER:
            raise ValueError(f"{self.n_dice} dice are more than the {PLAYER} a game can have")
        self.no_damage: vec[i64] = zero_vector(self.n_dice)  # `State.damage` of undamaged dice
        self.is_character_die: list[bool] = [self.cards[c].die.is_character for c in self.card_of]
        self.top_level: vec[i64] = frozen_vector([max(f.level for f in self.cards[c].die.faces) for c in self.card_of])
        self.names: list[str] = [_card_name(self, c) for c in range(self.n_cards)]
        self.affiliations: list[str] = sorted({a for c in self.cards for a in c.affiliations})
        self.prices: list[Price] = [_card_price(c) for c in self.cards]
        # by seat: its own cards and the basic actions, without Sidekicks (rules 1.2a, 1.3d, 3.3b1, 7.3c)
        self.buyable: list[list[int]] = [
            [c for c in range(self.n_seats, self.n_real_cards) if self.owner_of_card[c] in (seat, -1)]
            for seat in range(self.n_seats)
        ]
        # by seat: the cards it can buy
        self.offers: list[list[CardOffer]] = [
            [CardOffer(c, self.prices[c], self.dice_of[c]) for c in cards] for cards in self.buyable
        ]
        self.purchase_order: list[list[int]] = [] if self.solitaire is None else purchase_order(self, self.solitaire)

    def _add_card(self, card: Card, owner: int, n: int, owners: list[int]) -> int:
        """Append a card with its dice; return its number."""
        index = len(self.cards)
        self.cards.append(card)
        self.owner_of_card = extended_vector(self.owner_of_card, [owner])
        base = self._add_die(card.die)
        self.base_of_card = extended_vector(self.base_of_card, [base])
        first = len(self.card_of)
        self.dice_of.append(list(range(first, first + n)))
        self.card_of = extended_vector(self.card_of, [index] * n)
        self.face_base = extended_vector(self.face_base, [base] * n)
        self.is_token += [card.kind == "token"] * n
        owners += [NOBODY if owner < 0 else owner] * n
        return index

    def _add_die(self, die: Die) -> int:
        """Append the faces of a die unless an equal die is known; return the index of its first face."""
        if die in self._models:
            return self._models[die]
        base = len(self.kinds)
        self._models[die] = base
        faces = die.faces
        kinds = [CHARACTER if face.level else ACTION if face.action else ENERGY for face in faces]
        self.kinds = extended_vector(self.kinds, kinds)
        self.levels = extended_vector(self.levels, [face.level for face in faces])
        self.attack = extended_vector(self.attack, [face.a for face in faces])
        self.defence = extended_vector(self.defence, [face.d for face in faces])
        self.costs = extended_vector(self.costs, [face.field for face in faces])
        self.bursts = extended_vector(self.bursts, [face.burst for face in faces])
        self.energy = extended_vector(self.energy, [_energy(face)[0] for face in faces])
        self.pips = extended_vector(self.pips, [_energy(face)[1] for face in faces])
        self.first_equal_face = extended_vector(self.first_equal_face, [faces.index(face) for face in faces])
        self.half_spent_face = extended_vector(self.half_spent_face, [_half_spent_face(die, face) for face in faces])
        return base

    def _compile(self, owners: list[int]) -> None:
        """Compile all abilities and index them by the events and rules they are about."""
        self.abilities: list[CompiledAbility] = []
        self.rules: list[StaticRule] = []
        self.static_by_rule: dict[str, list[CompiledAbility]] = {}
        self.triggers_by_event: dict[str, list[CompiledAbility]] = {}
        self.replacements: dict[str, list[CompiledAbility]] = {}
        self.globals: list[CompiledAbility] = []
        self.paid_abilities: list[CompiledAbility] = []  # abilities usable whenever a Global is (rules 3.3f7)
        self.uses: list[list[CompiledAbility]] = []  # by card: the abilities of using its action die
        self.keywords: list[frozenset[str]] = []
        for c in range(self.n_real_cards):
            card = self.cards[c]
            self.uses.append([])
            self.keywords.append(card.keywords)
            for position, printed in enumerate(card.abilities):
                self._index_ability(self._add_ability(c, position, printed))
        for ability in self.abilities[:]:
            if _is_keyword_grant(ability, "Intimidate"):
                derived = self._add_ability(ability.card, ability.position, intimidate().replace(scope="given"))
                derived.parent = ability.parent  # explanations refer to the ability that grants the keyword
                self._index_ability(derived)
        # an "if" and its "otherwise" are compiled as two abilities that refer to each other (rules 5.7a6)
        self.opposite_conditional: dict[int, int] = {}
        for a, b in pairwise(self.abilities):
            if (a.card, a.kind, a.event) == (b.card, "when", b.event) and a.ability.condition is not None:
                if b.ability.condition == Condition("not", (a.ability.condition,)):
                    self.opposite_conditional[a.index], self.opposite_conditional[b.index] = b.index, a.index
        # by card that has or grants Deadly: its effect at the end of the turn (rules 6.5a)
        self.deadly_abilities: dict[int, int] = {}
        for ability in self.abilities[:]:
            if any(
                rule.word == "has keyword" and rule.text == "Deadly" for rule in ability.ability.rules
            ) or _is_keyword_grant(ability, "Deadly"):
                derived = self._add_ability(ability.card, ability.position, _DEADLY_END, ability)
                self.deadly_abilities.setdefault(ability.card, derived.index)
        # by seat: the Globals it can use, on any card on the table (rules 3.3e1)
        self.global_offers: list[list[GlobalOffer]] = [
            [GlobalOffer(x, ability_context(x.index, seat, NOBODY)) for x in self.globals]
            for seat in range(self.n_seats)
        ]
        # some action dice may be used only at the start of the attack step
        self.has_attack_start_uses: bool = any(x.event for uses in self.uses for x in uses)
        # some actions may be legal with an empty reserve, because they cost no energy
        self.liftable_abilities: list[CompiledAbility] = [x for x in self.abilities if x.lift is not None]
        self.has_free_abilities: bool = bool(self.liftable_abilities) or any(
            not x.need.energy for x in (*self.globals, *self.paid_abilities)
        )
        # a die with a reducer on its own card may be free (rules 3.3b4)
        self.has_free_abilities |= any(x.scope == "card" for x in self.static_by_rule.get("costs to buy", ()))
        self.tokens: dict[MakeToken, int] = {}
        for ability in self.abilities:
            for program in ability.programs:
                for op in program.ops:
                    if isinstance(op.node, MakeToken) and op.node not in self.tokens:
                        self.tokens[op.node] = self._add_card(_token_card(op.node), -1, TOKENS, owners)
                        self.uses.append([])
                        self.keywords.append(frozenset())
        # words of all rules in the game; a bonus can also be written into a position by hand
        self.rule_words: frozenset[str] = frozenset({rule.word for rule in self.rules} | {"gets"})
        granted = {rule.text for rule in self.rules if rule.word == "has keyword"}
        self.keywords_at_table: frozenset[str] = frozenset(granted.union(*self.keywords))
        self.delayed_events: frozenset[str] = frozenset(x.event for x in self.abilities if x.kind == "part" and x.event)
        # events that some ability reacts to
        self.observed_events: frozenset[str] = self.delayed_events.union(self.triggers_by_event)
        self.remembers_damage: bool = any(mentions(x.ability.condition, "has damaged") for x in self.abilities)
        self.has_static_damage_rules: bool = any(RULES[word].changes_damage for word in self.static_by_rule)
        self.lends_keywords: bool = any(rule.word == "has keywords of" for rule in self.rules)
        self.stat_additions: list[CompiledAbility] = self.static_by_rule.get("gets", [])
        self.stat_multiplications: list[CompiledAbility] = self.static_by_rule.get("multiplies", [])
        self.has_static_stat_rules: bool = bool(self.stat_additions or self.stat_multiplications)
        # A and D may change without any change in the field, so D 0 has to be checked at every moment (rules 5.8a2)
        self.stats_depend_off_field: bool = any(
            depends_off_field(x.ability) for x in (*self.stat_additions, *self.stat_multiplications)
        )
        # precomputed because they are queried too often for a set lookup
        self.has_text_blanking: bool = "text ignored" in self.static_by_rule
        self.has_use_bans: bool = "cannot use" in self.rule_words
        self.has_global_surcharges: bool = "Globals cost" in self.rule_words
        self.has_purchase_cost_rules: bool = "costs to buy" in self.rule_words
        self.has_static_cost_rules: bool = "costs to buy" in self.static_by_rule
        self.has_targeting_protection: bool = "cannot be targeted" in self.rule_words
        self.has_fielding_rules: bool = not FIELDING.isdisjoint(self.rule_words)

    def _add_ability(
        self, c: int, position: int, printed: Ability, parent: CompiledAbility | None = None
    ) -> CompiledAbility:
        """Compile an ability and the abilities nested in it, which are run later or for each player."""
        ability = compile_ability(len(self.abilities), c, position, printed, self.rules)
        if parent is not None:
            ability.origin, ability.parent = parent.origin, parent.parent
        self.abilities.append(ability)
        for program in ability.programs:
            for op in program.ops:
                if op.part_of is not None:
                    op.part = self._add_ability(c, position, op.part_of, ability).index
        return ability

    def _index_ability(self, ability: CompiledAbility) -> None:
        """File an ability under its event, its rules or its kind of use."""
        if ability.kind == "when":
            self.triggers_by_event.setdefault(ability.event, []).append(ability)
        elif ability.kind == "would":  # rules 5.7a3
            self.replacements.setdefault(ability.event, []).append(ability)
        elif ability.kind == "global":
            if ability.event.startswith("would"):
                self.replacements.setdefault(ability.event, []).append(ability)
            elif ability.event:
                self.triggers_by_event.setdefault(ability.event, []).append(ability)
            else:
                self.globals.append(ability)  # belongs to a card, so copying a die does not copy it (rules 5.13c5)
        elif ability.kind == "pay":
            self.paid_abilities.append(ability)
        elif ability.kind == "use":
            self.uses[ability.card].append(ability)
        else:
            for word in {rule.word for rules in ability.rules for rule in rules}:
                self.static_by_rule.setdefault(word, []).append(ability)

    def copied_face(self, card: int, level: int) -> int:
        """Return the face of the card's die at that level, or at the highest level below it."""
        face = first = self.base_of_card[card]
        for i in range(first, first + 6):
            if self.levels[i] and self.levels[i] <= level:
                face = i
        return face

    def __eq__(self, other: object) -> bool:
        return isinstance(other, GameSpec) and self.setup == other.setup

    def __hash__(self) -> int:
        return hash((self.edition.key, self.setup.life, len(self.cards)))


def basic_action_dice(seats: int) -> int:
    """Return the number of dice of a basic action card (rules 1.3d, 7.3b)."""
    return 3 if seats == 2 else 6


def default_life(seats: int) -> int:
    """Return the default starting life of a side."""
    return 20 if seats == 2 else 30


def make_spec(
    edition: Edition,
    teams: Sequence[Team],
    basics: Sequence[tuple[Card, int]],
    life: int,
    solitaire: SolitaireRules | None = None,
) -> GameSpec:
    """Return the spec for a setup; specs are immutable, so equal setups share one."""
    return _cached_spec(GameSetup(edition, tuple(tuple(team) for team in teams), tuple(basics), life, solitaire))


@lru_cache(maxsize=64)
def _cached_spec(setup: GameSetup) -> GameSpec:
    return GameSpec(setup)


def _lives(setup: GameSetup) -> tuple[int, int]:
    """Return the starting life of both sides; a scripted seat may have less (S2)."""
    lives = [setup.life, setup.life]
    if (solitaire := setup.solitaire) is not None:
        life = -(-setup.life // 2) if solitaire.half_life else setup.life
        lives[solitaire.seat & 1] = min(life, solitaire.life or life)
    return lives[0], lives[1]


# the effect of Deadly at the end of the turn (rules 6.5a)
_DEADLY_END: Final = Ability("part", turn_ends(each_player), (Ko(character & met_this),), keyword="Deadly")


def _is_keyword_grant(ability: CompiledAbility, keyword: str) -> bool:
    """Return whether an ability grants the keyword to other dice."""
    grants = [op.node.rule for op in ability.programs[0].ops if isinstance(op.node, Give)]
    return any(rule.word == "has keyword" and rule.text == keyword for rule in grants)


def _card_name(spec: GameSpec, c: int) -> str:
    """Return the title of a card, with its set if another card of the same owner has the same title."""
    card, owner = spec.cards[c], spec.owner_of_card[c]
    ambiguous = any(
        x != c and spec.cards[x].title == card.title and spec.owner_of_card[x] == owner for x in range(spec.n_cards)
    )
    return f"{card.title} [{card.set}]" if ambiguous else card.title


def only_type(price: Price) -> int:
    """Return the energy type if a price requires one energy of a single type; ANY if for no type; -1 otherwise."""
    asked = sum(price[:4])
    if asked > 1 or not price[4]:
        return -1
    return price.index(1) if asked else ANY


def _card_price(card: Card) -> Price:
    """Return the price of a card: one energy of each of its types, and the total (rules 3.3b2)."""
    f, b, m, s = (int(e in card.energy) for e in TYPES)
    return (f, b, m, s, card.cost)


def _energy(face: Face) -> tuple[int, int]:
    """Return the kind and amount of energy on a face."""
    if face.generic:
        return GENERIC, face.generic
    if not face.energy:
        return -1, 0
    if face.energy[0] == "?":
        return WILD, len(face.energy)
    return TYPES.index(face.energy[0]), len(face.energy)


def _half_spent_face(die: Die, face: Face) -> int:
    """Return the index of the face that shows one energy less, or -1 if there is none."""
    for i, other in enumerate(die.faces):
        if face.energy and other.energy == face.energy[1:] and other.energy:
            return i
    return -1


def _token_card(token: MakeToken) -> Card:
    blank = Face()
    faces = (blank, blank, blank, blank, blank, Face(level=1, a=token.a, d=token.d))  # rules 5.13e1
    die = Die(f"token {token.name} {token.a}/{token.d}", token.name, faces, "#dddddd", "#222222")
    return Card("", 0, token.name, "token", "token", 0, "", (), TOKENS, "", die, ())
