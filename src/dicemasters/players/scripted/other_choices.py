"""Every other choice: offers, dice, numbers, names, the order of effects (S33 to S39)."""

from __future__ import annotations

from dicemasters.cards.language import vocabulary as w
from dicemasters.game.inspect import view
from dicemasters.game.inspect.ability_reader import (
    Choice,
    Op,
    Text,
    candidates,
    dice_to_give,
    lies_against,
    reached,
    texts_that_name,
    under_way,
)
from dicemasters.game.inspect.view import NOBODY, State, alike, in_order
from dicemasters.game.text import describe
from dicemasters.players.scripted.combat_choices import shares
from dicemasters.players.scripted.explained_choice import Reason, find
from dicemasters.players.scripted.ranking import is_own, is_sidekick, rank, ranks, strength
from dicemasters.players.scripted.text_evaluation import HELPS, HURTS, NEITHER, is_kept, judge, rerolls, sign_of_choice


def _card(s: State) -> str:
    return describe.ability_name(s, s.ask.about)


# --- offers --------------------------------------------------------------------------------------------------------


def may(s: State) -> Reason:
    """Yes, unless it only hurts; what costs a die or life at the other's offer is S39's."""
    f, op = under_way(s)
    seat, node = s.ask.seat, op.node
    assert isinstance(node, w.May)
    spends = [i for i, o in enumerate(s.options) if o[0] == "spend"]
    yes = spends[-1] if spends else find(s, "yes")
    if not view.is_ally(f.you, seat) and node.cost is not None and node.cost.effects:
        return _offer(s, node.cost, op, yes)
    kind = view.ability_kind(s.table, f.ability)
    rule = "S38" if kind == "global" or (kind == "would" and node.cost is not None) else "S33"
    if op.need.life >= view.life(s, seat):
        return Reason(find(s, "no"), "S33", f"does not give its last life for {_card(s)}")
    verdict = judge(s, f, seat, f.pc + 1, op.jump)
    if node.cost is not None and node.cost.effects and not verdict.good:
        return Reason(find(s, "no"), rule, f"gives nothing for {_card(s)}, which does it no good")
    if verdict.only_hurts:
        return Reason(find(s, "no"), rule, f"declines, as {_card(s)} would only hurt itself or help the player")
    return Reason(yes, rule, f"uses {_card(s)}, as it can{' and pays the most' if spends else ''}")


def unless(s: State) -> Reason:
    """Pays energy to be spared, gives up a Sidekick, and nothing else."""
    _, op = under_way(s)
    node = op.node
    assert isinstance(node, w.Unless)
    if node.cost.effects:
        return _offer(s, node.cost, op, find(s, "yes"))
    return Reason(find(s, "yes"), "S38", f"pays energy to stop {_card(s)}")


def _offer(s: State, cost: w.Cost, op: Op, yes: int) -> Reason:
    f, _ = under_way(s)
    if pays(s, cost, dice_to_give(s, f, op.need, s.ask.seat)):
        return Reason(yes, "S39", f"gives a Sidekick for {_card(s)}")
    what = "pays no life" if op.need.life else "gives up no character"
    return Reason(find(s, "no"), "S39", f"{what} for {_card(s)}")


def pays(s: State, cost: w.Cost, dice: list[int]) -> bool:
    """Tell whether it pays such a price when the other offers it: energy, or the KO of a Sidekick (S39)."""
    kos = all(isinstance(effect, w.Ko) for effect in cost.effects)
    return not cost.effects or (kos and any(is_sidekick(s, d) for d in dice))


def toll(s: State) -> Reason:
    return Reason(find(s, "no"), "S39", f"never pays life, so {_card(s)} does nothing")


def field_price(s: State) -> Reason:
    return Reason(find(s, "yes"), "S18", "fields all it can pay for")


def copy_burst(s: State) -> Reason:
    return Reason(find(s, "yes"), "S33", f"lets {_card(s)} copy the burst too")


# --- dice and players ----------------------------------------------------------------------------------------------


