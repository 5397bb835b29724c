"""Types, cards and affiliations that a text names."""

from __future__ import annotations

from typing import cast

from dicemasters.cards.language import vocabulary as w
from dicemasters.game.abilities.predicates import name_choice
from dicemasters.game.abilities.program import Instruction
from dicemasters.game.effects.feasibility import affiliations
from dicemasters.game.mechanics.decision_requests import note_forced_choice, request_decision
from dicemasters.game.queries import die_identity
from dicemasters.game.state.frames import AbilityFrame
from dicemasters.game.state.state import State
from dicemasters.game.state.values import NOBODY, ActiveEffect, Option


def name_type(s: State, f: AbilityFrame, op: Instruction) -> None:
    if not f.waiting:
        f.waiting = 1
        request_decision(s, f.you, "name type", [("type", i, 0) for i in range(4)], about=f.ability)
        return
    s.name_choices = [n for n in s.name_choices if n[0] != f.ability]
    s.name_choices.append((f.ability, w.TYPES[s.answer[1]]))
    s.state_check_due = True
    f.jump_to(f.pc + 1)


def copy_named_card(s: State, f: AbilityFrame, op: Instruction) -> None:
    """The dice of this card take over the named card of the opponent, until another of them is fielded."""
    f.pc += 1
    t = s.spec
    key = name_choice(s, f)
    faces = int(cast(w.CopyNamedCard, op.node).faces)
    rivals = t.sides[die_identity.opponent_of(f.you)]
    for c in range(t.n_real_cards):
        if t.cards[c].key == key and t.owner_of_card[c] in rivals:
            s.active_effects.append(
                ActiveEffect("copy card", NOBODY, c, faces, -1, w.NEXT_FIELDING, f.you, f.this, f.ability)
            )
    s.state_check_due = True


def name_card(s: State, f: AbilityFrame, op: Instruction) -> None:
    """Choose one of the opponent's character cards; a Sidekick has none."""
    t = s.spec
    rivals = t.sides[die_identity.opponent_of(f.you)]
    theirs = [c for c in range(t.n_real_cards) if t.owner_of_card[c] in rivals and t.cards[c].kind == "character"]
    if len(theirs) > 1 and not f.waiting:
        f.waiting = 1
        request_decision(s, f.you, "name card", [("card", c, 0) for c in theirs], about=f.ability)
        return
    named_now = [s.answer[1]] if f.waiting else theirs
    if s.journal is not None and not f.waiting:
        for c in theirs:  # there is no other
            note_forced_choice(s, f.you, ("card", c, 0))
    f.jump_to(f.pc + 1)
    for c in named_now:
        card = t.abilities[f.ability].card
        s.name_choices = [n for n in s.name_choices if t.abilities[n[0]].card != card]
        s.name_choices.append((f.ability, t.cards[c].key))
        s.state_check_due = True


def apply_affiliation_choice(s: State, f: AbilityFrame, op: Instruction) -> None:
    """The affiliation chosen before holds from now on, in place of an earlier one."""
    f.pc += 1
    if f.given:
        s.name_choices = [n for n in s.name_choices if n[0] != f.ability]
        s.name_choices.append((f.ability, s.spec.affiliations[f.given - 1]))
        s.state_check_due = True


def name_affiliation(s: State, f: AbilityFrame, op: Instruction) -> None:
    if f.waiting:
        f.jump_to(f.pc + 1)
        f.given = s.answer[1] + 1
        return
    options: list[Option] = [("name", i, 0) for i in affiliations(s, f, op)]
    if len(options) > 1:
        f.waiting = 1
        request_decision(s, f.you, "name affiliation", options, about=f.ability)
        return
    f.pc += 1
    f.given = 0
    for option in options:  # there is no other
        f.given = option[1] + 1
        if s.journal is not None:
            note_forced_choice(s, f.you, option)
