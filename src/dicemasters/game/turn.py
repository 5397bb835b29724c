"""The turn: five steps in order, priority, and what a player may do in each (rules 3)."""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

from dicemasters.cards.words import TakeControl
from dicemasters.game import combat, damage, effects, energy, look, moves, solitaire, triggers
from dicemasters.game.damage import Packet
from dicemasters.game.decide import alike, ask, in_order, takes
from dicemasters.game.effects import Using
from dicemasters.game.energy import NO_PRICE
from dicemasters.game.look import ACTION, CHARACTER, ENERGY, Running
from dicemasters.game.programs import Sentence
from dicemasters.game.setup import Price, Table
from dicemasters.game.state import (
    ACTING,
    AGAIN,
    ANSWERING,
    ATTACK,
    ATTACK_END,
    BAG,
    BLOCKING,
    CARD,
    CLEANUP,
    COMMITTED,
    DECLINED,
    DONE,
    DRAW,
    FACTS,
    FAST,
    FAST_KO,
    FIELD,
    FIELDED_BEFORE,
    FIELDED_NOW,
    GONE,
    HALF_SPENT,
    HAND,
    HANDING_BACK,
    HURT,
    LAST_WORD,
    MAIN,
    NO_ASK,
    NO_OPTION,
    NOBODY,
    OUT,
    OVER,
    PASSED,
    PLAYER,
    PREP,
    REGULAR,
    REGULAR_KO,
    RESERVE,
    RETURN,
    ROLL,
    ROLLED,
    SETUP,
    START,
    TIE,
    TO_ATTACK,
    TURN_LIMIT,
    UNDECIDED,
    USED,
    WINDOW,
    Option,
    Record,
    State,
    marks,
)
from dicemasters.game.triggers import next_moment, tell


class Act(NamedTuple):
    """Something paid for and now to be done: a purchase, a fielding, a Global, a paid ability."""

    kind: str
    seat: int
    option: Option
    paid: tuple[int, ...] = ()  # the dice that paid, if for several things in one go
    hold: int = 0


class Going(NamedTuple):
    """Several things to be paid in one go: all paid, all targets chosen, then carried out (rules 3.3a, e)."""

    kind: str
    seat: int
    acts: tuple[Option, ...] = ()
    waiting: int = 0  # 1: for what else is to be paid, 2: for what is paid to be begun
    begun: int = 0
    paid: tuple[int, ...] = ()


def new_state(table: Table, seed: int = 0, first: int = -1) -> State:
    """Set up a game: all Sidekicks in their bags, everything else on the cards."""
    s = State(table, seed)
    for d in range(table.n_dice):
        if table.is_token[d]:
            s.place[d] = GONE * 4
        elif table.card_of[d] < table.n_seats:
            s.place[d] = BAG * 4 + s.owner[d]
        else:
            owner = s.owner[d]
            s.place[d] = CARD * 4 + (0 if owner == NOBODY else owner)
    if first >= 0:
        s.first = s.active = first
        s.step = START
    return s


def advance(s: State) -> None:
    """Go on until somebody has to decide or the game is over."""
    stack = s.stack
    while s.ask is NO_ASK and s.result == UNDECIDED:
        if s.dirty:
            damage.settle(s)
        if stack:
            top = stack[-1]
            RUN[top[0]](s, top)
            continue
        if s.done or s.paid:
            s.done = s.paid = ()  # mean something only within an act
        if s.queue:
            triggers.run_next(s)
        else:
            STEPS[s.step](s)
    if not stack:
        s.done = s.paid = ()
    if s.result != UNDECIDED:
        s.ask = NO_ASK
        s.options = []


def play(s: State, option: Option) -> None:
    """Choose one of the options; the only way forward. Whoever asked gets the answer first."""
    s.answer = option
    s.ask = NO_ASK
    if s.stack:
        top = s.stack[-1]
        RUN[top[0]](s, top)
    elif s.queue:
        triggers.run_next(s)
    else:
        STEPS[s.step](s)
    s.answer = NO_OPTION
    advance(s)


# --- before the first turn -----------------------------------------------------------------------------------------


def _setup(s: State) -> None:
    """Who begins: the winner of a random choice, or whoever the winner wants (rules 3.0)."""
    if s.answer[0]:
        winner = s.active
        s.first = winner if s.answer[0] == "first" else 1 - winner
        s.active = s.first
        s.step = START
        return
    winner = moves.toss(s)
    s.active = s.first = winner
    if s.journal is not None:
        s.journal.append(("wins the toss", winner))
    if s.table.edition.winner_chooses_order:
        ask(s, winner, "order", [("first", 0, 0), ("second", 0, 0)])
    else:
        s.step = START


# --- start, draw, roll ---------------------------------------------------------------------------------------------


def _enter(s: State, step: int) -> None:
    """Begin a step; of two partners the lead is at it again when the one before ends."""
    s.step = step
    s.stage = 0
    if s.journal is not None:
        s.journal.append(("step", step, s.active))
    if s.table.solitaire is not None and step in (MAIN, ATTACK):
        solitaire.note_step(s, energy.pool(s, s.table.solitaire.seat)[6])


