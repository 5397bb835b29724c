"""Whole answers: all parts of an answer at once, in any order, put into the engine's order or refused with a reason."""

from __future__ import annotations

from collections import Counter

from dicemasters.game.answers.compound import (
    CompoundDecision,
    CompoundOption,
    block_options_of,
    compound_decision,
    damage_split_of,
)
from dicemasters.game.answers.ordering import PARTS, order_options
from dicemasters.game.decision import IllegalChoiceError
from dicemasters.game.mechanics import payment
from dicemasters.game.mechanics.combat import restrictions
from dicemasters.game.queries import static_rules
from dicemasters.game.state.constants import RESERVE
from dicemasters.game.state.state import State
from dicemasters.game.state.values import NOBODY, Option, Price
from dicemasters.game.text import describe, matching


def whole_answer_options(s: State, parts: list[Option]) -> list[Option]:
    """Return the engine's options for a whole answer to the pending decision.

    The parts may come in any order and name any of several equivalent dice; damage that is not mentioned is 0. Raise
    IllegalChoiceError with the reason if the answer is illegal. The state does not change.
    """
    compound = compound_decision(s)
    match compound.mode:
        case "many":
            return _picked(s, compound, parts)
        case "blocks":
            return _blocked(s, parts)
        case "spend":
            return _paid(s, parts)
        case "split":
            return _split(s, parts)
    if len(parts) == 1 and parts[0] in s.options:
        return parts
    raise IllegalChoiceError("This is answered by exactly one option.")


def find_parts(s: State, texts: list[str]) -> list[Option]:
    """Return the parts of an answer that these texts name; equal texts name different dice.

    Raise IllegalChoiceError if a text names no part that is left, or several.
    """
    parts: list[Option] = []
    for text in texts:
        candidates = nameable_parts(s, parts)
        part_texts = [part_text for _, part_text in candidates]
        found = matching.match_texts(part_texts, text)
        if len(found) != 1:
            player = describe.seat_name(s.decision.seat)
            raise IllegalChoiceError(
                f"'{text:.100}' fits more than one option: {'; '.join(part_texts[i] for i in found)}"
                if found
                else f"'{text:.100}' is not an option; {player} may: {'; '.join(part_texts)}"
            )
        parts.append(candidates[found[0]][0])
    return parts


def nameable_parts(s: State, named: list[Option]) -> list[tuple[Option, str]]:
    """Return the parts of an answer with their texts, on dice that none of the parts named so far uses."""
    used = {o[1] for o in named if o[0] != "block"}
    blocks = [(o[1], o[2]) for o in named if o[0] == "block"]
    compound = compound_decision(s)
    options: list[Option] = []
    exhausted: list[Option] = []  # parts without an unused die still count when texts are made distinct
    for part in compound.options:
        kind, x, y = part.option
        if kind not in PARTS:
            continue
        if kind == "block":
            options += [("block", *pair) for pair in _unused_blocks(part, blocks)]
        elif kind == "amount":
            options += [("amount", x, n) for n in range(compound.total + 1) if x not in used]
        else:
            unused = [d for d in part.dice or (x,) if d not in used or d == NOBODY]
            (options if unused else exhausted).append((kind, unused[0] if unused else x, y))
    position = s
    if blocks:
        position = s.copy()
        position.blocks = [*s.blocks, *blocks]  # makes equal attackers distinguishable
    texts = describe.distinct_texts(position, options + exhausted)
    return list(zip(options, texts, strict=False))


def _unused_blocks(part: CompoundOption, named: list[tuple[int, int]]) -> list[tuple[int, int]]:
    """Return the blocks a part stands for, except those named: equal attackers differ once one of them is blocked."""
    blocking, blocked = {b for b, _ in named}, {a for _, a in named}
    blockers = [b for b in part.dice if b not in blocking] or list(part.dice)
    attackers = [a for a in part.to if a in blocked] + [a for a in part.to if a not in blocked][:1]
    pairs = [(next((b for b in blockers if (b, a) not in named), -1), a) for a in attackers]
    return [pair for pair in pairs if pair[0] >= 0]


# --- the kinds of answers ------------------------------------------------------------------------------------------


def _picked(s: State, compound: CompoundDecision, parts: list[Option]) -> list[Option]:
    """Order the dice of a reroll, an attack or a selection."""
    pickable = {(part.option[0], d) for part in compound.options for d in (part.option[1], *part.dice)}
    for kind, d, _ in parts:
        if kind not in PARTS or (kind, d) not in pickable:
            raise IllegalChoiceError(f"{_name(s, d)} cannot be picked now.")
    _check_distinct(parts)
    if len(parts) < compound.minimum:
        raise IllegalChoiceError(_explain_too_few(s, compound, parts))
    if len(parts) > compound.maximum:
        raise IllegalChoiceError(f"At most {compound.maximum} can be picked.")
    ordered = order_options(s, parts, finish=True)
    if ordered is None:
        is_attack = s.decision.kind == "attack"  # any attackers are legal together with those that must attack
        raise IllegalChoiceError(
            _explain_too_few(s, compound, parts) if is_attack else "These dice cannot be picked together."
        )
    return ordered.options


