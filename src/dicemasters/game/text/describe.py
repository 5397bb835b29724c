"""Texts of dice, options, decisions and events, written only on demand."""

from __future__ import annotations

import re
from collections import Counter
from typing import TypeVar, cast

from dicemasters.cards.catalogue import type_name
from dicemasters.cards.language.node import Node
from dicemasters.cards.language.semantics import walk
from dicemasters.cards.language.vocabulary import TYPES, Ability, Cost, Effect, OneOf, Unless, Where
from dicemasters.cards.text import price_prompt
from dicemasters.cards.text.ability_text import ability_text
from dicemasters.game.abilities.program import CompiledAbility
from dicemasters.game.effects import action_effects
from dicemasters.game.effects.feasibility import offer_cost
from dicemasters.game.effects.operands import current_instruction
from dicemasters.game.game_spec import GameSpec
from dicemasters.game.labels import SEATS as SEATS
from dicemasters.game.labels import energy_text as energy_text
from dicemasters.game.labels import face_text as face_text
from dicemasters.game.labels import is_sidekick_die as is_sidekick_die
from dicemasters.game.mechanics import replacement
from dicemasters.game.mechanics.combat.restrictions import life_toll
from dicemasters.game.queries import characteristics, combat_status, die_identity
from dicemasters.game.queries.die_identity import ACTION
from dicemasters.game.queries.static_rules import UnchangedState
from dicemasters.game.state.constants import (
    ATTACK,
    ATTACK_AGAIN,
    ATTACKING,
    BLOCKED,
    CARD,
    FAST,
    FIELD,
    FINAL_PRIORITY,
    HAND,
    LEFT_FIELD,
    MAIN,
    PERSON,
    PLAYER,
    PREP,
    RESERVE,
    ROLLED,
    STEP_NAMES,
    TIE,
    UNDECIDED,
    VOID_REASON,
    WINDOW,
    ZONE_NAMES,
)
from dicemasters.game.state.frames import AbilityFrame, DamageFrame
from dicemasters.game.state.state import State
from dicemasters.game.state.values import NOBODY, ActiveEffect, Option, PendingTrigger

T = TypeVar("T")


def seat_name(seat: int) -> str:
    """Return the letter of a seat."""
    return SEATS[seat]


def side_letters(s: State, seat: int) -> str:
    """Return the letters of the seat's side: "A", for partners "AC"."""
    return "".join(SEATS[x] for x in s.spec.sides[seat])


def side_name(s: State, seat: int) -> str:
    """Return the name of the seat's side: "A", for partners "A and C"."""
    return " and ".join(side_letters(s, seat))


def player_name(s: State, x: int) -> str:
    """Return a player's name as a target: "player A", "players A and C" who share their life, or "player C" alone."""
    if x >= PERSON:
        return f"player {SEATS[x - PERSON]}"
    return f"player{'' if s.spec.n_seats == 2 else 's'} {side_name(s, x - PLAYER)}"


def chance_text(spec: GameSpec, card: int, face: int, seat: int = -1) -> str:
    """Return the text of a draw or roll: `B's Hulk`, `A's Sidekick F`.

    A basic action's die gets an owner only if `seat` is given.
    """
    owner = spec.owner_of_card[card] if spec.owner_of_card[card] >= 0 else seat
    name = ("" if owner < 0 else f"{SEATS[owner]}'s ") + spec.names[card]
    if face < 0:
        return name
    i = spec.face_base[spec.dice_of[card][0]] + face
    stars = "*" * spec.bursts[i]
    if spec.levels[i]:
        return f"{name} @{spec.levels[i]}{stars}"
    return f"{name} !{stars}" if spec.kinds[i] == ACTION else f"{name} {energy_text(spec.energy[i], spec.pips[i])}"


def title(s: State, d: int) -> str:
    """Return the title of a die's card."""
    return s.spec.names[s.spec.card_of[d]]