def _start(s: State) -> None:
    if s.stage == 0:
        s.turn += 1
        if s.turn > TURN_LIMIT:
            s.result, s.why = TIE, f"nobody had won after {TURN_LIMIT} turns"
            return
        if s.journal is not None:
            s.journal.append(("turn", s.turn, s.active))
        s.facts = [0] * (s.table.n_seats * FACTS)
        s.moment = 0
        s.spent = []
        s.met = []
        if s.pairs:
            s.pairs = [p for p in s.pairs if (p[2] ^ s.active) & 1]
        if s.records:
            s.records = [r for r in s.records if r.until != "your next turn" or (r.you ^ s.active) & 1]
            s.dirty = True
        s.stage = 1
        next_moment(s)
        if _is_heard(s, "turn starts"):
            tell(s, "turn starts", PLAYER + (s.active & 1))
            return
    _enter(s, DRAW)


def _draw(s: State) -> None:
    """Clear and draw (rules 3.1)."""
    if s.stage == 0:
        s.stage = 1
        short: list[Packet] = []
        for seat in s.table.sides[s.active]:
            missing = _clear_and_draw(s, seat)
            if missing:
                s.virtual[seat] += missing
                if s.journal is not None:
                    s.journal.append(("missing", seat, missing))
                short.append(Packet(NOBODY, PLAYER + (seat & 1), missing))
        if short and s.table.edition.missing_die_is_damage:
            damage.deal(s, short, "rule", s.active)
        elif short:
            damage.lose_life(s, s.active & 1, sum(p.amount for p in short))
    else:
        _enter(s, ROLL)


def _clear_and_draw(s: State, seat: int) -> int:
    """Give how many dice the player was short of."""
    for d in s.dice_in(RESERVE, seat):
        s.place[d] = USED * 4 + seat
        s.flags[d] &= ~HALF_SPENT & 0xFF
    drawn = moves.draw(s, seat, 4 + _how_many_more(s, "draws more", seat))
    s.place = s.place.replace(bytes((HAND * 4 + seat,)), bytes((PREP * 4 + seat,)))
    if s.turn == 1 and s.table.edition.first_turn_three_dice and len(drawn) > 3:
        s.place[drawn[3]] = (OUT if s.table.edition.out_of_play else USED) * 4 + seat
    if drawn:
        tell(s, "drawn", s.table.person + seat, NOBODY, len(drawn))
    return max(0, 4 - len(drawn))  # what cards add does not count (rules 3.1b)


def _roll(s: State) -> None:
    """Roll and reroll (rules 3.2). Dice chosen for the reroll lie in hand until all are chosen.

    Partners roll at one time, then the lead rerolls, then the other.
    """
    seat = s.active
    if s.stage == 2:
        s.flags = s.flags.translate(_NOT_ROLLED)
        _enter(s, MAIN)
        tell(s, "main step starts", PLAYER + (seat & 1))
        return
    if s.stage == 0:
        for x in s.table.sides[seat]:
            for d in s.dice_in(PREP, x):
                moves.roll(s, d)
                s.flags[d] |= ROLLED
        s.stage = 1
        if _is_heard(s, "rolled"):
            next_moment(s)
            tell(s, "rolled", PLAYER + (seat & 1))
            return
    elif s.answer[0] == "lift":
        _begin(s, seat, s.answer)
        return
    elif s.answer[0] == "reroll":
        s.place[s.answer[1]] = HAND * 4 + seat
    elif s.answer[0] == "done":
        if not s.answer[1] or not _may_reroll_again(s, seat):
            _end_roll(s)
            return
        for d in s.dice_in(HAND, seat):
            moves.roll(s, d)
            s.place[d] = PREP * 4 + seat
        s.stage = max(s.stage + 1, 3)
    options = _reroll_options(s, seat)
    if "cannot reroll" in s.table.rule_words and look.is_ruled(s, "cannot reroll", s.table.person + seat):
        options = []
        _lifts(s, seat, energy.pool(s, seat), options, rolling=True)
        options.append(("done", 0, 0))
    if len(options) > 1:
        ask(s, seat, "reroll", options)
    else:
        _end_roll(s)


def _may_reroll_again(s: State, seat: int) -> bool:
    """Tell whether a rule gives the player another reroll; stages from 3 on are the additional ones."""
    return max(0, s.stage - 2) < _how_many_more(s, "rerolls more", seat)


def _how_many_more(s: State, word: str, seat: int) -> int:
    """Add up what rules of this word give a player in addition."""
    if not s.records and word not in s.table.standing:
        return 0
    return sum(n for _, _, n, _ in look.rules_about(s, word, s.table.person + seat))


def _reroll_options(s: State, seat: int) -> list[Option]:
    """List the dice that may be added to the reroll, kinds in a fixed order, and rolling those chosen."""
    card_of, face = s.table.card_of, s.face
    picked = s.dice_in(HAND, seat) if HAND * 4 + seat in s.place else []
    least = -1
    for d in picked:
        key = card_of[d] * 8 + face[d]
        if key > least:
            least = key
    kinds: dict[int, int] = {}
    for d in s.dice_in(PREP, seat):
        key = card_of[d] * 8 + face[d]
        if key >= least and key not in kinds:
            kinds[key] = d
    options: list[Option] = [("reroll", kinds[key], 0) for key in sorted(kinds)]
    options.append(("done", len(picked), 0))
    return options


