"""Reactions: who hears an event, in which order they wait, and the next one to be carried out (rules 5.7)."""

from __future__ import annotations

from typing import Final

from dicemasters.cards.language.vocabulary import THIS_ATTACK, May
from dicemasters.game.abilities.program import Sentence
from dicemasters.game.mechanics import payment
from dicemasters.game.mechanics.decision_requests import ask, takes
from dicemasters.game.queries import characteristics, combat_status, costs, die_identity, static_rules
from dicemasters.game.queries.equivalence import alike
from dicemasters.game.state.constants import DOOMED, FIELD, HAND, LEFT, LOOP_LIMIT, OF_DIE, PLAYER, TIE, UNDECIDED
from dicemasters.game.state.frames import Announcing, Dooming, Running
from dicemasters.game.state.state import State
from dicemasters.game.state.values import NOBODY, NOTHING, WAITS_FOR_TOLL, Happening, Option, Record, Trigger

Seen = set[tuple[int, int, int, int, int]]


def tell(
    s: State,
    word: str,
    die: int = NOBODY,
    other: int = NOBODY,
    amount: int = 0,
    known: tuple[int, ...] = (),
    seen: Seen | None = None,
    kind: str = "",
    without: tuple[int, ...] = (),
) -> None:
    """Announce an event, if anybody at this table listens to it."""
    if word in s.table.listeners or (s.records and word in s.table.watched):
        announce(s, Happening(word, die, other, amount, kind, known), without, seen)


def announce(s: State, h: Happening, without: tuple[int, ...] = (), seen: Seen | None = None) -> None:
    """Let every ability that reacts to the event wait in the queue.

    The dice `without` no longer lend their text to a while-active ability; `seen` lets one source that meets an ability in
    several ways at one moment set it off once (rules 10.1).
    """
    if s.records and h.word in s.table.watched:
        _watches(s, h)
    listeners = s.table.listeners.get(h.word)
    if listeners is None:
        return
    silent = h.word == "damaged" and not s.table.edition.kod_dice_react and _is_kod(s, h.die)
    if silent:
        without = (*without, h.die)
    for sentence in listeners:
        if sentence.self_only:
            found = [] if silent else _by_its_die(s, sentence, h)
        elif sentence.kind == "global":
            found = _by_payers(s, sentence, h)
        else:
            found = static_rules.contexts(s, sentence, without)
            if sentence.limit == "first":
                note_first_time(s, sentence, h, found)
            found = _who_are_meant(s, sentence, h, found)
        for ctx in found:
            if not _is_set_off(s, sentence, h, ctx):
                continue
            if seen is not None:
                key = _reason(sentence, h, ctx)
                if key in seen:
                    continue
                seen.add(key)
            if sentence.scope == "active" and ctx.this in (h.die, h.other):
                ctx.this = _another_like(s, ctx.this, (h.die, h.other, *without))
            _wait(s, sentence, ctx)


def _another_like(s: State, d: int, but: tuple[int, ...]) -> int:
    """Give a die that lies beside this one and is like it: so it never hangs on numbers whether a text speaks of its own die."""
    dice = s.table.dice_of[s.table.card_of[d]]
    return next((x for x in dice if x not in but and s.place[x] == s.place[d] and s.is_like(x, d)), d)


def announce_all(
    s: State, happenings: tuple[Happening, ...], was: tuple[Record, ...], seen: Seen | None = None
) -> None:
    """Announce events of one moment; a die that has left since is meant as it was then (rules 3.4d5, 5.13c).

    One that has come since, out of a capture or from its captor's side, hears nothing of it (rules 5.13a1).
    """
    lost = [r for r in was if r.word != die_identity.HELD and s.place[r.subject] >> 2 != FIELD]
    late = tuple([r.subject for r in was if r.word == die_identity.HELD and s.place[r.subject] != r.a])
    before = len(s.records)
    s.records += lost
    for h in happenings:
        announce(s, h, late, seen)
    del s.records[before : before + len(lost)]


def _by_its_die(s: State, sentence: Sentence, h: Happening) -> list[Running]:
    """List the die that the event is about, if the text is its own."""
    d = h.die
    if d >= PLAYER or (h.word == "deals damage" and s.place[d] >> 2 == HAND):
        return []  # what was rolled and never in the field has no text that works
    place = _put_back(s, h)
    has = _has_text(s, sentence, d)
    s.place[d] = place
    if not has:
        return []
    if h.word in ("KO'd", "deals damage") and h.known:
        you, burst = h.known[4], h.known[5]  # as it was: it may have left, or gone back to its owner
    elif h.word == "damaged":
        you, burst = h.known[1], h.known[2]
    else:
        you, burst = s.place[d] & 3, static_rules.burst(s, d)
    return [Running(sentence.index, you, d, burst, 0, h)]


