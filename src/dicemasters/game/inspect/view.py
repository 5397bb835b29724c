"""Read-only access to a state for code outside the engine: players, tables and the lab.

Dice, cards and abilities are numbers here, and every query is a plain function of the state and a number. That is
fast enough for a bot that makes a thousand queries per choice. `position` offers the same information as objects.

Outside code may use these attributes of a State directly: `spec`, `turn`, `first`, `active`, `step`, `decision` (its
seat and kind), `options`, `result`, `result_reason`, `copy()` and `dice_in(zone, seat)`; and of a GameSpec its counts
and its lists by card: `n_seats`, `n_dice`, `n_cards`, `n_real_cards`, `cards`, `names`, `sides`, `buyable`,
`affiliations`, `edition`, `start_life` and `solitaire`. The storage of dice is private to the engine; a test checks
this.

Cards are numbered in this order: the Sidekicks of each seat, the cards of each team, the basic actions, tokens.
"""

from __future__ import annotations

from typing import Final, NamedTuple

from dicemasters.cards.language.vocabulary import Ability
from dicemasters.game.game_spec import GENERIC as GENERIC
from dicemasters.game.game_spec import SIDEKICK_CARD as SIDEKICK_CARD
from dicemasters.game.game_spec import SIDEKICKS as SIDEKICKS
from dicemasters.game.game_spec import WILD as WILD
from dicemasters.game.game_spec import GameSpec as GameSpec
from dicemasters.game.labels import is_sidekick_die as is_sidekick_die
from dicemasters.game.mechanics import payment
from dicemasters.game.mechanics.combat import damage_assignment, restrictions
from dicemasters.game.queries import characteristics, combat_status, die_identity, static_rules
from dicemasters.game.queries.characteristics import current_stats as current_stats
from dicemasters.game.queries.characteristics import has_keyword as has_keyword
from dicemasters.game.queries.characteristics import printed_numbers as printed_numbers
from dicemasters.game.queries.combat_status import attackers as attackers
from dicemasters.game.queries.combat_status import blocked_by as blocked_by
from dicemasters.game.queries.combat_status import blockers_of as blockers_of
from dicemasters.game.queries.costs import fielding_cost as fielding_cost
from dicemasters.game.queries.costs import purchase_cost as purchase_cost
from dicemasters.game.queries.die_identity import ACTION as ACTION
from dicemasters.game.queries.die_identity import CHARACTER as CHARACTER
from dicemasters.game.queries.die_identity import COVERAGE as COVERAGE
from dicemasters.game.queries.die_identity import ENERGY as ENERGY
from dicemasters.game.queries.die_identity import fielded_by_side as fielded_by_side
from dicemasters.game.queries.die_identity import fielded_characters as fielded_characters
from dicemasters.game.queries.die_identity import level as level
from dicemasters.game.queries.die_identity import opponent_of as opponent_of
from dicemasters.game.queries.die_identity import printed_cost as printed_cost
from dicemasters.game.queries.equivalence import canonical_order as canonical_order
from dicemasters.game.queries.equivalence import equivalence_key as equivalence_key
from dicemasters.game.queries.static_rules import UnchangedState as UnchangedState
from dicemasters.game.queries.static_rules import burst as burst
from dicemasters.game.queries.static_rules import is_affected_by as is_affected_by
from dicemasters.game.state.constants import ATTACK as ATTACK
from dicemasters.game.state.constants import (
    ATTACKING,
    BLOCKED,
    FIELDED_BEFORE,
    FIELDED_NOW,
    HALF_SPENT,
    PASSED,
    PERSON,
    ROLLED,
)
from dicemasters.game.state.constants import BAG as BAG
from dicemasters.game.state.constants import CARD as CARD
from dicemasters.game.state.constants import CLEANUP as CLEANUP
from dicemasters.game.state.constants import FIELD as FIELD
from dicemasters.game.state.constants import GONE as GONE
from dicemasters.game.state.constants import HAND as HAND
from dicemasters.game.state.constants import HELD as HELD
from dicemasters.game.state.constants import MAIN as MAIN
from dicemasters.game.state.constants import OUT_OF_PLAY as OUT_OF_PLAY
from dicemasters.game.state.constants import PLAYER as PLAYER
from dicemasters.game.state.constants import PREP as PREP
from dicemasters.game.state.constants import RESERVE as RESERVE
from dicemasters.game.state.constants import ROLL as ROLL
from dicemasters.game.state.constants import SETUP as SETUP
from dicemasters.game.state.constants import STEP_NAMES as STEP_NAMES
from dicemasters.game.state.constants import TIE as TIE
from dicemasters.game.state.constants import UNDECIDED as UNDECIDED
from dicemasters.game.state.constants import USED as USED
from dicemasters.game.state.constants import ZONE_NAMES as ZONE_NAMES
from dicemasters.game.state.frames import ActionFrame, DamageAssignmentFrame, DamageFrame
from dicemasters.game.state.state import State as State
from dicemasters.game.state.state import shows_face as shows_face
from dicemasters.game.state.values import NOBODY as NOBODY
from dicemasters.game.state.values import Option as Option
from dicemasters.game.state.values import Price as Price
from dicemasters.game.turn.priority import can_hold_priority as can_hold_priority

