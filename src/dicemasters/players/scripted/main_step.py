"""The script's roll and its use of priority: actions, fielding, Globals and payment (S12 to S21, S32, S37)."""

from __future__ import annotations

from collections import Counter

from dicemasters.game.inspect import hypotheticals, view
from dicemasters.game.inspect.ability_reader import (
    AbilityText,
    ban_affects,
    dice_to_lift,
    energy_cost_of,
    global_prices,
    takes_control_on_use,
    text_of,
    texts_of_use,
    unavoidable_life_loss,
)
from dicemasters.game.inspect.view import CHARACTER, ENERGY, HAND, MAIN, PREP, RESERVE, WILD, Option, State
from dicemasters.game.rulesets.solitaire import uses, uses_left
from dicemasters.game.text import describe
from dicemasters.players.scripted.combat_choices import attack as declare
from dicemasters.players.scripted.combat_choices import will_attack
from dicemasters.players.scripted.explained_choice import ExplainedChoice, find_option, script_rules
from dicemasters.players.scripted.other_choices import accepts_cost
from dicemasters.players.scripted.ranking import row_rank, row_ranks
from dicemasters.players.scripted.text_evaluation import evaluate_ability, has_immediate_effect

# --- the roll ------------------------------------------------------------------------------------------------------


def order(s: State) -> ExplainedChoice:
    """Choose to go second; the player begins (S11)."""
    return ExplainedChoice(find_option(s, "second"), "S11", "lets the player begin")


def reroll(s: State) -> ExplainedChoice:
    """Reroll all energy, once, and keep characters and actions (rules 8.3a, S12)."""
    is_extra = view.is_extra_reroll(s)  # rules S13
    rolled = Counter(_card_face(s, d) for d in s.dice_in(PREP, s.decision.seat))
    kept_energy = _energy_for_fielding(s) if script_rules(s).keeps_energy else Counter[CardFace]()
    lift = find_option(s, "lift")
    if lift >= 0 and any(_is_energy(s, d) for d in s.dice_in(PREP, s.decision.seat)):
        if _pays_to_lift_ban(s, s.options[lift]):
            return ExplainedChoice(lift, "S39", "pays to be allowed to reroll")
        return ExplainedChoice(find_option(s, "done"), "S39", "does not pay such a price to be allowed to reroll")
    for i, (kind, d, _) in enumerate(s.options):
        if kind == "reroll" and _is_energy(s, d) and rolled[_card_face(s, d)] > kept_energy[_card_face(s, d)]:
            why = f"rerolls all energy: {describe.die_text(s, d)}"
            return ExplainedChoice(
                i, "S33" if is_extra else "S12", f"{why}, once more as a card allows it" if is_extra else why
            )
    picked = s.dice_in(HAND, s.decision.seat)
    why = "rolls what it put back" if picked else "keeps characters and actions, and has no energy to reroll"
    return ExplainedChoice(find_option(s, "done"), "S12", why)


CardFace = tuple[int, int]  # card, and the face that one of its dice shows


def _card_face(s: State, d: int) -> CardFace:
    return view.card_of(s, d), view.face(s, d)


def _is_energy(s: State, d: int) -> bool:
    return view.kind(s, d) == ENERGY


def _energy_for_fielding(s: State) -> Counter[CardFace]:
    """Return the energy dice that pay for the rolled characters, doubles first (reading `keeps energy` of S12)."""
    dice = [*s.dice_in(PREP, s.decision.seat), *s.dice_in(HAND, s.decision.seat)]
    shortfall = sum(view.fielding_cost(s, d) for d in dice if view.kind(s, d) == CHARACTER)
    kept: Counter[CardFace] = Counter()
    for d in sorted(dice, key=lambda d: (-view.energy_shown(s, d), _card_face(s, d))):
        if shortfall > 0 and _is_energy(s, d):
            shortfall -= view.energy_shown(s, d)
            kept[_card_face(s, d)] += 1
    return kept


# --- acting --------------------------------------------------------------------------------------------------------


