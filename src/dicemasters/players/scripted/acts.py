"""The roll and what the script does with priority: actions, fielding, Globals, payment (S12 to S21, S32, S37)."""

from __future__ import annotations

from collections import Counter

from dicemasters.cards import words as w
from dicemasters.game import energy, look, say
from dicemasters.game.frames import NO_ASK, Pay, Running
from dicemasters.game.look import CHARACTER, ENERGY
from dicemasters.game.setup import GENERIC, WILD
from dicemasters.game.solitaire import uses, uses_left
from dicemasters.game.state import HAND, MAIN, NOBODY, PREP, RESERVE, Option, State
from dicemasters.players.scripted.combat import attack as declare
from dicemasters.players.scripted.combat import will_attack
from dicemasters.players.scripted.judgement import acts_now, judge
from dicemasters.players.scripted.order import rank, ranks
from dicemasters.players.scripted.reason import Reason, find, reading

# --- the roll ------------------------------------------------------------------------------------------------------


def order(s: State) -> Reason:
    """The player begins."""
    return Reason(find(s, "second"), "S11", "lets the player begin")


def reroll(s: State) -> Reason:
    """All energy goes back, once; characters and actions stay."""
    t = s.table
    again = s.stage > 1
    keys = Counter(t.card_of[d] * 8 + s.face[d] for d in s.dice_in(PREP, s.ask.seat))
    kept = _kept(s) if reading(s).keeps_energy else Counter[int]()
    lift = find(s, "lift")
    if lift >= 0 and any(_is_energy(s, d) for d in s.dice_in(PREP, s.ask.seat)):
        return Reason(lift, "S33", "pays to be allowed to reroll")
    for i, (what, d, _) in enumerate(s.options):
        key = t.card_of[d] * 8 + s.face[d] if what == "reroll" else -1
        if what == "reroll" and _is_energy(s, d) and keys[key] > kept[key]:
            why = f"rerolls all energy: {say.die_text(s, d)}"
            return Reason(i, "S33" if again else "S12", f"{why}, once more as a card allows it" if again else why)
    picked = s.dice_in(HAND, s.ask.seat)
    why = "rolls what it put back" if picked else "keeps characters and actions, and has no energy to reroll"
    return Reason(find(s, "done"), "S12", why)


def _is_energy(s: State, d: int) -> bool:
    return s.table.kinds[s.table.m6[d] + s.face[d]] == ENERGY


def _kept(s: State) -> Counter[int]:
    """Count the energy dice kept for fielding, doubles first, where the reading says so."""
    t = s.table
    dice = [*s.dice_in(PREP, s.ask.seat), *s.dice_in(HAND, s.ask.seat)]
    shown = [d for d in dice if t.kinds[t.m6[d] + s.face[d]] == CHARACTER]
    short = sum(look.fielding_cost(s, d) for d in shown)
    kept: Counter[int] = Counter()
    for d in sorted(dice, key=lambda d: (-t.pips[t.m6[d] + s.face[d]], t.card_of[d], s.face[d])):
        if short > 0 and _is_energy(s, d):
            short -= t.pips[t.m6[d] + s.face[d]]
            kept[t.card_of[d] * 8 + s.face[d]] += 1
    return kept


# --- acting --------------------------------------------------------------------------------------------------------


def main(s: State) -> Reason:
    """A pass through actions, fielding and Globals; begun anew for each act, so what is new comes in at its place."""
    strict = not reading(s).every_act
    found = _use(s, strict) or _field_together(s) or _field(s) or _global(s, strict)
    if found is None and strict and not reading(s).tricks_wait and not will_attack(s):
        found = _use(s, False, "as nobody will attack") or _global(s, False, "as nobody will attack")
    return found or Reason(find(s, "pass"), "S14", "has nothing more to do in its main step")


def fight(s: State) -> Reason:
    """After the blocks: all remaining actions, then Globals."""
    found = _use_any(s) or _global_any(s)
    return found or Reason(find(s, "pass"), "S32", "has no action and no Global left that it can use")


def respond(s: State) -> Reason:
    """On the player's turn: nothing in the main step, Globals in the attack step."""
    if s.step == MAIN:
        found = _global(s, not reading(s).every_act) if reading(s).answers_in_main else None
        if found is not None:
            return found._replace(rule="S37")
        return Reason(find(s, "pass"), "S37", "passes in the player's main step and keeps its energy for the attack")
    return _global_any(s) or Reason(find(s, "pass"), "S32", "can use no Global as defender")


def together(s: State) -> Reason:
    """In one go it names every character it can pay for, the dearest first, and pays."""
    fields = [i for i, o in enumerate(s.options) if o[0] == "field" and look.fielding_cost(s, o[1])]
    if fields:
        best = min(fields, key=lambda i: (*_fielding_order(s, s.options[i][1]), i))
        return Reason(best, "S19", f"pays in one go for all it can field: {say.title(s, s.options[best][1])}")
    return Reason(max(find(s, "pay now"), 0), "S19", "pays for all it has named")