def log_name(s: State, d: int) -> str:
    """Return the die's title for the log, in Doubles with its owner."""
    owner = s.owner[d]
    return title(s, d) if s.spec.n_seats == 2 or owner == NOBODY else f"{SEATS[owner]}'s {title(s, d)}"


def die_text(s: State, d: int) -> str:
    """Return a die's text: `Hulk@2*`, `Hulk:FF`, `Force Beam!`, `Sidekick`; a Sidekick's energy is just `F`."""
    place = s.place[d] >> 2
    rolled = place in (PREP, HAND) and s.flags[d] & ROLLED  # rolled in the roll step or by an effect
    if place not in (FIELD, RESERVE) and not rolled:
        return title(s, d)
    face = face_text(s, d, s.face[d])
    if is_sidekick_die(s, d):
        return "Sidekick" if face.startswith("@") else face
    if face[0] in "@!":
        return title(s, d) + face
    return f"{title(s, d)}:{face}"


def is_controlled_by_other(s: State, d: int) -> bool:
    """Return True if a die is in the field or reserve of a player who does not own it."""
    return s.place[d] >> 2 in (FIELD, RESERVE) and s.owner[d] != s.place[d] & 3 and s.owner[d] != NOBODY


def own_text(s: State, d: int) -> str:
    """Return a die's text as its controller sees it, with the owner only if that is another player."""
    return f"{SEATS[s.owner[d]]}'s {die_text(s, d)}" if is_controlled_by_other(s, d) else die_text(s, d)


def die_or_player_text(s: State, x: int) -> str:
    """Return a die with its owner and, if different, its controller; or a player's name."""
    if x == NOBODY:
        return "nobody"
    if x >= PLAYER:
        return player_name(s, x)
    if s.place[x] >> 2 == CARD:
        return title(s, x)  # an unbought die has no owner yet
    if is_controlled_by_other(s, x):
        return f"{own_text(s, x)} (controlled by {SEATS[s.place[x] & 3]})"
    return f"{SEATS[s.place[x] & 3]}'s {die_text(s, x)}"


def detail_text(s: State, d: int) -> str:
    """Return what distinguishes a die from equal dice, in brackets: changed stats, damage, combat role and zone."""
    if d >= PLAYER:
        return ""
    parts: list[str] = []
    place = s.place[d] >> 2
    if place == 4:
        spec = s.spec
        i = spec.face_base[d] + s.face[d]
        a, de = characteristics.current_stats(s, d)
        if (a, de) != (spec.attack[i], spec.defence[i]):
            parts.append(f"{a}/{de}")
        if s.damage[d]:
            parts.append(f"{s.damage[d]} damage")
        if s.flags[d] & 1:
            parts.append("attacking")
        blockers = combat_status.blockers_of(s, d)
        if blockers:
            parts.append("blocked by " + " and ".join(die_text(s, blocker) for blocker in blockers))
        elif s.flags[d] & BLOCKED:
            parts.append("blocked" if s.flags[d] & ATTACKING else "blocking nobody")
        for attacker in combat_status.blocked_by(s, d):
            parts.append(f"blocking {die_text(s, attacker)}")
    elif place != 3:
        parts.append(f"in {ZONE_NAMES[place]}")
    parts += [
        f"now {s.spec.rules[effect.rule].text}"
        for effect in s.active_effects
        if effect.subject == d and effect.word == "has affiliation"
    ]
    return f" ({', '.join(parts)})" if parts else ""


def ability_name(s: State, ability: int) -> str:
    """Return the title of an ability's card."""
    return s.spec.names[s.spec.abilities[ability].card]


def _lifted_text(s: State, ability: int, seat: int) -> str:
    """Return the name of a ban or surcharge that can be lifted, with its player and card."""
    is_surcharge = all(rule.word.startswith("costs") for rule in s.spec.abilities[ability].rules[0])
    return f"{SEATS[seat]}'s {ability_name(s, ability)}'s {'surcharge' if is_surcharge else 'ban'}"