def _end_roll(s: State) -> None:
    seat = s.active
    for d in s.dice_in(HAND, seat) if HAND * 4 + seat in s.place else ():
        moves.roll(s, d)
        s.place[d] = RESERVE * 4 + seat
    s.place = s.place.replace(bytes((PREP * 4 + seat,)), bytes((RESERVE * 4 + seat,)))
    if s.table.n_seats > 2 and not seat & 2:
        for d in s.dice_in(RESERVE, seat):
            s.flags[d] &= ~ROLLED & 0xFF
        s.active, s.stage = seat ^ 2, 1
        return
    s.active &= 1
    next_moment(s)
    s.stage = 2
    if _is_heard(s, "roll ends"):
        tell(s, "roll ends", PLAYER + (seat & 1))
    else:
        _roll(s)


# --- priority ------------------------------------------------------------------------------------------------------


def _priority(s: State, first: int) -> None:
    """Active player until they pass, then one act of the other, and so on (rules 3.3f).

    The window ends when the other has declined and the active player then adds nothing. Whoever has nothing to do but pass
    is not asked to answer or for a last word, and without a question there is no last word. `first` is the first stage.
    """
    if s.table.n_seats > 2:
        _partners_priority(s, first)
        return
    stage = s.stage - first
    other = s.active ^ 1
    what = s.answer[0]
    if what and what != "pass":
        s.stage = first + (HANDING_BACK if stage == ANSWERING else ACTING)
        _begin(s, other if stage == ANSWERING else s.active, s.answer)
        return
    if what:
        _pass(s, other if stage == ANSWERING else s.active)
        stage = _AFTER_PASS[stage]
    elif stage == HANDING_BACK:
        stage = _hand_back(s, other)
    if stage == ANSWERING:
        options = act_options(s, other)
        if len(options) > 1:
            s.stage = first + ANSWERING
            ask(s, other, "respond", options)
            return
        if s.journal is not None:
            takes(s, other, options[0])
        _pass(s, other)
        stage = DONE
    if stage < DONE:
        options = act_options(s, s.active)
        if stage == ACTING or len(options) > 1:
            s.stage = first + stage
            ask(s, s.active, "main" if s.step == MAIN else "fight", options)
            return
    s.stage = first + DONE


def can_hold(s: State) -> bool:
    """Tell whether the active player, who may act, would have a last word after passing: the other can answer."""
    if s.ask.kind not in ("main", "fight") or s.stage in (LAST_WORD, WINDOW + LAST_WORD):
        return False
    return any(len(act_options(s, seat)) > 1 for seat in s.table.sides[look.opponent_of(s.active)])


_AFTER_PASS = {ACTING: ANSWERING, ANSWERING: LAST_WORD, LAST_WORD: DONE}


def _pass(s: State, seat: int) -> None:
    """Virtual energy goes with the priority (rules 3.3a)."""
    if s.virtual[seat] and not _keeps_missing_energy(s, seat):
        s.virtual[seat] = 0


def _hand_back(s: State, seat: int) -> int:
    """Give the stage after an act of a player who does not have the turn."""
    partners = s.table.sides[seat]
    if not s.table.edition.one_answer and any(len(act_options(s, x)) > 1 for x in partners):
        return ANSWERING
    for x in partners:
        _pass(s, x)
    return ACTING


def _partners_priority(s: State, first: int) -> None:
    """The active side until both have passed in a row, then one act of the other side, and so on (docs/doubles.md).

    Whoever has nothing to do but pass is not asked.
    """
    while s.stage < first + DONE:
        stage = s.stage - first
        if stage == HANDING_BACK:
            s.stage = first + _hand_back(s, 1 - (s.active & 1))
            continue
        seat = s.active
        if stage == ANSWERING:
            lead = 1 - (s.active & 1)
            seat = lead ^ 2 if (PASSED, lead) in s.spent else lead
        what = s.answer[0]
        if what and what != "pass":
            _forget_passing(s)
            s.stage = first + (HANDING_BACK if stage == ANSWERING else ACTING)
            if stage == ANSWERING:
                s.active &= 1
            _begin(s, seat, s.answer)
            return
        if not what:
            options = act_options(s, seat)
            if len(options) > 1:
                ask(s, seat, "respond" if stage == ANSWERING else ("main" if s.step == MAIN else "fight"), options)
                return
        elif stage == ANSWERING:
            s.spent.append((DECLINED, seat))
        s.answer = NO_OPTION
        if (PASSED, seat ^ 2) not in s.spent:
            s.spent.append((PASSED, seat))
            if stage != ANSWERING:
                s.active = seat ^ 2
            continue
        heard = any(x == DECLINED for x, _ in s.spent)
        _forget_passing(s)
        for x in s.table.sides[seat]:
            _pass(s, x)
        s.stage = first + (DONE if stage == ANSWERING and not heard else _AFTER_PASS[stage])
        s.active &= 1


