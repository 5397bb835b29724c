"""A position as those outside may read it: players, tables and the lab ask here how things stand.

Dice, cards and abilities are numbers here, and every question is a plain function of the state and a number: that is
quick enough for a player who asks a thousand times for one choice. `position` has the same as objects with names.

Of a State itself these may be used: `spec`, `turn`, `first`, `active`, `step`, `decision` (seat and kind of the decision),
`options`, `result`, `result_reason`, `copy()` and `dice_in(zone, seat)`; of a GameSpec what it counts and lists by card: `n_seats`,
`n_dice`, `n_cards`, `n_real_cards`, `cards`, `names`, `sides`, `buyable`, `affiliations`, `edition`, `start_life`,
`solitaire`. How the dice are kept is the engine's own matter (a test).

Cards are numbered like this: first the Sidekicks of each seat, then every team, then the basic actions, then tokens.
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
    """Give the side of a seat, 0 or 1: partners share one."""
    return seat & 1


def is_ally(seat: int, other: int) -> bool:
    """Tell whether two seats are on one side, or the same."""
    return (seat ^ other) & 1 == 0


def partner_of(seat: int) -> int:
    """Give the seat of one's partner, in a game of four."""
    return seat ^ 2


def is_lead_seat(seat: int) -> bool:
    """Tell whether a seat is the first of its side; the other of two partners shares its life."""
    return seat < 2


def life(s: State, seat: int) -> int:
    """Give the life of a seat's side."""
    return s.life[seat & 1]


def maximum_life(s: State, seat: int) -> int:
    """Give the most life a seat's side can have."""
    return die_identity.starting_life(s, seat & 1)


def leftover_energy(s: State, seat: int) -> int:
    """Give the energy a seat has left over from a payment."""
    return s.virtual_energy[seat]


def energy_of(s: State, seat: int) -> list[int]:
    """Give what a seat can spend: energy by type, then wild, then generic, and last the total."""
    return payment.energy_pool(s, seat).counts()


def has_passed(s: State, seat: int) -> bool:
    """Tell whether a seat has passed while its partner is still asked."""
    return (PASSED, seat) in s.turn_limits


# --- who a number stands for, where dice and players can be chosen ---------------------------------------------------


def is_player(x: int) -> bool:
    """Tell whether a number stands for a player and not for a die."""
    return PLAYER <= x < NOBODY


def player_seat(x: int) -> int:
    """Give the seat of a player who stands where dice stand; of two partners who share their life, the first."""
    return x - (PERSON if x >= PERSON else PLAYER)


def player_number(seat: int) -> int:
    """Give the number that stands for the life of a seat's side, where dice stand."""
    return PLAYER + (seat & 1)


def side_of_target(s: State, x: int) -> int:
    """Give the side of a player, or on which a die lies."""
    return (player_seat(x) if x >= PLAYER else s.place[x]) & 1


# --- dice: where they lie --------------------------------------------------------------------------------------------


def zone(s: State, d: int) -> int:
    """Give where a die lies: CARD, BAG, PREP, RESERVE, FIELD, USED, OUT, HAND (just drawn), HELD or GONE."""
    return s.place[d] >> 2


def controller(s: State, d: int) -> int:
    """Give the seat on whose side a die lies."""
    return s.place[d] & 3


def owner(s: State, d: int) -> int:
    """Give the seat that owns a die; -1 for one of a basic action that nobody has bought, and for a token."""
    return -1 if s.owner[d] == NOBODY else s.owner[d]


def card_of(s: State, d: int) -> int:
    """Give the number of a die's card."""
    return s.spec.card_of[d]


class HoldingInfo(NamedTuple):
    """How a die is held: capture, aside, attach or control; by which die, NOBODY if by none; and where it was taken from."""

    kind: str
    holder: int
    zone: int


def holdings(s: State) -> dict[int, HoldingInfo]:
    """Give the dice that are captured, set aside, attached to another or under another's control, each with how."""
    return {holding.die: HoldingInfo(holding.kind, holding.holder, holding.home >> 2) for holding in s.holdings}


def pair_of(s: State, d: int) -> int:
    """Give the die that this one is paired with, or NOBODY."""
    return die_identity.partner_of(s, d)


# --- dice: what they show --------------------------------------------------------------------------------------------


def face(s: State, d: int) -> int:
    """Give which of a die's six faces lies up, from 0; it means something only where `shows_face`."""
    return s.face[d]


def kind(s: State, d: int) -> int:
    """Give what the face that lies up shows: ENERGY, CHARACTER or ACTION."""
    return s.spec.kinds[s.spec.face_base[d] + s.face[d]]


