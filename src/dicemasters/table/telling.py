"""What happened and what may be done, in few words for a person at a terminal."""

from __future__ import annotations

import re
from collections.abc import Iterable

from dicemasters.game import Decision, say, texts, view, why
from dicemasters.game.view import Option, State
from dicemasters.players.simple import is_hurtful

_DRAWS = re.compile(r"  (\w) draws (.+)")
_SHOWS = re.compile(r"  (?:([A-D])'s )?(.+) shows (.+)")
_REROLLS = re.compile(r"(\w): reroll (?!these)(.+)")
_SELF_EVIDENT = re.compile(
    r"\w: (buy|field|use|pay|pass|keep all|reroll these|attack|block|done|no|Global of|ability of)\b"
)
_NOTHING_FOLLOWS = re.compile(r"\w: (pass|keep all|no|no attack|no block|done blocking|none)")
_MARKED = re.compile(r"(.+) \[(S\d+)\]")


def digest(lines: Iterable[str]) -> list[str]:
    """Give the log in fewer lines: draws and rolls joined, choices left out where the next line says what came of it."""
    told: list[str] = []
    joined: tuple[str, list[str]] = ("", [])
    marks: list[str] = []  # rules of the script behind choices that are left out: they go to what came of them

    def join(key: str, item: str) -> None:
        nonlocal joined
        if joined[0] != key:
            close()
            joined = (key, [])
        joined[1].append(item)

    def close() -> None:
        nonlocal joined
        if joined[0]:
            told.append(joined[0] + ", ".join(_counted(joined[1])))
            if " rerolls " in joined[0]:
                told[-1] += marked()
        joined = ("", [])

    def marked() -> str:
        rules = list(dict.fromkeys(marks))
        marks.clear()
        return f" [{', '.join(rules)}]" if rules else ""

    for line in lines:
        if found := _MARKED.fullmatch(line):
            line = found[1]
            if not _REROLLS.fullmatch(line):
                close()
            if _NOTHING_FOLLOWS.fullmatch(line):
                told.append(f"{line} [{found[2]}]")
                marks.clear()
                continue
            if not line.endswith(": reroll these"):  # which only ends the rerolls just told
                marks.append(found[2])
        if line.endswith(" (the only option)"):
            close()
            told.append(line)
        elif found := _DRAWS.fullmatch(line):
            join(f"{found[1]} draws ", found[2])
        elif found := _SHOWS.fullmatch(line):
            whose = f"{found[1]}'s" if found[1] else "the"
            energy = found[2] == "Sidekick" and found[3] != "@1"
            join(f"{whose} dice show ", found[3] if energy else _face(found[2], found[3]))
        elif found := _REROLLS.fullmatch(line):
            join(f"{found[1]} rerolls ", found[2])
        elif not _SELF_EVIDENT.match(line):
            close()
            told.append(line.strip() + marked())
    close()
    return told


def _face(title: str, face: str) -> str:
    if title == "Sidekick":
        return title
    return title + face if face[0] in "@!" else f"{title}:{face}"


def _counted(items: list[str]) -> list[str]:
    return [f"{item} ×{items.count(item)}" if items.count(item) > 1 else item for item in dict.fromkeys(items)]


def hint(s: State, option: Option) -> str:
    """Say what a person would look up before taking the option: cost, A/D, the text of the ability."""
    what, x, y = option
    t = s.table
    match what:
        case "buy":
            return f"{view.purchase_cost(s, x, s.ask.seat)}{t.cards[x].energy}, {view.dice_left(s, x)} left"
        case "field":
            a, d = view.stats(s, x)
            cost = view.fielding_cost(s, x)
            return f"{a}/{d}, {f'costs {cost}' if cost else 'free'}"
        case "use":
            return " ".join(why.sentence_text(t, n) for n in view.uses_of(t, view.card_of(s, x)))
        case "global" | "ability" | "resolve" | "would":
            return why.sentence_text(t, x)
        case "attack":
            return "{}/{}".format(*view.stats(s, x))
        case "block":
            return "{}/{} against {}/{}".format(*view.stats(s, x), *view.stats(s, y))
        case "pass":
            return _after_pass(s)
    return ""


def _after_pass(s: State) -> str:
    if s.table.n_seats > 2 and not view.has_passed(s, view.partner_of(s.ask.seat)):
        return "on to your partner"
    then = {"main": "on to the attack step", "fight": "on to the damage"}.get(s.ask.kind, "")
    return f"{then}, unless your opponent does something" if view.can_hold(s) else then


_OF_ABILITIES = frozenset(
    (
        "may", "unless", "choose", "name type", "name affiliation", "name card",
        "how much", "which damage", "one of", "divide", "toll", "field price",
    )
)  # fmt: skip


def about(s: State) -> str:
    """Give the text of the ability the decision is about, or what is being paid for; "" if there is nothing to add."""
    if s.ask.kind in _OF_ABILITIES and s.ask.about >= 0:
        return _warning(s) + why.sentence_text(s.table, s.ask.about)
    if s.ask.kind == "pay":
        options = view.paid_for(s)
        return f"to {', '.join(say.option_text(s, option) for option in options)}" if options else ""
    return ""


def _warning(s: State) -> str:
    """Say that what hurts could be done to nobody but the player's own, whose it is to use it or not."""
    if s.ask.kind != "may" or not is_hurtful(view.ability(s.table, s.ask.about)):
        return ""
    text, at = texts.under_way(s)
    ops = texts.operations(s, text)
    choice = next((op.choice for op in ops[ops.index(at) :] if op.choice is not None), None)
    who = texts.candidates(s, text, choice) if choice is not None and choice.by == "you" else []
    if not who or any(view.side_in_question(s, x) != view.side_of(s.ask.seat) for x in who):
        return ""
    titles = {say.title(s, x) for x in who if not view.is_player(x)}
    return f"There is only your own {titles.pop()}. " if len(titles) == 1 else "There are only your own. "


def asks(s: State, decision: Decision, names: list[str]) -> str:
    """Say whose decision it is, in which step."""
    where = (
        "before the first turn" if not s.turn else f"turn {s.turn}, {say.side_name(s, s.active)}'s {say.step_text(s)}"
    )
    who = names[say.SEATS.index(decision.player)]
    return f"{decision.player} ({who}) decides · {where}"
