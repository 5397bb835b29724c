"""Explanations for unavailable actions, such as `buy captain` without enough energy."""

from __future__ import annotations

from collections.abc import Iterator

from dicemasters.game.inspect import view
from dicemasters.game.inspect.view import CARD, State
from dicemasters.game.text import describe
from dicemasters.game.text.explain_illegal import YES, Refusal, explain_illegal

VERBS = ("buy", "field", "use", "attack", "block", "reroll", "pay", "choose", "global", "ability")
MAX_REASONS = 3  # number of reasons shown
_FILLER_WORDS = ("with", "of", "the", "a")


def explain_unavailable(s: State, line: str) -> str:
    """Return the reasons why an action typed by the user is illegal, or "" if it names nothing in the game."""
    reasons: dict[str, str] = {}
    verb, name = _parse(line)
    for thing, refusal in _refusals(s, verb, name):
        if refusal == YES:
            reasons.setdefault(f"{thing}: this can be done now.", "")
        else:
            reasons.setdefault(f"{thing}: {refusal.text} [{refusal.rule}]", "")
    return " ".join(list(reasons)[:MAX_REASONS])


def _parse(line: str) -> tuple[str, str]:
    """Split a line into the verb ("" if there is none) and the name of a card."""
    words = line.casefold().split()
    verb = words.pop(0) if words and words[0] in VERBS else ""
    while words and words[0] in _FILLER_WORDS:
        words.pop(0)
    return verb, " ".join(words)


def _refusals(s: State, verb: str, name: str) -> Iterator[tuple[str, Refusal]]:
    """Yield everything in the game that the name matches, with the reason why the action is refused."""
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