def main_step(s: State) -> ExplainedChoice:
    """Choose the next option of the main step: actions, then fielding, then Globals (rules 8.3a, S14).

    After every choice the order starts again from the top, so that new dice take their place in it.
    """
    strict = not script_rules(s).every_act
    choice = _choose_use(s, strict) or _choose_batch_fielding(s) or _choose_fielding(s) or _choose_global(s, strict)
    if choice is None and strict and not script_rules(s).tricks_wait and not will_attack(s):
        choice = _choose_use(s, False, "as nobody will attack") or _choose_global(s, False, "as nobody will attack")
    return choice or ExplainedChoice(find_option(s, "pass"), "S14", "has nothing more to do in its main step")


def after_blocks(s: State) -> ExplainedChoice:
    """Use all remaining actions after the blocks, then Globals (rules 8.4a, S32)."""
    choice = _choose_any_use(s) or _choose_any_global(s)
    return choice or ExplainedChoice(find_option(s, "pass"), "S32", "has no action and no Global left that it can use")


def respond(s: State) -> ExplainedChoice:
    """Respond on the player's turn: nothing in the main step (rules 8.7a, S37), Globals in the attack step (S32)."""
    if s.step == MAIN:
        choice = _choose_global(s, not script_rules(s).every_act) if script_rules(s).answers_in_main else None
        if choice is not None:
            return choice._replace(rule="S37")
        return ExplainedChoice(
            find_option(s, "pass"), "S37", "passes in the player's main step and keeps its energy for the attack"
        )
    return _choose_any_global(s) or ExplainedChoice(find_option(s, "pass"), "S32", "can use no Global as defender")


def pay_batch(s: State) -> ExplainedChoice:
    """Name every character that can be paid together, most expensive first, then pay (S19)."""
    candidates = [i for i, o in enumerate(s.options) if o[0] == "field" and view.fielding_cost(s, o[1])]
    if candidates:
        best = min(candidates, key=lambda i: (*_fielding_order(s, s.options[i][1]), i))
        return ExplainedChoice(
            best, "S19", f"pays in one go for all it can field: {describe.title(s, s.options[best][1])}"
        )
    return ExplainedChoice(max(find_option(s, "pay now"), 0), "S19", "pays for all it has named")


def _texts_carried_out(s: State, option: Option) -> list[AbilityText]:
    """Return the texts that take effect if an option is chosen, ready to be evaluated."""
    kind, x, y = option
    seat = s.decision.seat
    if kind == "use":
        return texts_of_use(s, x, seat)
    if kind == "ability":
        return [text_of(x, seat, y, view.burst(s, y))]
    return [text_of(x, seat)] if kind == "global" else []


def _is_suitable(s: State, option: Option, strict: bool) -> bool:
    """Return True if an option fits the main step: it acts now (S15) and does not only hurt the script's side (S17)."""
    if not _is_acceptable(s, option):
        return False
    if option[0] == "lift":
        return ban_affects(s, option[1], option[2], s.decision.seat)
    texts = _texts_carried_out(s, option)
    is_continuous = option[0] == "use" and "Continuous" in view.keywords(s.spec, view.card_of(s, option[1]))
    if strict and not is_continuous and not any(has_immediate_effect(s, text) for text in texts):
        return False
    return script_rules(s).hurts_itself or not _only_hurts(s, option)


def _only_hurts(s: State, option: Option) -> bool:
    """Return True if an option would only hurt the script's side or help the player (S17)."""
    verdicts = [evaluate_ability(s, text, s.decision.seat) for text in _texts_carried_out(s, option)]
    return any(v.bad for v in verdicts) and not any(v.good for v in verdicts)


def _is_suitable_in_attack(s: State, option: Option) -> bool:
    """Return True if an option fits the attack step: anything legal, unless the script `spares itself` (S17)."""
    return _is_acceptable(s, option) and not (script_rules(s).spares_itself and _only_hurts(s, option))


def _is_acceptable(s: State, option: Option) -> bool:
    """Return True unless an option costs the script's last life (S21); bans are lifted only by S39."""
    if option[0] == "lift":
        return _pays_to_lift_ban(s, option)
    seat = s.decision.seat
    return sum(unavoidable_life_loss(s, text, seat) for text in _texts_carried_out(s, option)) < view.life(s, seat)


def _pays_to_lift_ban(s: State, option: Option) -> bool:
    """Return True if the script pays the cost of lifting a ban (S39)."""
    _, ability, controller = option
    cost = view.ability(s.spec, ability).lifted_by
    return cost is not None and accepts_cost(s, cost, dice_to_lift(s, ability, controller, s.decision.seat))