def _by_payers(s: State, sentence: Sentence, h: Happening) -> list[Running]:
    """List the players who can pay for a reactive Global now that its event has come (rules 5.10)."""
    if die_identity.is_silent(s, sentence.card):
        return []
    out: list[Running] = []
    for seat in range(s.table.n_seats):
        if not static_rules.is_banned(s, seat, "global"):
            price = costs.global_price(s, seat, sentence.need.price)
            if payment.can_pay(payment.pool(s, seat), price):
                out.append(static_rules.context(sentence.index, seat, NOBODY))
    return _who_are_meant(s, sentence, h, out)


def _who_are_meant(s: State, sentence: Sentence, h: Happening, here: list[Running]) -> list[Running]:
    """Keep those for whom the text means whom the event is about."""
    out: list[Running] = []
    for ctx in here:
        ctx.event = h
        if h.die < PLAYER:
            place = _put_back(s, h)
            holds = sentence.who.holds(s, h.die, ctx)
            s.place[h.die] = place
        else:
            holds = sentence.who.holds(s, h.die, ctx)
        if holds:
            out.append(ctx)
    return out


def _put_back(s: State, h: Happening) -> int:
    """Put who dealt or took damage where it was then, in whose field it was; gives the place where it is now (5.13b)."""
    d = h.die
    place = s.place[d]
    at = 4 if h.word == "deals damage" else 1 if h.word == "damaged" else -1
    if 0 <= at < len(h.known):
        s.place[d] = (HAND if place >> 2 == HAND else FIELD) * 4 + h.known[at]
    return place


def _is_set_off(s: State, sentence: Sentence, h: Happening, ctx: Running) -> bool:
    """Tell whether the event that the text is about sets it off: the other die, its "if", its limit."""
    if sentence.keyword and ctx.this < PLAYER and characteristics.is_deprived(s, ctx.this, sentence.keyword):
        return False
    if sentence.other is not None:
        others = [x for x in _others(s, h) if x != NOBODY and sentence.other.holds(s, x, ctx)]
        if not others:
            return False
        if others[0] != h.other:
            ctx.event = h.about(h.die, others[0], h.known)
    late = sentence.reads_late and s.table.edition.conditions_when_resolving
    if sentence.condition is not None and not late and not sentence.condition.asked(s, ctx):
        return False
    if is_spent(s, ctx) or not sentence.programs[ctx.burst].ops:  # only a burst would do something
        return False
    return not _has_waited(s, sentence, ctx)


def _reason(sentence: Sentence, h: Happening, ctx: Running) -> tuple[int, int, int, int, int]:
    """Give what sets the ability off only once at a moment: the source, and where the text tells them apart whom it met."""
    acts = h.word in ("deals damage", "blocks", "drawn")
    whom = NOBODY
    if sentence.tells_apart and (acts or h.word == "damaged"):
        whom = h.other if acts else h.die
    return sentence.index, ctx.you, ctx.this, h.die if acts else h.other, whom


def _wait(s: State, sentence: Sentence, ctx: Running) -> None:
    """Let a reaction wait for its turn; a reactive Global takes place before all others that wait (rules 5.10)."""
    q = Trigger(s.moment, ctx.you, sentence.index, ctx.this, ctx.burst, ctx.event)
    if _is_once_an_attack(sentence):
        whose = NOBODY if sentence.limit == "together" else ctx.this
        s.records.append(Record(_HAPPENED, NOBODY, 0, 0, -1, THIS_ATTACK, ctx.you, whose, ctx.ability))
    if sentence.kind != "global":
        s.queue.append(q)
        return
    queue = s.queue
    at = 0
    while at < len(queue) and queue[at].ability != RULE and s.table.sentences[queue[at].ability].kind == "global":
        at += 1
    if at:
        moment = queue[0].moment
    else:
        moment = (min(queue[0].moment, s.moment) if queue else s.moment) - 1
    queue.insert(at, q.at(moment))


_HAPPENED: Final = "happened"  # a record: a text that happens once an attack has been set off


def _is_once_an_attack(sentence: Sentence) -> bool:
    """Tell whether a text about attacking happens once for all, or for both partners, whoever joins the attack later."""
    return sentence.limit in ("together", "moment") and sentence.event == "attacks"