def printed_stats(s: State, d: int) -> tuple[int, int]:
    """Give A and D as printed on the face that lies up."""
    i = s.spec.face_base[d] + s.face[d]
    return s.spec.attack[i], s.spec.defence[i]


def energy_type(s: State, d: int) -> int:
    """Give which energy the face that lies up shows: 0 to 3 for fist, bolt, mask, shield; WILD; GENERIC; -1 for none."""
    return s.spec.energy[s.spec.face_base[d] + s.face[d]]


def energy_shown(s: State, d: int) -> int:
    """Give how much energy the face that lies up shows."""
    return s.spec.pips[s.spec.face_base[d] + s.face[d]]


def maximum_energy(s: State, d: int) -> int:
    """Give the most energy a face of the die shows."""
    first = s.spec.face_base[d]
    return max(s.spec.pips[first : first + 6])


# --- dice: what has come to them -------------------------------------------------------------------------------------


def damage(s: State, d: int) -> int:
    return s.damage[d]


def lethal_damage(s: State, d: int) -> int:
    """Give how much more damage KOs a die."""
    return damage_assignment.lethal_damage(s, d)


def is_attacking(s: State, d: int) -> bool:
    return s.flags[d] & ATTACKING != 0


def is_blocked(s: State, d: int) -> bool:
    """Tell whether an attacker was blocked; its blocker may be gone."""
    return s.flags[d] & (ATTACKING | BLOCKED) == ATTACKING | BLOCKED


def is_blocking_departed(s: State, d: int) -> bool:
    """Tell whether a die still blocks though whom it blocked has gone."""
    return s.flags[d] & (ATTACKING | BLOCKED) == BLOCKED


def is_rolled(s: State, d: int) -> bool:
    """Tell whether a die belongs to the roll that is looked at."""
    return s.flags[d] & ROLLED != 0


def is_half_spent(s: State, d: int) -> bool:
    """Tell whether one energy of a double was spent."""
    return s.flags[d] & HALF_SPENT != 0


def was_fielded_this_turn(s: State, d: int) -> bool:
    """Tell whether a die was fielded this turn."""
    return s.flags[d] & FIELDED_NOW != 0


def was_fielded_last_turn(s: State, d: int) -> bool:
    """Tell whether a die was fielded in the turn before."""
    return s.flags[d] & FIELDED_BEFORE != 0


_OF_STATS: Final = frozenset(("gets", "multiplies", "becomes", "exchanges", "sets A", "copy stats"))


def granted_texts(s: State, d: int) -> list[str]:
    """Say what effects have given a die for a time, besides A and D: keywords, affiliations, bans."""
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
    """Tell whether a card stands for the Sidekicks, which have none."""
    return c < spec.n_seats


def card_owner(spec: GameSpec, c: int) -> int:
    """Give whose a card is; -1 for a basic action, which is everybody's, and for a token."""
    return spec.owner_of_card[c]


def dice_of(spec: GameSpec, c: int) -> list[int]:
    """List the dice of a card, wherever they lie."""
    return spec.dice_of[c]


def is_buyable(s: State, c: int) -> bool:
    """Tell whether any die of a card can still be bought."""
    for d in s.spec.dice_of[c]:
        if s.place[d] >> 2 == CARD:
            return True
    return False


def dice_left(s: State, c: int) -> int:
    """Count the dice of a card that nobody has bought."""
    count = 0
    for d in s.spec.dice_of[c]:
        if s.place[d] >> 2 == CARD:
            count += 1
    return count


def printed_price(spec: GameSpec, c: int) -> Price:
    """Give what a card says it costs: how much of fist, bolt, mask and shield it asks for, and how much energy in all."""
    return spec.prices[c]


def keywords(spec: GameSpec, c: int) -> frozenset[str]:
    """Give the keywords printed on a card."""
    return spec.keywords[c]


# --- abilities, which are numbered over all cards of the table ----------------------------------------------------------


def ability(spec: GameSpec, n: int) -> Ability:
    """Give an ability in the card language."""
    return spec.abilities[n].ability


def ability_card(spec: GameSpec, n: int) -> int:
    """Give the card that an ability is printed on."""
    return spec.abilities[n].card


def ability_kind(spec: GameSpec, n: int) -> str:
    """Give of which kind an ability is: when, would, global, pay, use, always, part."""
    return spec.abilities[n].kind


def uses_of(spec: GameSpec, c: int) -> list[int]:
    """List the abilities that a card's action die has when it is used."""
    return [x.index for x in spec.uses[c]]


def abilities_of(spec: GameSpec, c: int) -> list[int]:
    """List a card's abilities as they are printed, without what the engine makes of a part of one."""
    return [x.index for x in spec.abilities if x.card == c and x.parent is x.ability]