def _texts(s: State, option: Option) -> list[Running]:
    """List the texts an act carries out, ready to be judged."""
    what, x, y = option
    seat = s.ask.seat
    if what == "use":
        shown = look.burst(s, x)
        return [look.context(u.index, seat, x, burst=shown) for u in s.table.uses[s.table.card_of[x]] if not u.event]
    if what == "ability":
        return [look.context(x, seat, y, burst=look.burst(s, y))]
    return [look.context(x, seat, NOBODY)] if what == "global" else []


def _is_suitable(s: State, option: Option, strict: bool) -> bool:
    """Tell whether an act fits the main step: it acts now (S15) and does not only hurt the script's side (S17)."""
    if option[0] == "lift":
        return True
    texts = _texts(s, option)
    lies_down = option[0] == "use" and "Continuous" in s.table.keywords[s.table.card_of[option[1]]]
    if strict and not lies_down and not any(acts_now(s, ctx) for ctx in texts):
        return False
    return reading(s).hurts_itself or not _only_hurts(s, option)


def _only_hurts(s: State, option: Option) -> bool:
    """Tell whether an act would only hurt the script's side or help the player (S17)."""
    verdicts = [judge(s, ctx, s.ask.seat) for ctx in _texts(s, option)]
    return any(v.bad for v in verdicts) and not any(v.good for v in verdicts)


def _is_fit_to_fight(s: State, option: Option) -> bool:
    """Tell whether an act is done in the attack step: whatever is legal, unless the script is read otherwise (S17)."""
    return not (reading(s).spares_itself and _only_hurts(s, option))


def _dearest(s: State, i: int) -> tuple[int, int, int, int]:
    d = s.options[i][1]
    return (-look.printed_cost(s, d), rank(s, d, s.ask.seat), -look.burst(s, d), i)


def _use(s: State, strict: bool, why: str = "") -> Reason | None:
    uses_ = [i for i, o in enumerate(s.options) if o[0] == "use" and _is_suitable(s, o, strict)]
    if not uses_:
        return None
    best = min(uses_, key=lambda i: _dearest(s, i))
    name = say.title(s, s.options[best][1])
    text = f"plays the dearest action that fits its main step: {name}"
    return Reason(best, "S15" if why else "S16", f"{text}, {why}" if why else text)


def _use_any(s: State) -> Reason | None:
    uses_ = [i for i, o in enumerate(s.options) if o[0] == "use" and _is_fit_to_fight(s, o)]
    if not uses_:
        return None
    best = min(uses_, key=lambda i: _dearest(s, i))
    return Reason(best, "S16", f"plays every action it has left, the dearest first: {say.title(s, s.options[best][1])}")


def attack(s: State) -> Reason:
    """Actions that are for the start of the attack step first, then the attackers."""
    return _use_any(s) or declare(s)


def _field(s: State) -> Reason | None:
    fields = [i for i, o in enumerate(s.options) if o[0] == "field"]
    if not fields:
        return None

    best = min(fields, key=lambda i: (*_fielding_order(s, s.options[i][1]), i))
    d = s.options[best][1]
    unpaid = [x for x in _characters(s) if _fielding_order(s, x)[0] < _fielding_order(s, d)[0]]
    rule = "S19" if unpaid else "S18"
    return Reason(best, rule, f"fields the dearest it can pay: {say.title(s, d)} for {look.fielding_cost(s, d)}")


def _characters(s: State) -> list[int]:
    t = s.table
    return [d for d in s.dice_in(RESERVE, s.ask.seat) if t.kinds[t.m6[d] + s.face[d]] == CHARACTER]


def _fielding_order(s: State, d: int) -> tuple[int, int, int, int]:
    """Sort characters, the dearest first: by fielding cost, then purchase cost, or the other way round (S18)."""
    costs = (-look.fielding_cost(s, d), -look.printed_cost(s, d))
    if reading(s).fields_by_purchase:
        costs = (costs[1], costs[0])
    return (*costs, rank(s, d, s.ask.seat), -look.level(s, d))


def _field_together(s: State) -> Reason | None:
    """Pay for several characters in one go where one by one generic energy would be lost (S19)."""
    begin = find(s, "together")
    if begin < 0:
        return None
    fit = [d for d in _characters(s) if look.fielding_cost(s, d) and not look.is_ruled(s, "cannot field", d)]
    costs = [look.fielding_cost(s, d) for d in sorted(fit, key=lambda d: _fielding_order(s, d))]
    singly, left = _pay_for(s, costs)
    at_once: list[int] = []
    for cost in costs:
        if sum(at_once) + cost <= energy.pool(s, s.ask.seat)[6]:
            at_once.append(cost)
    if len(at_once) < 2 or (at_once == singly and _pay_for(s, [sum(at_once)])[1] <= left):
        return None
    return Reason(begin, "S19", f"pays for {len(at_once)} characters in one go, as one by one it would lose energy")