def _has_waited(s: State, sentence: Sentence, ctx: Running) -> bool:
    """Tell whether a text that happens once in an attack, or at one moment, for one die or for all has been set off."""
    limit = sentence.limit
    if limit != "together" and limit != "moment":
        return False
    whose = (NOBODY,) if limit == "together" else _same(s, sentence, ctx.this)
    if _is_once_an_attack(sentence):
        for r in s.records:
            if r.word == _HAPPENED and r.ability == ctx.ability and r.you == ctx.you and r.source in whose:
                return True
        return False
    for q in s.queue:
        if q.moment == s.moment and q.ability == ctx.ability and q.you == ctx.you:
            if limit == "together" or q.this in whose:
                return True
    return False


def _is_kod(s: State, d: int) -> bool:
    """Tell whether the die that was damaged has been KO'd by that, or will be when its effects are done."""
    return d < PLAYER and (s.place[d] >> 2 != FIELD or s.flags[d] & DOOMED != 0)


def _others(s: State, h: Happening) -> list[int]:
    """List who the event's other die may be: a die can be engaged with several at once."""
    if h.word in ("is blocked", "engaged"):
        return combat_status.blockers_of(s, h.die) or combat_status.blocked_by(s, h.die)
    return [h.other]


def _same(s: State, sentence: Sentence, d: int) -> tuple[int, ...]:
    """List for whom one time at a moment counts: the die, and its partner where the text belongs to both."""
    return (d, die_identity.partner_of(s, d)) if sentence.scope == "pair" else (d,)


def _watches(s: State, h: Happening) -> None:
    """Let what was said for later wait in the queue when its event comes."""
    for r in s.records:
        if r.word == "later" and s.table.sentences[r.ability].event == h.word:
            about = () if r.subject == NOBODY else ((r.subject,),)
            ctx = Running(r.ability, r.you, r.source, 0, 0, h, about)
            sentence = s.table.sentences[r.ability]
            if sentence.who.holds(s, h.die, ctx) and (sentence.other is None or sentence.other.holds(s, h.other, ctx)):
                s.queue.append(Trigger(s.moment, r.you, r.ability, r.source, 0, h, r.subject))


def _has_text(s: State, sentence: Sentence, d: int) -> bool:
    """Tell whether the die has the text; a pair's text belongs to both partners (rules 5.14)."""
    if sentence.scope == "given":
        return characteristics.was_given(s, d, sentence)
    if sentence.scope != "pair":
        if die_identity.has_text(s, d, sentence.card) or static_rules.fights_like(s, d, sentence):
            return True
        return static_rules.borrows(s, d, sentence)
    partner = die_identity.partner_of(s, d)
    return partner != NOBODY and (
        die_identity.has_text(s, d, sentence.card) or die_identity.has_text(s, partner, sentence.card)
    )


_OF_A_TURN: Final = ("turn", "first", "die")


def is_spent(s: State, ctx: Running) -> bool:
    """Tell whether an ability that works once per turn has been used (for each player and card, or die)."""
    return s.table.sentences[ctx.ability].limit in _OF_A_TURN and (ctx.ability, whose_limit(s, ctx)) in s.spent


def spend(s: State, ctx: Running) -> None:
    """Note that an ability was used, if it works once per turn."""
    if s.table.sentences[ctx.ability].limit in _OF_A_TURN:
        s.spent.append((ctx.ability, whose_limit(s, ctx)))


def whose_limit(s: State, ctx: Running) -> int:
    """Give what stands in `spent` for who has used a limited ability: a die, a player, or another of their characters.

    What a character has by a copy is its own, but a first time that is not about that character itself is the player's (5.7c).
    """
    sentence = s.table.sentences[ctx.ability]
    if sentence.limit == "die":
        return OF_DIE + ctx.this
    return static_rules.whose_text(s, ctx) if sentence.limit == "turn" or sentence.of_itself else ctx.you


def note_first_time(s: State, sentence: Sentence, h: Happening, here: list[Running]) -> None:
    """Note a first time that comes while nobody has the text to answer it: the card counts, not the die (5.7c3).

    It is noted for every player, since one may come to have the text later: by control of a die, or by a copy.
    """
    if sentence.scope != "active":
        return
    for seat in range(s.table.n_seats):
        if (sentence.index, seat) in s.spent or any(x.you == seat for x in here):
            continue
        ctx = static_rules.context(sentence.index, seat, s.table.dice_of[sentence.card][0], h)
        if not sentence.who.holds(s, h.die, ctx):
            continue
        if sentence.other is not None and (h.other == NOBODY or not sentence.other.holds(s, h.other, ctx)):
            continue
        if sentence.condition is None or sentence.condition.asked(s, ctx):
            s.spent.append((sentence.index, seat))