def _cost_order(s: State, i: int) -> tuple[int, int, int, int]:
    d = s.options[i][1]
    # rules S16
    return (-view.printed_cost(s, d), row_rank(s, d, s.decision.seat), -view.burst(s, d), i)


def _choose_use(s: State, strict: bool, why: str = "") -> ExplainedChoice | None:
    candidates = [i for i, o in enumerate(s.options) if o[0] == "use" and _is_suitable(s, o, strict)]
    if not candidates:
        return None
    best = min(candidates, key=lambda i: _cost_order(s, i))
    name = describe.title(s, s.options[best][1])
    text = f"plays the dearest action that fits its main step: {name}"
    return ExplainedChoice(best, "S15" if why else "S16", f"{text}, {why}" if why else text)


def _choose_any_use(s: State) -> ExplainedChoice | None:
    return _choose_dearest_use(
        s, [i for i, o in enumerate(s.options) if o[0] == "use" and _is_suitable_in_attack(s, o)]
    )


def _choose_dearest_use(s: State, candidates: list[int]) -> ExplainedChoice | None:
    if not candidates:
        return None
    best = min(candidates, key=lambda i: _cost_order(s, i))
    return ExplainedChoice(
        best, "S16", f"plays every action it has left, the dearest first: {describe.title(s, s.options[best][1])}"
    )


def attack(s: State) -> ExplainedChoice:
    """Use actions for the start of the attack step, then declare the attackers (S32).

    Using such an action obliges the script to attack, so it waits until a character will attack, unless it brings an
    attacker.
    """
    candidates = [i for i, o in enumerate(s.options) if o[0] == "use" and _is_suitable_in_attack(s, o)]
    if find_option(s, "done") >= 0 and not will_attack(s):
        candidates = [i for i in candidates if takes_control_on_use(s, s.options[i][1])]
    return _choose_dearest_use(s, candidates) or declare(s)


def _choose_fielding(s: State) -> ExplainedChoice | None:
    candidates = [i for i, o in enumerate(s.options) if o[0] == "field"]
    if not candidates:
        return None

    best = min(candidates, key=lambda i: (*_fielding_order(s, s.options[i][1]), i))
    d = s.options[best][1]
    unpaid = [x for x in _reserve_characters(s) if _fielding_order(s, x)[0] < _fielding_order(s, d)[0]]
    rule = "S19" if unpaid else "S18"
    return ExplainedChoice(
        best, rule, f"fields the dearest it can pay: {describe.title(s, d)} for {view.fielding_cost(s, d)}"
    )


def _reserve_characters(s: State) -> list[int]:
    return [d for d in s.dice_in(RESERVE, s.decision.seat) if view.kind(s, d) == CHARACTER]


def _fielding_order(s: State, d: int) -> tuple[int, int, int, int]:
    """Return a sort key, most expensive character first: fielding cost, then purchase cost, or the reverse (S18)."""
    costs = (-view.fielding_cost(s, d), -view.printed_cost(s, d))
    if script_rules(s).fields_by_purchase:
        costs = (costs[1], costs[0])
    return (*costs, row_rank(s, d, s.decision.seat), -view.level(s, d))


def _choose_batch_fielding(s: State) -> ExplainedChoice | None:
    """Pay for several characters together where paying one by one would waste generic energy (S19)."""
    begin = find_option(s, "together")
    if begin < 0:
        return None
    characters = [
        d for d in _reserve_characters(s) if view.fielding_cost(s, d) and not view.is_affected_by(s, "cannot field", d)
    ]
    costs = [view.fielding_cost(s, d) for d in sorted(characters, key=lambda d: _fielding_order(s, d))]
    paid_singly, remaining = _pay_for(s, costs)
    paid_together: list[int] = []
    for cost in costs:
        if sum(paid_together) + cost <= view.energy_of(s, s.decision.seat)[-1]:
            paid_together.append(cost)
    if len(paid_together) < 2 or (paid_together == paid_singly and _pay_for(s, [sum(paid_together)])[1] <= remaining):
        return None
    return ExplainedChoice(
        begin, "S19", f"pays for {len(paid_together)} characters in one go, as one by one it would lose energy"
    )