# --- seats ---------------------------------------------------------------------------------------------------------


def side_of(seat: int) -> int:
    """Return the side of a seat, 0 or 1; partners share one."""
    return seat & 1


def is_ally(seat: int, other: int) -> bool:
    """Return whether two seats are on the same side."""
    return (seat ^ other) & 1 == 0


def partner_of(seat: int) -> int:
    """Return the seat of the partner in a game of four."""
    return seat ^ 2


def is_lead_seat(seat: int) -> bool:
    """Return whether a seat is the lead of its side; the other partner shares its life."""
    return seat < 2


def life(s: State, seat: int) -> int:
    """Return the life of a seat's side."""
    return s.life[seat & 1]


def maximum_life(s: State, seat: int) -> int:
    """Return the maximum life of a seat's side."""
    return die_identity.starting_life(s, seat & 1)


def leftover_energy(s: State, seat: int) -> int:
    """Return the virtual energy of a seat (rules 3.3a10)."""
    return s.virtual_energy[seat]


def energy_of(s: State, seat: int) -> list[int]:
    """Return the energy a seat can spend: by type, wild, generic, and the total."""
    return payment.energy_pool(s, seat).counts()


def has_passed(s: State, seat: int) -> bool:
    """Return whether a seat has passed while its partner still decides."""
    return (PASSED, seat) in s.turn_limits


# --- numbers that name a die or a player -----------------------------------------------------------------------------


def is_player(x: int) -> bool:
    """Return whether a number names a player rather than a die."""
    return PLAYER <= x < NOBODY


def player_seat(x: int) -> int:
    """Return the seat of the player that a number names; for life shared by partners, the lead's seat."""
    return x - (PERSON if x >= PERSON else PLAYER)


def player_number(seat: int) -> int:
    """Return the number that names the life of a seat's side."""
    return PLAYER + (seat & 1)


def side_of_target(s: State, x: int) -> int:
    """Return the side of a player, or the side that a die is on."""
    return (player_seat(x) if x >= PLAYER else s.place[x]) & 1


# --- dice: zone and owner --------------------------------------------------------------------------------------------


def zone(s: State, d: int) -> int:
    """Return the zone of a die: CARD, BAG, PREP, RESERVE, FIELD, USED, OUT_OF_PLAY, HAND (just drawn), HELD or GONE."""
    return s.place[d] >> 2


def controller(s: State, d: int) -> int:
    """Return the seat on whose side a die is."""
    return s.place[d] & 3