def _forget_passing(s: State) -> None:
    s.spent = [x for x in s.spent if x[0] not in (PASSED, DECLINED)]


def _keeps_missing_energy(s: State, seat: int) -> bool:
    """Before ai the energy for missing dice lasts the turn (rules 3.1b)."""
    return not s.table.edition.missing_energy_until_pass and (seat ^ s.active) & 1 == 0


def act_options(s: State, seat: int) -> list[Option]:
    """List what a player with priority may do now, and pass."""
    t = s.table
    reserve = s.dice_in(RESERVE, seat)
    if not reserve and not s.virtual[seat] and not t.free_abilities:
        return [("pass", 0, 0)]
    have, rest = energy.pool_and_rest(s, seat, reserve)
    options: list[Option] = []
    if seat == s.active:
        if s.step == MAIN:
            _purchases(s, seat, have, options)
        for d in _no_energy(s, rest) if rest else ():
            if t.kinds[t.m6[d] + s.face[d]] == ACTION:
                if can_use(s, seat, d):
                    options.append(("use", d, 0))
            elif s.step == MAIN and look.fielding_cost(s, d) <= have[6] and not look.is_ruled(s, "cannot field", d):
                options.append(("field", d, s.face[d]))
    _abilities(s, seat, have, options)
    _lifts(s, seat, have, options)
    if t.edition.batch_is_one_effect and _may_go(s, seat, have, options):
        options.append(("together", 0, 0))
    options.append(("pass", 0, 0))
    return options


def _no_energy(s: State, reserve: list[int]) -> list[int]:
    """List the characters and actions in a reserve in a fixed order, one of each sort."""
    t = s.table
    kinds, m6, face, card_of = t.kinds, t.m6, s.face, t.card_of
    if len(reserve) == 1:
        return reserve if kinds[m6[reserve[0]] + face[reserve[0]]] != ENERGY else []
    if not (s.records or s.pairs or s.holdings):
        plain: dict[int, int] = {}
        for d in reserve:
            if kinds[m6[d] + face[d]] != ENERGY:
                plain.setdefault(card_of[d] * 8 + face[d], d)
        return [plain[key] for key in sorted(plain)] if len(plain) > 1 else list(plain.values())
    faces: dict[tuple[int, tuple[int, ...]], int] = {}
    for d in reserve:
        if kinds[m6[d] + face[d]] != ENERGY:
            faces.setdefault((card_of[d] * 8 + face[d], marks(s, d)), d)  # some may have been given something
    return [faces[key] for key in sorted(faces)]


def _purchases(s: State, seat: int, have: list[int], options: list[Option]) -> None:
    t = s.table
    place = s.place
    if not look.prices_change(s):
        total, wild = have[6], have[4]
        for c, cost, only, price, dice in t.offers[seat] if total else ():
            if cost <= total and (have[only] or wild if only >= 0 else energy.can_pay(have, price)):
                for d in dice:
                    if place[d] >> 2 == CARD:
                        options.append(("buy", c, 0))
                        break
        return
    changes = look.standing(s, "costs to buy")
    for c, _, _, price, dice in t.offers[seat]:
        for d in dice:
            if place[d] >> 2 == CARD:
                cost = look.purchase_cost(s, c, seat, changes)
                if energy.can_pay(have, (*price[:4], cost) if cost else NO_PRICE):
                    options.append(("buy", c, 0))
                break


def purchase_price(s: State, c: int, seat: int) -> Price:
    """Give the price of a die: its cost, with one energy of each of the card's types (rules 3.3b)."""
    if not look.prices_change(s):
        return s.table.prices[c]
    cost = look.purchase_cost(s, c, seat)
    if not cost:
        return NO_PRICE
    f, b, m, sh, _ = s.table.prices[c]
    return (f, b, m, sh, cost)


def can_use(s: State, seat: int, d: int, at: str = "") -> bool:
    """Tell whether an action die in the reserve can be used now; a Continuous one can always move to the field."""
    if effects.can_use(s, seat, d, look.burst(s, d), at):
        return True
    return "Continuous" in s.table.keywords[s.table.card_of[d]] and not look.is_banned(s, seat, "action")


def _abilities(s: State, seat: int, have: list[int], options: list[Option]) -> None:
    """Add the Globals and paid abilities the player can pay for, with something to do."""
    t = s.table
    total, wild = have[6], have[4]
    silences, dearer = "text ignored" in t.standing, "Globals cost" in t.rule_words
    for sentence, cost, only, price, ctx in t.global_offers[seat] if not look.is_banned(s, seat, "global") else ():
        if cost > total or not (have[only] or wild if only >= 0 else energy.can_pay(have, price)):
            continue
        if (sentence.own_turn and seat != s.active) or (silences and look.is_silent(s, sentence.card)):
            continue
        if (not dearer or energy.can_pay(have, look.global_price(s, seat, price))) and _is_open(s, ctx, have):
            options.append(("global", sentence.index, 0))
    for sentence in t.paid:
        if not energy.can_pay(have, sentence.need.price):
            continue
        seen: set[tuple[int, ...]] = set()
        for ctx in look.contexts(s, sentence):
            if ctx.you == seat and _is_open(s, ctx, have):
                key = alike(s, ctx.this) if ctx.this != NOBODY else ()
                if key not in seen:
                    seen.add(key)
                    options.append(("ability", sentence.index, ctx.this))


