"""Reactions: who hears an event, in which order they wait, and the next one to be carried out (rules 5.7)."""

from __future__ import annotations

from typing import Final

from dicemasters.cards.words import May
from dicemasters.game import energy, look
from dicemasters.game.decide import alike, ask, takes
from dicemasters.game.frames import NOTHING, WAITS_FOR_TOLL, Dooming, Happening, Running, Trigger
from dicemasters.game.sentence import Sentence
from dicemasters.game.state import (
    DOOMED,
    FIELD,
    HAND,
    LOOP_LIMIT,
    NOBODY,
    OF_DIE,
    PLAYER,
    TIE,
    UNDECIDED,
    Option,
    State,
)

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
    late = s.table.edition.conditions_when_resolving
    listeners = s.table.listeners.get(h.word)
    if listeners is None:
        return
    silent = h.word == "damaged" and not s.table.edition.kod_dice_react and _is_kod(s, h.die)
    for sentence in listeners:
        if sentence.self_only:
            d = h.die
            if d >= PLAYER or not _has_text(s, sentence, d):
                continue
            if h.word == "deals damage" and s.place[d] >> 2 == HAND:
                continue  # it was rolled and never in the field, so its text does not work
            if h.word in ("KO'd", "deals damage") and h.known:
                you, burst = h.known[4], h.known[5]  # as it was: it may have left, or gone back to its owner
            elif h.word == "damaged":
                you, burst = h.known[1], h.known[2]
            else:
                you, burst = s.place[d] & 3, look.burst(s, d)
            found = [Running(sentence.index, you, d, burst, 0, h)]
        else:
            if sentence.kind == "global":
                seats = [seat for seat in range(s.table.n_seats) if not look.is_banned(s, seat, "global")]
                prices = {seat: look.global_price(s, seat, sentence.need.price) for seat in seats}
                seats = [seat for seat in seats if energy.can_pay(energy.pool(s, seat), prices[seat])]
                if look.is_silent(s, sentence.card):
                    seats = []
                here = [look.context(sentence.index, seat, NOBODY) for seat in seats]  # decided at once (rules 5.10)
            else:
                here = look.contexts(s, sentence, (*without, h.die) if silent else without)
                if sentence.limit == "first":
                    note_first_time(s, sentence, h, here)
            found = []
            for ctx in here:
                ctx.event = h
                if _is_about(s, sentence, h, ctx):
                    found.append(ctx)
        for ctx in found:
            if sentence.keyword and ctx.this < PLAYER and look.is_deprived(s, ctx.this, sentence.keyword):
                continue
            if sentence.other is not None:
                others = [x for x in _others(s, h) if x != NOBODY and sentence.other.holds(s, x, ctx)]
                if not others:
                    continue
                if others[0] != h.other:
                    ctx.event = h.about(h.die, others[0], h.known)
            if seen is not None:
                acts = h.word in ("deals damage", "blocks")
                source = h.die if acts else h.other
                whom = (
                    (h.other if acts else h.die) if sentence.tells_apart and (acts or h.word == "damaged") else NOBODY
                )
                key = (sentence.index, ctx.you, ctx.this, source, whom)
                if key in seen:
                    continue
            if (
                sentence.condition is not None
                and not (sentence.reads_late and late)
                and not sentence.condition.asked(s, ctx)
            ):
                continue
            if silent and sentence.self_only:
                continue
            if is_spent(s, ctx) or not sentence.programs[ctx.burst].ops:  # only a burst would do something
                continue
            if sentence.limit == "together" and any(
                q.moment == s.moment and q.ability == sentence.index and q.you == ctx.you for q in s.queue
            ):
                continue
            if sentence.limit == "moment":
                same = _same(s, sentence, ctx.this)
                if any(q.moment == s.moment and q.ability == sentence.index and q.this in same for q in s.queue):
                    continue
            if seen is not None:
                seen.add(key)
            s.queue.append(Trigger(s.moment, ctx.you, sentence.index, ctx.this, ctx.burst, ctx.event))


def _is_about(s: State, sentence: Sentence, h: Happening, ctx: Running) -> bool:
    """Tell whether the text means whom the event is about: whose it was then, it may have gone home since (5.13b)."""
    d = h.die
    at = 4 if h.word == "deals damage" else 1 if h.word == "damaged" else -1
    if at < 0 or d >= PLAYER or len(h.known) <= at:
        return sentence.who.holds(s, d, ctx)
    place = s.place[d]
    s.place[d] = (place >> 2) * 4 + h.known[at]
    holds = sentence.who.holds(s, d, ctx)
    s.place[d] = place
    return holds


