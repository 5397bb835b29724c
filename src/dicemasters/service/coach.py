"""The coach: what the current decision is about, what players tend to overlook, and why something just happened.

All remarks are facts, taken from the options, the position and the log since the player's last choice. The coach does
not advise on the best choice.
"""

from __future__ import annotations

from typing import Literal, NamedTuple

from dicemasters.cards.catalogue import type_name
from dicemasters.cards.language import vocabulary as w
from dicemasters.cards.language.metadata import EFFECTS, RULES
from dicemasters.cards.language.semantics import walk
from dicemasters.game.answers.compound import compound_decision
from dicemasters.game.decision import LogEntry
from dicemasters.game.game import Game
from dicemasters.game.inspect import view
from dicemasters.game.inspect.view import CHARACTER, State
from dicemasters.game.text import describe
from dicemasters.players.heuristic import is_harmful

MAX_REMINDERS = 3
MAX_EXPLANATIONS = 2


class CoachRemark(NamedTuple):
    """A remark of the coach: its kind (step, mind, happened), its text and the rule behind it."""

    kind: Literal["step", "mind", "happened"]
    text: str
    rule: str = ""


def coach_remarks(game: Game) -> list[CoachRemark]:
    """Return remarks for the deciding player: recent events, the purpose of the decision, and reminders."""
    s = game.state
    if view.is_over(s):
        return []
    events = _explain_events(game)[:MAX_EXPLANATIONS]
    purpose, rule = _PURPOSE.get(s.decision.kind, ("", ""))
    step = [CoachRemark("step", purpose, rule)] if purpose else []
    reminders = _REMINDERS[s.decision.kind](s) if s.decision.kind in _REMINDERS else []
    return [*_goal_remark(game), *events, *step, *reminders[:MAX_REMINDERS]]


def _goal_remark(game: Game) -> list[CoachRemark]:
    """Return the goal of the game, for a player who decides for the first time."""
    s = game.state
    if s.turn > 2 or any(move.player == describe.SEATS[s.decision.seat] for move in game.moves):
        return []
    opponent = view.opponent_of(s.decision.seat)
    opponent_name = describe.player_name(s, view.player_number(opponent))
    return [CoachRemark("mind", f"The goal: bring {opponent_name} from {view.life(s, opponent)} life to 0.")]


_PURPOSE = {
    "order": ("Whoever goes first may attack first.", "3.0a"),
    "reroll": ("Keep what you can use this turn, and roll the rest once more.", "3.2"),
    "main": ("Spend your energy, in any order: buy dice, field characters, use actions and Globals.", "3.3"),
    "respond": ("Your rival does nothing more for now. Before it goes on, you may use Globals.", "3.3f"),
    "attack": ("Say who attacks. Those that nobody blocks hit your rival, and then leave the field.", "3.4"),
    "block": ("Each of yours may stop one attacker. What is not blocked hits you.", "3.4"),
    "fight": ("The last moment before the damage: use what helps your fighters now.", "3.4"),
    "pay": ("Spend what you need least. A wild stands for any energy, so keep it longest.", "3.3"),
    "split": ("As much damage as a die has defence KOs it; more is wasted.", "3.4"),
    "divide": ("As much damage as a die has defence KOs it; more is wasted.", ""),
    "resolve": ("Several things wait to happen, and you say which comes first.", ""),
    "may": ("You need not use this ability. It asks only now.", ""),
    "unless": ("Pay the price, or let it happen.", ""),
    "choose": ("Choose a target: everything with a ring can be chosen.", ""),
}


# --- reminders ------------------------------------------------------------------------------------------------------