def _pay_for(s: State, costs: list[int]) -> tuple[list[int], int]:
    """Return the costs that can be paid one after another according to S20, and the energy left afterwards."""
    seat, needed_types, paid = s.decision.seat, _types_needed_by_globals(s), list[int]()

    def cheapest_option(paying: State) -> int:
        return min(
            range(len(paying.options)), key=lambda i: _cheapest_spending(paying, paying.options[i], seat, needed_types)
        )

    for cost in costs:
        after = hypotheticals.after_payment(s, seat, cost, cheapest_option)
        if after is not None:
            s = after
            paid.append(cost)
    return paid, view.energy_of(s, seat)[-1]


def _choose_global(s: State, strict: bool, why: str = "") -> ExplainedChoice | None:
    candidates = [
        i for i, o in enumerate(s.options) if o[0] in ("global", "ability", "lift") and _is_suitable(s, o, strict)
    ]
    return _next_global(s, candidates, why)


def _choose_any_global(s: State) -> ExplainedChoice | None:
    options = [i for i, o in enumerate(s.options) if o[0] in ("global", "ability", "lift")]
    return _next_global(s, [i for i in options if _is_suitable_in_attack(s, s.options[i])], "")


def _next_global(s: State, candidates: list[int], why: str) -> ExplainedChoice | None:
    """Choose the Global used least often in this step; among equals, the first in row order (S21)."""
    use_counts = uses(s)
    if uses_left(s) <= 0:  # no further rounds, but every Global may be used once (S21)
        candidates = [i for i in candidates if not use_counts.get(s.options[i][1])]
    if not candidates:
        return None
    if s.spec.solitaire is None:  # uses are only counted in solitaire games; free ones would never end
        candidates = [i for i in candidates if s.options[i][0] == "lift" or energy_cost_of(s, s.options[i][1])]
        if not candidates:
            return None
    ranks = row_ranks(s.spec, s.decision.seat)

    def use_order(i: int) -> tuple[int, int, int]:
        ability = s.options[i][1]
        return use_counts.get(ability, 0), ranks[view.ability_card(s.spec, ability)], i

    best = min(candidates, key=use_order)
    option_kind, ability, _ = s.options[best]
    kind_name = {"global": "Global", "ability": "ability", "lift": "ban, which it lifts"}[option_kind]
    text = f"uses what it can pay for, next in row order: {describe.ability_name(s, ability)}'s {kind_name}"
    return ExplainedChoice(best, "S15" if why else "S21", f"{text}, {why}" if why else text)


# --- paying --------------------------------------------------------------------------------------------------------

Spending = tuple[int, int, int, int, int, int, int]


def pay(s: State) -> ExplainedChoice:
    """Pay with generic energy, then types no Global costs, then others, wild last; singles before doubles (S20)."""
    needed_types = _types_needed_by_globals(s)
    costs = [_cheapest_spending(s, option, s.decision.seat, needed_types) for option in s.options]
    best = costs.index(min(costs))
    return ExplainedChoice(
        best, "S20", f"{describe.option_text(s, s.options[best])}, which Globals on the table need least"
    )


def _types_needed_by_globals(s: State) -> tuple[bool, ...]:
    """Return, for each energy type, whether a Global on the table requires it."""
    prices = global_prices(s)
    return tuple(any(price[i] for price in prices) for i in range(4))


def _cheapest_spending(s: State, option: Option, seat: int, needed_types: tuple[bool, ...]) -> Spending:
    """Return the sort key of the best payment that begins with this option; smaller keys leave more valuable energy."""
    return min(_remaining_energy_key(after, seat, needed_types) for after in hypotheticals.payments(s, option))


def _remaining_energy_key(c: State, seat: int, needed_types: tuple[bool, ...]) -> Spending:
    """Return a sort key for the energy left: wild, needed, unneeded, whole doubles, then by type; more sorts first."""
    energy = view.energy_of(c, seat)
    needed = sum(energy[i] for i in range(4) if needed_types[i])
    unneeded = sum(energy[i] for i in range(4) if not needed_types[i])
    doubles = sum(view.energy_shown(c, d) > 1 for d in c.dice_in(RESERVE, seat))
    return (-energy[WILD], -needed, -unneeded, -doubles, -energy[3], -energy[2], -energy[1])
