"""Words that build abilities from effects, rules and events."""

from __future__ import annotations

from typing import Literal

from dicemasters.cards.language.choice_words import one, target
from dicemasters.cards.language.condition_words import own_ko_this_turn
from dicemasters.cards.language.description_words import (
    character,
    each_player,
    keyword,
    opposing,
    own,
    that,
    this,
    this_card,
    title,
    you,
)
from dicemasters.cards.language.effect_words import Cost, Damage, Effect, Ko, PairUp, ReturnToField, SetAside, Spin, may
from dicemasters.cards.language.event_words import buys, fielded, uses_action
from dicemasters.cards.language.metadata import (
    ACTIONS,
    CHARACTER,
    AbilityMetadata,
    FormMetadata,
    KeywordMetadata,
    ScopeMetadata,
)
from dicemasters.cards.language.node import Node
from dicemasters.cards.language.node_types import (
    CardName,
    Condition,
    Event,
    KeywordLabel,
    LimitKind,
    OptionalEnergyPrice,
    Rule,
    as_tuple,
    register_word,
)
from dicemasters.cards.language.rule_words import has_keyword
from dicemasters.cards.language.signatures import WordError

# --- abilities -----------------------------------------------------------------------------------------------------


class Burst(Node):
    """A change of the ability on one burst, two bursts or either: an addition to the normal text, or a replacement."""

    on: tuple[int, ...]
    instead: bool
    effects: tuple[Effect, ...] = ()
    rules: tuple[Rule, ...] = ()


@register_word(FormMetadata("Burst"))
def burst_also(*what: Effect | Rule, on: tuple[Literal[1, 2], ...] | Literal[1, 2] = 1) -> Burst:
    """Add effects or rules on a burst face (rules 5.9b)."""
    return _burst(as_tuple(on), False, what)


@register_word(FormMetadata("Burst"))
def burst_instead(*what: Effect | Rule, on: tuple[Literal[1, 2], ...] | Literal[1, 2] = 1) -> Burst:
    """Replace the normal text on a burst face (rules 5.9b)."""
    return _burst(as_tuple(on), True, what)


def _burst(on: tuple[int, ...], instead: bool, changes: tuple[Effect | Rule, ...]) -> Burst:
    effects = tuple(w for w in changes if not isinstance(w, Rule))
    rules = tuple(w for w in changes if isinstance(w, Rule))
    return Burst(on, instead, effects, rules)


# an action die has static rules only in the field (rules 5.4g)
_OF_DICE = {CHARACTER: ("die", "active", "pair"), **dict.fromkeys(ACTIONS, ("field",))}
_OF_CARDS = {kind: (*scopes, "card") for kind, scopes in _OF_DICE.items()}
_LIMITS = ("turn", "die", "together", "first", "moment")


class Ability(Node):
    """One ability of a card.

    `kind`: when (triggered), would (replacement), always (static rules), use (an action die), global, pay (an activated
    ability whose timing is that of Globals).

    `scope`: "die", each die separately; "active", the card while active (once, however many dice); "card", the card
    without any die; "field", an action die in the field; "pair", both partners of a pair.

    `limit`: "turn", once per turn; "die", once per turn and die; "together", once for everything at one moment;
    "first", the first time each turn, used or declined; "moment", once per die or pair of partners at one moment. With
    "together" and "moment", an ability triggered by attacks works once per attack, even if dice join it later.
    """

    kind: str
    event: Event | None = None
    effects: tuple[Effect, ...] = ()
    rules: tuple[Rule, ...] = ()
    cost: Cost | None = None
    condition: Condition | None = None
    scope: str = "die"
    keyword: str = ""
    limit: str = ""
    lifted_by: Cost | None = None  # cost for the opponent to suspend static rules for the turn
    own_turn: bool = False
    bursts: tuple[Burst, ...] = ()
    unprinted: tuple[str, ...] = ()  # details that the card does not print; see `Unprinted`
    asked_by_keyword: bool = False  # the condition comes from the keyword and is not printed in the text


@register_word(AbilityMetadata("when", _OF_CARDS, event="when", limits=_LIMITS))
def when(
    event: Event,
    *effects: Effect,
    condition: Condition | None = None,
    limit: LimitKind = "",
    bursts: tuple[Burst, ...] | Burst = (),
    keyword: KeywordLabel = "",
) -> Ability:
    """Create a triggered ability of each die."""
    return Ability("when", event, effects, condition=condition, limit=limit, bursts=as_tuple(bursts), keyword=keyword)