def _lifts(s: State, seat: int, have: list[int], options: list[Option], rolling: bool = False) -> None:
    """Add the opponent's standing rules that the player may pay to be rid of for the turn, where they bear on them."""
    for sentence in s.table.lifted:
        if (seat != s.active or s.step != MAIN) and all(
            rule.word in ("cannot field", "costs to field") for rule in sentence.rules[0]
        ):
            continue
        if rolling != any(rule.word == "cannot reroll" for rule in sentence.rules[0]):
            continue
        for ctx in look.contexts(s, sentence):
            if ctx.you & 1 == seat & 1 or (sentence.index, ctx.you) in s.spent:
                continue
            if sentence.condition is not None and not sentence.condition(s, ctx):
                continue
            if sentence.lift is not None and effects.can_afford(s, seat, sentence.lift, ctx, have):
                options.append(("lift", sentence.index, ctx.you))


def _ready(s: State, ctx: Running, have: list[int]) -> bool:
    """Tell whether a Global or paid ability can be used now."""
    sentence = s.table.sentences[ctx.ability]
    price = sentence.need.price
    if sentence.kind == "global":
        price = look.global_price(s, ctx.you, price)
    return energy.can_pay(have, price) and _is_open(s, ctx, have)


def _is_open(s: State, ctx: Running, have: list[int]) -> bool:
    """Tell whether an ability whose energy is there can be used: what else it costs, its "if", something to do."""
    sentence = s.table.sentences[ctx.ability]
    if sentence.limit and triggers.is_spent(s, ctx):
        return False
    need = sentence.need
    if need.life or need.reach or need.choices:
        price = look.global_price(s, ctx.you, need.price) if sentence.kind == "global" else need.price
        if not effects.can_afford(s, ctx.you, need, ctx, have, price):
            return False
    if sentence.condition is not None and not sentence.condition(s, ctx):
        return False
    return effects.can_start(s, ctx)


def price_of(s: State, seat: int, option: Option) -> Price:
    """Give the energy an act costs."""
    what, x, _ = option
    if what == "buy":
        return purchase_price(s, x, seat)
    if what == "field":
        return (0, 0, 0, 0, look.fielding_cost(s, x))
    if what == "global":
        return look.global_price(s, seat, s.table.sentences[x].need.price)
    if what == "ability":
        return s.table.sentences[x].need.price
    lift = s.table.sentences[x].lift if what == "lift" else None
    return NO_PRICE if lift is None else lift.price


def _begin(s: State, seat: int, option: Option) -> None:
    """Start an act: pay first, then do it."""
    what = option[0]
    next_moment(s)
    if what == "together":
        s.stack.append(Going("go", seat))
    elif what == "use":
        effects.use_die(s, seat, option[1], look.burst(s, option[1]))
    else:
        s.stack.append(Act("act", seat, option))
        energy.pay(s, seat, price_of(s, seat, option))


def _run_act(s: State, f: Act) -> None:
    s.stack.pop()
    what, x, this = f.option
    t = s.table
    if what == "buy":
        for d in t.dice_of[x]:
            if s.place[d] >> 2 == CARD:
                effects.buy_die(s, d, f.seat)
                break
    elif what == "field":
        # something done in the same go may have turned the die or moved it; then one like it is fielded, if there is one
        for d in (x, *t.dice_of[t.card_of[x]]):
            if s.place[d] == RESERVE * 4 + f.seat and s.face[d] == this:  # here `this` is the face that was paid for
                effects.field_die(s, d, f.seat, f.paid or s.paid)
                break
    elif what == "lift":
        solitaire.note_use(s, x, f.seat)
        s.spent.append((x, this))  # here `this` is the seat whose rule it is
        if s.journal is not None:
            s.journal.append(("lifts", f.seat, x))
        s.stack.append(look.context(x, this, NOBODY)._replace(payer=f.seat))
    elif what == "ability" and this != NOBODY and s.place[this] >> 2 != FIELD:
        return
    else:
        ctx = look.context(x, f.seat, this if what == "ability" else NOBODY)
        if what == "ability":
            ctx = ctx._replace(burst=look.burst(s, this))
        triggers.spend(s, ctx)
        solitaire.note_use(s, x, f.seat)
        if s.journal is not None:
            s.journal.append((what, f.seat, x, this))
        if what == "global":
            tell(s, "Global used", s.table.person + f.seat)
        s.stack.append(ctx._replace(paid=f.paid or s.paid, payer=f.seat, hold=f.hold))


def _run_using(s: State, f: Using) -> None:
    s.stack.pop()
    d = f.die
    if s.place[d] >> 2 == RESERVE:
        if "Continuous" in s.table.keywords[s.table.card_of[d]]:
            look.Coverage.note_keyword(s, s.table.card_of[d], "Continuous")
            moves.put(s, d, FIELD, f.seat)
        elif moves.holds(s, d):
            moves.put(s, d, FIELD, f.seat)  # on top of its captives until the capture ends
        elif s.table.kinds[s.table.m6[d] + s.face[d]] != ENERGY:  # its own text may have turned it to energy
            moves.used_up(s, d)
    if not s.table.edition.use_heard_at_once:
        tell(s, "action used", s.table.person + f.seat, d, f.shown)


