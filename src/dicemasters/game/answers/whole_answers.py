"""Whole answers: all parts of an answer at once, in any order, put into the engine's order or refused with a reason."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable
from typing import NamedTuple

from dicemasters.game.answers.compound import (
    CompoundDecision,
    CompoundOption,
    block_options_of,
    compound_decision,
    damage_split_of,
)
from dicemasters.game.answers.ordering import PARTS, order_options
from dicemasters.game.decision import IllegalChoiceError
from dicemasters.game.game_spec import GENERIC
from dicemasters.game.mechanics import payment
from dicemasters.game.mechanics.combat import restrictions
from dicemasters.game.mechanics.combat.declarations import BlockDeclaration
from dicemasters.game.queries import combat_status, static_rules
from dicemasters.game.queries.equivalence import equivalence_key
from dicemasters.game.state.constants import PLAYER, RESERVE
from dicemasters.game.state.frames import PaymentFrame
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
    if not parts:
        done = [o for o in s.options if o[0] == "done"]
        if done:
            return done
    raise IllegalChoiceError("This is answered by exactly one option.")


def find_parts(s: State, names: Iterable[Option | str]) -> list[Option]:
    """Return the parts of an answer with these names; a name used again stands for another of several equivalent dice.

    A name is one of the engine's options, a text, or words of a text. Raise IllegalChoiceError if a name fits no part
    that is left, or several.
    """
    answer = NameableParts(s)
    named: list[Option] = []
    if answer.compound.mode == "one" and not answer.left([]):
        player = describe.seat_name(s.decision.seat)
        raise IllegalChoiceError(f"this takes exactly one option; {player} may: {'; '.join(describe.option_texts(s))}")
    for name in names:
        if isinstance(name, str):
            text, found = name, answer.match(name, named)
        else:
            text, found = describe.option_text(s, name), answer.stand_in(name, answer.left(named))
        if len(found) != 1:
            player = describe.seat_name(s.decision.seat)
            raise IllegalChoiceError(
                f"'{text:.100}' fits more than one option: {'; '.join(part.text for part in found)}"
                if found
                else f"'{text:.100}' is not an option; {player} may: {'; '.join(p.text for p in answer.left(named))}"
            )
        named.append(found[0].option)
    return named


class NameablePart(NamedTuple):
    """Part of an answer with its text; `is_left` is False if the parts named so far use all its dice."""

    option: Option
    text: str
    compound: CompoundOption
    is_left: bool


class NameableParts:
    """Everything that can be named as a part of the answer to the pending decision."""

    def __init__(self, s: State) -> None:
        self.s = s
        self.compound = compound_decision(s)
        self._at_first = self.all([])

    def all(self, named: list[Option]) -> list[NameablePart]:
        """Return all parts with distinct texts, on dice that none of the parts named so far uses if there are any."""
        used = {o[1] for o in named if o[0] != "block"}
        blocks = [(o[1], o[2]) for o in named if o[0] == "block"]
        listed: list[tuple[Option, CompoundOption, bool]] = []
        for part in self.compound.options:
            kind, x, y = part.option
            if kind not in PARTS:
                continue
            if kind == "block":
                listed += [(("block", *pair), part, True) for pair in _unused_blocks(part, blocks)]
            elif kind == "amount":
                listed += [(("amount", x, n), part, x not in used) for n in range(self.compound.total + 1)]
            else:
                unused = [d for d in (x, *part.dice) if d not in used or d == NOBODY]
                listed.append(((kind, unused[0] if unused else x, y), part, bool(unused)))
        position = self.s
        if blocks:
            position = self.s.copy()
            position.blocks = [*self.s.blocks, *blocks]  # makes equal attackers distinguishable
        texts = describe.distinct_texts(position, [option for option, _, _ in listed])
        return [NameablePart(o, text, part, left) for (o, part, left), text in zip(listed, texts, strict=True)]

    def left(self, named: list[Option]) -> list[NameablePart]:
        """Return the parts that can still be named."""
        return [part for part in self.all(named) if part.is_left]

    def match(self, text: str, named: list[Option]) -> list[NameablePart]:
        """Return the parts that a text names: just one if it is clear.

        A text that is clear before anything is named means the same afterwards, so that the order does not matter.
        """
        found = matching.match_texts([part.text for part in self._at_first], text)
        if len(found) == 1:
            return self.stand_in(self._at_first[found[0]].option, self.left(named))
        return self.match_left(text, named)

    def match_left(self, text: str, named: list[Option]) -> list[NameablePart]:
        """Return the parts that a text matches best among those left."""
        left = self.left(named)
        found = matching.match_texts([part.text for part in left], text)
        return [left[i] for i in found] or self._match_numbered_block(text, named)

    def _match_numbered_block(self, text: str, named: list[Option]) -> list[NameablePart]:
        """Return the block of one of several equal attackers, named by its number in the order of the position."""
        match = re.fullmatch(r"(block .+?) #([1-9][0-9]?)( with .+)", text.strip(), re.IGNORECASE | re.DOTALL)
        if match is None:
            return []
        found = matching.match_texts([part.text for part in self._at_first], match[1] + match[3])
        number = int(match[2])
        if len(found) != 1 or number > len(self._at_first[found[0]].compound.to):
            return []
        part = self._at_first[found[0]]
        attacker = part.compound.to[number - 1]
        blocker = _unused_blocker(part.compound, attacker, [(b, a) for _, b, a in named])
        return [part._replace(option=("block", blocker, attacker))] if blocker >= 0 else []

    def stand_in(self, option: Option, left: list[NameablePart]) -> list[NameablePart]:
        """Return the part that is this option, or else one with equivalent dice; [] if there is none left."""
        kind, x, y = option
        s = self.s

        def stands_for(part: NameablePart) -> bool:
            if part.option[0] != kind:
                return False
            if kind == "block":
                return x in part.compound.dice and y in part.compound.to
            if kind == "amount" and max(x, part.option[1]) < PLAYER:
                return y == part.option[2] and equivalence_key(s, x) == equivalence_key(s, part.option[1])
            return y == part.option[2] and x in (part.option[1], *part.compound.dice)

        found = [part for part in left if stands_for(part)]
        found.sort(key=lambda part: (part.option[2] != y, part.option != option))  # the same attacker first
        return found[:1]


def _unused_blocks(part: CompoundOption, named: list[tuple[int, int]]) -> list[tuple[int, int]]:
    """Return the blocks a part stands for, except those named: equal attackers differ once one of them is blocked."""
    blocked = {a for _, a in named}
    attackers = [a for a in part.to if a in blocked] + [a for a in part.to if a not in blocked][:1]
    pairs = [(_unused_blocker(part, a, named), a) for a in attackers]
    return [pair for pair in pairs if pair[0] >= 0]


def _unused_blocker(part: CompoundOption, attacker: int, named: list[tuple[int, int]]) -> int:
    """Return a die for this part that does not block yet, or else one that does not block this attacker, or -1."""
    blocking = {b for b, _ in named}
    blockers = [b for b in part.dice if b not in blocking] or list(part.dice)
    return next((b for b in blockers if (b, attacker) not in named), -1)


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
    ordered = order_options(s, parts, finish=True) if _is_complete(s, parts) else None
    if ordered is None:
        raise IllegalChoiceError(_explain_blocks(s, listed, parts))
    return ordered.options


def _is_complete(s: State, parts: list[Option]) -> bool:
    """Return whether the declaration may end with these blocks, whatever their order."""
    declared = s.copy()
    declared.blocks = [*s.blocks, *[(b, a) for _, b, a in parts]]
    declaration = BlockDeclaration(declared)
    return not parts or declaration.solver.can_end(declaration.end)


def _explain_blocks(s: State, listed: list[CompoundOption], parts: list[Option]) -> str:
    """Return why these blocks are illegal, naming a character whose condition or obligation is not met if there is one."""
    blockers = Counter(a for _, _, a in parts)
    attackers = combat_status.attackers(s)
    for a in attackers:
        needed = max([n for _, _, n, _ in static_rules.rules_affecting(s, "blocked by at least", a)], default=1)
        if 0 < blockers[a] < needed:
            return f"{_name(s, a)} takes at least {needed} blockers."
        for other in restrictions.blocked_first(s, a, attackers) if blockers[a] else ():
            if not blockers[other]:
                return f"{_name(s, a)} can be blocked only if {_name(s, other)} is blocked too."
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
    if spent.total() == due + 1:
        _spend_in_part(s, frame, spent)
    if spent.total() != due:
        raise IllegalChoiceError(f"{due} energy must be paid, and this is {spent.total()}.")
    wanted: list[Option] = [("pay", NOBODY, 1)] * spent.pop(NOBODY, 0)
    wanted += [("pay", d, n) for d, n in spent.items()]
    ordered = order_options(s, wanted, finish=True)
    if ordered is None:
        raise IllegalChoiceError(_explain_payment(frame.price))
    return ordered.options


def _spend_in_part(s: State, frame: PaymentFrame, spent: Counter[int]) -> None:
    """Spend one energy less of a die with two, if none of the parts that can be named is half of such a die.

    This is how equal doubles, or a die of which the rest is lost, pay an odd remainder.
    """
    halves = {payment.payment_class(s, d) for _, d, n in payment.payment_parts(s, frame) if n == 1 and d != NOBODY}
    whole: dict[int, int] = {}  # the last die of each class of dice that can only be named as a whole
    for d, n in spent.items():
        if d != NOBODY and n == 2 and payment.payment_class(s, d) not in halves:
            whole[payment.payment_class(s, d)] = d
    is_generic = {key: s.spec.energy[s.spec.face_base[d] + s.face[d]] == GENERIC for key, d in whole.items()}
    if len(whole) == 1 or any(is_generic.values()):  # of generic energy it makes no difference which is lost
        spent[whole[max(whole, key=lambda key: (is_generic[key], key))]] = 1


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
