"""Coach remarks, explanations of dice and illegal actions, and the audit of fair dice as data."""

from __future__ import annotations

from dicemasters.game.game import Game
from dicemasters.game.inspect import view
from dicemasters.game.inspect.view import CHARACTER
from dicemasters.game.notation.dice_audit import AuditedRoll, AuditStep, audit_dice
from dicemasters.game.text import describe, explain
from dicemasters.game.text.explain_illegal import explain_illegal
from dicemasters.service.coach import coach_remarks
from dicemasters.service.games.view_builder import Data, guard_unplayable
from dicemasters.service.protocol import game_schema, messages

# --- answers to questions --------------------------------------------------------------------------------------------


def build_coach_answer(game: Game | None, version: int) -> messages.CoachAnswer:
    """Return the coach's remarks for the deciding player, or none if no player decides."""
    remarks = coach_remarks(game) if game is not None else []
    return {
        "type": "coach",
        "version": version,
        "remarks": [{"kind": remark.kind, "text": remark.text, "rule": remark.rule} for remark in remarks],
    }


@guard_unplayable
def build_die_explanation(game: Game, die: int) -> messages.DieExplanation:
    """Return where a die's A and D come from and the other effects on it, one line with its rule each."""
    s = game.state
    if not 0 <= die < s.spec.n_dice:
        return {"type": "look", "die": die, "lines": []}
    spec = s.spec
    lines: list[explain.ExplanationLine] = []
    if view.shows_face(s, die) and view.kind(s, die) == CHARACTER:
        lines += explain.stat_lines(s, die)
    stat_texts = {line.text for line in lines}  # lines that already explain A and D
    other_lines: dict[str, str] = {}
    for effect in explain.explain_effects(s):
        if die in effect.dice:
            name = f"{spec.names[effect.card]}: " if effect.card >= 0 else ""
            line = f"{name}{effect.text}"
            if line not in stat_texts:
                other_lines[f"{line} {effect.until}".rstrip()] = effect.rule
    return {
        "type": "look",
        "die": die,
        "lines": [{"text": text, "rule": rule} for text, rule in (*lines, *other_lines.items())],
    }


@guard_unplayable
def build_illegal_explanation(game: Game, seat: str, target: object, want: object = "") -> game_schema.Explanation:
    """Return one sentence why the player cannot do this now, and the rule behind it; both "" if they can."""
    fields_ = target if isinstance(target, dict) else {}
    target_ids = {key: fields_[key] for key in ("die", "card", "ability") if type(fields_.get(key)) is int}
    if not target_ids or not isinstance(want, str) or seat not in describe.SEATS[: game.table.n_seats]:
        return {"text": "No target was given.", "rule": ""}
    explanation = explain_illegal(game.state, describe.SEATS.index(seat), want=want, **target_ids)
    return {"text": explanation.text, "rule": explanation.rule}


def build_dice_audit(game: Game) -> Data:
    """Return the public data of a game's fair dice: everything needed to verify every roll."""
    fair = game.fair
    if fair is None:
        return {"way": None, "commitment": None}
    return {
        "way": "chains",
        "commitment": fair.commitment,
        "at": fair.at,
        "link": fair.link,
        "chains": [chain._asdict() for chain in fair.chains],
        "bots": dict(fair.bots),
        "steps": [_step_data(step) for step in audit_dice(game)],
    }


def _step_data(step: AuditStep) -> Data:
    """Return a choice with its random numbers, or the number of choices that were undone."""
    if step.undone:
        return {"undo": step.undone}
    data: Data = {
        "n": step.number,
        "by": step.move.player if step.move else "",
        "text": step.move.text if step.move else "",
    }
    data |= {"forced": True} if step.forced else {}
    if step.throw is not None:
        word, links = step.throw.word, step.throw.links
        data["throw"] = {
            "number": step.throw.number,
            "word": {"seat": word.seat, "text": word.text} if word else None,
            "links": [[link.chain, link.at] for link in links],
            "without": step.throw.without,
        }
    return data | {"chance": [_roll_data(roll) for roll in step.rolls]}


def _roll_data(roll: AuditedRoll) -> Data:
    data: Data = {"of": roll.bound, "value": roll.value, "what": roll.kind}
    if roll.kind == "roll":
        return data | {"c": roll.card, "f": roll.face}
    data["seat"] = describe.SEATS[roll.seat]
    return data if roll.kind == "toss" else data | {"c": roll.card, "bag": list(roll.bag)}