def owner(s: State, d: int) -> int:
    """Return the seat that owns a die; -1 for a token and for a basic action die that is not bought yet."""
    return -1 if s.owner[d] == NOBODY else s.owner[d]


def card_of(s: State, d: int) -> int:
    """Return the number of a die's card."""
    return s.spec.card_of[d]


class HoldingInfo(NamedTuple):
    """A die that is captured, set aside, attached or controlled.

    `kind` is capture, aside, attach or control, `holder` the die or player that holds it or NOBODY, and `zone` the zone
    it was taken from.
    """

    kind: str
    holder: int
    zone: int


def holdings(s: State) -> dict[int, HoldingInfo]:
    """Return the dice that are captured, set aside, attached or controlled by another player, each with details."""
    return {holding.die: HoldingInfo(holding.kind, holding.holder, holding.home >> 2) for holding in s.holdings}


def pair_of(s: State, d: int) -> int:
    """Return the die this die is paired with, or NOBODY."""
    return die_identity.partner_of(s, d)


# --- dice: face ------------------------------------------------------------------------------------------------------


def face(s: State, d: int) -> int:
    """Return the index of the face that is up, from 0; it has a meaning only if `shows_face`."""
    return s.face[d]


def kind(s: State, d: int) -> int:
    """Return the kind of the face that is up: ENERGY, CHARACTER or ACTION."""
    return s.spec.kinds[s.spec.face_base[d] + s.face[d]]


def printed_stats(s: State, d: int) -> tuple[int, int]:
    """Return A and D as printed on the face that is up."""
    i = s.spec.face_base[d] + s.face[d]
    return s.spec.attack[i], s.spec.defence[i]


def energy_type(s: State, d: int) -> int:
    """Return the energy on the face that is up: 0 to 3 for fist, bolt, mask, shield; WILD; GENERIC; -1 for none."""
    return s.spec.energy[s.spec.face_base[d] + s.face[d]]


def energy_shown(s: State, d: int) -> int:
    """Return the amount of energy on the face that is up."""
    return s.spec.pips[s.spec.face_base[d] + s.face[d]]


def maximum_energy(s: State, d: int) -> int:
    """Return the highest amount of energy on any face of the die."""
    first = s.spec.face_base[d]
    return max(s.spec.pips[first : first + 6])


# --- dice: damage, combat and effects --------------------------------------------------------------------------------


def damage(s: State, d: int) -> int:
    """Return the damage on a die."""
    return s.damage[d]


def lethal_damage(s: State, d: int) -> int:
    """Return the further damage that KOs a die, or `vocabulary.ALL` if no damage can."""
    return damage_assignment.lethal_damage(s, d)


def is_attacking(s: State, d: int) -> bool:
    """Return whether a die attacks."""
    return s.flags[d] & ATTACKING != 0


def is_blocked(s: State, d: int) -> bool:
    """Return whether a die attacks and was blocked; its blockers may have left (rules 3.4d1f)."""
    return s.flags[d] & (ATTACKING | BLOCKED) == ATTACKING | BLOCKED


def is_blocking_departed(s: State, d: int) -> bool:
    """Return whether a die still blocks although its attacker has left (rules 3.4b3)."""
    return s.flags[d] & (ATTACKING | BLOCKED) == BLOCKED


def is_rolled(s: State, d: int) -> bool:
    """Return whether a die is part of the current roll."""
    return s.flags[d] & ROLLED != 0


def is_half_spent(s: State, d: int) -> bool:
    """Return whether one of the two energies of a die has been spent (rules 3.3a6)."""
    return s.flags[d] & HALF_SPENT != 0


def was_fielded_this_turn(s: State, d: int) -> bool:
    """Return whether a die was fielded this turn."""
    return s.flags[d] & FIELDED_NOW != 0


def was_fielded_last_turn(s: State, d: int) -> bool:
    """Return whether a die was fielded last turn."""
    return s.flags[d] & FIELDED_BEFORE != 0


