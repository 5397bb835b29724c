"""The table as lines of text: dice are the bright things, everything else stays calm.

Every line is laid out here for a given width, so that a die is never cut in two. Colour only repeats what the symbols
say: `[Hulk@2* 6/7]` reads the same on a terminal without it.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from rich.text import Text

from dicemasters.cards.catalogue import Card
from dicemasters.game import look, say
from dicemasters.game.look import CHARACTER
from dicemasters.game.solitaire import readings
from dicemasters.game.state import (
    ATTACK,
    ATTACKING,
    BAG,
    BLOCKED,
    CARD,
    FIELD,
    HALF_SPENT,
    HAND,
    HELD,
    NOBODY,
    OUT,
    PLAYER,
    PREP,
    RESERVE,
    ROLL,
    SETUP,
    UNDECIDED,
    USED,
    State,
)

LABEL = "dim"
ACCENT = "bold yellow"
SEAT_STYLES = ("bold green", "bold magenta")
INDENT = 9  # where the dice of a row begin, after its label
WIDE = 120  # from here on cards are shown with their subtitles

_STATS = frozenset(("gets", "multiplies", "becomes", "exchanges", "sets A", "copy stats"))


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
    return Text(f"[{die_words(s, d, shown)}]", die_style(s.table.cards[s.table.card_of[d]]))


def die_words(s: State, d: int, shown: bool) -> str:
    """Say a die with all that counts now: level, bursts, A/D (printed ones in brackets if they differ), damage."""
    if not shown:
        return say.title(s, d)
    t = s.table
    i = t.m6[d] + s.face[d]
    words = say.face_text(s, d, s.face[d])
    if not say.is_sidekick_die(s, d):
        words = say.title(s, d) + (words if words[0] in "@!" else f":{words}")
    elif t.kinds[i] == CHARACTER:
        words = "Sidekick"
    if s.flags[d] & HALF_SPENT:
        words += " half spent"
    if t.kinds[i] != CHARACTER:
        return words
    if s.place[d] >> 2 != FIELD:
        return f"{words} {t.attack[i]}/{t.defence[i]}"
    a, defence = look.stats(s, d)
    words += f" {a}/{defence}"
    if (a, defence) != (t.attack[i], t.defence[i]):
        words += f" ({t.attack[i]}/{t.defence[i]})"
    if s.damage[d]:
        words += f" {s.damage[d]} damage"
    return ", ".join([words, *given_words(s, d)])


def given_words(s: State, d: int) -> list[str]:
    """Say what effects have given the die for a time, besides A and D."""
    words: list[str] = []
    for r in s.records:
        if r.word in _STATS or r.word.startswith("costs") or not look.covers(s, r, d):
            continue
        rule = s.table.rules[r.rule].text if r.rule >= 0 else ""
        if r.word == "on card":
            words.append(f"on {s.table.cards[r.a].title}")
            continue
        words.append({"has keyword": rule, "loses keyword": f"no {rule}", "has affiliation": rule}.get(r.word, r.word))
    if s.owner[d] != s.place[d] & 3 and s.owner[d] != NOBODY:
        words.append(f"{say.SEATS[s.owner[d]]}'s")
    return list(dict.fromkeys(words))


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
    for seat in sorted(sides[look.opponent_of(viewer)], key=lambda seat: seat != look.opponent_of(viewer)):
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
    if s.result != UNDECIDED:
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
    rolling = s.step == ROLL and (s.active ^ seat) & 1 == 0 and s.stage > 0
    rolling = rolling and bool(s.dice_in(PREP, seat) or s.dice_in(HAND, seat))
    rows = [[_player_line(s, names, seat, width)], flow("cards", _card_words(s, seat, width), width, 3)]
    rows.append(_piles(s, seat, width, rolling))
    if rolling:
        rows.append(flow("rolled", chips(s, s.dice_in(PREP, seat), True), width))
        if s.dice_in(HAND, seat):
            rows.append(flow("reroll", chips(s, s.dice_in(HAND, seat), True), width))
    elif s.dice_in(HAND, seat):
        rows.append(flow("drawn", chips(s, s.dice_in(HAND, seat), False), width))
    reserve = chips(s, s.dice_in(RESERVE, seat), True)
    if s.virtual[seat]:
        reserve.append(Text(f"+{s.virtual[seat]} energy left over"))
    if reserve:
        rows.append(flow("reserve", reserve, width))
    home = [d for d in s.dice_in(FIELD, seat) if not _is_fighting(s, d)]
    rows.append(flow("field", chips(s, home, True) or [Text("–", LABEL)], width))
    return rows


def _player_line(s: State, names: Sequence[str], seat: int, width: int) -> Text:
    life, most = s.life[seat & 1], max(look.most_life(s, seat & 1), 1)
    line = Text(" ")
    line.append(f"{say.SEATS[seat]} {names[seat]}", SEAT_STYLES[seat & 1])
    if seat & 2:
        line.append(f"   shares {say.SEATS[seat ^ 2]}'s life", LABEL)
    else:
        line.append("   life ", LABEL)
        line.append(f"{life}", "bold red" if life * 3 <= most else "bold")
        line.append(f"/{most} ", LABEL)
        bars = min(20, most)
        full = max(0, min(bars, -(-life * bars // most)))
        line.append("♥" * full, "red")
        line.append("·" * (bars - full), LABEL)
    if (s.active ^ seat) & 1 == 0 and s.turn and s.result == UNDECIDED:
        line.append("   has the turn", LABEL)
    return shorten(line, width)


def _card_words(s: State, seat: int, width: int) -> list[Text]:
    """Say cards with their cost for the buyer and a square for each die left."""
    t = s.table
    words: list[Text] = []
    for c in range(t.n_seats, t.n_real_cards):
        if t.owner_of_card[c] != seat:
            continue
        buyer = seat if seat >= 0 else max(s.ask.seat, 0)
        left = sum(1 for d in t.dice_of[c] if s.place[d] >> 2 == CARD)
        card = t.cards[c]
        one = Text(card.name if width >= WIDE else card.title, "" if left else LABEL)
        one.append(f" {look.purchase_cost(s, c, buyer)}{card.energy} ", "" if left else LABEL)
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
    return bool(s.flags[d] & ATTACKING or look.blocked_by(s, d))


def middle(s: State, width: int) -> list[Text]:
    """Draw the middle of the table: basic actions, and in a fight the attackers with their blockers."""
    lines: list[Text] = []
    basics = _card_words(s, -1, width)
    if basics:
        lines += flow("basics", basics, width, 3)
    attackers = look.attackers(s) if s.step == ATTACK else []
    if not attackers:
        return [heading("", width), *lines, heading("", width)] if lines else [heading("", width)]
    attack = f"{say.side_name(s, s.active)} {'attacks' if s.table.n_seats == 2 else 'attack'}"
    lines = [heading("", width), *lines, heading(f"attack zone: {attack}", width, "bold red")]
    for d in attackers:
        blockers = look.blockers_of(s, d)
        things = [_fighter(s, d)]
        if blockers:
            things += [Text("<- blocked by", LABEL), *(_fighter(s, b) for b in blockers)]
        elif s.flags[d] & BLOCKED:
            things.append(Text("blocked, its blocker is gone", LABEL))
        else:
            things.append(Text(f"-> {say.player_name(s, PLAYER + 1 - (s.active & 1))}", LABEL))
        lines += flow("", things, width)
    return [*lines, heading("", width)]


def _fighter(s: State, d: int) -> Text:
    """Draw a die in the attack zone, where partners' dice lie side by side."""
    one = chip(s, d, True)
    return one if s.table.n_seats == 2 else Text.assemble((f"{say.SEATS[s.place[d] & 3]} ", LABEL), one)


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
