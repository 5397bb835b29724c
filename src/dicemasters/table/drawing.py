"""The table as lines of text: dice are the bright things, everything else stays calm.

Every line is laid out here for a given width, so that a die is never cut in two. Colour only repeats what the symbols
say: `[Hulk@2* 6/7]` reads the same on a terminal without it.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from rich.text import Text

from dicemasters.cards.catalogue import Card
from dicemasters.game import say, view
from dicemasters.game.solitaire import readings
from dicemasters.game.view import (
    ATTACK,
    BAG,
    CHARACTER,
    FIELD,
    HAND,
    HELD,
    OUT,
    PREP,
    RESERVE,
    SETUP,
    USED,
    State,
)

LABEL = "dim"
ACCENT = "bold yellow"
SEAT_STYLES = ("bold green", "bold magenta")
INDENT = 9  # where the dice of a row begin, after its label
WIDE = 120  # from here on cards are shown with their subtitles

# --- a die ---------------------------------------------------------------------------------------------------------


def die_style(card: Card) -> str:
    """Give the colour of a die's body with black or white print, whichever reads better on it."""
    if card.kind == "sidekick":
        return "bold black on #e8e6df"
    red, green, blue = (int(card.die.color[i : i + 2], 16) for i in (1, 3, 5))
    dark = red * 0.299 + green * 0.587 + blue * 0.114 < 140
    return f"bold {'white' if dark else 'black'} on {card.die.color}"


def chip(s: State, d: int, shown: bool) -> Text:
    """Draw one die: its face if it shows one, else its name."""
    return Text(f"[{die_words(s, d, shown)}]", die_style(s.table.cards[view.card_of(s, d)]))


def die_words(s: State, d: int, shown: bool) -> str:
    """Say a die with all that counts now: level, bursts, A/D (printed ones in brackets if they differ), damage."""
    if not shown:
        return say.title(s, d)
    is_character = view.kind(s, d) == CHARACTER
    words = say.face_text(s, d, view.face(s, d))
    if not say.is_sidekick_die(s, d):
        words = say.title(s, d) + (words if words[0] in "@!" else f":{words}")
    elif is_character:
        words = "Sidekick"
    if view.is_half_spent(s, d):
        words += " half spent"
    if not is_character:
        return words
    printed = view.printed_stats(s, d)
    if view.zone(s, d) != FIELD:
        return f"{words} {printed[0]}/{printed[1]}"
    a, defence = view.stats(s, d)
    words += f" {a}/{defence}"
    if (a, defence) != printed:
        words += f" ({printed[0]}/{printed[1]})"
    if view.damage(s, d):
        words += f" {view.damage(s, d)} damage"
    return ", ".join([words, *given_words(s, d)])


def given_words(s: State, d: int) -> list[str]:
    """Say what effects have given the die for a time, besides A and D, and whose it is if not its controller's."""
    owner = view.owner(s, d)
    whose = [f"{say.SEATS[owner]}'s"] if owner not in (-1, view.controller(s, d)) else []
    return view.gifts(s, d) + whose


def chips(s: State, dice: Iterable[int], shown: bool) -> list[Text]:
    """Draw dice, like ones once with their number."""
    found: dict[str, tuple[Text, int]] = {}
    for d in dice:
        one = chip(s, d, shown)
        found[one.plain] = (one, found.get(one.plain, (one, 0))[1] + 1)
    return [one if n == 1 else Text.assemble(one, f" ×{n}") for one, n in found.values()]


# --- rows ----------------------------------------------------------------------------------------------------------


def flow(label: str, things: Sequence[Text], width: int, gap: int = 1) -> list[Text]:
    """Set things side by side after a label, in as many lines as they need, none of them cut in two."""
    lines: list[Text] = []
    line = Text.assemble((f" {label:<{INDENT - 1}}", LABEL))
    start = True
    for thing in things:
        room = width - line.cell_len - (0 if start else gap)
        if thing.cell_len > room and not start:
            lines.append(line)
            line, start = Text(" " * INDENT), True
        if not start:
            line.append(" " * gap)
        line.append_text(thing if thing.cell_len <= width - INDENT else shorten(thing, width - INDENT))
        start = False
    lines.append(line)
    return lines


def shorten(text: Text, width: int) -> Text:
    """Give the text cut to the width, with a mark where it was cut."""
    if text.cell_len <= width:
        return text
    short = text.copy()
    short.truncate(max(width, 1), overflow="ellipsis")
    return short