def _main_reminders(s: State) -> list[CoachRemark]:
    remarks: list[CoachRemark] = []
    for die_title in dict.fromkeys(describe.title(s, x) for kind, x, _ in s.options if kind == "use"):
        remarks.append(CoachRemark("mind", f"{die_title} shows its action: use it, it does not keep.", "3.3d"))
    fieldable = [x for kind, x, _ in s.options if kind == "field"]
    free_die = next((d for d in fieldable if view.fielding_cost(s, d) == 0), -1)
    if free_die >= 0:
        remarks.append(CoachRemark("mind", f"{describe.title(s, free_die)} can be fielded for nothing.", "3.3c"))
    elif fieldable:
        cost = view.fielding_cost(s, fieldable[0])
        remarks.append(CoachRemark("mind", f"{describe.title(s, fieldable[0])} can be fielded for {cost}.", "3.3c"))
    buyable = [x for kind, x, _ in s.options if kind == "buy"]
    if buyable:
        dearest = max(buyable, key=lambda c: view.purchase_cost(s, c, s.decision.seat))
        title = s.spec.cards[dearest].title
        remarks.append(
            CoachRemark("mind", f"You can still buy {title}: a die bought comes back again and again.", "3.3b")
        )
    return remarks + _global_reminders(s)


def _global_reminders(s: State) -> list[CoachRemark]:
    """Return a reminder of one Global that the player can still pay for and that has a useful target now."""
    for kind, x, _ in s.options:
        if kind == "global":
            ability = view.ability(s.spec, x)
            if not _is_useful(s, ability):
                continue
            price = ability.cost.energy if ability.cost else ""
            title = s.spec.cards[view.ability_card(s.spec, x)].title
            energy = f"You still have {_energy_text(s, price)}: " if price else ""
            return [CoachRemark("mind", f"{energy}{title}'s Global can be used.", "3.3e")]
    return []


def _is_useful(s: State, ability: w.Ability) -> bool:
    """Return whether a Global has a useful target: the rival's if it is harmful, otherwise the player's own.

    Rules about attacking or blocking are only useful before attackers are declared, rules about combat only for
    characters that take part in it.
    """
    seat = s.decision.seat
    target_seat = view.opponent_of(seat) if is_harmful(ability) else seat
    targets = view.fielded_by_side(s, target_seat)
    granted_rules = [part.rule for part in walk(ability.effects) if isinstance(part, w.Give)]
    direct_effects = [
        row for part in walk(ability.effects) if (row := EFFECTS.get(type(part).__name__)) and not row.is_bookkeeping
    ]
    if not granted_rules or len(direct_effects) > len(granted_rules):
        return bool(targets)
    rows = [RULES[rule.word] for rule in granted_rules]
    fighters = [
        d for x in (seat, view.opponent_of(seat)) for d in view.fielded_by_side(s, x) if view.is_attacking(s, d)
    ]
    if all(row.is_useful_only_in_combat for row in rows):
        # a D bonus only helps characters that take damage
        only_defence = all(rule.word == "gets" and rule.a == 0 for rule in granted_rules)
        return any(view.combat_opponents_of(s, d) or (d in fighters and not only_defence) for d in targets)
    if any(row.is_combat for row in rows):
        attacks = any("attack" in row.word or "blocked" in row.word for row in rows)
        return bool(targets) and not fighters and attacks == view.is_ally(target_seat, s.active)
    return bool(targets)


def _energy_text(s: State, price: str) -> str:
    """Return the energy a price needs in words: "a shield", "2 bolts", "2 energy", "energy that can be a shield"."""
    symbol = price[0]
    if symbol.isdigit():
        return f"{price} energy"
    name = type_name(symbol)
    if view.energy_of(s, s.decision.seat)[w.TYPES.index(symbol)] < len(price):
        return f"energy that can be {f'a {name}' if len(price) == 1 else f'{name}s'}"
    return f"a {name}" if len(price) == 1 else f"{len(price)} {name}s"


