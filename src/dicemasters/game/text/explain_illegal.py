"""Reasons why a player cannot do something now, one sentence each with the number of its rule."""

from __future__ import annotations

from typing import NamedTuple

from dicemasters.cards.language.vocabulary import ALL
from dicemasters.game.answers.compound import CompoundOption, compound_decision
from dicemasters.game.effects import feasibility, targeting
from dicemasters.game.mechanics import payment, triggers
from dicemasters.game.mechanics.combat import restrictions
from dicemasters.game.queries import combat_status, costs, die_identity, static_rules
from dicemasters.game.queries.die_identity import ACTION, CHARACTER, ENERGY
from dicemasters.game.state.constants import ATTACKING, CARD, FIELD, MAIN, PREP, RESERVE, ROLL, ROLLED, UNDECIDED
from dicemasters.game.state.frames import AbilityFrame
from dicemasters.game.state.state import State
from dicemasters.game.state.values import NOBODY, Price
from dicemasters.game.text import describe, explain
from dicemasters.game.turn import legal_actions

_TYPES = ("fist", "bolt", "mask", "shield")
_ACTION_DECISIONS = ("main", "respond", "fight")


class Refusal(NamedTuple):
    """The reason why something is illegal and the number of its rule in docs/rules.md; both "" if it is legal."""

    text: str
    rule: str


YES = Refusal("", "")
_UNAFFORDABLE_TOGETHER = Refusal("Together with the rest it cannot be paid.", "3.3a11")
_NO_EFFECT = Refusal("There is nothing to do with it now.", "3.3")
_ZONE_REFUSALS = {
    1: Refusal("It is in the bag, to be drawn.", "3.1a2"),
    2: Refusal("It is in the Prep Area and is rolled in the next roll and reroll step.", "3.2a"),
    5: Refusal("It is in the Used Pile until the bag is refilled.", "3.1a4"),
    6: Refusal("It is Out of Play until the turn ends.", "2.1b5"),
    7: Refusal("It has been drawn and not yet placed.", "3.1a2"),
    8: Refusal("It is out of the game until it comes back.", "5.13a1"),
    9: Refusal("It is not on the table.", "5.13e2"),
}


def explain_illegal(
    s: State, seat: int, *, die: int = -1, card: int = -1, ability: int = -1, want: str = ""
) -> Refusal:
    """Return why a player cannot do something with a die, a card or a Global now, or `YES` if they can.

    `want` is the intended action: buy, field, use, attack, block, reroll, pay, choose, global or ability. The default
    is the usual action for such a die or card.
    """
    if s.result != UNDECIDED:
        return Refusal("The game is over.", "4.1a")
    if s.decision.seat != seat:
        return Refusal(f"It is {describe.SEATS[s.decision.seat]}'s decision now.", "3.3f1")
    if any(_is_about(s, part, die, card, ability, want) for part in compound_decision(s).options):
        return YES
    if ability >= 0:
        return _why_no_ability(s, seat, ability, die)
    if card >= 0:
        if want in ("", "buy"):
            return _why_no_buy(s, seat, card)
        return Refusal("There is nothing to do with this card now.", "3.3")
    if not 0 <= die < s.spec.n_dice:
        return Refusal("There is no such die.", "2.0")
    match want or _default_action(s, die):
        case "buy":
            return _why_no_buy(s, seat, s.spec.card_of[die])
        case "field":
            return _why_no_field(s, seat, die)
        case "use":
            return _why_no_use(s, seat, die)
        case "attack":
            return _why_no_attack(s, seat, die)
        case "block":
            return _why_no_block(s, seat, die)
        case "reroll":
            return _why_no_reroll(s, seat, die)
        case "pay":
            return _why_no_pay(s, seat, die)
        case "choose":
            return _why_no_choice(s, die)
        case "ability":
            return _why_no_paid_ability(s, seat, die)
    return _ZONE_REFUSALS.get(s.place[die] >> 2, _NO_EFFECT)


def _is_about(s: State, part: CompoundOption, die: int, card: int, ability: int, want: str) -> bool:
    """Return True if a part of the pending decision is the intended action."""
    kind, x, _ = part.option
    if want and kind != want and not (want == "choose" and kind in ("up", "down", "end", "amount", "resolve")):
        return False
    if ability >= 0:
        return kind in ("global", "ability", "lift") and x == ability and (die < 0 or die in part.dice)
    if card >= 0:
        if kind in ("buy", "card"):
            return x == card
        return kind in ("global", "ability", "lift") and s.spec.abilities[x].card == card and want != "buy"
    return die in part.dice or (not want and die in part.to)