_OF_STATS: Final = frozenset(("gets", "multiplies", "becomes", "exchanges", "sets A", "copy stats"))


def granted_texts(s: State, d: int) -> list[str]:
    """Return the temporary effects on a die other than changes of A, D and costs: keywords, affiliations, bans."""
    texts: list[str] = []
    for effect in s.active_effects:
        if effect.word in _OF_STATS or effect.word.startswith("costs") or not static_rules.applies_to(s, effect, d):
            continue
        text = s.spec.rules[effect.rule].text if effect.rule >= 0 else ""
        if effect.word == "on card":
            texts.append(f"on {s.spec.cards[effect.a].title}")
        elif effect.word in ("has keyword", "has affiliation"):
            texts.append(text)
        else:
            texts.append(f"no {text}" if effect.word == "loses keyword" else effect.word)
    return list(dict.fromkeys(texts))


# --- cards -----------------------------------------------------------------------------------------------------------


def is_sidekick_card(spec: GameSpec, c: int) -> bool:
    """Return whether a card number stands for the Sidekicks of a seat, which have no card."""
    return c < spec.n_seats


def card_owner(spec: GameSpec, c: int) -> int:
    """Return the seat that owns a card; -1 for a basic action, which anyone may buy, and for a token."""
    return spec.owner_of_card[c]


def dice_of(spec: GameSpec, c: int) -> list[int]:
    """Return all dice of a card, in any zone."""
    return spec.dice_of[c]


def is_buyable(s: State, c: int) -> bool:
    """Return whether a die of the card is still on it."""
    for d in s.spec.dice_of[c]:
        if s.place[d] >> 2 == CARD:
            return True
    return False


def dice_left(s: State, c: int) -> int:
    """Return the number of dice still on a card."""
    count = 0
    for d in s.spec.dice_of[c]:
        if s.place[d] >> 2 == CARD:
            count += 1
    return count


def printed_price(spec: GameSpec, c: int) -> Price:
    """Return the printed price of a card: fist, bolt, mask and shield it requires, and the total."""
    return spec.prices[c]


def keywords(spec: GameSpec, c: int) -> frozenset[str]:
    """Return the keywords printed on a card."""
    return spec.keywords[c]


# --- abilities, numbered across all cards of the game --------------------------------------------------------------


def ability(spec: GameSpec, n: int) -> Ability:
    """Return an ability in the card language."""
    return spec.abilities[n].ability


def ability_card(spec: GameSpec, n: int) -> int:
    """Return the number of the card that an ability is printed on."""
    return spec.abilities[n].card


def ability_kind(spec: GameSpec, n: int) -> str:
    """Return the kind of an ability: when, would, global, pay, use, always or part."""
    return spec.abilities[n].kind


def uses_of(spec: GameSpec, c: int) -> list[int]:
    """Return the abilities that using an action die of the card runs."""
    return [x.index for x in spec.uses[c]]


def abilities_of(spec: GameSpec, c: int) -> list[int]:
    """Return the printed abilities of a card, without those that the compiler derives from their parts."""
    return [x.index for x in spec.abilities if x.card == c and x.parent is x.ability]


# --- combat ----------------------------------------------------------------------------------------------------------


def can_attack(s: State, d: int) -> bool:
    """Return whether a die could be declared as an attacker."""
    return restrictions.can_attack(s, d)


def can_attack_freely(s: State, d: int) -> bool:
    """Return whether no ban keeps a die from attacking, not even one that paying life would lift."""
    return not restrictions.life_toll(s, "cannot attack", d)


def must_attack(s: State, d: int) -> bool:
    """Return whether a die has to attack if it can."""
    return restrictions.must_attack_or_block(s, "must attack", d)


def can_block_freely(s: State, d: int) -> bool:
    """Return whether no ban keeps a die from blocking, not even one that paying life would lift."""
    return not restrictions.life_toll(s, "cannot block", d)