def choose(s: State) -> Reason:
    """What hurts goes to the player's side, what helps to its own; the strongest first."""
    if s.options[0][0] == "end":
        return _end(s)
    f, op = under_way(s)
    choice = op.choice
    assert choice is not None
    if choice.spins:
        return _spin(s)
    way = HURTS if op.is_cost else sign_of_choice(s, f, choice.register, f.pc)
    wanted = _wanted(s, f, choice, way, op.is_cost)
    left = [alike(s, x) for x in wanted]
    for x in f.picked:
        if alike(s, x) in left:
            left.remove(alike(s, x))
    for i, (what, x, _) in enumerate(s.options):
        if what == "choose" and alike(s, x) in left:
            return Reason(i, "S34", _chosen_because(s, x, way, op.is_cost, len(wanted) > 1))
    done = find(s, "done")
    if done >= 0:
        return Reason(done, "S34", f"has chosen all it wants for {_card(s)}")
    return Reason(0, "S34", f"has to choose {describe.thing_text(s, s.options[0][1])} for {_card(s)}")


def _chosen_because(s: State, x: int, way: int, as_cost: bool, several: bool) -> str:
    name, own = describe.thing_text(s, x), is_own(s, x, s.ask.seat)
    if as_cost:
        return f"gives what it can miss best: {name}"
    best = f"the best it may, and {name} is one of them" if several else f"the best: {name}"
    if way == HURTS:
        return f"has only its own to choose from, and takes the weakest: {name}" if own else f"hurts {best}"
    if way == HELPS:
        return f"helps {best}" if own else f"has only the player's to choose from: {name}"
    return f"chooses the strongest: {name}"


def _wanted(s: State, f: Text, choice: Choice, way: int, as_cost: bool) -> list[int]:
    """List what it chooses: as many of the right side as it may, of the wrong side as few as it must."""
    seat = s.ask.seat
    found = in_order(s, candidates(s, f, choice), f.paid)
    mine = [x for x in found if is_own(s, x, seat)]
    theirs = [x for x in found if x not in mine]
    right = found if way == NEITHER else mine if way == HELPS else theirs
    wrong = [x for x in found if x not in right]
    if way != NEITHER and rerolls(s, f, choice.register, f.pc):  # S12 says which are worth another roll
        right = [x for x in right if is_kept(s, x) == (way == HURTS)]
    right = sorted(right, key=lambda x: (0, *strength(s, x, seat)) if not view.is_player(x) else (-1,))
    wrong = sorted(wrong, key=lambda x: _least_loss(s, x, seat))
    least = max(choice.least, 1) if as_cost else choice.least
    if not choice.within:
        picked = right[: choice.most]
        return picked + wrong[: max(0, least - len(picked))]
    budget, taken = choice.within, list[int]()
    for x in right:
        cost = view.numbers(s, x)[0]  # as printed, or copied
        if cost <= budget:
            taken.append(x)
            budget -= cost
    return taken


def _least_loss(s: State, x: int, seat: int) -> tuple[int, ...]:
    """Sort what is given up: a Sidekick first, then the weakest die, a player last."""
    if view.is_player(x):
        return (2,)
    return (0 if is_sidekick(s, x) else 1, *(-n for n in strength(s, x, seat)))


def _spin(s: State) -> Reason:
    """Either way: the player's best goes down; else its own best goes up."""
    seat = s.ask.seat

    def worth(i: int) -> tuple[int, ...]:
        what, x, _ = s.options[i]
        if what == "done":
            return (2,)
        own = is_own(s, x, seat)
        if own == (what == "up"):
            return (1 if own else 0, *strength(s, x, seat))
        return (3, *(-n for n in strength(s, x, seat)))

    best = min(range(len(s.options)), key=worth)
    what, x, _ = s.options[best]
    if what == "done":
        return Reason(best, "S34", f"spins nobody more with {_card(s)}")
    return Reason(best, "S34", f"spins {describe.thing_text(s, x)} {what}")


def _end(s: State) -> Reason:
    """End what the player's action dice do, in row order; its own only if there is nothing else."""
    seat = s.ask.seat

    def worth(i: int) -> tuple[int, int, int]:
        d = s.options[i][1]
        return (1 if view.is_ally(view.owner(s, d), seat) else 0, rank(s, d, seat), i)

    best = min(range(len(s.options)), key=worth)
    return Reason(best, "S34", f"ends {describe.title(s, s.options[best][1])}, the player's before its own")


