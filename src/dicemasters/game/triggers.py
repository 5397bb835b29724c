"""Reactions: who hears an event, in which order they wait, and the next one to be carried out (rules 5.7)."""

from __future__ import annotations

from dicemasters.game import look
from dicemasters.game.decide import alike, ask
from dicemasters.game.look import Running
from dicemasters.game.state import NOBODY, PLAYER, Happening, Option, State, Trigger

Seen = set[tuple[int, int, int, int]]


def tell(
    s: State, word: str, die: int = NOBODY, other: int = NOBODY, amount: int = 0, known: tuple[int, ...] = ()
) -> None:
    """Announce an event, if anybody at this table listens to it."""
    if word in s.table.listeners:
        announce(s, Happening(word, die, other, amount, "", known))


def announce(s: State, h: Happening, without: tuple[int, ...] = (), seen: Seen | None = None) -> None:
    """Let every ability that reacts to the event wait in the queue.

    The dice `without` no longer lend their text to a while-active ability; `seen` lets one source that meets an ability in
    several ways at one moment set it off once (rules 10.1).
    """
    sentences = s.table.listeners.get(h.word)
    if sentences is None:
        return
    for sentence in sentences:
        if sentence.self_only:
            d = h.die
            if d >= PLAYER or sentence.card not in look.texts(s, d):
                continue
            if sentence.scope == "pair" and look.partner_of(s, d) == NOBODY:
                continue
            if h.word == "KO'd":
                you, burst = h.known[4], h.known[5]
            else:
                you, burst = s.place[d] & 3, look.burst(s, d)
            found = [Running("run", sentence.index, you, d, burst, 0, h)]
        else:
            found = []
            for ctx in look.contexts(s, sentence, without):
                ctx = ctx._replace(event=h)
                if sentence.who(s, h.die, ctx):
                    found.append(ctx)
            if sentence.kind == "global" and not found:
                found = [
                    ctx
                    for seat in range(s.table.n_seats)
                    for ctx in (Running("run", sentence.index, seat, NOBODY, 0, 0, h),)
                    if sentence.who(s, h.die, ctx)
                ]
        for ctx in found:
            if sentence.other is not None and (h.other == NOBODY or not sentence.other(s, h.other, ctx)):
                continue
            if seen is not None:
                key = (sentence.index, ctx.you, ctx.this, h.other)
                if key in seen:
                    continue
                seen.add(key)
            if sentence.condition is not None and not sentence.condition(s, ctx):
                continue
            if is_spent(s, ctx):
                continue
            if sentence.limit == "together" and any(
                q.moment == s.moment and q.ability == sentence.index and q.you == ctx.you for q in s.queue
            ):
                continue
            if sentence.limit in ("turn", "die") and not sentence.programs[ctx.burst].optional:
                spend(s, ctx)
            s.queue.append(Trigger(s.moment, ctx.you, sentence.index, ctx.this, ctx.burst, h))


def is_spent(s: State, ctx: Running) -> bool:
    """Tell whether an ability that works once per turn has been used (for each player and card, or die)."""
    limit = s.table.sentences[ctx.ability].limit
    if limit == "turn":
        return (ctx.ability, ctx.you) in s.spent
    if limit == "die":
        return (ctx.ability, 1000 + ctx.this) in s.spent
    return False


def spend(s: State, ctx: Running) -> None:
    """Note that an ability was used, if it works once per turn."""
    limit = s.table.sentences[ctx.ability].limit
    if limit == "turn":
        s.spent.append((ctx.ability, ctx.you))
    elif limit == "die":
        s.spent.append((ctx.ability, 1000 + ctx.this))


def next_moment(s: State) -> None:
    """What is announced from here on waits behind what was announced before."""
    s.moment += 1


def run_next(s: State) -> None:
    """Take the next reaction: of the earliest moment, the active player's first, in the order they choose."""
    queue = s.queue
    s.moment += 1
    first = queue[0].moment
    together = [q for q in queue if q.moment == first]
    if len(together) > 1:
        mine = [q for q in together if q.you & 1 == s.active & 1]
        if mine:
            together = mine
        together = _distinct(s, together)
    if len(together) > 1:
        if s.answer[0] != "resolve":
            options: list[Option] = [("resolve", q.ability, queue.index(q)) for q in together]
            ask(s, together[0].you, "resolve", options)
            return
        chosen = queue[s.answer[2]]
    else:
        chosen = together[0]
    queue.remove(chosen)
    s.stack.append(Running("run", chosen.ability, chosen.you, chosen.this, chosen.burst, 0, chosen.event))


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