def _lifting_price(spec: GameSpec, ability: CompiledAbility) -> str:
    lift = ability.ability.lifted_by
    assert lift is not None
    return price_prompt(lift, spec.cards[ability.card]).removeprefix("pay ")


def lifting_prices(spec: GameSpec) -> list[str]:
    """Return the texts of all prices for lifting a ban or surcharge of a card in the game."""
    return [_lifting_price(spec, ability) for ability in spec.abilities if ability.ability.lifted_by is not None]


def option_text(s: State, option: Option) -> str:
    """Return the short text of an option, which may equal that of another option."""
    kind, x, y = option
    match kind:
        case "buy":
            return f"buy {s.spec.names[x]}"
        case "field":
            return f"field {die_text(s, x)}"
        case "use":
            return f"use {die_text(s, x)}"
        case "global":
            owner = s.spec.owner_of_card[s.spec.abilities[x].card]
            return f"Global of {'' if owner < 0 else SEATS[owner] + chr(39) + 's '}{ability_name(s, x)}"
        case "ability":
            return f"ability of {ability_name(s, x)}" if y == NOBODY else f"ability of {own_text(s, y)}"
        case "pay":
            if x == NOBODY:
                return "pay 1 left over"
            pips = s.spec.pips[s.spec.face_base[x] + s.face[x]]
            return f"pay {own_text(s, x)}" if y >= pips else f"pay {y} of {own_text(s, x)}"
        case "reroll":
            return f"reroll {die_text(s, x)}"
        case "attack":
            return f"attack with {own_text(s, x)}{_toll_text(s, 'cannot attack', x)}"
        case "block":
            return f"block {own_text(s, y)} with {own_text(s, x)}{_toll_text(s, 'cannot block', x)}"
        case "choose":
            return f"choose {die_or_player_text(s, x)}"
        case "damage":
            packet = next(frame.packets[x] for frame in reversed(s.stack) if isinstance(frame, DamageFrame))
            source = "" if packet.source == NOBODY else f" from {die_or_player_text(s, packet.source)}"
            return f"{packet.amount} damage{source}"
        case "end":
            return f"end {title(s, x)}{_effect_text(s, x)}"
        case "spend":
            return f"pay {x}"
        case "up" | "down":
            return f"spin {die_or_player_text(s, x)} {kind}"
        case "amount":
            return f"{y} to {die_or_player_text(s, x)}"
        case "mode":
            return _mode_text(s, x)
        case "name":
            return s.spec.affiliations[x]
        case "card":
            return s.spec.cards[x].name
        case "lift":
            return f"pay to lift {_lifted_text(s, x, y)} ({_lifting_price(s.spec, s.spec.abilities[x])})"
        case "type":
            return ("fist", "bolt", "mask", "shield")[x]
        case "resolve":
            return f"resolve {ability_name(s, x)}{_about_text(s, s.queue[y])}"
        case "would":
            return f"resolve {ability_name(s, x)}"
        case "together":
            return "pay for several things at once"
        case "first":
            return "go first"
        case "second":
            return "go second"
        case "done":
            return _done_text(s, x)
    return kind


def _about_text(s: State, trigger: PendingTrigger) -> str:
    """Return the die or damaged player that a trigger is about, as in ` for B's Hulk@1`, or "".

    Other events about a player concern their turn or attack, which does not distinguish triggers.
    """
    d = trigger.event.die if trigger.about == NOBODY else trigger.about
    if d == NOBODY or (d >= PLAYER and trigger.event.word != "damaged"):
        return ""
    return f" for {die_or_player_text(s, d)}"