# --- several things in one go --------------------------------------------------------------------------------------


def _may_go(s: State, seat: int, have: list[int], options: list[Option]) -> bool:
    """Paying at once makes a difference for uses of Globals and paid abilities, and with dice whose rest is lost."""
    if have[6] < 2:
        return False
    shares = have[5] > 0 or (s.table.lossy and energy.loses_rest(s, seat))
    acts = _SHARING if shares else _EFFECTS
    costs: list[tuple[Option, Price]] = []
    least = total = have[6]
    for o in options:
        if o[0] in acts:
            price = price_of(s, seat, o)
            cost = price[4]
            if cost:
                costs.append((o, price))
                if cost < least:
                    least = cost
    if not costs or total < 2 * least:
        return False
    changes = False
    for r in s.records:
        changes = changes or r.until == "next one"  # the second of two may cost more
    for i, (o, price) in enumerate(costs):
        room = total - price[4]
        if room < least:
            continue
        again = _like(s, seat, o)
        others = costs[i + 1 :] if again is None else [(again, price), *costs[i + 1 :]]
        for other, more in others:
            if more[4] <= room and energy.can_pay(have, energy.add(price, more)) and _joins(s, seat, (o,), other):
                if not changes or energy.can_pay(have, _go_price(s, seat, (o, other))[0]):
                    return True
    return False


_EFFECTS = frozenset(("global", "ability"))
_SHARING = _EFFECTS | {"buy", "field"}


def _like(s: State, seat: int, o: Option) -> Option | None:
    """Give the same act once more; of a fielding that is one of another die on the same face."""
    what, d, face = o
    if what != "field":
        return o
    for x in s.table.dice_of[s.table.card_of[d]]:
        if x != d and s.place[x] == RESERVE * 4 + seat and s.face[x] == face:
            return ("field", x, face)
    return None


def _joins(s: State, seat: int, acts: tuple[Option, ...], o: Option) -> bool:
    """Tell whether an act can be paid for in one go with these."""
    what, x, this = o
    t = s.table
    if what == "buy":
        left = sum(1 for d in t.dice_of[x] if s.place[d] >> 2 == CARD)
        return acts.count(o) < left
    if what == "field":
        return o not in acts
    sentence = t.sentences[x]
    if o in acts and (sentence.limit or sentence.need.choices):
        return False
    texts = [t.sentences[y].ability for other, y, _ in acts if other in ("global", "ability")]
    uses = sum(1 for ability in texts if ability.effects == sentence.ability.effects)
    return not uses or effects.has_room(s, look.context(x, seat, this if what == "ability" else NOBODY), uses)


def _go_price(s: State, seat: int, acts: tuple[Option, ...]) -> tuple[Price, list[Record]]:
    """Give what acts cost in this order, and what is in force after them: a rule for the next one works once."""
    total = NO_PRICE
    records = s.records
    for act in acts:
        total = energy.add(total, price_of(s, seat, act))
        if act[0] == "buy" and s.records:
            s.records = effects.after_purchase(s, s.table.dice_of[act[1]][0], seat)
        elif act[0] == "field" and s.records:
            s.records = effects.after_fielding(s, act[1], seat)
    after, s.records = s.records, records
    return total, after


def _go_options(s: State, f: Going) -> list[Option]:
    """List what can be added to the go, and paying for it; of like dice to field one."""
    have = energy.pool(s, f.seat)
    out: list[Option] = []
    seen: set[tuple[int, ...]] = set()
    records = s.records
    spent, s.records = _go_price(s, f.seat, f.acts)
    for o in act_options_plain(s, f.seat, have):
        if not _joins(s, f.seat, f.acts, o) or not energy.can_pay(have, energy.add(spent, price_of(s, f.seat, o))):
            continue
        if o[0] == "field":
            key = alike(s, o[1])
            if key in seen:
                continue
            seen.add(key)
        out.append(o)
    s.records = records
    if f.acts:
        out.append(("pay now", 0, 0))
    return out


def act_options_plain(s: State, seat: int, have: list[int]) -> list[Option]:
    """List single acts with every die for itself, so that two like dice can be taken in one go."""
    options: list[Option] = []
    if seat == s.active and s.step == MAIN:
        _purchases(s, seat, have, options)
        for d in in_order(s, s.dice_in(RESERVE, seat)):
            if s.table.kinds[s.table.m6[d] + s.face[d]] == CHARACTER and not look.is_ruled(s, "cannot field", d):
                options.append(("field", d, s.face[d]))
    for sentence in s.table.globals if not look.is_banned(s, seat, "global") else ():
        if "text ignored" in s.table.standing and look.is_silent(s, sentence.card):
            continue
        if not (sentence.own_turn and seat != s.active):
            ctx = look.context(sentence.index, seat, NOBODY)
            if _ready(s, ctx, have):
                options.append(("global", sentence.index, 0))
    for sentence in s.table.paid:
        for ctx in look.contexts(s, sentence):
            if ctx.you == seat and _ready(s, ctx, have):
                options.append(("ability", sentence.index, ctx.this))
    return options