@register_word(AbilityMetadata("would", _OF_DICE, event="would", limits=_LIMITS))
def would(
    event: Event,
    *effects: Effect,
    condition: Condition | None = None,
    limit: LimitKind = "",
    bursts: tuple[Burst, ...] | Burst = (),
) -> Ability:
    """Create a replacement effect of each die (rules 5.7a3)."""
    return Ability("would", event, effects, condition=condition, limit=limit, bursts=as_tuple(bursts))


@register_word(AbilityMetadata("always", _OF_CARDS))
def always(
    *rules: Rule,
    condition: Condition | None = None,
    bursts: tuple[Burst, ...] | Burst = (),
    lifted_by: Cost | None = None,
    keyword: KeywordLabel = "",
) -> Ability:
    """Create a static ability: rules of each die in the field, which the opponent may pay `lifted_by` to suspend for the turn."""
    return Ability(
        "always", rules=rules, condition=condition, bursts=as_tuple(bursts), lifted_by=lifted_by, keyword=keyword
    )


def _scoped(ability: Ability, scope: str, word: str) -> Ability:
    if ability.scope != "die":
        raise WordError(f"'{word}' cannot wrap an ability that already has a scope; remove one of them")
    return ability.replace(scope=scope)


@register_word(ScopeMetadata("active"))
def while_active(ability: Ability) -> Ability:
    """Attach the ability to the card: it works once while any of the card's dice is in the field (rules 5.5a)."""
    return _scoped(ability, "active", "while_active")


@register_word(ScopeMetadata("card"))
def of_card(ability: Ability) -> Ability:
    """Make the ability work with no die in the field (rules 5.15a)."""
    return _scoped(ability, "card", "of_card")


@register_word(ScopeMetadata("field"))
def in_field(ability: Ability) -> Ability:
    """Attach the ability to an action die in the field (rules 3.3d4)."""
    return _scoped(ability, "field", "in_field")


@register_word(ScopeMetadata("pair"))
def while_paired(ability: Ability) -> Ability:
    """Extend the ability to both partners while this die is paired up."""
    return _scoped(ability, "pair", "while_paired")


# details that a card may leave open, to be settled by the rules or by this project
Unprinted = Literal["duration", "burst", "copy", "limit", "per die", "level", "source", "moment", "when", "keyword"]


@register_word(FormMetadata("Ability"))
def unprinted(what: Unprinted, ability: Ability) -> Ability:
    """Mark a detail that the card leaves open, to be rendered in round brackets.

    The details are the "duration" (until end of turn) of the ability, of a "burst" or of a "copy", a "limit" (once per
    turn), a printed limit read as "per die", the "level" at which a die enters the field, damage counted by its
    "source", the "moment" to stop something, "when" the ability works or is paid for, and the "keyword".
    """
    return ability.replace(unprinted=(*ability.unprinted, what))


@register_word(KeywordMetadata("Resistance", (CHARACTER, *ACTIONS), is_label=True))
def resistance(ability: Ability, *, printed: bool = True) -> Ability:
    """Make the ability work only if one of your character dice was KO'd this turn (rules 6.14a).

    `printed` tells the renderer that the text itself also states the condition.
    """
    condition = own_ko_this_turn if ability.condition is None else own_ko_this_turn & ability.condition
    return ability.replace(keyword="Resistance", condition=condition, asked_by_keyword=not printed)


@register_word(AbilityMetadata("use", dict.fromkeys(ACTIONS, ("die",)), event="use"))
def use(
    *effects: Effect,
    bursts: tuple[Burst, ...] | Burst = (),
    keyword: KeywordLabel = "",
    at: Event | None = None,
) -> Ability:
    """Create the ability of an action die when it is used.

    `at` is the only moment at which the die can be used (attack_step_starts(you)).
    """
    return Ability("use", at, effects, bursts=as_tuple(bursts), keyword=keyword)


@register_word(
    AbilityMetadata("global", dict.fromkeys((CHARACTER, *ACTIONS), ("die",)), event="either", limits=("turn",))
)
def global_ability(
    energy: OptionalEnergyPrice,
    *effects: Effect,
    cost: tuple[Effect, ...] | Effect = (),
    limit: LimitKind = "",
    own_turn: bool = False,
    condition: Condition | None = None,
    on: Event | None = None,
) -> Ability:
    """Create a Global ability; `on` makes it reactive (rules 3.3e2, 5.10a)."""
    return Ability(
        "global", on, effects, cost=Cost(energy, as_tuple(cost)), condition=condition, limit=limit, own_turn=own_turn
    )