def set_off(s: State, d: int, card: int, h: Happening) -> None:
    """Let the card's own reactions to an event wait for a die that has just taken them over (uxm 107)."""
    for sentence in s.table.listeners.get(h.word, ()):
        if sentence.card == card and sentence.self_only and sentence.fights:
            ctx = Running(sentence.index, s.place[d] & 3, d, static_rules.burst(s, d), 0, h)
            if _is_set_off(s, sentence, h, ctx):
                _wait(s, sentence, ctx)


def go_under_way(s: State) -> Announcing | None:
    """Give what gathers the events of things paid in one go until all of them are done (rules 3.3e6)."""
    for f in s.stack[:2]:  # under it may lie what a script's seat is owed
        if isinstance(f, Announcing) and f.go:
            return f
    return None


def drop_silent(s: State) -> None:
    """Let go what hears of KOs of a go that has KO'd the last die with that text too: all are one effect (3.4d4)."""
    s.queue[:] = [q for q in s.queue if q.moment != s.moment or not _is_silenced(s, q)]


def _is_silenced(s: State, q: Trigger) -> bool:
    if q.ability == RULE or q.event.word not in ("KO'd", "KOs", "KOs own"):
        return False
    sentence = s.table.sentences[q.ability]
    return sentence.scope == "active" and all(s.place[d] & 3 != q.you for d in die_identity.holders(s, sentence.card))


def tell_once(s: State, h: Happening) -> None:
    """Announce an event of an effect; several uses paid in one go are one effect, and it is announced when all are done."""
    go = go_under_way(s)
    if go is None:
        tell(s, h.word, h.die, h.other, h.amount)
    elif h.word in s.table.heard:
        go.add((h,), ())


def next_moment(s: State) -> None:
    """What is announced from here on waits behind what was announced before."""
    s.moment += 1
    if s.table.restless:
        s.dirty = True
    if s.moment > LOOP_LIMIT and s.result == UNDECIDED:
        s.result, s.why = TIE, f"more than {LOOP_LIMIT} things happened in one turn, so it would never end"


RULE: Final = -1  # in place of an ability: not a text waits but a rule, the KO of who has lethal damage


def wait_for_ko(s: State) -> None:
    """Let the KO of who has lethal damage wait behind the effects of that damage."""
    next_moment(s)
    s.queue.append(Trigger(s.moment, s.active, RULE, NOBODY, 0, NOTHING))
    next_moment(s)


def run_next(s: State) -> None:
    """Take the next reaction: of the earliest moment, the active player's first, in the order they choose."""
    queue = s.queue
    next_moment(s)
    if s.result != UNDECIDED:
        return
    if s.spent:
        # of several "first times" at once one counts, the rest do nothing (rules 5.7c)
        queue[:] = [q for q in queue if q.ability == RULE or not is_spent(s, _context(q))]
        if not queue:
            return
    first = queue[0].moment
    together = [q for q in queue if q.moment == first]
    if len(together) > 1:
        mine = [q for q in together if q.you & 1 == s.active & 1]
        if mine:
            together = mine
        together = _distinct(s, together)
        if len(together) > 1:  # whose "if" does not hold waits behind the player's others: one of them may change that
            together = [q for q in together if _holds(s, q)] or together[:1]
    if len(together) > 1:
        if s.answer[0] != "resolve":
            options: list[Option] = [("resolve", q.ability, queue.index(q)) for q in together]
            whose = {q.you for q in together}
            ask(s, whose.pop() if len(whose) == 1 else together[0].you & 1, "resolve", options)  # of partners the lead
            return
        chosen = queue[s.answer[2]]
    else:
        chosen = together[0]
        if s.journal is not None:
            takes(s, chosen.you, ("resolve", chosen.ability, 0))
    queue.remove(chosen)
    if chosen.ability == RULE:
        s.stack.append(Dooming())
        return
    holds = _holds(s, chosen)
    if not holds:
        return
    if chosen.ability in s.table.otherwise:
        other = s.table.otherwise[chosen.ability]
        queue[:] = [q for q in queue if (q.ability, q.this, q.moment) != (other, chosen.this, chosen.moment)]
    ctx = _context(chosen)
    sentence = s.table.sentences[ctx.ability]
    if sentence.limit == "first" or not sentence.programs[ctx.burst].optional:
        spend(s, ctx)
    if comes_to_nothing(s, ctx):
        return  # nobody is asked for whom there is nothing
    if life_for(s, ctx) or _is_use_heard(s, sentence):
        ctx.hold = WAITS_FOR_TOLL
    s.stack.append(ctx)