# --- numbers, modes, names -----------------------------------------------------------------------------------------


def how_much(s: State) -> Reason:
    best = max(range(len(s.options)), key=lambda i: s.options[i][2])
    return Reason(best, "S34", f"takes the most {_card(s)} allows: {s.options[best][2]}")


def divide(s: State) -> Reason:
    """Divide an effect's damage as damage among blockers is; one's own dice get none if it can be helped."""
    f, op = under_way(s)
    seat, target = s.ask.seat, s.options[0][1]
    foes = reached(s, f, op)
    theirs = [d for d in foes if not is_own(s, d, seat)]
    given = shares(s, s.ask.number + sum(f.shares), theirs or foes, seat)
    return nearest(s, given.get(target, 0), f"to {describe.thing_text(s, target)}")


def nearest(s: State, wanted: int, where: str) -> Reason:
    """Take the amount that is wanted, or the nearest there is."""
    best = min(range(len(s.options)), key=lambda i: (abs(s.options[i][2] - wanted), i))
    return Reason(best, "S36", f"deals {s.options[best][2]} {where}: KOs the dearest it can, then the next")


def which_damage(s: State) -> Reason:
    best = max(range(len(s.options)), key=lambda i: (view.packet_amount(s, s.options[i][1]), -i))
    return Reason(best, "S34", f"lets {_card(s)} meet the most damage")


def one_of(s: State) -> Reason:
    return Reason(0, "S34", f"takes the first thing {_card(s)} offers")


def name_type(s: State) -> Reason:
    return Reason(0, "S34", "names fist: the types come in the order fist, bolt, mask, shield")


def name_card(s: State) -> Reason:
    """The first card in row order; the player's row if what lies on it there speaks of the player's dice."""
    f, _ = under_way(s)
    seat = s.ask.seat
    places = ranks(s.table, 1 - seat if lies_against(s, view.ability_card(s.table, f.ability)) else seat)
    best = min(range(len(s.options)), key=lambda i: places[s.options[i][1]])
    return Reason(best, "S34", f"names the first in row order: {s.table.cards[s.options[best][1]].name}")


def name_affiliation(s: State) -> Reason:
    """The affiliation met first in row order; in the player's row if the text hurts."""
    t = s.table
    seat = 1 - s.ask.seat if _names_to_hurt(s) else s.ask.seat
    places = ranks(t, seat)
    cards = sorted(range(t.n_real_cards), key=lambda c: places[c])

    def place(i: int) -> tuple[int, int]:
        name = t.affiliations[s.options[i][1]]
        return next((n for n, c in enumerate(cards) if name in t.cards[c].affiliations), len(cards)), i

    best = min(range(len(s.options)), key=place)
    return Reason(best, "S34", f"names the first affiliation in row order: {t.affiliations[s.options[best][1]]}")


def _names_to_hurt(s: State) -> bool:
    """Tell whether a card uses the name against whoever bears it."""
    f, _ = under_way(s)
    for text in texts_that_name(s, f, "of named affiliation"):
        if any(rule.word == "text ignored" for rule in view.ability(s.table, text.ability).rules):
            return True
        if judge(s, text, f.you).only_hurts:
            return True
    return False


# --- the order of effects ------------------------------------------------------------------------------------------


def resolve(s: State) -> Reason:
    """Row order, then the highest level."""
    seat = s.ask.seat
    places = ranks(s.table, seat)

    def turn(i: int) -> tuple[int, int, int]:
        what, ability, at = s.options[i]
        this = view.reacting_die(s, at) if what == "resolve" else NOBODY
        level = view.level(s, this) if this != NOBODY and not view.is_player(this) else 0
        return places[view.ability_card(s.table, ability)], -level, i

    best = min(range(len(s.options)), key=turn)
    return Reason(best, "S35", f"row order: {describe.ability_name(s, s.options[best][1])} comes first")