@register_word(AbilityMetadata("pay", _OF_DICE, limits=("turn", "die")))
def pay_any_time(
    energy: OptionalEnergyPrice,
    *effects: Effect,
    cost: tuple[Effect, ...] | Effect = (),
    limit: LimitKind = "",
    condition: Condition | None = None,
) -> Ability:
    """Create an ability that its player may pay for whenever a Global could be used (rules 3.3f7)."""
    return Ability("pay", effects=effects, cost=Cost(energy, as_tuple(cost)), condition=condition, limit=limit)


# keywords that are complete abilities


@register_word(
    KeywordMetadata(
        "Fast",
        can_be_granted=True,
        can_be_static=True,
        reminder="{this} deals combat damage before characters without Fast",
    )
)
def fast() -> Ability:
    """Create the Fast ability (rules 6.7a)."""
    return Ability("always", rules=(has_keyword(this, "Fast"),), keyword="Fast")


@register_word(
    KeywordMetadata(
        "Overcrush",
        can_be_granted=True,
        can_be_static=True,
        reminder="when {this} attacks and all blockers of {this} are KO'd or gone, the damage left over goes to your opponent",
    )
)
def overcrush() -> Ability:
    """Create the Overcrush ability (rules 6.12a)."""
    return Ability("always", rules=(has_keyword(this, "Overcrush"),), keyword="Overcrush")


@register_word(
    KeywordMetadata(
        "Iron Will",
        can_be_granted=True,
        can_be_static=True,
        reminder="{this} cannot be KO'd unless already damaged earlier this turn",
    )
)
def iron_will() -> Ability:
    """Create the Iron Will ability (rules 6.11a)."""
    return Ability("always", rules=(has_keyword(this, "Iron Will"),), keyword="Iron Will")


@register_word(
    KeywordMetadata(
        "Ally", can_be_granted=True, can_be_static=True, reminder="in the field, {this} counts as a Sidekick too"
    )
)
def ally() -> Ability:
    """Create the Ally ability (rules 6.1a)."""
    return Ability("always", rules=(has_keyword(this, "Ally"),), keyword="Ally")


@register_word(
    KeywordMetadata(
        "Deadly",
        can_be_granted=True,
        can_be_static=True,
        reminder="at the end of the turn, KO each character that was engaged with {this} this turn",
    )
)
def deadly() -> Ability:
    """Create the Deadly ability (rules 6.5a)."""
    return Ability("always", rules=(has_keyword(this, "Deadly"),), keyword="Deadly")


@register_word(KeywordMetadata("Continuous", ACTIONS, reminder="once used, this die goes to the field and stays there"))
def continuous() -> Ability:
    """Create the Continuous ability (rules 6.4a)."""
    return Ability("always", rules=(has_keyword(this, "Continuous"),), scope="field", keyword="Continuous")


@register_word(KeywordMetadata("Intimidate", can_be_granted=True, acts_on_fielding=True))
def intimidate() -> Ability:
    """Create the Intimidate ability (rules 6.10a, 6.10b)."""
    return Ability("when", fielded(this), (SetAside(target(character & opposing)),), keyword="Intimidate")


@register_word(KeywordMetadata("Heroic"))
def heroic() -> Ability:
    """Create the Heroic ability (rules 6.8a, 5.14c)."""
    other = character & own & keyword("Heroic") & ~this_card
    return Ability("when", fielded(this), (may(PairUp(one(other))),), keyword="Heroic")


@register_word(KeywordMetadata("Attune"))
def attune() -> Ability:
    """Create the Attune ability (rules 6.3a, 6.3b)."""
    hit = Damage(1, target(character | each_player))
    return Ability("when", uses_action(you), (hit,), scope="active", keyword="Attune")


@register_word(KeywordMetadata("Amplify"))
def amplify() -> Ability:
    """Create the Amplify ability (rules 6.2a)."""
    return Ability("when", uses_action(you), (Spin(this, 1),), keyword="Amplify")


@register_word(KeywordMetadata("Impulse", (CHARACTER, *ACTIONS)))
def impulse(*effects: Effect) -> Ability:
    """Create an Impulse ability with these effects (rules 6.9a)."""
    return Ability("when", buys(this), effects, scope="card", keyword="Impulse")


@register_word(KeywordMetadata("Suit Up"))
def suit_up(*names: CardName) -> Ability:
    """Create a Suit Up ability for characters with these titles (rules 6.15a)."""
    gone = Cost(effects=(Ko(one(own & character & title(*names))),))
    return Ability("when", buys(this), (may(may(ReturnToField(that, 2)), cost=gone),), scope="card", keyword="Suit Up")
