"""Builders of the browser's data: the table once, and after every choice the whole position, the same for all players.

All data are plain lists, dicts, strings and numbers, ready for JSON. Fields of a die without a value (no damage, not
attacking) are omitted.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from typing import Any, Concatenate, Final, ParamSpec, TypeVar, cast

from dicemasters.cards.dice import BASIC_COLORS, Die, Face
from dicemasters.cards.language.vocabulary import TakeControl
from dicemasters.cards.text.card_summary import global_summary
from dicemasters.game.answers.compound import CompoundDecision, CompoundOption, compound_decision
from dicemasters.game.decision import LogEntry
from dicemasters.game.game import Game
from dicemasters.game.inspect import view
from dicemasters.game.inspect.view import ACTION, CARD, CHARACTER, FIELD, GONE, HELD, NOBODY, RESERVE, GameSpec, State
from dicemasters.game.notation import UnplayableError
from dicemasters.game.rulesets.editions import house_rules_of
from dicemasters.game.rulesets.solitaire import variant_description, variant_texts
from dicemasters.game.text import describe, explain
from dicemasters.service.option_hints import decision_context, option_hint
from dicemasters.service.protocol import game_schema
from dicemasters.service.protocol.game_schema import SEATS, STEPS, ZONES

Data = dict[str, Any]
P = ParamSpec("P")
ResultT = TypeVar("ResultT")


def guard_unplayable(build: Callable[Concatenate[Game, P], ResultT]) -> Callable[Concatenate[Game, P], ResultT]:
    """Decorate a builder so that a hand-written game it cannot show raises UnplayableError."""

    @wraps(build)
    def guarded(game: Game, /, *args: P.args, **kwargs: P.kwargs) -> ResultT:
        try:
            return build(game, *args, **kwargs)
        except Exception as error:
            if not game.written or isinstance(error, UnplayableError):
                raise
            raise UnplayableError(f"this position cannot be shown: {type(error).__name__}") from error

    return guarded


# --- table ---------------------------------------------------------------------------------------------------------


def build_table(spec: GameSpec, *, format: str = "", scripted: game_schema.Seat | None = None) -> game_schema.TableData:
    """Return what does not change during a game: edition, life, seats and every card with its die."""
    return {
        "edition": {
            "key": spec.edition.key,
            "name": spec.edition.name,
            "text": spec.edition.text,
            "house": [
                {"words": words, "about": switch.sentence(getattr(spec.edition, switch.name))}
                for words, switch in zip(spec.edition.changes, house_rules_of(spec.edition), strict=True)
            ],
        },
        "format": format,
        "life": spec.start_life,
        "seats": list(SEATS[: spec.n_seats]),
        "cards": [_card_data(spec, card_id) for card_id in range(spec.n_cards)],
        "scripted": scripted,
        "readings": [
            {"words": words, "about": variant_description(words)}
            for words in (variant_texts(spec.solitaire) if spec.solitaire is not None else ())
        ],
    }


def _card_data(spec: GameSpec, card_id: int) -> game_schema.CardData:
    card, owner = spec.cards[card_id], view.card_owner(spec, card_id)
    base, ink = card.die.color, card.die.ink
    if card.kind == "basic":
        basics = [x for x in range(spec.n_cards) if spec.cards[x].kind == "basic"]
        base, ink = BASIC_COLORS[basics.index(card_id) % len(BASIC_COLORS)]
    abilities = [(n, view.ability(spec, n)) for n in view.abilities_of(spec, card_id)]
    return {
        "id": card_id,
        "key": card.key if card.set else "",
        "set": card.set,
        "title": card.title,
        "subtitle": card.subtitle if card.kind in ("character", "action") else "",
        "kind": cast(game_schema.CardKind, card.kind),
        "cost": card.cost,
        "energy": card.energy,
        "affiliations": list(card.affiliations),
        "max": len(view.dice_of(spec, card_id)) or card.max,  # dice in this game
        "owner": SEATS[owner] if owner >= 0 else None,
        "text": [
            explain.compiled_ability_text(spec, n) for n, x in abilities if x.kind != "global" and x in card.abilities
        ],
        "gist": card.gist,
        "globals": [
            {
                "ability": n,
                "text": explain.compiled_ability_text(spec, n),
                "gist": global_summary(x, card),
                "cost": "".join(f"[{e}]" for e in x.cost.energy) if x.cost else "",
                "asked": x.event is not None,
            }
            for n, x in abilities
            if x.kind == "global"
        ],
        "die": build_die(card.die, base, ink),
    }


def build_die(die: Die, base: str, ink: str) -> game_schema.DieShape:
    """Return a kind of die in these colours."""
    return {"key": die.key, "base": base, "ink": ink, "faces": [_face_data(f) for f in die.faces]}


def _face_data(face: Face) -> game_schema.FaceData:
    return {
        "kind": "character" if face.level else "action" if face.action else "energy",
        "energy": face.energy,
        "generic": face.generic,
        "level": face.level,
        "cost": face.field,
        "a": face.a,
        "d": face.d,
        "burst": face.burst,
    }


# --- position ------------------------------------------------------------------------------------------------------


def build_view(
    game: Game,
    version: int = 0,
    since: int = -1,
    reason: game_schema.Explanation | None = None,
) -> game_schema.View:
    """Return the whole position, its pending decision, and the news since the game had `since` moves.

    `reason` is the rule that a scripted player has followed: `{"rule": "S18", "text": "..."}`.
    """
    with view.UnchangedState(game.state):
        if game.written:
            return _guarded_view_data(game, version, since, reason)
        return _view_data(game, version, since, reason)


def _view_data(game: Game, version: int, since: int, reason: game_schema.Explanation | None) -> game_schema.View:
    s = game.state
    seats = range(s.spec.n_seats)
    return {
        "version": version,
        "move": len(game.moves),
        "turn": s.turn,
        "active": SEATS[s.active],
        "step": STEPS[s.step],
        "stage": _stage_text(s),
        "title": _title(s),
        "life": {SEATS[seat]: view.life(s, seat) for seat in seats},
        "energy": {SEATS[seat]: view.leftover_energy(s, seat) for seat in seats},
        "dice": _dice_data(s),
        "effects": [
            {
                "text": e.text,
                "dice": list(e.dice),
                "card": e.card if e.card >= 0 else None,
                "until": e.until,
                "rule": e.rule,
            }
            for e in explain.explain_effects(s)
        ],
        "decision": _decision_data(s),
        "news": [_news_data(line) for line in game.news(since)],
        "why": reason,
        "throw": None,
        "result": _result_data(game),
    }


_guarded_view_data = guard_unplayable(_view_data)


def _title(s: State) -> str:
    if view.is_over(s):
        return "The game is over"
    if not s.turn:
        return "Before the first turn"
    return f"Turn {s.turn} · {describe.SEATS[s.active]} · {describe.step_text(s)}"


_STAGE_VERBS = {
    "order": "decides who begins",
    "reroll": "may reroll",
    "main": "may act",
    "respond": "may respond",
    "fight": "may act",
    "attack": "declares attackers",
    "block": "declares blockers",
    "pay": "pays",
    "split": "splits damage",
    "divide": "splits damage",
    "together": "pays for several things",
    "resolve": "chooses what comes first",
}


def _stage_text(s: State) -> str:
    if view.is_over(s) or not s.decision.kind:
        return ""
    return f"{describe.SEATS[s.decision.seat]} {_STAGE_VERBS.get(s.decision.kind, 'chooses')}"


def _dice_data(s: State) -> list[game_schema.DieData]:
    spec, held = s.spec, view.holdings(s)
    dice: list[game_schema.DieData] = []
    for d in range(spec.n_dice):
        zone = view.zone(s, d)
        if zone == GONE:
            continue
        card, seat, owner = view.card_of(s, d), view.controller(s, d), view.owner(s, d)
        is_basic = view.card_owner(spec, card) < 0
        # packed into an integer, which hashes faster than a tuple
        key = (
            (((d * _MAX_CARDS + card) * _MAX_ZONES + zone) * _MAX_SEATS + seat) * _MAX_SEATS + owner + 1
        ) * 2 + is_basic
        cached = _die_cache.get(key)
        die = cached if cached is not None else _build_zone_only_die(key, d, card, zone, seat, owner, is_basic)
        if zone not in _FACE_ZONES and not view.is_rolled(s, d) and d not in held:
            dice.append(die)
            continue
        die = die.copy()
        dice.append(die)
        if d in held:
            holder = held[d].holder
            die["holder"] = holder if holder != NOBODY and not view.is_player(holder) else None
            die["held"] = cast(game_schema.Holding, held[d].kind)
            if zone == HELD and held[d].zone in (FIELD, RESERVE):
                die["face"] = view.face(s, d)
        if view.shows_face(s, d):
            _add_face(s, d, die)
    return dice


_FACE_ZONES = frozenset((FIELD, RESERVE, HELD))


_MAX_CARDS: Final = 65_536  # upper bounds, as are the next two
_MAX_ZONES: Final = 32
_MAX_SEATS: Final = 8
_DIE_CACHE_SIZE: Final = 32_768
_die_cache: dict[int, game_schema.DieData] = {}


def _build_zone_only_die(
    key: int, d: int, card: int, zone: int, seat: int, owner: int, is_basic: bool
) -> game_schema.DieData:
    """Build and cache a die without details beyond its zone, like most dice. Games share it and never modify it."""
    die: game_schema.DieData = {"id": d, "card": card, "zone": ZONES[zone], "seat": SEATS[seat], "face": None}
    if zone == CARD and is_basic:
        die["seat"] = None  # a die on the card of a basic action has no seat
    if owner not in (seat, -1) and zone != CARD:
        die["owner"] = SEATS[owner]
    if len(_die_cache) >= _DIE_CACHE_SIZE:
        _die_cache.clear()
    _die_cache[key] = die
    return die


def _add_face(s: State, d: int, die: game_schema.DieData) -> None:
    """Add the face a die shows, and its stats and combat state in the field."""
    die["face"] = view.face(s, d)
    tags: list[str] = []
    if view.kind(s, d) == CHARACTER:
        if view.zone(s, d) == FIELD:
            die["a"], die["d"] = view.current_stats(s, d)
            die["printed_a"], die["printed_d"] = view.printed_stats(s, d)
            if view.was_fielded_this_turn(s, d):
                tags.append("fielded this turn")
            elif view.was_fielded_last_turn(s, d):
                tags.append("fielded last turn")
        else:
            die["cost"] = view.fielding_cost(s, d)
    if damage := view.damage(s, d):
        die["damage"] = damage
    if view.is_attacking(s, d):
        die["attacking"] = True
    if view.is_blocked(s, d):
        die["blocked"] = True
    if blocked := view.blocked_by(s, d):
        die["blocks"] = blocked
    if view.is_blocking_departed(s, d):
        tags.append("blocking nobody")
    if view.is_half_spent(s, d):
        tags.append("half spent")
    if (partner := view.pair_of(s, d)) != NOBODY:
        die["partner"] = partner
    if tags:
        die["tags"] = tags


def _news_data(line: LogEntry) -> game_schema.LogEntryData:
    return {
        "text": line.text,
        "kind": cast(game_schema.NewsKind, line.kind),
        "dice": list(line.dice),
        "seat": SEATS[line.seat] if line.seat >= 0 else None,
        "amount": line.amount,
    }


def _result_data(game: Game) -> game_schema.GameOutcome | None:
    result = game.result
    return None if result is None else {"winner": result.winner, "text": describe.result_text(game.state)}


# --- decision ------------------------------------------------------------------------------------------------------

_CONFIRM = {
    "reroll": ("Reroll", "Keep all"),
    "attack": ("Attack", "No attack"),
    "block": ("Block", "No block"),
    "pay": ("Pay", ""),
    "split": ("Deal damage", ""),
    "divide": ("Deal damage", ""),
    "choose": ("Choose", "None"),
}


def _decision_data(s: State) -> game_schema.DecisionData | None:
    if view.is_over(s) or not s.decision.kind:  # a turn stopped at its end has no decision
        return None
    compound = compound_decision(s)
    confirm, none = _CONFIRM.get(s.decision.kind, ("", "")) if compound.mode != "one" else ("", "")
    texts = describe.option_texts(s)
    stats, several = _fighters(s, compound)
    data: game_schema.DecisionData = {
        "seat": SEATS[s.decision.seat],
        "kind": s.decision.kind,
        "mode": cast(game_schema.Mode, compound.mode),
        "question": _question(s, compound),
        "about": decision_context(s),
        "card": _decision_card(s),
        "min": compound.minimum,
        "max": compound.maximum,
        "total": compound.total,
        "price": view.total_price(s) if s.decision.kind == "pay" else 0,
        "over": s.decision.kind == "split" and view.has_overcrush(s, s.decision.about),
        "options": [_option_data(s, part, texts, stats, several) for part in compound.options],
        "confirm": confirm,
        "none": none if compound.minimum == 0 else "",
        "cancel": awaits_payment(s),
        "hold": view.can_hold_priority(s),
    }
    if s.decision.kind == "main":
        data["attack"] = _may_attack(s)
    return data


def _may_attack(s: State) -> bool:
    """Return whether an attack may follow the main step.

    That takes a character that can attack, or an action for the start of the attack that gains control of one. Such an
    action needs own characters in the field.
    """
    spec = s.spec
    side = [seat for seat in range(spec.n_seats) if view.is_ally(seat, s.decision.seat)]
    fielded = [d for seat in side for d in s.dice_in(FIELD, seat) if view.kind(s, d) == CHARACTER]
    if not fielded or any(view.can_attack(s, d) for d in fielded):
        return bool(fielded)
    actions = [d for seat in side for d in s.dice_in(RESERVE, seat) if view.kind(s, d) == ACTION]
    uses = [view.ability(spec, n) for d in actions for n in view.uses_of(spec, view.card_of(s, d))]
    return any(use.event is not None and any(isinstance(x, TakeControl) for x in use.effects) for use in uses)


def awaits_payment(s: State) -> bool:
    """Return whether the decision is what to pay for, or how to pay for a choice that has had no effect yet."""
    if view.is_over(s):
        return False
    return s.decision.kind == "together" or (s.decision.kind == "pay" and bool(view.paid_for(s)))


def _question(s: State, compound: CompoundDecision) -> str:
    if compound.mode == "split" and s.decision.kind == "split":
        return f"How is {describe.die_text(s, s.decision.about)}'s damage split? {compound.total} in all."
    if compound.mode == "split":
        return f"How is the damage split? {compound.total} in all."
    if compound.mode == "many" and s.decision.kind == "choose":
        number = (
            f"{compound.minimum}"
            if compound.minimum == compound.maximum
            else f"{compound.minimum} to {compound.maximum}"
        )
        number = f"up to {compound.maximum}" if not compound.minimum else number
        question = describe.question(s)
        return f"{question[:-1]} ({number}){question[-1]}"
    return describe.question(s)


_ABILITY_DECISIONS = frozenset(
    (
        "may", "unless", "choose", "name type", "name affiliation", "name card", "copy burst",
        "how much", "which damage", "one of", "divide", "toll", "field price",
    )
)  # fmt: skip


def _decision_card(s: State) -> int | None:
    """Return the card whose text requires the decision, or that is being paid for."""
    spec = s.spec
    if s.decision.kind in _ABILITY_DECISIONS and s.decision.about >= 0:
        return view.ability_card(spec, s.decision.about)
    if s.decision.kind == "split":
        return view.card_of(s, s.decision.about)
    for what, x, _ in view.paid_for(s) if s.decision.kind == "pay" else ():
        return x if what == "buy" else view.card_of(s, x) if what == "field" else view.ability_card(spec, x)
    return None


def _fighters(s: State, compound: CompoundDecision) -> tuple[dict[int, tuple[int, int]], set[int]]:
    """Return A and D of all dice in possible attacks and blocks, and the dice that may block several attackers."""
    blockers = {part.option[1] for part in compound.options if part.option[0] == "block"}
    dice = {part.option[1] for part in compound.options if part.option[0] == "attack"} | blockers
    dice |= {part.option[2] for part in compound.options if part.option[0] == "block"}
    return {d: view.current_stats(s, d) for d in dice}, {d for d in blockers if view.can_block_several(s, d)}


def _option_data(
    s: State, part: CompoundOption, texts: list[str], stats: dict[int, tuple[int, int]], several: set[int]
) -> game_schema.OptionData:
    what, x, y = part.option
    data: game_schema.OptionData = {
        "number": part.number if part.number >= 0 else None,
        "text": texts[part.number] if part.number >= 0 else describe.option_text(s, part.option),
        "what": what,
        "dice": list(part.dice),
        "to": None,
        "card": None,
        "hint": option_hint(s, part.option, stats),
    }
    match what:
        case "buy" | "card":
            data["card"] = x
        case "global" | "ability" | "lift" | "resolve" | "would":
            data["card"] = view.ability_card(s.spec, x)
            data["ability"] = x
        case "block":
            data["to"] = y
            data["attackers"] = list(part.to)
            data["several"] = x in several
        case "pay":
            data["amount"] = y
            if x == NOBODY:
                data["leftover"] = True
        case "amount":
            data["amount"] = y
            if part.number < 0:  # a share of damage, where `y` KOs the die
                data["text"] = describe.die_or_player_text(s, x)
                data["hint"] = f"{y} KOs it" if 0 < y < 100 else ""
        case "mode" | "name" | "type":
            data["amount"] = x
    if what in ("choose", "amount") and view.is_player(x):
        data["player"] = x
        data["seat"] = SEATS[view.player_seat(x)]
    return data