def _trigger_distinction(s: State, trigger: PendingTrigger) -> str:
    """Return what distinguishes a trigger from others with the same text, or "".

    That is the dice it met, the die with the ability, the other die of the event, or the level of a KO'd die.
    """
    if trigger.ability >= 0 and s.spec.abilities[trigger.ability].names_met:
        met = dict.fromkeys(
            die_or_player_text(s, x) for x, y, how in s.engagements if y == trigger.this and not how & LEFT_FIELD
        )
        if met:
            return f" (met {', '.join(met)})"
    if trigger.this not in (NOBODY, trigger.event.die):
        return f" ({die_or_player_text(s, trigger.this)})"
    if trigger.event.other != NOBODY and s.spec.abilities[trigger.ability].names_other:
        return f" ({die_or_player_text(s, trigger.event.other)})"
    return f" (level {trigger.event.last_known[2]})" if trigger.event.word == "KO'd" else ""


def _toll_text(s: State, word: str, d: int) -> str:
    life = life_toll(s, word, d)
    return f", paying {life} life" if life and not combat_status.blocked_by(s, d) else ""


_MAX_NAMED = 3  # recipients named in one text


def _effect_text(s: State, d: int) -> str:
    """Return the recipients and bonus of an action die's lasting effect, or the energy type it was named for, or ""."""
    held = [holding.die for holding in s.holdings if holding.holder == d and holding.kind != "attach"]
    effects = [
        effect
        for effect in s.active_effects
        if effect.source == d and effect.subject not in (NOBODY, d) and effect.word != "spared"
    ]
    subjects = [x for x in die_identity.effect_recipients(s, d) if x != d]
    recipients = [die_or_player_text(s, x) for x in dict.fromkeys([*held, *subjects])]
    if not recipients:
        types = dict.fromkeys(_named_type(s, effect) for effect in s.active_effects if effect.source == d)
        type_names = ", ".join(name for name in types if name)
        return f" ({type_names})" if type_names else ""
    if len(recipients) > _MAX_NAMED:
        recipients = [*recipients[: _MAX_NAMED - 1], "others"]
    bonuses = [effect for effect in effects if effect.word == "gets" and effect.subject == subjects[0]]
    a, de = sum(effect.a for effect in bonuses), sum(effect.d for effect in bonuses)
    bonus = " ".join(f"{n:+d}{stat}" for n, stat in ((a, "A"), (de, "D")) if n)
    return f" on {' and '.join(recipients)}" + (f" ({bonus})" if bonus else "")


def _named_type(s: State, effect: ActiveEffect) -> str:
    """Return the energy type that a rule for the turn was given for, or ""."""
    for program in s.spec.abilities[effect.ability].programs if effect.ability >= 0 else ():
        for op in program.ops:
            if op.name == "turn rule" and effect.rule in op.registers:
                return type_name(TYPES[op.registers.index(effect.rule)])
    return ""


def _done_text(s: State, n: int) -> str:
    match s.decision.kind:
        case "reroll":
            return "reroll these" if n else "keep all"
        case "attack":
            own_dice = s.dice_in(FIELD, s.decision.seat)
            return "attack" if any(s.flags[d] & ATTACKING for d in own_dice) else "no attack"
        case "block":
            return (
                "done blocking"
                if any(s.place[blocker] & 3 == s.decision.seat for blocker, _ in s.blocks)
                else "no block"
            )
    return "done" if n else "none"


def _full_ability_text(s: State, ability: int) -> str:
    """Return the text of the printed ability that contains this one, or its keyword."""
    compiled = s.spec.abilities[ability]
    card = s.spec.cards[compiled.card]
    whole = card.abilities[compiled.position]
    return compiled.keyword if compiled.keyword != whole.keyword else ability_text(whole, card)


def _mode_text(s: State, n: int) -> str:
    """Return the text of an option of a "one of" decision."""
    ability = s.spec.abilities[s.decision.about]
    frame, op = current_instruction(s)
    node = op.node
    assert isinstance(node, OneOf)
    return _choice_text(s.spec, ability, node.choices[n], frame.you, s.decision.seat)


def mode_texts(spec: GameSpec) -> list[str]:
    """Return the texts of all choices that "one of" abilities of a game can offer, from each player's point of view."""
    return [
        _choice_text(spec, ability, choice, you, seat)
        for ability in spec.abilities
        for part in walk(ability.ability)
        if isinstance(part, OneOf)
        for choice in part.choices
        for you, seat in ((0, 0), (0, 1), (1, 0))
    ]