def heading(words: str, width: int, style: str = LABEL) -> Text:
    """Draw a line across with words in it."""
    if not words:
        return Text("─" * width, LABEL)
    line = Text.assemble(("── ", LABEL))
    line.append_text(shorten(Text(words, style), max(1, width - 6)))
    line.append(" " + "─" * max(0, width - line.cell_len - 1), LABEL)
    return line


# --- the table -----------------------------------------------------------------------------------------------------


def draw_table(s: State, names: Sequence[str], width: int, viewer: int = 0) -> list[Text]:
    """Draw the whole table: the viewer at the bottom, of four the partner above them, the one opposite at the top."""
    sides = s.table.sides
    lines = [heading(where_words(s), width, "bold"), *_house_rules(s, width)]
    for seat in sorted(sides[view.opponent_of(viewer)], key=lambda seat: seat != view.opponent_of(viewer)):
        lines += side(s, names, seat, width)
    lines += middle(s, width)
    for seat in sorted(sides[viewer], key=lambda seat: seat == viewer):
        lines += reversed_side(s, names, seat, width)
    return lines


def where_words(s: State) -> str:
    """Say the edition, the turn and the step."""
    edition = s.table.edition.name
    if s.step == SETUP or not s.turn:
        return f"{edition} · before the first turn"
    if view.is_over(s):
        return f"{edition} · over in turn {s.turn}"
    return f"{edition} · turn {s.turn} · {say.side_name(s, s.active)}'s {say.step_text(s)}"


def _house_rules(s: State, width: int) -> list[Text]:
    """Name the house rules, and where a script plays the readings of it that are not the usual ones."""
    lines: list[Text] = []
    if s.table.edition.changes:
        lines += flow("house", [Text(words, LABEL) for words in s.table.edition.changes], width, 3)
    if s.table.solitaire is not None and (said := readings(s.table.solitaire)):
        lines += flow("script", [Text(words, LABEL) for words in said], width, 3)
    return lines


def side(s: State, names: Sequence[str], seat: int, width: int) -> list[Text]:
    """Draw a player's side from the outside in: life, cards, piles, reserve, field."""
    return [line for row in _rows(s, names, seat, width) for line in row]


def reversed_side(s: State, names: Sequence[str], seat: int, width: int) -> list[Text]:
    """Draw a player's side from the inside out."""
    return [line for row in reversed(_rows(s, names, seat, width)) for line in row]


def _rows(s: State, names: Sequence[str], seat: int, width: int) -> list[list[Text]]:
    rolling = view.is_rolling(s, seat) and bool(s.dice_in(PREP, seat) or s.dice_in(HAND, seat))
    rows = [[_player_line(s, names, seat, width)], flow("cards", _card_words(s, seat, width), width, 3)]
    rows.append(_piles(s, seat, width, rolling))
    if rolling:
        rows.append(flow("rolled", chips(s, s.dice_in(PREP, seat), True), width))
        if s.dice_in(HAND, seat):
            rows.append(flow("reroll", chips(s, s.dice_in(HAND, seat), True), width))
    elif s.dice_in(HAND, seat):
        rows.append(flow("drawn", chips(s, s.dice_in(HAND, seat), False), width))
    reserve = chips(s, s.dice_in(RESERVE, seat), True)
    if left_over := view.left_over(s, seat):
        reserve.append(Text(f"+{left_over} energy left over"))
    if reserve:
        rows.append(flow("reserve", reserve, width))
    home = [d for d in s.dice_in(FIELD, seat) if not _is_fighting(s, d)]
    rows.append(flow("field", chips(s, home, True) or [Text("–", LABEL)], width))
    return rows


