"""The board as lines of styled text.

Lines are laid out for a given width, so that no die is split across two lines. Only dice are brightly coloured. Colour
adds no information: `[Hulk@2* 6/7]` reads the same on a monochrome terminal.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from rich.text import Text

from dicemasters.game.inspect import view
from dicemasters.game.inspect.view import (
    ATTACK,
    BAG,
    CHARACTER,
    FIELD,
    HAND,
    HELD,
    OUT_OF_PLAY,
    PREP,
    RESERVE,
    SETUP,
    USED,
    State,
)
from dicemasters.game.rulesets.solitaire import variant_texts
from dicemasters.game.text import describe
from dicemasters.terminal.theme import INDENT, LABEL, die_style, flow, heading, shorten

SEAT_STYLES = ("bold green", "bold magenta")
WIDE = 120  # columns from which cards are shown with their subtitles

# --- a die ---------------------------------------------------------------------------------------------------------


def draw_die(s: State, d: int, face_up: bool) -> Text:
    """Return a die as text: its face if `face_up`, else its name."""
    return Text(f"[{die_text(s, d, face_up)}]", die_style(s.spec.cards[view.card_of(s, d)]))


def die_text(s: State, d: int, face_up: bool) -> str:
    """Return a die's level, bursts, A/D (with the printed A/D in brackets if different), damage and effects."""
    if not face_up:
        return describe.title(s, d)
    is_character = view.kind(s, d) == CHARACTER
    text = describe.face_text(s, d, view.face(s, d))
    if not describe.is_sidekick_die(s, d):
        text = describe.title(s, d) + (text if text[0] in "@!" else f":{text}")
    elif is_character:
        text = "Sidekick"
    if view.is_half_spent(s, d):
        text += " half spent"
    if not is_character:
        return text
    printed = view.printed_stats(s, d)
    if view.zone(s, d) != FIELD:
        return f"{text} {printed[0]}/{printed[1]}"
    a, defence = view.current_stats(s, d)
    text += f" {a}/{defence}"
    if (a, defence) != printed:
        text += f" ({printed[0]}/{printed[1]})"
    if view.damage(s, d):
        text += f" {view.damage(s, d)} damage"
    if view.is_blocking_departed(s, d):
        text += ", blocking nobody"
    return ", ".join([text, *granted_text(s, d)])


def granted_text(s: State, d: int) -> list[str]:
    """Return what effects have granted the die besides A and D, and its owner if that is not its controller."""
    owner = view.owner(s, d)
    owner_note = [f"{describe.SEATS[owner]}'s"] if owner not in (-1, view.controller(s, d)) else []
    return view.granted_texts(s, d) + owner_note


def draw_dice(s: State, dice: Iterable[int], face_up: bool) -> list[Text]:
    """Return dice as texts; equal ones are combined with a count."""
    groups: dict[str, tuple[Text, int]] = {}
    for d in dice:
        drawn = draw_die(s, d, face_up)
        groups[drawn.plain] = (drawn, groups.get(drawn.plain, (drawn, 0))[1] + 1)
    return [drawn if n == 1 else Text.assemble(drawn, f" ×{n}") for drawn, n in groups.values()]


# --- the table -----------------------------------------------------------------------------------------------------


def draw_table(s: State, names: Sequence[str], width: int, viewer: int = 0) -> list[Text]:
    """Draw the whole board with the viewer at the bottom, below a partner if there is one."""
    sides = s.spec.sides
    lines = [heading(turn_text(s), width, "bold"), *house_rule_lines(s, width)]
    for seat in sorted(sides[view.opponent_of(viewer)], key=lambda seat: seat != view.opponent_of(viewer)):
        lines += draw_side(s, names, seat, width)
    lines += draw_middle(s, width)
    for seat in sorted(sides[viewer], key=lambda seat: seat == viewer):
        lines += draw_side_reversed(s, names, seat, width)
    return lines


def turn_text(s: State) -> str:
    """Return the edition, the turn and the step."""
    edition = s.spec.edition.name
    if s.step == SETUP or not s.turn:
        return f"{edition} · before the first turn"
    if view.is_over(s):
        return f"{edition} · over in turn {s.turn}"
    return f"{edition} · turn {s.turn} · {describe.side_name(s, s.active)}'s {describe.step_text(s)}"


def house_rule_lines(s: State, width: int) -> list[Text]:
    """Draw the house rules and, in a solitaire game, the readings of the script that are not the default."""
    lines: list[Text] = []
    if s.spec.edition.changes:
        lines += flow("house", [Text(words, LABEL) for words in s.spec.edition.changes], width, 3)
    if s.spec.solitaire is not None and (readings := variant_texts(s.spec.solitaire)):
        lines += flow("script", [Text(words, LABEL) for words in readings], width, 3)
    return lines