def _choice_text(spec: GameSpec, ability: CompiledAbility, choice: tuple[Effect, ...], you: int, seat: int) -> str:
    """Return the text of some effects of `you`'s ability, as the player at `seat` would read it."""
    event = ability.ability.event
    choice_ability = Ability(
        "use" if event is None else "when", event, choice if seat == you else _from_opponents_view(choice)
    )
    text = ability_text(choice_ability, spec.cards[ability.card]).rstrip(".")
    text = text.split(", ", 1)[1] if event is not None and ", " in text else text
    if seat == you or spec.n_seats > 2:
        return text
    return re.sub(r"\b[Yy]our opponent\b", SEATS[you], text)


_OPPOSITES = {"you": "opponent", "opponent": "you", "own": "opposing", "opposing": "own"}


def _from_opponents_view(part: T) -> T:
    """Return a part of an ability with "you" and "opponent" exchanged."""
    result: object = part
    if isinstance(part, tuple):
        result = tuple(_from_opponents_view(x) for x in part)
    elif isinstance(part, Node):
        result = part.replace(**{field: _from_opponents_view(getattr(part, field)) for field in part.__match_args__})
        if isinstance(result, Where) and result.op in _OPPOSITES:
            result = result.replace(op=_OPPOSITES[result.op])
    return cast(T, result)


def option_texts(s: State) -> list[str]:
    """Return the texts of all options, each different from the others."""
    return distinct_texts(s, s.options)


def distinct_texts(s: State, options: list[Option]) -> list[str]:
    """Return the texts of these options, each different from the others."""
    with UnchangedState(s):
        return _distinct_texts(s, options)


def _distinct_texts(s: State, options: list[Option]) -> list[str]:
    texts = [option_text(s, o) for o in options]
    if len(set(texts)) < len(texts):
        counts = Counter(texts)
        for i, (kind, x, y) in enumerate(options):
            if counts[texts[i]] < 2:
                continue
            if kind == "block":
                # in Doubles the attackers may belong to both partners
                name = own_text if s.spec.n_seats == 2 else die_or_player_text
                attacker, blocker = name(s, y) + detail_text(s, y), own_text(s, x) + detail_text(s, x)
                texts[i] = f"block {attacker} with {blocker}"
            elif kind == "card":
                texts[i] = f"{SEATS[s.spec.owner_of_card[x]]}'s {texts[i]}"
            elif kind in ("choose", "attack", "field", "use", "reroll", "up", "down"):
                texts[i] += detail_text(s, x)
            elif kind == "resolve":
                texts[i] += _trigger_distinction(s, s.queue[y])
        dice_of_text: dict[str, set[int]] = {}
        for option, text in zip(options, texts, strict=True):
            dice_of_text.setdefault(text, set()).add(option[1])
        for i, (kind, x, _) in enumerate(options):
            alike = dice_of_text[texts[i]]
            if kind in ("resolve", "would") and len(alike) > 1:
                texts[i] += f": {_full_ability_text(s, x)}"  # distinguishes two abilities of one card
            elif kind in ("choose", "up", "down") and len({s.place[d] >> 2 for d in alike if d < PLAYER}) > 1:
                texts[i] += f" (in {ZONE_NAMES[s.place[x] >> 2]})"  # equal dice in different zones
    _number_blocks(options, texts)
    seen: dict[str, int] = {}
    for i, text in enumerate(texts):
        seen[text] = seen.get(text, 0) + 1
        if seen[text] > 1:
            texts[i] = f"{text} #{seen[text]}"
    return texts