def _attack_reminders(s: State) -> list[CoachRemark]:
    attackers = [d for part in compound_decision(s).options if part.option[0] == "attack" for d in part.dice]
    opponent = view.opponent_of(s.decision.seat)
    blockers = view.fielded_by_side(s, opponent)
    life = view.life(s, opponent)
    total = sum(view.current_stats(s, d)[0] for d in attackers)
    if attackers and not blockers:
        return [
            CoachRemark(
                "mind", f"Nobody can block: all of them together deal {total}, and your rival has {life} life.", "3.4"
            )
        ]
    remarks: list[CoachRemark] = []
    if total >= life and len(attackers) > len(blockers):
        remarks.append(
            CoachRemark(
                "mind", f"You have more attackers than your rival has blockers, and {total} attack in all.", "3.4"
            )
        )
    if blockers and len(attackers) == len(view.fielded_characters(s, s.decision.seat)):
        remarks.append(
            CoachRemark(
                "mind", "Those that are not blocked leave the field: keep somebody who can block next turn.", "3.4"
            )
        )
    return remarks


def _block_reminders(s: State) -> list[CoachRemark]:
    blocked = {attacker for _, attacker in view.blocks(s)}  # in Doubles the partner may have blocked it
    attackers = [d for d in view.fielded_by_side(s, s.active) if view.is_attacking(s, d) and d not in blocked]
    total = sum(view.current_stats(s, d)[0] for d in attackers)
    life = view.life(s, s.decision.seat)
    lethal = " You would lose." if total >= life else ""
    return [CoachRemark("mind", f"If nobody blocks, you take {total} damage of your {life} life.{lethal}", "3.4")]


def _reroll_reminders(s: State) -> list[CoachRemark]:
    rolled = {describe.title(s, x) for kind, x, _ in s.options if kind == "reroll" and view.kind(s, x) == CHARACTER}
    titles = sorted(rolled)[:2]
    remarks = [CoachRemark("mind", f"{' and '.join(titles)}: keep what you want to field.", "3.2")] if titles else []
    if s.turn == 1 and s.spec.edition.first_turn_three_dice:
        remarks.append(
            CoachRemark("mind", "Whoever begins rolls three dice in the first turn; from then on it is four.", "3.1c1")
        )
    return remarks


_REMINDERS = {
    "main": _main_reminders,
    "respond": _global_reminders,
    "fight": _global_reminders,
    "attack": _attack_reminders,
    "block": _block_reminders,
    "reroll": _reroll_reminders,
}


# --- recent events ---------------------------------------------------------------------------------------------------


def _explain_events(game: Game) -> list[CoachRemark]:
    """Return explanations of the events since the deciding player's last choice, that choice included."""
    s = game.state
    me = describe.SEATS[s.decision.seat]
    choices = [i for i, move in enumerate(game.moves) if move.player == me and not game.was_forced(i)]
    last_choice = choices[-1] if choices else -1
    if last_choice < 0:
        return []
    news = game.news(last_choice)
    remarks: list[CoachRemark] = []
    if _ended_by_itself(game, last_choice, news, me):
        remarks.append(
            CoachRemark("happened", "Your turn ended by itself: there was nothing left that you could do.", "3.3f")
        )
    damage_taken = sum(
        line.amount for line in news if line.kind == "damage" and line.seat == view.side_of(s.decision.seat)
    )
    if damage_taken:
        remarks.append(CoachRemark("happened", f"You took {damage_taken} damage: what nobody blocks hits you.", "3.4"))
    if any(line.kind == "ko" and view.owner(s, d) == s.decision.seat for line in news for d in line.dice):
        remarks.append(
            CoachRemark("happened", "Your KO'd dice went to your Prep Area: you roll them with your next four.", "3.4")
        )
    if any(line.text.startswith(f"{me} refills the bag") for line in news):
        remarks.append(CoachRemark("happened", "Your bag was empty, so your used dice were put into it.", "3.1"))
    return remarks


def _ended_by_itself(game: Game, last_choice: int, news: list[LogEntry], me: str) -> bool:
    """Return whether a turn has ended since a choice that did not itself end a step."""
    text = game.moves[last_choice].text
    ended_step = text in ("pass", "no attack", "attack", "keep all") or text.startswith(
        ("attack with", "no block", "block")
    )
    return not ended_step and any(line.kind == "turn" and not line.text.endswith(me) for line in news)
