"""Why something that a person types cannot be done now: `buy captain` without the energy for it."""

from __future__ import annotations

from collections.abc import Iterator

from dicemasters.game.inspect import view
from dicemasters.game.inspect.view import CARD, State
from dicemasters.game.text import describe
from dicemasters.game.text.explain_illegal import YES, Refusal, explain_illegal

VERBS = ("buy", "field", "use", "attack", "block", "reroll", "pay", "choose", "global", "ability")
MAX_REASONS = 3  # different reasons told at once
_FILLER_WORDS = ("with", "of", "the", "a")


def explain_unavailable(s: State, line: str) -> str:
    """Say why what a line asks for is not possible, each reason once; "" if the line names nothing at the table."""
    reasons: dict[str, str] = {}
    verb, name = _parse(line)
    for thing, refusal in _refusals(s, verb, name):
        if refusal == YES:
            reasons.setdefault(f"{thing}: this can be done now.", "")
        else:
            reasons.setdefault(f"{thing}: {refusal.text} [{refusal.rule}]", "")
    return " ".join(list(reasons)[:MAX_REASONS])


def _parse(line: str) -> tuple[str, str]:
    """Give what somebody would like to do, "" if that is not said, and with what."""
    words = line.casefold().split()
    verb = words.pop(0) if words and words[0] in VERBS else ""
    while words and words[0] in _FILLER_WORDS:
        words.pop(0)
    return verb, " ".join(words)


def _refusals(s: State, verb: str, name: str) -> Iterator[tuple[str, Refusal]]:
    """Give everything at the table that the name fits, with why it cannot be done."""
    seat, spec = s.decision.seat, s.spec
    if len(name) < 2 or seat < 0:
        return
    cards = [c for c in range(len(spec.cards)) if _is_name_match(spec.names[c], name)]
    for c in cards:
        if verb in ("", "buy") and spec.n_seats <= c < spec.n_real_cards and view.card_owner(spec, c) in (seat, -1):
            yield f"buy {spec.names[c]}", explain_illegal(s, seat, card=c, want="buy")
    if verb == "buy":
        if not any(view.card_owner(spec, c) in (seat, -1) for c in cards):
            yield from ((f"buy {spec.names[c]}", explain_illegal(s, seat, card=c, want="buy")) for c in cards)
        return
    for c in cards if verb in ("", "global") else ():
        for n in view.abilities_of(spec, c):
            if view.ability_kind(spec, n) == "global":
                yield f"Global of {spec.names[c]}", explain_illegal(s, seat, ability=n)
    if verb == "global":
        return
    for c in cards:
        for d in view.dice_of(spec, c):
            if view.zone(s, d) != CARD and (view.controller(s, d) == seat or verb == "choose"):
                yield describe.die_or_player_text(s, d), explain_illegal(s, seat, die=d, want=verb)


def _is_name_match(title: str, name: str) -> bool:
    return title.casefold().startswith(name) or any(word.startswith(name) for word in title.casefold().split())
