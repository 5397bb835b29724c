"""Whether a text helps or hurts, and whom, by the words it is made of (S15, S17, S33, S34).

The script reads texts as a person would, from the position on the table. It never tries anything out, so it cannot
know what dice will show.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from dicemasters.cards import words as w
from dicemasters.game import look
from dicemasters.game.effects.possible import candidates
from dicemasters.game.finding import Group, gather
from dicemasters.game.frames import DOWN, Running
from dicemasters.game.sentence import Op, Program
from dicemasters.game.state import FIELD, NOBODY, PLAYER, State
from dicemasters.players.scripted.order import side

HELPS, HURTS, NEITHER = 1, -1, 0

_QUESTIONS = frozenset(("choose", "may", "unless", "if", "jump", "done", "one of"))
_HURTFUL: tuple[type, ...] = (
    w.Damage,
    w.Together,
    w.Divide,
    w.Ko,
    w.Capture,
    w.SetAside,
    w.TakeControl,
    w.LeaveCombat,
    w.Increase,
)
_HURTFUL += (
    w.Redirect,
    w.SwapAttack,
    w.SwapControl,
)  # of an exchange the player should lose its best, the script little
_HELPFUL: tuple[type, ...] = (
    w.Draw,
    w.Roll,
    w.Field,
    w.ReturnToField,
    w.Buy,
    w.JoinAttack,
    w.ClearDamage,
    w.Use,
    w.UseCopy,
    w.PairUp,
)
_HELPFUL += (w.MakeToken, w.PutCounter, w.Prevent, w.Instead)
_FOR_THE_USER = (w.Draw, w.UseCopy, w.MakeToken, w.PutCounter)  # no dice are named: whoever uses it has the good of it
_FOR_THE_EVENT = (w.Prevent, w.Instead, w.Increase)  # about the die or player something is about to happen to
_WORTH = {w.USED: 0, w.BAG: 1, w.HAND: 1, w.PREP: 2, w.RESERVE: 3, w.FIELD: 4}  # where a die is of more use

_HURTFUL_RULES = frozenset(
    (
        "cannot attack", "must attack", "cannot block", "must block", "must block this", "cannot declare blockers",
        "cannot use", "ability costs life", "cannot field", "loses keyword", "cannot reroll", "deals no damage",
        "deals no combat damage", "assigns no damage", "halves", "takes more", "Globals cost", "text ignored",
        "costs at least to field",
    )
)  # fmt: skip
_HELPFUL_RULES = frozenset(
    (
        "multiplies", "may attack", "attacks again", "cannot be blocked", "blocked last", "blocked by at least",
        "blocks more", "has keyword", "has keywords of", "draws more", "rerolls more", "stays unblocked",
        "excess goes through", "takes less", "takes half", "deals more", "deals times", "full damage to each",
        "damages player instead", "deals twice", "fields free", "cannot be targeted", "cannot be KO'd",
    )
)  # fmt: skip
_RULES_FOR_NOW = frozenset(
    (
        "costs to buy", "costs to field", "fields free", "costs at least to field", "cannot field", "cannot use",
        "Globals cost", "ability costs life", "draws more", "rerolls more", "cannot reroll", "text ignored",
        "has affiliation",
        # about declaring: once there are blocks they come too late
        "cannot attack", "may attack", "must attack", "cannot block", "must block", "must block this", "must be blocked",
        "cannot declare blockers", "cannot be blocked", "blocked last", "blocked by at least", "blocks more",
    )
)  # fmt: skip  # all other rules are about how dice fight
_OF_COMBAT = (w.SwapAttack, w.LeaveCombat, w.JoinAttack, w.Later)


class Verdict(NamedTuple):
    """What a text does for the script's side: something good (it helps itself, hurts the player), something bad."""

    good: bool
    bad: bool

    @property
    def only_hurts(self) -> bool:
        return self.bad and not self.good


# --- one operation -------------------------------------------------------------------------------------------------


def rule_sign(rule: w.Rule, a: int, d: int) -> int:
    """Tell whether a rule with these numbers helps or hurts whom it is given to."""
    match rule.word:
        case "gets":
            return _sign(a + d)
        case "costs to buy" | "costs to field":
            return _sign(-a)
        case "sets A":
            return HELPS if a else HURTS
        case "counts as level":
            return HELPS if a > 1 else HURTS
    if rule.word in _HURTFUL_RULES:
        return HURTS
    return HELPS if rule.word in _HELPFUL_RULES else NEITHER