def _default_action(s: State, d: int) -> str:
    """Return the usual action for a die in its zone under the pending decision, or ""."""
    place = s.place[d] >> 2
    if s.decision.kind in ("choose", "split", "divide"):
        return "choose"
    if place == CARD:
        return "buy"
    if s.decision.kind == "pay":
        return "pay"
    if (place in (PREP, RESERVE) or s.flags[d] & ROLLED) and s.decision.kind == "reroll":
        return "reroll"
    if place == RESERVE:
        return {CHARACTER: "field", ACTION: "use", ENERGY: "pay"}[_face_kind(s, d)]
    if place == FIELD:
        if s.decision.kind in ("attack", "block"):
            return s.decision.kind
        return "ability"
    return ""


def _face_kind(s: State, d: int) -> int:
    return s.spec.kinds[s.spec.face_base[d] + s.face[d]]


def _other_question(s: State) -> Refusal:
    return Refusal(f"First comes the question: {describe.question(s)}", "5.7a1")


def _forbidding_cards(s: State, word: str, d: int) -> str:
    """Return the names of the cards whose rules of this word affect the die or player."""
    names = [_source_name(s, ctx) for _, ctx, _, _ in static_rules.rules_affecting(s, word, d)]
    return " and ".join(dict.fromkeys(names)) or "An effect"


def _source_name(s: State, ctx: AbilityFrame) -> str:
    return s.spec.names[s.spec.abilities[ctx.ability].card] if ctx.ability >= 0 else "An effect"


def _why_unaffordable(pool: payment.EnergyPool, price: Price, cost: str) -> str:
    """Return what an energy pool lacks to pay a price, or "" if it suffices."""
    if payment.can_pay(pool, price):
        return ""
    if pool.total < price[4]:
        return f"{cost} {price[4]}, and you have {pool.total or 'no'} energy."
    missing = [
        _count_text(n, name) for name, n, available in zip(_TYPES, price, pool.counts(), strict=False) if n > available
    ]
    wild = f", and {pool.wild} wild is not enough" if pool.wild else ""
    return f"It needs {' and '.join(missing)}{wild}."


def _count_text(n: int, name: str) -> str:
    return f"one {name}" if n == 1 else f"{n} {name}s"


# --- buying, fielding, using ---------------------------------------------------------------------------------------


def _why_no_buy(s: State, seat: int, c: int) -> Refusal:
    spec = s.spec
    owner = spec.owner_of_card[c]
    if c < spec.n_seats:
        return Refusal("Sidekicks are not bought.", "1.2a")
    if c >= spec.n_real_cards:
        return Refusal("Tokens are not bought.", "5.13e2")
    if owner >= 0 and owner != seat:
        return Refusal(
            f"It is {describe.SEATS[owner]}'s card, and only {describe.SEATS[owner]} buys its dice.", "3.3b1"
        )
    if not any(s.place[d] >> 2 == CARD for d in spec.dice_of[c]):
        return Refusal("No dice are left on the card.", "1.3a")
    if s.active != seat or s.step != MAIN:
        return Refusal("Dice are bought in your own main step.", "3.3b1")
    if s.decision.kind not in ("main", "together"):
        return _other_question(s)
    reason = _why_unaffordable(payment.energy_pool(s, seat), legal_actions.purchase_price(s, c, seat), "It costs")
    return Refusal(reason, "3.3b2") if reason else _UNAFFORDABLE_TOGETHER


def _why_no_field(s: State, seat: int, d: int) -> Refusal:
    if s.place[d] != RESERVE * 4 + seat:
        return Refusal("Only dice in your reserve are fielded.", "3.3c1")
    if _face_kind(s, d) != CHARACTER:
        return Refusal("It does not show a character.", "2.2a")
    if s.active != seat or s.step != MAIN:
        return Refusal("Characters are fielded in your own main step.", "3.3c1")
    if s.decision.kind not in ("main", "together"):
        return _other_question(s)
    if not static_rules.can_field(s, d):
        return Refusal(f"It cannot be fielded: {_forbidding_cards(s, 'cannot field', d)} forbids it.", "5.1a")
    cost = costs.fielding_cost(s, d)
    reason = _why_unaffordable(payment.energy_pool(s, seat), (0, 0, 0, 0, cost), "Fielding it costs")
    return Refusal(reason, "3.3c1") if reason else _UNAFFORDABLE_TOGETHER


