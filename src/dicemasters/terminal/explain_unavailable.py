"""Why something that a person types cannot be done now: `buy captain` without the energy for it."""

from __future__ import annotations

from collections.abc import Iterator

from dicemasters.game.inspect import view
from dicemasters.game.inspect.view import CARD, State
from dicemasters.game.text import describe
from dicemasters.game.text.explain_illegal import YES, Refusal, explain_illegal

WANTS = ("buy", "field", "use", "attack", "block", "reroll", "pay", "choose", "global", "ability")
MAX_REASONS = 3  # different reasons told at once
_FILLER_WORDS = ("with", "of", "the", "a")


def explain_unavailable(s: State, line: str) -> str:
    """Say why what a line asks for is not possible, each reason once; "" if the line names nothing at the table."""
    told: dict[str, str] = {}
    want, name = _read(line)
    for thing, no in _answers(s, want, name):
        if no == YES:
            told.setdefault(f"{thing}: this can be done now.", "")
        else:
            told.setdefault(f"{thing}: {no.text} [{no.rule}]", "")
    return " ".join(list(told)[:MAX_REASONS])


def _read(line: str) -> tuple[str, str]:
    """Give what somebody would like to do, "" if that is not said, and with what."""
    words = line.casefold().split()
    want = words.pop(0) if words and words[0] in WANTS else ""
    while words and words[0] in _FILLER_WORDS:
        words.pop(0)
    return want, " ".join(words)


def _answers(s: State, want: str, name: str) -> Iterator[tuple[str, Refusal]]:
    """Give everything at the table that the name fits, with why it cannot be done."""
    seat, t = s.decision.seat, s.spec
    if len(name) < 2 or seat < 0:
        return
    cards = [c for c in range(len(t.cards)) if _is_name_match(t.names[c], name)]
    for c in cards:
        if want in ("", "buy") and t.n_seats <= c < t.n_real_cards and view.card_owner(t, c) in (seat, -1):
            yield f"buy {t.names[c]}", explain_illegal(s, seat, card=c, want="buy")
    if want == "buy":
        if not any(view.card_owner(t, c) in (seat, -1) for c in cards):
            yield from ((f"buy {t.names[c]}", explain_illegal(s, seat, card=c, want="buy")) for c in cards)
        return
    for c in cards if want in ("", "global") else ():
        for n in view.abilities_of(t, c):
            if view.ability_kind(t, n) == "global":
                yield f"Global of {t.names[c]}", explain_illegal(s, seat, ability=n)
    if want == "global":
        return
    for c in cards:
        for d in view.dice_of(t, c):
            if view.zone(s, d) != CARD and (view.controller(s, d) == seat or want == "choose"):
                yield describe.die_or_player_text(s, d), explain_illegal(s, seat, die=d, want=want)


def _is_name_match(title: str, name: str) -> bool:
    return title.casefold().startswith(name) or any(word.startswith(name) for word in title.casefold().split())