def _number_blocks(options: list[Option], texts: list[str]) -> None:
    """Append numbers to attackers and blockers with equal texts: `block Deadpool@1 #2 with Sidekick`."""
    seen: dict[str, tuple[list[int], list[int]]] = {}
    for i, (kind, blocker, attacker) in enumerate(options):
        if kind == "block":
            attackers, blockers = seen.setdefault(texts[i], ([], []))
            attacker_text, _, blocker_text = texts[i].rpartition(" with ")
            texts[i] = f"{attacker_text}{_number(attacker, attackers)} with {blocker_text}{_number(blocker, blockers)}"


def _number(d: int, seen: list[int]) -> str:
    """Return the number suffix of a die among equal dice seen so far, and record it; the first has no suffix."""
    if d not in seen:
        seen.append(d)
    return f" #{seen.index(d) + 1}" if d != seen[0] else ""


_QUESTIONS = {
    "order": "You won the toss: go first or second?",
    "reroll": "Which dice do you reroll?",
    "main": "Main step: what do you do?",
    "respond": "Your opponent has passed: do you use a Global or an ability?",
    "fight": "Actions and Globals: what do you do?",
    "attack": "Who attacks?",
    "block": "Who blocks whom?",
    "together": "What do you pay for in one go?",
    "resolve": "Which effect comes first?",
    "name type": "Which energy type?",
    "name card": "Which card?",
    "copy burst": "Do you copy the burst too?",
}


def question(s: State) -> str:
    """Return the question of the pending decision."""
    request = s.decision
    if request.kind in ("main", "fight") and is_final_priority(s):
        return "Your opponent adds nothing: do you do anything else?"
    if request.kind == "respond" and s.spec.n_seats > 2:
        return "Your opponents have passed: do you use a Global or an ability?"
    if request.kind in _QUESTIONS:
        return _QUESTIONS[request.kind]
    if request.kind == "pay":
        return f"With what do you pay? {request.number} energy to go."
    if request.kind == "split":
        return f"How much of {die_text(s, request.about)}'s damage goes to {die_text(s, request.number)}?"
    name = ability_name(s, request.about)
    if request.kind == "may":
        frame = s.stack[-1] if s.stack else None
        if isinstance(frame, AbilityFrame) and s.spec.abilities[frame.ability].kind == "global":
            return _global_question(s, frame, name)
        if isinstance(frame, AbilityFrame) and frame.this < PLAYER and s.place[frame.this] >> 2 == FIELD:
            name = die_text(s, frame.this)  # two dice of one card may be offered one after the other
            if frame.event.word == "would be damaged":
                return f"Do you use {name}'s ability on {_damage_text(s, frame)}?"
            if frame.event.word == "would be KO'd" and frame.event.die != frame.this:
                return f"Do you use {name}'s ability on the KO of {die_or_player_text(s, frame.event.die)}?"
        return f"Do you use {name}'s ability?"
    if request.kind == "toll":
        return f"Do you pay {request.number} life to use {name}'s ability?"
    if request.kind == "field price":
        return f"Do you pay {request.number} energy to field {die_text(s, action_effects.die_with_pending_cost(s))}?"
    if request.kind == "unless":
        _, op = current_instruction(s)
        assert isinstance(op.node, Unless)
        return f"Do you {_cost_prompt(s, request.about, op.node.cost)} to stop {name}?"
    choice = (
        current_instruction(s)[1].choice
        if request.kind == "choose" and s.stack and isinstance(s.stack[-1], AbilityFrame)
        else None
    )
    if choice is not None and choice.is_captor:
        return f"{name}: which die captures?"
    if choice is not None and choice.target:
        return f"{name}: choose {'a target' if choice.most == 1 else 'targets'}."
    return f"{name}: what do you choose?"


def _cost_prompt(s: State, ability: int, cost: Cost) -> str:
    return price_prompt(cost, s.spec.cards[s.spec.abilities[ability].card])