def _check_distinct(parts: list[Option]) -> None:
    if len(set(parts)) < len(parts):
        raise IllegalChoiceError("A die is named twice.")


def _explain_too_few(s: State, compound: CompoundDecision, parts: list[Option]) -> str:
    if s.decision.kind == "attack":
        picked = {d for _, d, _ in parts}
        for part in compound.options:
            for d in part.dice if part.option[0] == "attack" else ():
                if (
                    d not in picked
                    and restrictions.must_attack_or_block(s, "must attack", d)
                    and not restrictions.life_toll(s, "cannot attack", d)
                ):
                    return f"{_name(s, d)} must attack."
        return "Somebody must attack."
    return f"At least {compound.minimum} must be picked."


def _blocked(s: State, parts: list[Option]) -> list[Option]:
    """Order the blocks of a declaration."""
    listed = block_options_of(s)
    possible = {(b, a) for part in listed for b in part.dice for a in part.to}
    for _, b, a in parts:
        if (b, a) not in possible:
            raise IllegalChoiceError(f"{_name(s, b)} cannot block {_name(s, a)}.")
    _check_distinct(parts)
    for b, n in Counter(b for _, b, _ in parts).items():
        if n > 1 and not (
            static_rules.is_affected_by(s, "blocks more", b) or static_rules.is_affected_by(s, "blocks also", b)
        ):
            raise IllegalChoiceError(f"{_name(s, b)} can block only one.")
    ordered = order_options(s, parts, finish=True)
    if ordered is None:
        raise IllegalChoiceError(_explain_blocks(s, listed, parts))
    return ordered.options


def _explain_blocks(s: State, listed: list[CompoundOption], parts: list[Option]) -> str:
    """Return why these blocks are illegal, naming a character that must block or be blocked if there is one."""
    unblocked = {a for part in listed for a in part.to} - {a for _, _, a in parts}
    for a in sorted(unblocked):
        if static_rules.is_affected_by(s, "must be blocked", a):
            return f"{_name(s, a)} must be blocked."
    non_blockers = {b for part in listed for b in part.dice} - {b for _, b, _ in parts}
    for b in sorted(non_blockers):
        if static_rules.is_affected_by(s, "must block", b) or static_rules.is_affected_by(s, "must block this", b):
            return f"{_name(s, b)} must block."
    return "These blocks cannot be made together." if parts else "Somebody has to block."


def _paid(s: State, parts: list[Option]) -> list[Option]:
    """Order the energy of a payment."""
    frame = payment.pending_payment(s)
    due = frame.left()
    spent: Counter[int] = Counter()
    for kind, d, n in parts:
        if kind != "pay" or n < 1 or (d != NOBODY and d not in s.dice_in(RESERVE, frame.seat)):
            raise IllegalChoiceError(f"{_name(s, d)} cannot pay for this.")
        spent[d] += n
    if spent.total() != due:
        raise IllegalChoiceError(f"{due} energy must be paid, and this is {spent.total()}.")
    wanted: list[Option] = [("pay", NOBODY, 1)] * spent.pop(NOBODY, 0)
    wanted += [("pay", d, n) for d, n in spent.items()]
    ordered = order_options(s, wanted, finish=True)
    if ordered is None:
        raise IllegalChoiceError(_explain_payment(frame.price))
    return ordered.options


def _explain_payment(price: Price) -> str:
    names = ("fist", "bolt", "mask", "shield")
    types = [name for name, n in zip(names, price[:4], strict=True) if n]
    return (
        f"The payment needs {' and '.join(f'one {kind}' for kind in types)}."
        if types
        else "This cannot be paid that way."
    )


def _split(s: State, parts: list[Option]) -> list[Option]:
    """Order the amounts of a split of damage; recipients that are not named get nothing."""
    total, shares = damage_split_of(s)
    recipients = [d for d, _ in shares]
    amounts: Counter[int] = Counter()
    for kind, d, n in parts:
        if kind != "amount" or d not in recipients or n < 0:
            raise IllegalChoiceError(f"{_name(s, d)} gets none of this damage.")
        amounts[d] += n
    ordered = order_options(s, [("amount", d, amounts[d]) for d in recipients], finish=True)
    if ordered is None:
        raise IllegalChoiceError(
            "The damage cannot be split that way."
            if amounts.total() == total
            else f"{total} damage must be split, and this is {amounts.total()}."
        )
    return ordered.options


def _name(s: State, d: int) -> str:
    return describe.die_text(s, d) if 0 <= d < s.spec.n_dice else "That"
