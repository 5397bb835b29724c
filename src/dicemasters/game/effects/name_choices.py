"""Effects that name an energy type, a card or an affiliation."""

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


def name_type(s: State, frame: AbilityFrame, op: Instruction) -> None:
    """Ask for an energy type and store it as the one named."""
    if not frame.waiting:
        frame.waiting = 1
        request_decision(s, frame.you, "name type", [("type", i, 0) for i in range(4)], about=frame.ability)
        return
    s.name_choices = [n for n in s.name_choices if n[0] != frame.ability]
    s.name_choices.append((frame.ability, w.TYPES[s.answer[1]]))
    s.state_check_due = True
    frame.jump_to(frame.pc + 1)


def copy_named_card(s: State, frame: AbilityFrame, op: Instruction) -> None:
    """Make this card's dice copies of the opponent's named card until another of them is fielded."""
    frame.pc += 1
    spec = s.spec
    key = name_choice(s, frame)
    faces = int(cast(w.CopyNamedCard, op.node).faces)
    opponents = spec.sides[die_identity.opponent_of(frame.you)]
    for c in range(spec.n_real_cards):
        if spec.cards[c].key == key and spec.owner_of_card[c] in opponents:
            s.active_effects.append(
                ActiveEffect("copy card", NOBODY, c, faces, -1, w.NEXT_FIELDING, frame.you, frame.this, frame.ability)
            )
    s.state_check_due = True


def name_card(s: State, frame: AbilityFrame, op: Instruction) -> None:
    """Ask for one of the opponent's character cards; Sidekicks have no card."""
    spec = s.spec
    opponents = spec.sides[die_identity.opponent_of(frame.you)]
    opposing_cards = [
        c for c in range(spec.n_real_cards) if spec.owner_of_card[c] in opponents and spec.cards[c].kind == "character"
    ]
    if len(opposing_cards) > 1 and not frame.waiting:
        frame.waiting = 1
        request_decision(s, frame.you, "name card", [("card", c, 0) for c in opposing_cards], about=frame.ability)
        return
    named_cards = [s.answer[1]] if frame.waiting else opposing_cards
    if s.journal is not None and not frame.waiting:
        for c in opposing_cards:  # at most one
            note_forced_choice(s, frame.you, ("card", c, 0))
    frame.jump_to(frame.pc + 1)
    for c in named_cards:
        card = spec.abilities[frame.ability].card
        s.name_choices = [n for n in s.name_choices if spec.abilities[n[0]].card != card]
        s.name_choices.append((frame.ability, spec.cards[c].key))
        s.state_check_due = True


def apply_affiliation_choice(s: State, frame: AbilityFrame, op: Instruction) -> None:
    """Put the affiliation chosen before in place of the one named earlier."""
    frame.pc += 1
    if frame.given:
        s.name_choices = [n for n in s.name_choices if n[0] != frame.ability]
        s.name_choices.append((frame.ability, s.spec.affiliations[frame.given - 1]))
        s.state_check_due = True


def name_affiliation(s: State, frame: AbilityFrame, op: Instruction) -> None:
    """Ask for an affiliation and keep it in the frame."""
    if frame.waiting:
        frame.jump_to(frame.pc + 1)
        frame.given = s.answer[1] + 1
        return
    options: list[Option] = [("name", i, 0) for i in affiliations(s, frame, op)]
    if len(options) > 1:
        frame.waiting = 1
        request_decision(s, frame.you, "name affiliation", options, about=frame.ability)
        return
    frame.pc += 1
    frame.given = 0
    for option in options:  # at most one
        frame.given = option[1] + 1
        if s.journal is not None:
            note_forced_choice(s, frame.you, option)