def draw_side(s: State, names: Sequence[str], seat: int, width: int) -> list[Text]:
    """Draw a player's side from the edge of the board inwards: life, cards, piles, reserve and field."""
    return [line for row in side_rows(s, names, seat, width).values() for line in row]


def draw_side_reversed(s: State, names: Sequence[str], seat: int, width: int) -> list[Text]:
    """Draw a player's side from the field outwards."""
    return [line for row in reversed(side_rows(s, names, seat, width).values()) for line in row]


def side_rows(s: State, names: Sequence[str], seat: int, width: int) -> dict[str, list[Text]]:
    """Return the rows of a player's side by name: life, cards, piles, rolled or drawn dice, reserve and field."""
    rolling = view.is_rolling(s, seat) and bool(s.dice_in(PREP, seat) or s.dice_in(HAND, seat))
    rows = {
        "life": [player_line(s, names, seat, width)],
        "cards": flow("cards", card_lines_short(s, seat, width), width, 3),
    }
    rows["piles"] = _piles(s, seat, width, rolling)
    if rolling:
        rows["rolled"] = flow("rolled", draw_dice(s, s.dice_in(PREP, seat), True), width)
        if s.dice_in(HAND, seat):
            rows["reroll"] = flow("reroll", draw_dice(s, s.dice_in(HAND, seat), True), width)
    elif s.dice_in(HAND, seat):
        rows["drawn"] = flow("drawn", draw_dice(s, s.dice_in(HAND, seat), False), width)
    reserve = draw_dice(s, s.dice_in(RESERVE, seat), True)
    if leftover := view.leftover_energy(s, seat):
        reserve.append(Text(f"+{leftover} energy left over"))
    if reserve:
        rows["reserve"] = flow("reserve", reserve, width)
    not_fighting = [d for d in s.dice_in(FIELD, seat) if not _is_fighting(s, d)]
    rows["field"] = flow("field", draw_dice(s, not_fighting, True) or [Text("–", LABEL)], width)
    return rows


def life_text(s: State, names: Sequence[str]) -> str:
    """Return the life of both sides in one line."""
    parts: list[str] = []
    for side in s.spec.sides[:2]:
        label = "+".join(describe.SEATS[seat] for seat in side)
        label += f" {names[side[0]]}" if len(side) == 1 and names[side[0]] else ""
        parts.append(f"{label} {view.life(s, side[0])}/{view.maximum_life(s, side[0])} life")
    return " · ".join(parts)