def _holds(s: State, q: Trigger) -> bool:
    """Tell whether the "if" of a reaction that waits holds now; what belongs to its event was read with it (5.7a)."""
    if q.ability == RULE:
        return True
    sentence = s.table.sentences[q.ability]
    if sentence.condition is None or not sentence.reads_late or not s.table.edition.conditions_when_resolving:
        return True
    return sentence.condition.asked(s, _context(q))


def is_declinable(sentence: Sentence) -> bool:
    """Tell whether the ability is used only if its player says so."""
    return (
        len(sentence.ability.effects) == 1
        and isinstance(only := sentence.ability.effects[0], May)
        and only.who == "you"
    )


def class_of(sentence: Sentence) -> str:
    """Give the printed class of an ability: "when fielded"; a keyword that acts on fielding is none (rules 5.6).

    Resistance and Enlistment only label a sentence that has its own words.
    """
    if sentence.self_only and sentence.keyword in ("", "Resistance", "Enlistment"):
        return f"when {sentence.event}"
    return ""


def life_for(s: State, ctx: Running) -> int:
    """Give the life that rules ask of the player for using this ability now."""
    if not s.records and "ability costs life" not in s.table.standing:
        return 0
    of = class_of(s.table.sentences[ctx.ability])
    rules = static_rules.rules_about(s, "ability costs life", s.table.person + ctx.you)
    return sum(n for rule, _, n, _ in rules if of and rule is not None and rule.text == of)


def _context(q: Trigger) -> Running:
    about = () if q.about == NOBODY else ((q.about,),)
    return Running(q.ability, q.you, q.this, q.burst, 0, q.event, about)


def comes_to_nothing(s: State, ctx: Running) -> bool:
    """Tell whether all that a sentence would do is so much of nothing, or needs its die, which has left (rules 5.13)."""
    program = s.table.sentences[ctx.ability].programs[ctx.burst]
    if program.by_die and die_identity.is_gone(s, ctx):
        return True
    counted = program.counted
    if not counted:
        return False
    for amount in counted:
        if amount.worth(s, ctx):
            return False
    return True


def _is_use_heard(s: State, sentence: Sentence) -> bool:
    """Tell whether anybody at this table reacts to the use of such an ability."""
    for of in (sentence.keyword, class_of(sentence)):
        if of and f"uses {of}" in s.table.heard:
            return True
    return False


def tell_use(s: State, ctx: Running) -> None:
    """Tell that a player uses an ability of a keyword or printed class."""
    sentence = s.table.sentences[ctx.ability]
    for of in (sentence.keyword, class_of(sentence)):
        if of:
            tell(s, f"uses {of}", s.table.person + ctx.you, ctx.this)


def _distinct(s: State, triggers: list[Trigger]) -> list[Trigger]:
    """Keep one of those between which the order makes no difference: like dice that react alike (rules 5.7a7)."""
    seen: set[tuple[object, ...]] = set()
    out: list[Trigger] = []
    for q in triggers:
        key = (q.ability, q.you, q.burst, _alike(s, q.this), _alike(s, q.event.die), q.event.amount, *_matters(s, q))
        if key not in seen:
            seen.add(key)
            out.append(q)
    return out


def _alike(s: State, d: int) -> tuple[int, ...]:
    return (NOBODY,) if d == NOBODY else alike(s, d)


def _matters(s: State, q: Trigger) -> tuple[tuple[int, ...], ...]:
    """Give what else the text speaks of: numbers a die had, the other die, the die it was said about, whom a die has met."""
    if q.ability == RULE:
        return ()
    sentence = s.table.sentences[q.ability]
    out: list[tuple[int, ...]] = []
    if q.event.word == "damaged":
        out.append(q.event.known[:1])
    if sentence.reads_numbers:
        if q.event.word == "KO'd":
            out.append(q.event.known[:3])
        noted = [r for r in s.records if r.word == "numbers" and r.source == q.this and r.ability == q.ability]
        out += [(r.a, r.d) for r in noted]
    if sentence.names_other:
        out.append(_alike(s, q.event.other))
    if q.about != NOBODY or sentence.names_met:
        records = s.records  # that it was said for later of each of them makes no difference
        s.records = [r for r in records if r.word != "later" or r.ability != q.ability]
        met = [x for x, y, how in s.met if y == q.this and not how & LEFT] if sentence.names_met else []
        out += sorted(_alike(s, x) for x in (q.about, *met))
        s.records = records
    return tuple(out)