def _run_going(s: State, f: Going) -> None:
    if f.waiting == 2:
        paid = f.paid or s.paid
        if f.begun == len(f.acts):
            s.stack.pop()
            return
        act = f.acts[f.begun]
        s.stack[-1] = f._replace(begun=f.begun + 1, paid=paid)
        if act[0] in ("buy", "field"):
            s.stack.insert(0, Act("act", f.seat, act, paid))
        else:
            s.stack.append(Act("act", f.seat, act, paid, 1))
        return
    if f.waiting:
        if s.answer[0] == "pay now":
            s.stack[-1] = f._replace(waiting=2)
            energy.pay(s, f.seat, _go_price(s, f.seat, f.acts)[0])
            return
        f = f._replace(acts=(*f.acts, s.answer))
    options = _go_options(s, f)
    s.stack[-1] = f._replace(waiting=1)
    ask(s, f.seat, "together", options, number=len(f.acts))


# --- main and attack steps -----------------------------------------------------------------------------------------


def _is_heard(s: State, word: str) -> bool:
    return word in s.table.heard


def _main(s: State) -> None:
    if s.stage < DONE:
        _priority(s, ACTING)
    elif s.stage == DONE and _is_heard(s, "main step ends"):
        s.stage = DONE + 1
        next_moment(s)
        tell(s, "main step ends", PLAYER + (s.active & 1))
    else:
        for seat in s.table.sides[s.active]:
            for d in s.dice_in(RESERVE, seat):
                if s.table.kinds[s.table.m6[d] + s.face[d]] == CHARACTER:
                    moves.put(s, d, USED, seat)  # not fielded by the end of the step (rules 3.3c)
        next_moment(s)
        _enter(s, ATTACK)


def _attack(s: State) -> None:
    """The attack step, stage by stage (rules 3.4)."""
    stage = s.stage
    if stage <= COMMITTED or stage == AGAIN:
        _declare(s)
    elif stage == BLOCKING:
        _block(s)
    elif stage < FAST:
        _priority(s, WINDOW)
    elif stage == FAST and "Fast" in s.table.keywords_at_table:
        s.stage = FAST_KO
        next_moment(s)
        combat.assign(s, 1)
    elif stage in (FAST, REGULAR):
        s.stage = REGULAR_KO
        next_moment(s)
        combat.assign(s, 0)
    elif stage in (FAST_KO, REGULAR_KO):
        s.stage += 1
        damage.ko_doomed(s)
    elif stage == ATTACK_END:
        s.stage = RETURN
        next_moment(s)
        tell(s, "attack step ends", PLAYER + (s.active & 1))
    elif stage == RETURN:
        s.stage = OVER
        combat.end_attack(s)
    elif _attacks_again(s):
        combat.return_home(s)
        _enter(s, ATTACK)
        s.stage = AGAIN
    else:
        _enter(s, CLEANUP)


def _attacks_again(s: State) -> bool:
    """Tell whether a rule lets the active player have another attack step; declaring nobody declines it (cw 108)."""
    for seat in s.table.sides[s.active]:
        for _, ctx, _, _ in look.rules_about(s, "attacks again", s.table.person + seat):
            if (ctx.ability, ctx.you) not in s.spent:
                s.spent.append((ctx.ability, ctx.you))
                return True
    return False


def _declare(s: State) -> None:
    """Whoever declares nobody has no attack step, so what happens at its start waits for the first who is (rules 3.4)."""
    if s.answer[0] == "done":
        _one_declared(s)
        return
    begins = s.stage in (TO_ATTACK, AGAIN)
    if s.answer[0]:
        s.stage = COMMITTED
        if s.answer[0] == "use":
            _begin(s, s.active, s.answer)
        else:
            combat.declare_attack(s, s.answer[1])
        if begins:
            tell(s, "attack step starts", PLAYER + (s.active & 1))
        if s.stack or s.queue or s.result != UNDECIDED:
            return
    options = combat.attack_options(s)
    if s.table.start_uses and not look.attackers(s):
        options = _start_uses(s, len(options) > 1) + options
        if s.stage == COMMITTED and len(options) > 1 and not _partner_may(s):
            options = [o for o in options if o != NOBODY_ELSE]  # an action for the start of the step has begun it
    if s.stage == AGAIN and NOBODY_ELSE not in options:
        options.append(NOBODY_ELSE)  # nobody has to have another attack step (cw 108)
    if options == [NOBODY_ELSE]:
        if s.journal is not None:
            takes(s, s.active, ("attack" if look.attackers(s) else "no attack", 0, 0))
        _one_declared(s)
    else:
        ask(s, s.active, "attack", options)


NOBODY_ELSE: Option = ("done", 0, 0)


def _partner_may(s: State) -> bool:
    """Tell whether a partner who declares after this player could still attack."""
    return s.table.n_seats > 2 and not s.active & 2 and combat.may_attack(s, s.active ^ 2)