def _global_question(s: State, frame: AbilityFrame, name: str) -> str:
    """Return the question that offers a reactive Global, with its price and the damage it would affect."""
    _, op = current_instruction(s)
    _, price = offer_cost(s, frame, op)
    costs = [(n, type_name(TYPES[i])) for i, n in enumerate(price[:4]) if n]
    costs += [(price[4] - sum(price[:4]), "energy")] if price[4] > sum(price[:4]) else []
    paid = " and ".join(f"{n} {energy}{'s' if n > 1 and energy != 'energy' else ''}" for n, energy in costs)
    use = "use" if op.need.price_options or not paid else f"pay {paid} to use"
    damage = f" on {_damage_text(s, frame)}" if frame.event.word == "would be damaged" else ""
    return f"Do you {use} {name}'s Global{damage}?"


def _damage_text(s: State, frame: AbilityFrame) -> str:
    """Return the damage that a replacement effect is offered for: amount, recipient and source."""
    to, source = die_or_player_text(s, frame.event.die), frame.event.other
    if s.spec.abilities[frame.ability].whole_source and source != NOBODY:
        return f"the {replacement.offered_damage(s)} damage to {to} and all else from {die_or_player_text(s, source)}"
    return f"the {replacement.offered_damage(s)} damage to {to}" + (
        "" if source == NOBODY else f" from {die_or_player_text(s, source)}"
    )


def is_final_priority(s: State) -> bool:
    """Return True if the active player has final priority (rules 3.3f4).

    The opponent has declined to act, and a pass ends the step.
    """
    return (s.step == MAIN and s.substep == FINAL_PRIORITY) or (
        s.step == ATTACK and s.substep == WINDOW + FINAL_PRIORITY
    )


def step_text(s: State) -> str:
    """Return the name of the current step."""
    name = STEP_NAMES[s.step]
    if s.step == ATTACK and WINDOW <= s.substep < ATTACK_AGAIN:
        return "attack step, actions and Globals" if s.substep < FAST else "attack step, damage"
    return f"{name} step" if s.step not in (0, 1, 6) else name


def result_text(s: State) -> str:
    """Return who won and why, or "" while the game goes on."""
    if s.result == UNDECIDED:
        return ""
    if s.result_reason == VOID_REASON:
        return f"The game is {VOID_REASON}."
    if s.result == TIE:
        return f"A tie: {s.result_reason}."
    return f"{side_name(s, s.result)} {'wins' if s.spec.n_seats == 2 else 'win'}: {s.result_reason}."


def event_text(s: State, entry: tuple[object, ...]) -> str:
    """Return the log line of a journal entry, or "" if it has none."""
    kind = entry[0]
    n = [x if isinstance(x, int) else 0 for x in entry]
    match kind:
        case "turn":
            return f"Turn {n[1]}: {side_name(s, n[2])}"
        case "step":
            return f"{side_name(s, n[2])}'s {STEP_NAMES[n[1]]} step"
        case "spends":
            return (
                f"{SEATS[n[1]]} spends {n[4]} of {title(s, n[2])}"
                if n[2] != NOBODY
                else f"{SEATS[n[1]]} spends {n[4]} left over"
            )
        case "wins the toss":
            return f"{side_name(s, n[1])} {'wins' if s.spec.n_seats == 2 else 'win'} the toss"
        case "draws":
            return f"{SEATS[n[1]]} draws {title(s, n[2])}"
        case "rolls":
            return f"{log_name(s, n[1])} shows {face_text(s, n[1], n[2])}"
        case "refills":
            return f"{SEATS[n[1]]} refills the bag with {n[2]} dice"
        case "buys":
            return f"{SEATS[n[1]]} buys {title(s, n[2])}"
        case "buys too":
            return f"{SEATS[n[1]]} buys {title(s, n[2])} too, for nothing [S7]"
        case "fields":
            return f"{SEATS[n[1]]} fields {title(s, n[2])}"
        case "uses":
            return f"{SEATS[n[1]]} uses {title(s, n[2])}"
        case "global" | "ability":
            return f"{SEATS[n[1]]} uses {ability_name(s, n[2])}'s {'Global' if kind == 'global' else 'ability'}"
        case "copies":
            return f"{SEATS[n[1]]} copies {title(s, n[2])}"
        case "lifts":
            return f"{SEATS[n[1]]} pays to lift {_lifted_text(s, n[2], n[3])}"
        case "damage":
            to = player_name(s, n[2]) if n[2] >= PLAYER else log_name(s, n[2])
            source = "" if n[1] == NOBODY else f" from {log_name(s, n[1])}"
            return f"{n[3]} damage to {to}{source}"
        case "life":
            verb = ("gains" if n[2] > 0 else "loses") if s.spec.n_seats == 2 else ("gain" if n[2] > 0 else "lose")
            return f"{side_name(s, n[1])} {verb} {abs(n[2])} life"
        case "missing":
            return f"{SEATS[n[1]]} is {n[2]} dice short"
        case "begins with three":
            destination = "Out of Play" if s.spec.edition.out_of_play else "to the Used Pile"
            return f"{SEATS[n[1]]} begins with three dice: the fourth, {title(s, n[2])}, goes {destination}"
        case "KO":
            return f"{log_name(s, n[1])} is KO'd"
        case "attacks":
            return f"{log_name(s, n[1])} attacks"
        case "blocks":
            return f"{log_name(s, n[1])} blocks {log_name(s, n[2])}"
        case "spins":
            return f"{log_name(s, n[1])} is spun to {face_text(s, n[1], n[2])}"
    return ""