def may_block(s: State, d: int, attacker: int) -> bool:
    """Return whether no rule forbids a die to block this attacker."""
    return combat_status.may_block(s, d, attacker)


def blocks(s: State) -> list[tuple[int, int]]:
    """Return all (blocker, attacker) pairs in order of declaration."""
    return s.blocks


def minimum_blockers_of(s: State, attacker: int) -> int:
    """Return the number of blockers an attacker needs if it is blocked at all."""
    return max((n for _, _, n, _ in static_rules.rules_affecting(s, "blocked by at least", attacker)), default=1)


def can_block_several(s: State, d: int) -> bool:
    """Return whether a rule lets a die block more than one attacker."""
    return static_rules.is_affected_by(s, "blocks more", d) or static_rules.is_affected_by(s, "blocks also", d)


def can_block_another(s: State, d: int, blocked: list[int], attacker: int) -> bool:
    """Return whether a die that blocks the attackers `blocked` may block one more."""
    return combat_status.may_block(s, d, attacker) and restrictions.may_block_another(s, d, blocked, attacker)


def attackers_to_block_first(s: State, attacker: int) -> list[int]:
    """Return the attackers that must be blocked if this one is."""
    return restrictions.blocked_first(s, attacker, attackers(s))


def must_block(s: State, d: int) -> bool:
    """Return whether a die has to block if it can."""
    return restrictions.must_attack_or_block(s, "must block", d)


def must_block_attackers(s: State, d: int) -> set[int]:
    """Return the attackers that this die must block by their own text."""
    return {ctx.this for _, ctx, _, _ in static_rules.rules_affecting(s, "must block this", d)}


def combat_opponents_of(s: State, d: int) -> list[int]:
    """Return the dice to which a fighting die deals its combat damage."""
    return damage_assignment.combat_opponents(s, d)


def has_overcrush(s: State, d: int) -> bool:
    """Return whether a die attacks with Overcrush (rules 6.12a)."""
    return s.flags[d] & ATTACKING != 0 and characteristics.has_keyword(s, d, "Overcrush")


# --- the pending decision ------------------------------------------------------------------------------------------


def is_over(s: State) -> bool:
    """Return whether the game is over."""
    return s.result != UNDECIDED


def is_extra_reroll(s: State) -> bool:
    """Return whether the pending reroll is an extra one after the regular reroll."""
    return s.step == ROLL and s.substep > 1


def is_rolling(s: State, seat: int) -> bool:
    """Return whether a seat's dice of this turn are rolled but not yet in the reserve."""
    return s.step == ROLL and s.substep > 0 and (s.active ^ seat) & 1 == 0


class PendingPayment(NamedTuple):
    """A payment in progress: the paying seat, the full price, and the amount still to be paid."""

    seat: int
    price: Price
    left: int


def pending_payment_of(s: State) -> PendingPayment:
    """Return the payment that the pending decision is about."""
    frame = payment.pending_payment(s)
    return PendingPayment(frame.seat, frame.price, frame.left())


def total_price(s: State) -> int:
    """Return the full cost of the pending payment, including the part already paid."""
    return payment.pending_payment(s).price[4]


def paid_for(s: State) -> list[Option]:
    """Return the actions being paid for, latest first."""
    return [frame.option for frame in reversed(s.stack) if isinstance(frame, ActionFrame)]


def assigned_so_far(s: State) -> int:
    """Return the combat damage of a die already assigned in the pending "split" decision."""
    frame = s.stack[-1]
    assert isinstance(frame, DamageAssignmentFrame)
    return sum(frame.split)


def packet_amount(s: State, n: int) -> int:
    """Return the amount of a damage packet in the pending "which damage" decision."""
    frame = next(frame for frame in reversed(s.stack) if isinstance(frame, DamageFrame))
    return frame.packets[n].amount


def reacting_die(s: State, n: int) -> int:
    """Return the die of the triggered ability at this position of the queue, or NOBODY."""
    return s.queue[n].this