def _pay_for(s: State, costs: list[int]) -> tuple[list[int], int]:
    """Give which of these costs can be paid one after the other as S20 says, and how much energy is left then."""
    c = s.copy()
    seat, asked, paid = s.ask.seat, _asked_for(s), list[int]()
    for cost in costs:
        if cost > energy.pool(c, seat)[6]:
            continue
        c.ask = NO_ASK
        energy.pay(c, seat, (0, 0, 0, 0, cost))
        while c.stack and isinstance(frame := c.stack[-1], Pay):
            energy.run_pay(c, frame)
            if c.ask is not NO_ASK:
                ways = [_cheapest(c, option, asked) for option in c.options]
                c.answer, c.ask = c.options[ways.index(min(ways))], NO_ASK
        paid.append(cost)
    return paid, energy.pool(c, seat)[6]


def _global(s: State, strict: bool, why: str = "") -> Reason | None:
    fit = [i for i, o in enumerate(s.options) if o[0] in ("global", "ability", "lift") and _is_suitable(s, o, strict)]
    return _next_global(s, fit, why)


def _global_any(s: State) -> Reason | None:
    acts = [i for i, o in enumerate(s.options) if o[0] in ("global", "ability", "lift")]
    return _next_global(s, [i for i in acts if _is_fit_to_fight(s, s.options[i])], "")


def _next_global(s: State, fit: list[int], why: str) -> Reason | None:
    """Round and round in row order: the one used least often in this step comes next."""
    fit = [i for i in fit if s.options[i][0] == "lift" or not _takes_last_life(s, s.options[i][1])]
    used = uses(s)
    if uses_left(s) <= 0:  # no more rounds, but each is used once if it can be paid
        fit = [i for i in fit if not used.get(s.options[i][1])]
    if not fit:
        return None
    if s.table.solitaire is None:  # nothing is counted there, so what costs nothing would be used without end
        fit = [i for i in fit if s.options[i][0] == "lift" or s.table.sentences[s.options[i][1]].need.energy]
        if not fit:
            return None
    places = ranks(s.table, s.ask.seat)

    def turn(i: int) -> tuple[int, int, int]:
        ability = s.options[i][1]
        return used.get(ability, 0), places[s.table.sentences[ability].card], i

    best = min(fit, key=turn)
    what, ability, _ = s.options[best]
    kind = {"global": "Global", "ability": "ability", "lift": "ban, which it lifts"}[what]
    text = f"uses what it can pay for, next in row order: {say.ability_name(s, ability)}'s {kind}"
    return Reason(best, "S15" if why else "S21", f"{text}, {why}" if why else text)


def _takes_last_life(s: State, ability: int) -> bool:
    """Tell whether the price of an ability is all the life there is."""
    cost = s.table.sentences[ability].ability.cost
    total = 0
    for effect in () if cost is None else cost.effects:
        if isinstance(effect, w.Life | w.Damage) and isinstance(effect.amount, int):
            total += abs(effect.amount)
    return total >= s.life[s.ask.seat & 1]


# --- paying --------------------------------------------------------------------------------------------------------

Spending = tuple[int, int, int, int, int, int, int]


def pay(s: State) -> Reason:
    """Generic first, then types no Global asks for, then the others, wild last; singles before half a double."""
    asked = _asked_for(s)
    costs = [_cheapest(s, option, asked) for option in s.options]
    best = costs.index(min(costs))
    return Reason(best, "S20", f"{say.option_text(s, s.options[best])}, which its Globals need least")


def _asked_for(s: State) -> tuple[bool, ...]:
    """Tell for each energy type whether a Global on the table asks for it."""
    prices = [x.need.price for x in s.table.sentences if x.origin == "global"]
    prices += [op.need.price for x in s.table.sentences if x.origin == "global" for op in x.programs[0].ops]
    return tuple(any(price[i] for price in prices) for i in range(4))


def _cheapest(s: State, option: Option, asked: tuple[bool, ...]) -> Spending:
    """Give what the best payment that begins with this option spends: the less it is worth, the smaller the value."""
    c = s.copy()
    c.answer, c.ask = option, NO_ASK
    frame = c.stack[-1]
    assert isinstance(frame, Pay)
    energy.run_pay(c, frame)
    if c.ask is not NO_ASK:
        return min(_cheapest(c, more, asked) for more in c.options)
    seat = s.ask.seat
    return _missing(c, seat, asked)


def _missing(c: State, seat: int, asked: tuple[bool, ...]) -> Spending:
    """Measure what is left: wild, asked for, not asked for, whole doubles, then by type; more left is better."""
    t = c.table
    have = energy.pool(c, seat)
    wanted = sum(have[i] for i in range(4) if asked[i])
    others = sum(have[i] for i in range(4) if not asked[i])
    doubles = sum(t.pips[t.m6[d] + c.face[d]] > 1 for d in c.dice_in(RESERVE, seat))
    assert (WILD, GENERIC) == (4, 5)
    return (-have[WILD], -wanted, -others, -doubles, -have[3], -have[2], -have[1])