def _sign(n: int) -> int:
    return (n > 0) - (n < 0)


def sign(s: State, ctx: Running, op: Op) -> int:
    """Tell whether an operation helps or hurts whom it reaches."""
    node = op.node
    places = _places(s, ctx, op)
    match node:
        case w.Give():
            a, d = op.amount.worth(s, ctx), op.amount2.worth(s, ctx)
            if node.rule.word == "gets" and not a + d:
                a = _expected(node.rule.a) + _expected(node.rule.d)
            return rule_sign(node.rule, a, d)
        case w.Life():
            return _sign(op.amount.worth(s, ctx)) or _expected(node.amount)
        case w.SetLife():
            reached = [x - PLAYER for x in gather(s, op.group, ctx)] if op.group is not None else []
            return HURTS if all(s.life[x] > node.amount for x in reached) else HELPS
        case w.Spin():
            return _sign(node.levels)
        case w.SpinTo():
            return HURTS if node.level == 1 else HELPS
        case w.SpinToEnergy() | w.Reroll() | w.RollUntil():
            return HURTS if FIELD in places else HELPS
        case w.Move():
            return _sign(_WORTH[node.to] - max((_PLACE_WORTH[p] for p in places), default=0))
        case w.Attach():
            return card_sign(s, ctx)
    if isinstance(node, _HURTFUL):
        return HURTS
    return HELPS if isinstance(node, _HELPFUL) else NEITHER


_PLACE_WORTH = (0, 1, 2, 3, 4, 0, 0, 1, 0, 0)  # by number of the place, as in _WORTH


def _places(s: State, ctx: Running, op: Op) -> tuple[int, ...]:
    """Give where the dice lie that an operation moves or turns."""
    group = op.group
    if group is None:
        return ()
    for made in s.table.sentences[ctx.ability].programs[ctx.burst].ops:
        if made.choice is not None and made.choice.register in group.registers:
            return made.choice.group.places
    if group.refs is not None:
        return tuple(s.place[d] >> 2 for d in group.refs.find(s, ctx) if d < PLAYER)
    return group.places


def _expected(amount: w.Amount) -> int:
    """Tell which way an amount goes that nothing is known of yet."""
    return _sign(amount) if isinstance(amount, int) else HELPS


def card_sign(s: State, ctx: Running) -> int:
    """Tell whether what an action die does while it lies somewhere helps or hurts whom it lies on."""
    card = s.table.sentences[ctx.ability].card
    for sentence in s.table.sentences:
        if sentence.card == card and sentence.scope == "field":
            for rule in sentence.ability.rules:
                numbers = [n if isinstance(n, int) else 1 for n in (rule.a, rule.d)]
                if rule_sign(rule, *numbers):
                    return rule_sign(rule, *numbers)
            for program in sentence.programs[:1]:
                for op in program.ops:
                    if op.name not in _QUESTIONS and sign(s, ctx, op):
                        return sign(s, ctx, op)
    return NEITHER


def _groups(op: Op) -> list[Group]:
    if op.parts:
        return [group for group, _, _ in op.parts]
    return [group for group in (op.group, op.group2) if group is not None]


class Aim(NamedTuple):
    """Whom an operation reaches, or those of whom it reaches some, and who chooses ("" for all of them)."""

    who: list[int]
    by: str


def _aims(s: State, ctx: Running, op: Op, program: Program) -> Iterator[Aim]:
    node = op.node
    if isinstance(node, _FOR_THE_EVENT):
        yield Aim([ctx.event.die] if ctx.event.die != NOBODY else [], "")
        return
    if isinstance(node, _FOR_THE_USER):
        yield Aim([PLAYER + (ctx.you & 1)], "")
        return
    if op.name == "turn rule":
        yield Aim(_ruled(s, ctx, op), "")
        return
    for group in _groups(op):
        if not group.registers:
            yield Aim([PLAYER + (ctx.you & 1)] if group.depends else gather(s, group, ctx), "")
        for n in group.registers if group.refs is not None else ():
            yield from _chosen(s, ctx, n, program)