def _why_no_use(s: State, seat: int, d: int) -> Refusal:
    spec = s.spec
    if s.place[d] != RESERVE * 4 + seat:
        return Refusal("Only action dice in your reserve are used.", "3.3d1")
    if _face_kind(s, d) != ACTION:
        return Refusal("It does not show an action.", "2.2a")
    if s.active != seat:
        return Refusal("Action dice are used on your own turn.", "3.3f2")
    if s.decision.kind not in ("main", "fight", "attack"):
        return _other_question(s)
    if static_rules.is_banned(s, seat, "action"):
        return Refusal(
            f"Action dice cannot be used: {_forbidding_cards(s, 'cannot use', s.spec.person + seat)} forbids it.",
            "5.1a",
        )
    at_start = any(ability.event for ability in spec.uses[spec.card_of[d]])
    if s.decision.kind == "attack" and not at_start:
        return Refusal("Actions are used in the main step, or after blockers are declared.", "3.4c1")
    if s.decision.kind == "attack" and combat_status.attackers(s):
        return Refusal("It is used at the start of the attack step, before attackers are declared.", "3.4g2")
    if at_start and s.decision.kind != "attack":
        return Refusal("It is used at the start of the attack step.", "3.4g2")
    return Refusal("It would do nothing now.", "5.3c1")


def _why_no_ability(s: State, seat: int, index: int, die: int) -> Refusal:
    if not 0 <= index < len(s.spec.abilities):
        return Refusal("There is no such ability.", "3.3e1")
    ability = s.spec.abilities[index]
    if ability.kind == "global":
        if ability.event:
            return Refusal("It is asked for when its moment comes.", "5.10a")
        if s.decision.kind not in (*_ACTION_DECISIONS, "together"):
            return _other_question(s)
        if static_rules.is_banned(s, seat, "global"):
            return Refusal(
                f"Globals cannot be used: {_forbidding_cards(s, 'cannot use', s.spec.person + seat)} forbids it.",
                "5.1a",
            )
        if ability.own_turn and seat != s.active:
            return Refusal("It is used only on your own turn.", "3.3e2")
        if die_identity.is_blanked(s, ability.card):
            return Refusal("The card's text is ignored now.", "5.1a")
        price = costs.global_cost(s, seat, ability.need.price)
        return _why_not_ready(s, static_rules.ability_context(index, seat, NOBODY), price)
    if ability.kind == "pay":
        if s.decision.kind not in (*_ACTION_DECISIONS, "together"):
            return _other_question(s)
        contexts = [
            ctx for ctx in static_rules.active_contexts(s, ability) if ctx.you == seat and (die < 0 or ctx.this == die)
        ]
        if not contexts:
            return Refusal("You have no die in the field with this ability.", "3.3f2")
        return _why_not_ready(s, contexts[0], ability.need.price)
    return Refusal("It works by itself.", "5.7a1")


def _why_not_ready(s: State, ctx: AbilityFrame, price: Price) -> Refusal:
    ability = s.spec.abilities[ctx.ability]
    pool = payment.energy_pool(s, ctx.you)
    if triggers.is_used_up(s, ctx):
        return Refusal("It has been used this turn.", "3.3e2")
    if price[4]:
        reason = _why_unaffordable(pool, price, "It costs")
        if reason:
            return Refusal(reason, "3.3e2")
    if ability.need.life and s.life[ctx.you & 1] < ability.need.life:
        return Refusal(f"It costs {ability.need.life} life.", "5.1b")
    if not feasibility.can_afford(s, ctx.you, ability.need, ctx, pool, price):
        return Refusal("There is nothing to pay its cost with.", "5.1b")
    if ability.condition is not None and not ability.condition.evaluate(s, ctx):
        return Refusal("Its condition does not hold now.", "5.3c1")
    if not feasibility.can_activate(s, ctx):
        return Refusal("There is nothing it could affect now.", "5.3c1")
    return _UNAFFORDABLE_TOGETHER


def _why_no_paid_ability(s: State, seat: int, d: int) -> Refusal:
    if s.place[d] & 3 != seat:
        return Refusal(f"{describe.SEATS[s.place[d] & 3]} controls it.", "5.13b1")
    if s.decision.kind not in (*_ACTION_DECISIONS, "together"):
        return _other_question(s)
    for ability in s.spec.paid_abilities:
        if any(ctx.this == d and ctx.you == seat for ctx in static_rules.active_contexts(s, ability)):
            return _why_no_ability(s, seat, ability.index, d)
    if s.decision.kind == "main" and _face_kind(s, d) == CHARACTER:
        return Refusal("It attacks in the attack step, after you pass.", "3.4a1")
    return _NO_EFFECT


# --- the attack step -----------------------------------------------------------------------------------------------