def _one_declared(s: State) -> None:
    """After the lead of two partners the other declares attackers, and that ends it."""
    if s.table.n_seats > 2:
        s.active ^= 2
        if s.active & 2:
            return
    _declared(s)


def _start_uses(s: State, able: bool) -> list[Option]:
    """List the action dice that may be used only now, at the start of the attack step (avx 64, uxm 29).

    If nobody is able to attack there is no such step, unless the action itself brings somebody who can.
    """
    t = s.table
    faces: dict[int, int] = {}
    for d in s.dice_in(RESERVE, s.active):
        if t.kinds[t.m6[d] + s.face[d]] == ACTION:
            if any(x.event and (able or _brings_attacker(x)) for x in t.uses[t.card_of[d]]):
                faces.setdefault(t.card_of[d] * 8 + s.face[d], d)
    return [("use", faces[key], 0) for key in sorted(faces) if can_use(s, s.active, faces[key], "attack step starts")]


def _brings_attacker(sentence: Sentence) -> bool:
    return any(isinstance(effect, TakeControl) for effect in sentence.ability.effects)


def _declared(s: State) -> None:
    if not look.attackers(s):
        _enter(s, CLEANUP)  # skipped whole if nobody is declared
        return
    s.stage = BLOCKING  # after the effects of attacking, which wait in the queue
    next_moment(s)
    combat.announce_attack(s)


def _block(s: State) -> None:
    if s.answer[0] == "block":
        combat.declare_block(s, s.answer[1], s.answer[2])
        if s.result != UNDECIDED:
            return
    elif s.answer[0] == "done":
        _blocked(s)
        return
    options = combat.block_options(s)
    if len(options) == 1 and options[0][0] == "done":
        if s.journal is not None:
            takes(s, combat.defender(s), ("done blocking" if s.blocks else "no block", 0, 0))
        _blocked(s)
    else:
        ask(s, combat.defender(s), "block", options)


def _blocked(s: State) -> None:
    """After the lead of two partners the other declares blockers, and that ends it."""
    if s.table.n_seats > 2:
        seat = combat.defender(s)
        if not seat & 2:
            s.spent.append((PASSED, seat))
            return
        _forget_passing(s)
    s.stage = WINDOW
    next_moment(s)
    combat.announce_blocks(s)


_NOT_ROLLED = bytes(b & ~ROLLED for b in range(256))
_OUT_TO_USED = bytes(USED * 4 + (b & 3) if b >> 2 == OUT else b for b in range(256))
# no longer hurt; what was fielded in this turn was fielded in the turn before
_NEXT_TURN = bytes(
    (b & ~(HURT | FIELDED_NOW | FIELDED_BEFORE)) | (FIELDED_BEFORE if b & FIELDED_NOW else 0) for b in range(256)
)


# --- cleanup -------------------------------------------------------------------------------------------------------


def _cleanup(s: State) -> None:
    """Cleanup (rules 3.5)."""
    t = s.table
    if s.stage == 0:
        s.stage = 1
        combat.return_home(s)
        s.damage = bytearray(t.n_dice)
        for h in s.holdings[:] if s.holdings else ():
            if h.until == "end of turn":
                moves.let_go(s, h)
        for h in s.holdings[:] if s.holdings else ():
            if h.until == "end of their turn" and s.place[h.die] & 1 != s.active & 1:
                moves.send_to_used(s, h.die)
        if s.records:
            s.records = [r for r in s.records if r.until not in ("end of turn", "next one") or _for_the_end(s, r)]
        s.dirty = True
        for seat in t.sides[s.active]:
            for d in s.dice_in(RESERVE, seat):
                if t.kinds[t.m6[d] + s.face[d]] != ENERGY:
                    s.place[d] = USED * 4 + seat
        s.virtual = [0] * t.n_seats
        next_moment(s)
        tell(s, "turn ends", PLAYER + (s.active & 1))
    else:
        if s.records:
            s.records = [r for r in s.records if r.until != "end of turn"]
        s.damage = bytearray(t.n_dice)  # what the effects of the end dealt does not last into the next turn
        s.flags = s.flags.translate(_NEXT_TURN)
        s.place = s.place.translate(_OUT_TO_USED)
        s.active ^= 1
        _enter(s, START)


def _for_the_end(s: State, r: Record) -> bool:
    """Effects for the end of the turn survive the ending of what lasts until then (rules 3.5)."""
    return r.word == "later" and s.table.sentences[r.ability].event == "turn ends"


STEPS: list[Callable[[State], None]] = [_setup, _start, _draw, _roll, _main, _attack, _cleanup]
assert tuple(range(7)) == (SETUP, START, DRAW, ROLL, MAIN, ATTACK, CLEANUP)

RUN: dict[object, Callable[..., None]] = {
    "run": effects.run,
    "pay": energy.run_pay,
    "damage": damage.run_damage,
    "ko": damage.run_ko,
    "crush": damage.run_crushing,
    "doom": damage.run_dooming,
    "announce": damage.run_announcing,
    "assign": combat.run_assign,
    "target": effects.run_targeting,
    "act": _run_act,
    "using": _run_using,
    "go": _run_going,
    "mirror": effects.run_mirroring,
}