def _ruled(s: State, ctx: Running, op: Op) -> list[int]:
    """List whom a rule for dice to come would concern."""
    rule = s.table.rules[op.registers[0] if op.registers else op.rule]
    things = [d for d in range(s.table.n_dice) if s.owner[d] != NOBODY]
    return [x for x in (*things, PLAYER, PLAYER + 1) if rule.who.holds(s, x, ctx)]


def _chosen(s: State, ctx: Running, n: int, program: Program) -> Iterator[Aim]:
    if n < len(ctx.chosen):
        yield Aim([x & (DOWN - 1) for x in ctx.chosen[n]], "")
        return
    for op in program.ops:
        choice = op.choice
        if choice is not None and choice.register == n:
            waits = choice.group.depends or any(r >= len(ctx.chosen) for r in choice.group.registers)
            who = [PLAYER + (ctx.you & 1)] if waits else candidates(s, ctx, choice)
            yield Aim(who, "opponent" if choice.by == "opponent" else "you")


# --- a whole text --------------------------------------------------------------------------------------------------


def judge(s: State, ctx: Running, seat: int, start: int = 0, end: int = -1) -> Verdict:
    """Tell what a text, or a part of it, does for a seat if every choice is made by S34; costs do not count."""
    program = s.table.sentences[ctx.ability].programs[ctx.burst]
    good = bad = False
    for op in program.ops[start : len(program.ops) if end < 0 else end]:
        if op.is_cost or op.name in _QUESTIONS:
            continue
        if op.part >= 0:
            seats = range(s.table.n_seats) if op.name == "each player" else (ctx.you,)
            for you in seats:
                inner = judge(s, ctx.part_for(op.part, you), seat)
                good, bad = good or inner.good, bad or inner.bad
            continue
        way = sign(s, ctx, op)
        for aim in _aims(s, ctx, op, program) if way else ():
            own = any(side(s, x, seat) == seat & 1 for x in aim.who)
            theirs = any(side(s, x, seat) != seat & 1 for x in aim.who)
            pro, contra = (own, theirs) if way == HELPS else (theirs, own)
            if aim.by:
                chooser = ctx.you if aim.by == "you" else look.opponent_of(ctx.you)
                if chooser & 1 == seat & 1:
                    contra = contra and not pro
                else:
                    pro = pro and not contra
            good, bad = good or pro, bad or contra
        if isinstance(op.node, w.Redirect) and ctx.event.die != NOBODY:  # whom it was meant for is spared
            spared = side(s, ctx.event.die, seat) == seat & 1
            good, bad = good or spared, bad or not spared
    return Verdict(good, bad)


def acts_now(s: State, ctx: Running) -> bool:
    """Tell whether a text does something now other than change A, D or combat abilities until end of turn (S15)."""
    program = s.table.sentences[ctx.ability].programs[ctx.burst]
    for op in program.ops:
        if op.is_cost or op.name in _QUESTIONS or _is_for_combat(op.node):
            continue
        if op.part >= 0 or isinstance(op.node, _FOR_THE_USER) or not _groups(op):
            return True
        if any(aim.who for aim in _aims(s, ctx, op, program)):
            return True
    return False


def _is_for_combat(node: object) -> bool:
    if isinstance(node, w.Give):
        return node.until == w.END_OF_TURN and node.rule.word not in _RULES_FOR_NOW
    if isinstance(node, w.Copy):
        return node.until == w.END_OF_TURN and node.part != "die"
    return isinstance(node, _OF_COMBAT)


def sign_of_choice(s: State, ctx: Running, register: int, start: int = 0) -> int:
    """Tell whether being chosen helps or hurts: by the first word about the chosen that says so."""
    program = s.table.sentences[ctx.ability].programs[ctx.burst]
    for op in program.ops[start:]:
        means = [group for group in _groups(op) if group.refs is not None and register in group.registers]
        if op.name in _QUESTIONS or not means:
            continue
        if op.part >= 0:  # for later: there the chosen one is number 0
            way = sign_of_choice(s, ctx.part_for(op.part, ctx.you), 0)
        elif isinstance(op.node, w.Swap):
            way = NEITHER
        else:
            way = sign(s, ctx, op)
        if way:
            return way
    return NEITHER