def player_line(s: State, names: Sequence[str], seat: int, width: int) -> Text:
    """Return a player's seat, name and life, and whether it is their side's turn."""
    life, maximum = view.life(s, seat), max(view.maximum_life(s, seat), 1)
    line = Text(" ")
    line.append(f"{describe.SEATS[seat]} {names[seat]}", SEAT_STYLES[view.side_of(seat)])
    if not view.is_lead_seat(seat):
        line.append(f"   shares {describe.SEATS[view.partner_of(seat)]}'s life", LABEL)
    else:
        line.append("   life ", LABEL)
        line.append(f"{life}", "bold red" if life * 3 <= maximum else "bold")
        line.append(f"/{maximum} ", LABEL)
        bars = min(20, maximum)
        full = max(0, min(bars, -(-life * bars // maximum)))
        line.append("♥" * full, "red")
        line.append("·" * (bars - full), LABEL)
    if view.is_ally(s.active, seat) and s.turn and not view.is_over(s):
        line.append("   has the turn", LABEL)
    return shorten(line, width)


def card_lines_short(s: State, seat: int, width: int) -> list[Text]:
    """Draw cards with cost and a square per die left; with subtitles on wide screens or to tell cards apart."""
    titles = [s.spec.cards[c].title for c in range(s.spec.n_seats, s.spec.n_real_cards)]
    summaries: list[Text] = []
    for c in cards_of(s, seat):
        card = s.spec.cards[c]
        full_name = width >= WIDE or titles.count(card.title) > 1
        summaries.append(_card_summary(s, c, seat, card.name if full_name else card.title))
    return summaries


def card_lines(s: State, seat: int, width: int) -> list[Text]:
    """Draw cards like `card_lines_short`, one per line with a summary of its text."""
    lines: list[Text] = []
    summaries = [(c, _card_summary(s, c, seat, s.spec.cards[c].name)) for c in cards_of(s, seat)]
    longest = max((summary.cell_len for _, summary in summaries), default=0)
    for c, summary in summaries:
        summary.append(" " * (longest + 2 - summary.cell_len))
        summary.append(s.spec.cards[c].gist, LABEL)
        lines.append(
            shorten(
                Text(
                    " " * INDENT if lines else f" {'cards' if seat >= 0 else 'basics':<{INDENT - 1}}", LABEL
                ).append_text(summary),
                width,
            )
        )
    return lines


def cards_of(s: State, seat: int) -> list[int]:
    """Return the cards of a seat, or the shared basic actions for seat -1."""
    spec = s.spec
    return [c for c in range(spec.n_seats, spec.n_real_cards) if view.card_owner(spec, c) == seat]


def _card_summary(s: State, c: int, seat: int, name: str) -> Text:
    buyer = seat if seat >= 0 else max(s.decision.seat, 0)
    dice_left = view.dice_left(s, c)
    card = s.spec.cards[c]
    summary = Text(name, "" if dice_left else LABEL)
    summary.append(f" {view.purchase_cost(s, c, buyer)}{card.energy} ", "" if dice_left else LABEL)
    summary.append("■" * dice_left, die_style(card)) if dice_left else summary.append("none left", LABEL)
    return summary


def _piles(s: State, seat: int, width: int, rolling: bool) -> list[Text]:
    """Draw the bag, the Prep Area, the Used Pile, Out of Play, and captured or set-aside dice."""
    piles: list[Text] = []
    for place, name in ((BAG, "bag"), (PREP, "prep"), (USED, "used"), (OUT_OF_PLAY, "out of play"), (HELD, "captured")):
        dice = s.dice_in(place, seat)
        if (not dice and place in (OUT_OF_PLAY, HELD)) or (place == PREP and rolling):
            continue
        pile = Text(f"{name} {len(dice)}", LABEL)
        if dice and place == BAG and width < 100:
            others = sum(1 for d in dice if not describe.is_sidekick_die(s, d))
            pile.append(f" ({others} bought)" if others else "", LABEL)
        elif dice:
            pile.append(f": {', '.join(_with_counts(describe.title(s, d) for d in dice))}", LABEL)
        piles.append(pile)
    return flow("piles", piles, width, 3)


def _with_counts(names: Iterable[str]) -> list[str]:
    counts: dict[str, int] = {}
    for name in names:
        counts[name] = counts.get(name, 0) + 1
    return [name if n == 1 else f"{name} ×{n}" for name, n in counts.items()]


def _is_fighting(s: State, d: int) -> bool:
    return view.is_attacking(s, d) or bool(view.blocked_by(s, d))


def draw_middle(s: State, width: int) -> list[Text]:
    """Draw the middle of the board: basic actions and, in combat, the attackers with their blockers."""
    basics = card_lines_short(s, -1, width)
    lines = flow("basics", basics, width, 3) if basics else []
    fights = draw_combat(s, width)
    if not fights:
        return [heading("", width), *lines, heading("", width)] if lines else [heading("", width)]
    return [heading("", width), *lines, attack_heading(s, width), *fights, heading("", width)]


def attack_heading(s: State, width: int) -> Text:
    """Draw a heading that names the attacking side."""
    attack = f"{describe.side_name(s, s.active)} {'attacks' if s.spec.n_seats == 2 else 'attack'}"
    return heading(f"attack zone: {attack}", width, "bold red")


def draw_combat(s: State, width: int) -> list[Text]:
    """Draw each attacker with its blockers. Return no lines outside combat."""
    return [line for group in _combat_groups(s) for line in flow("", group, width)]


def draw_combat_compact(s: State, width: int) -> list[Text]:
    """Draw combat in as few lines as possible, with several attackers per line."""
    return flow("attack", [Text(" ").join(group) for group in _combat_groups(s)], width, 3) if _combat_groups(s) else []


def _combat_groups(s: State) -> list[list[Text]]:
    groups: list[list[Text]] = []
    for d in view.attackers(s) if s.step == ATTACK else []:
        blockers = view.blockers_of(s, d)
        group = [_fighter(s, d)]
        if blockers:
            group += [Text("<- blocked by", LABEL), *(_fighter(s, b) for b in blockers)]
        elif view.is_blocked(s, d):
            group.append(Text("blocked, its blocker is gone", LABEL))
        else:
            group.append(Text(f"-> {describe.player_name(s, view.player_number(view.opponent_of(s.active)))}", LABEL))
        groups.append(group)
    return groups


def _fighter(s: State, d: int) -> Text:
    """Return a die in combat, in Doubles with the letter of its controller."""
    drawn = draw_die(s, d, True)
    return drawn if s.spec.n_seats == 2 else Text.assemble((f"{describe.SEATS[view.controller(s, d)]} ", LABEL), drawn)