# --- fights ----------------------------------------------------------------------------------------------------------


def can_attack(s: State, d: int) -> bool:
    """Tell whether a die could be declared an attacker."""
    return restrictions.can_attack(s, d)


def can_attack_freely(s: State, d: int) -> bool:
    """Tell whether no ban keeps a die from attacking, nor one that life would lift."""
    return not restrictions.life_toll(s, "cannot attack", d)


def must_attack(s: State, d: int) -> bool:
    """Tell whether a die has to attack, if it can."""
    return restrictions.must_attack_or_block(s, "must attack", d)


def can_block_freely(s: State, d: int) -> bool:
    """Tell whether no ban keeps a die from blocking, nor one that life would lift."""
    return not restrictions.life_toll(s, "cannot block", d)


def may_block(s: State, d: int, attacker: int) -> bool:
    """Tell whether a die may block this attacker."""
    return combat_status.may_block(s, d, attacker)


def blocks(s: State) -> list[tuple[int, int]]:
    """List who blocks whom, as they were declared: (blocker, attacker)."""
    return s.blocks


def minimum_blockers_of(s: State, attacker: int) -> int:
    """Give how many must block an attacker if anybody does."""
    return max((n for _, _, n, _ in static_rules.rules_affecting(s, "blocked by at least", attacker)), default=1)


def can_block_several(s: State, d: int) -> bool:
    """Tell whether a rule lets a die block more than one."""
    return static_rules.is_affected_by(s, "blocks more", d) or static_rules.is_affected_by(s, "blocks also", d)


def can_block_another(s: State, d: int, blocked: list[int], attacker: int) -> bool:
    """Tell whether a die that blocks these may block one more."""
    return combat_status.may_block(s, d, attacker) and restrictions.may_block_another(s, d, blocked, attacker)


def attackers_to_block_first(s: State, attacker: int) -> list[int]:
    """List the attackers that have to be blocked if this one is."""
    return restrictions.blocked_first(s, attacker, attackers(s))


def must_block(s: State, d: int) -> bool:
    """Tell whether a die has to block somebody, if it can."""
    return restrictions.must_attack_or_block(s, "must block", d)


def must_block_attackers(s: State, d: int) -> set[int]:
    """Give the attackers that say that this die must block them."""
    return {ctx.this for _, ctx, _, _ in static_rules.rules_affecting(s, "must block this", d)}


def combat_opponents_of(s: State, d: int) -> list[int]:
    """List the dice that a fighting die deals its combat damage to."""
    return damage_assignment.combat_opponents(s, d)


def has_overcrush(s: State, d: int) -> bool:
    """Tell whether damage that blockers do not need may go through to the player."""
    return s.flags[d] & ATTACKING != 0 and characteristics.has_keyword(s, d, "Overcrush")


# --- what the decision is about ----------------------------------------------------------------------------------------


def is_over(s: State) -> bool:
    return s.result != UNDECIDED


def is_extra_reroll(s: State) -> bool:
    """Tell whether the dice may be rerolled once more, after the reroll that everybody has."""
    return s.step == ROLL and s.substep > 1


def is_rolling(s: State, seat: int) -> bool:
    """Tell whether a seat's dice of this turn were rolled and do not yet lie in the reserve."""
    return s.step == ROLL and s.substep > 0 and (s.active ^ seat) & 1 == 0


class PendingPayment(NamedTuple):
    """What is being paid: by which seat, the whole price, and how much of it is left."""

    seat: int
    price: Price
    left: int


def pending_payment_of(s: State) -> PendingPayment:
    """Give the payment that the decision is about."""
    frame = payment.pending_payment(s)
    return PendingPayment(frame.seat, frame.price, frame.left())


def total_price(s: State) -> int:
    """Give what all of the payment that the decision is about costs, with what is paid already."""
    return payment.pending_payment(s).price[4]


def paid_for(s: State) -> list[Option]:
    """List what is being paid for: the last that was begun comes first."""
    return [frame.option for frame in reversed(s.stack) if isinstance(frame, ActionFrame)]


def assigned_so_far(s: State) -> int:
    """Give how much of a die's combat damage has been given out, in the decision how to split it."""
    frame = s.stack[-1]
    assert isinstance(frame, DamageAssignmentFrame)
    return sum(frame.split)


def packet_amount(s: State, n: int) -> int:
    """Give how much damage a packet on its way has, in the decision which of several an ability changes."""
    frame = next(frame for frame in reversed(s.stack) if isinstance(frame, DamageFrame))
    return frame.packets[n].amount


def reacting_die(s: State, n: int) -> int:
    """Give the die whose reaction waits at this place of the queue, or NOBODY."""
    return s.queue[n].this