def forced_answer_text(s: State, entry: tuple[object, ...]) -> str:
    """Return the text of an answer taken without a decision: `B: pass`, `A: choose Thor`."""
    _, seat, kind, x, *_ = entry
    assert isinstance(seat, int)
    assert isinstance(x, int)
    match kind:
        case "choose" | "up" | "down":
            verb = "choose" if kind == "choose" else f"spin {kind}"
            owner = "" if x >= PLAYER or s.owner[x] == NOBODY else f"{SEATS[s.owner[x]]}'s "
            target = player_name(s, x) if x >= PLAYER else owner + title(s, x)
            return f"{SEATS[seat]}: {verb} {target}"
        case "resolve":
            return f"{SEATS[seat]}: resolve {ability_name(s, x)}"
        case "name" | "card":
            return f"{SEATS[seat]}: {s.spec.affiliations[x] if kind == 'name' else s.spec.cards[x].name}"
    return f"{SEATS[seat]}: {kind}"


_ENTRY_KINDS = {
    "turn": "turn", "step": "step", "draws": "draw", "refills": "draw", "missing": "draw", "rolls": "roll",
    "wins the toss": "toss",
    "spends": "pay", "damage": "damage", "KO": "ko", "life": "life",
}  # fmt: skip


def journal_entry_subject(entry: tuple[object, ...]) -> tuple[str, tuple[int, ...], int, int]:
    """Return a journal entry's kind, the dice and the seat it is about (-1: none), and its amount."""
    word = str(entry[0])
    n = [x if isinstance(x, int) else 0 for x in entry]
    kind = _ENTRY_KINDS.get(word, "happening")
    match word:
        case "turn" | "step":
            return kind, (), n[2], 0
        case "draws" | "begins with three" | "buys" | "fields" | "uses" | "copies":
            return kind, _dice(n[2]), n[1], 0
        case "wins the toss" | "global" | "lifts":
            return kind, (), n[1], 0
        case "ability":
            return kind, _dice(n[3]), n[1], 0
        case "refills" | "missing" | "life":
            return kind, (), n[1], n[2]
        case "spends":
            return kind, _dice(n[2]), n[1], n[4]
        case "damage":
            return kind, _dice(n[1], n[2]), n[2] - PLAYER if n[2] >= PLAYER else -1, n[3]
        case "blocks":
            return kind, _dice(n[1], n[2]), -1, 0
    return kind, _dice(n[1]), -1, 0  # rolls, KO, attacks, spins


def _dice(*targets: int) -> tuple[int, ...]:
    return tuple(d for d in targets if d < PLAYER)