def _why_no_attack(s: State, seat: int, d: int) -> Refusal:
    if s.place[d] >> 2 != FIELD or _face_kind(s, d) != CHARACTER:
        return Refusal("Only characters in the field attack.", "3.4a1")
    if s.place[d] & 3 != s.active or seat != s.active:
        return Refusal("Only the active player's characters attack.", "3.4a1")
    if s.flags[d] & ATTACKING:
        return Refusal("It attacks already.", "3.4a1")
    if s.decision.kind != "attack":
        return Refusal("Attackers are declared at the start of the attack step.", "3.4a1")
    if s.spec.edition.controller_cannot_attack and any(
        holding.kind == "control" and holding.holder == d for holding in s.holdings
    ):
        return Refusal("It controls another die and so cannot attack.", "5.13b5")
    return _why_banned(s, "cannot attack", d) or Refusal(
        "Attackers are named in order, and its turn has gone by.", "3.4a1"
    )


def _why_banned(s: State, word: str, d: int) -> Refusal | None:
    if restrictions.may_attack_or_block(s, word, d):
        return None
    life = restrictions.life_toll(s, word, d)
    if life < ALL:
        return Refusal(f"It {word} without paying {life} life, because of {_forbidding_cards(s, word, d)}.", "10.9")
    return Refusal(f"It {word}: {_forbidding_cards(s, word, d)} forbids it.", "5.1a")


def _why_no_block(s: State, seat: int, d: int) -> Refusal:
    if s.place[d] >> 2 != FIELD or _face_kind(s, d) != CHARACTER:
        return Refusal("Only characters in the field block.", "3.4b1")
    if s.place[d] & 3 != seat:
        return Refusal("Only your own characters block.", "3.4b1")
    if s.decision.kind != "block":
        return Refusal("Blockers are declared after the attackers.", "3.4b1")
    banned = _why_banned(s, "cannot block", d)
    if banned:
        return banned
    if combat_status.blocked_by(s, d):
        return Refusal("It blocks already.", "3.4b1")
    attackers = combat_status.attackers(s)
    if not any(combat_status.may_block(s, d, attacker) for attacker in attackers):
        names = dict.fromkeys(_forbidding_cards(s, "cannot be blocked", attacker) for attacker in attackers)
        return Refusal(f"It can block none of the attackers, because of {' and '.join(names)}.", "5.1a")
    return Refusal("As things are it can block none of the attackers.", "3.4b1")


# --- rolling, paying, choosing -------------------------------------------------------------------------------------


def _why_no_reroll(s: State, seat: int, d: int) -> Refusal:
    if s.step != ROLL or s.active != seat:
        return Refusal("Dice are rerolled in your own roll and reroll step.", "3.2b")
    if s.place[d] & 3 != seat or not s.flags[d] & ROLLED:
        return Refusal("Only dice that were just rolled can be rerolled.", "3.2b")
    if static_rules.is_affected_by(s, "cannot reroll", s.spec.person + seat):
        return Refusal(
            f"You cannot reroll: {_forbidding_cards(s, 'cannot reroll', s.spec.person + seat)} forbids it.", "5.1a"
        )
    if s.decision.kind != "reroll":
        return _other_question(s)
    return Refusal("It is already among the dice to be rerolled, or its turn has gone by.", "3.2b")


def _why_no_pay(s: State, seat: int, d: int) -> Refusal:
    if s.place[d] != RESERVE * 4 + seat:
        return Refusal("Only energy in your reserve pays.", "2.0d")
    if _face_kind(s, d) != ENERGY:
        return Refusal("It does not show energy.", "2.2a")
    if s.decision.kind != "pay":
        return Refusal("Energy is spent when something is to be paid: choose that first.", "3.3a5")
    return Refusal("This energy does not help to pay the rest.", "3.3a5")


def _why_no_choice(s: State, d: int) -> Refusal:
    if s.decision.kind != "choose":
        return _other_question(s)
    selection = targeting.pending_selection(s)
    frame = s.stack[-1]
    if selection is not None and isinstance(frame, AbilityFrame):
        if d in frame.picked:
            return Refusal("It has been chosen already.", "5.3a")
        name = s.spec.names[s.spec.abilities[frame.ability].card]
        if static_rules.is_affected_by(s, "cannot be targeted", d):
            return Refusal(
                f"It does not fit what {name} says, or {_forbidding_cards(s, 'cannot be targeted', d)} protects it.",
                "5.3a",
            )
        return Refusal(
            f"It is none of the dice {name} can choose from: {explain.compiled_ability_text(s.spec, frame.ability)}",
            "5.3a",
        )
    return Refusal("It is not among what can be chosen.", "5.3a")