def _is_kod(s: State, d: int) -> bool:
    """Tell whether the die that was damaged has been KO'd by that, or will be when its effects are done."""
    return d < PLAYER and (s.place[d] >> 2 != FIELD or s.flags[d] & DOOMED != 0)


def _others(s: State, h: Happening) -> list[int]:
    """List who the event's other die may be: a die can be engaged with several at once."""
    if h.word in ("is blocked", "engaged"):
        return look.blockers_of(s, h.die) or look.blocked_by(s, h.die)
    return [h.other]


def _same(s: State, sentence: Sentence, d: int) -> tuple[int, ...]:
    """List for whom one time at a moment counts: the die, and its partner where the text belongs to both."""
    return (d, look.partner_of(s, d)) if sentence.scope == "pair" else (d,)


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
        return look.was_given(s, d, sentence)
    if sentence.scope != "pair":
        if look.has_text(s, d, sentence.card) or look.fights_like(s, d, sentence):
            return True
        return look.borrows(s, d, sentence)
    partner = look.partner_of(s, d)
    return partner != NOBODY and (look.has_text(s, d, sentence.card) or look.has_text(s, partner, sentence.card))


def is_spent(s: State, ctx: Running) -> bool:
    """Tell whether an ability that works once per turn has been used (for each player and card, or die)."""
    limit = s.table.sentences[ctx.ability].limit
    if limit in ("turn", "first"):
        return (ctx.ability, ctx.you) in s.spent
    if limit == "die":
        return (ctx.ability, OF_DIE + ctx.this) in s.spent
    return False


def spend(s: State, ctx: Running) -> None:
    """Note that an ability was used, if it works once per turn."""
    limit = s.table.sentences[ctx.ability].limit
    if limit in ("turn", "first"):
        s.spent.append((ctx.ability, ctx.you))
    elif limit == "die":
        s.spent.append((ctx.ability, OF_DIE + ctx.this))


def note_first_time(s: State, sentence: Sentence, h: Happening, here: list[Running]) -> None:
    """Note a first time that comes while the card is not active: the card counts, with dice in the field or not (5.7c3)."""
    owner = s.table.owner_of_card[sentence.card]
    if sentence.scope != "active" or (sentence.index, owner) in s.spent or any(x.you == owner for x in here):
        return
    ctx = look.context(sentence.index, owner, s.table.dice_of[sentence.card][0], h)
    if not sentence.who.holds(s, h.die, ctx):
        return
    if sentence.other is not None and (h.other == NOBODY or not sentence.other.holds(s, h.other, ctx)):
        return
    if sentence.condition is None or sentence.condition.asked(s, ctx):
        s.spent.append((sentence.index, owner))


def set_off(s: State, d: int, card: int, h: Happening) -> None:
    """Let the card's own reactions to an event wait for a die that has just taken them over (uxm 107)."""
    for sentence in s.table.listeners.get(h.word, ()):
        if sentence.card == card and sentence.self_only and sentence.fights:
            ctx = Running(sentence.index, s.place[d] & 3, d, look.burst(s, d), 0, h)
            if sentence.condition is None or sentence.condition.asked(s, ctx):
                s.queue.append(Trigger(s.moment, ctx.you, sentence.index, d, ctx.burst, h))


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
    rules = look.rules_about(s, "ability costs life", s.table.person + ctx.you)
    return sum(n for rule, _, n, _ in rules if of and rule is not None and rule.text == of)


def _context(q: Trigger) -> Running:
    about = () if q.about == NOBODY else ((q.about,),)
    return Running(q.ability, q.you, q.this, q.burst, 0, q.event, about)


def comes_to_nothing(s: State, ctx: Running) -> bool:
    """Tell whether all that a sentence would do is so much of nothing, or needs its die, which has left (rules 5.13)."""
    program = s.table.sentences[ctx.ability].programs[ctx.burst]
    if program.by_die and look.is_gone(s, ctx):
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
    seen: set[tuple[object, ...]] = set()
    out: list[Trigger] = []
    for q in triggers:
        this = (NOBODY,) if q.this == NOBODY else alike(s, q.this)
        die = (NOBODY,) if q.event.die == NOBODY else alike(s, q.event.die)
        key = (q.ability, q.you, this, die, q.event.amount)
        if key not in seen:
            seen.add(key)
            out.append(q)
    return out