def _player_line(s: State, names: Sequence[str], seat: int, width: int) -> Text:
    life, most = view.life(s, seat), max(view.most_life(s, seat), 1)
    line = Text(" ")
    line.append(f"{say.SEATS[seat]} {names[seat]}", SEAT_STYLES[view.side_of(seat)])
    if not view.leads(seat):
        line.append(f"   shares {say.SEATS[view.partner_of(seat)]}'s life", LABEL)
    else:
        line.append("   life ", LABEL)
        line.append(f"{life}", "bold red" if life * 3 <= most else "bold")
        line.append(f"/{most} ", LABEL)
        bars = min(20, most)
        full = max(0, min(bars, -(-life * bars // most)))
        line.append("♥" * full, "red")
        line.append("·" * (bars - full), LABEL)
    if view.is_ally(s.active, seat) and s.turn and not view.is_over(s):
        line.append("   has the turn", LABEL)
    return shorten(line, width)


def _card_words(s: State, seat: int, width: int) -> list[Text]:
    """Say cards with their cost for the buyer and a square for each die left."""
    t = s.table
    words: list[Text] = []
    for c in range(t.n_seats, t.n_real_cards):
        if view.card_owner(t, c) != seat:
            continue
        buyer = seat if seat >= 0 else max(s.ask.seat, 0)
        left = view.dice_left(s, c)
        card = t.cards[c]
        one = Text(card.name if width >= WIDE else card.title, "" if left else LABEL)
        one.append(f" {view.purchase_cost(s, c, buyer)}{card.energy} ", "" if left else LABEL)
        one.append("■" * left, die_style(card)) if left else one.append("none left", LABEL)
        words.append(one)
    return words


def _piles(s: State, seat: int, width: int, rolling: bool) -> list[Text]:
    """Say what lies in bag, Prep Area, Used Pile, Out of Play and, captured or set aside, outside the game."""
    piles: list[Text] = []
    for place, name in ((BAG, "bag"), (PREP, "prep"), (USED, "used"), (OUT, "out of play"), (HELD, "captured")):
        dice = s.dice_in(place, seat)
        if (not dice and place in (OUT, HELD)) or (place == PREP and rolling):
            continue
        pile = Text(f"{name} {len(dice)}", LABEL)
        if dice and place == BAG and width < 100:
            others = sum(1 for d in dice if not say.is_sidekick_die(s, d))
            pile.append(f" ({others} bought)" if others else "", LABEL)
        elif dice:
            pile.append(f": {', '.join(_counted(say.title(s, d) for d in dice))}", LABEL)
        piles.append(pile)
    return flow("piles", piles, width, 3)


def _counted(names: Iterable[str]) -> list[str]:
    counts: dict[str, int] = {}
    for name in names:
        counts[name] = counts.get(name, 0) + 1
    return [name if n == 1 else f"{name} ×{n}" for name, n in counts.items()]


def _is_fighting(s: State, d: int) -> bool:
    return view.is_attacking(s, d) or bool(view.blocked_by(s, d))


def middle(s: State, width: int) -> list[Text]:
    """Draw the middle of the table: basic actions, and in a fight the attackers with their blockers."""
    lines: list[Text] = []
    basics = _card_words(s, -1, width)
    if basics:
        lines += flow("basics", basics, width, 3)
    attackers = view.attackers(s) if s.step == ATTACK else []
    if not attackers:
        return [heading("", width), *lines, heading("", width)] if lines else [heading("", width)]
    attack = f"{say.side_name(s, s.active)} {'attacks' if s.table.n_seats == 2 else 'attack'}"
    lines = [heading("", width), *lines, heading(f"attack zone: {attack}", width, "bold red")]
    for d in attackers:
        blockers = view.blockers_of(s, d)
        things = [_fighter(s, d)]
        if blockers:
            things += [Text("<- blocked by", LABEL), *(_fighter(s, b) for b in blockers)]
        elif view.is_blocked(s, d):
            things.append(Text("blocked, its blocker is gone", LABEL))
        else:
            things.append(Text(f"-> {say.player_name(s, view.as_player(view.opponent_of(s.active)))}", LABEL))
        lines += flow("", things, width)
    return [*lines, heading("", width)]


def _fighter(s: State, d: int) -> Text:
    """Draw a die in the attack zone, where partners' dice lie side by side."""
    one = chip(s, d, True)
    return one if s.table.n_seats == 2 else Text.assemble((f"{say.SEATS[view.controller(s, d)]} ", LABEL), one)


# --- a card --------------------------------------------------------------------------------------------------------


def draw_faces(card: Card, width: int) -> list[Text]:
    """Draw the six faces of a die: fielding cost top left, A top right, D bottom right, level and bursts."""
    style = die_style(card)
    faces: list[list[str]] = []
    for face in card.die.faces:
        if face.level:
            rows = [f"{face.field:<2} {face.a:>2}", f" L{face.level}  ", f"{'*' * face.burst:<2} {face.d:>2}"]
        elif face.action:
            rows = ["     ", "  !  ", f"{'*' * face.burst:^5}"]
        else:
            rows = ["     ", f"{face.energy or face.generic:^5}", "     "]
        faces.append(rows)
    each_row = max(1, min(6, (width - 1) // 8))
    lines: list[Text] = []
    for start in range(0, 6, each_row):
        row = faces[start : start + each_row]
        for i in range(3):
            line = Text(" ")
            for n, face_rows in enumerate(row):
                line.append("" if n == 0 else " ")
                line.append(f"|{face_rows[i]}|", style)
            lines.append(line)
        if start + each_row < 6:
            lines.append(Text(""))
    return lines
