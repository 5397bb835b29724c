"""Screen layout: the board, the latest log lines and the question on one screen of any size.

Each section of the screen has several forms, each with fewer lines than the one before, and a loss for each step down.
While the screen is too tall, the section with the smallest next loss is shortened. On a small screen the opponent's
cards therefore go before the piles of the deciding player; lives and answers are always shown.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from rich.cells import cell_len
from rich.text import Text

from dicemasters.game.inspect import view
from dicemasters.game.inspect.view import State
from dicemasters.game.text import describe
from dicemasters.terminal.board_view import (
    attack_heading,
    card_lines,
    card_lines_short,
    draw_combat,
    draw_combat_compact,
    house_rule_lines,
    life_text,
    side_rows,
    turn_text,
)
from dicemasters.terminal.theme import LABEL, MARGIN, flow, heading, shorten

NEWS_LOSSES = (14, 11, 9, 7, 5, 4)  # losses for keeping no log line, one, two and so on; 2 for every further line
MAX_FIELD_ROWS = 3  # a crowded field is cut to this many rows
COMPACT_FROM_LOSS = 10  # loss from which the lives move into the heading
TALL = 40  # screen rows from which cards are shown with a summary of their text


@dataclass(slots=True)
class ScreenSection:
    """A section of the screen: its forms, longest first, and the loss of each step to the next form."""

    forms: list[list[Text]]
    losses: list[int]

    def add_shorter_form(self, form: list[Text], loss: int) -> ScreenSection:
        """Append a form if it has fewer lines than the last one. Return the section."""
        if len(form) < len(self.forms[-1]):
            self.forms.append(form)
            self.losses.append(loss)
        return self


def fixed_section(lines: list[Text]) -> ScreenSection:
    """Return a section that is never shortened."""
    return ScreenSection([lines], [])


def fit(sections: Sequence[ScreenSection], room: int) -> tuple[list[Text], int]:
    """Shorten sections until they fit into `room` lines.

    Return the lines and the largest loss that was needed, or -1 if even the shortest forms do not fit.
    """
    form_index = [0] * len(sections)
    largest_loss = 0

    def height() -> int:
        return sum(len(section.forms[i]) for section, i in zip(sections, form_index, strict=True))

    while height() > room:
        candidates = [
            (section.losses[form_index[n]], n)
            for n, section in enumerate(sections)
            if form_index[n] < len(section.losses)
        ]
        if not candidates:
            return [line for section, i in zip(sections, form_index, strict=True) for line in section.forms[i]], -1
        loss, n = min(candidates)
        form_index[n] += 1
        largest_loss = max(largest_loss, loss)
    return [line for section, i in zip(sections, form_index, strict=True) for line in section.forms[i]], largest_loss


def render_screen(
    s: State,
    names: Sequence[str],
    viewer: int,
    width: int,
    height: int,
    news: list[str],
    below: list[ScreenSection],
    *,
    names_fighters: bool = False,
) -> list[Text]:
    """Draw the board, the log lines and the sections below them; height 0 means no limit.

    `names_fighters` says that the answers list all possible attackers and blockers, so the board may omit them.
    """
    lines: list[Text] = []
    for compact in (False, True):
        table = board_sections(
            s, names, viewer, width, compact=compact, summaries=height >= TALL, names_fighters=names_fighters
        )
        sections = [*table, log_section(news), *below]
        lines, loss = fit(sections, height or sum(len(section.forms[0]) for section in sections))
        if 0 <= loss < COMPACT_FROM_LOSS:
            break
    return [shorten(line, width) for line in lines]


def log_section(news: list[str]) -> ScreenSection:
    """Return a section with the log lines, whose shorter forms keep the last ones."""
    section = ScreenSection([_log_lines(news, len(news))], [])
    for kept_lines in reversed(range(len(news))):
        section.add_shorter_form(
            _log_lines(news, kept_lines), NEWS_LOSSES[kept_lines] if kept_lines < len(NEWS_LOSSES) else 2
        )
    return section


def _log_lines(news: list[str], room: int) -> list[Text]:
    shown = news
    if len(news) > room:
        shown = [f"… {len(news) - room + 1} more lines; type log", *news[len(news) - room + 1 :]] if room else []
    return [Text(f" {line}", LABEL) for line in shown]


def board_sections(
    s: State,
    names: Sequence[str],
    viewer: int,
    width: int,
    *,
    compact: bool,
    summaries: bool,
    names_fighters: bool,
) -> list[ScreenSection]:
    """Return the board as sections, with the viewer at the bottom and the opponent at the top.

    `compact` moves the lives into the heading; `summaries` adds a summary of its text to each card.
    """
    title = turn_text(s)
    if compact:
        step = title.partition(" · ")[2]
        title = f"{step} · {life_text(s, names)}"
        if cell_len(title) > width - MARGIN:  # omit the names and move the step behind the lives
            title = f"{life_text(s, ('',) * len(names))} · {step}"
    deciding_seat = s.decision.seat if s.decision.seat >= 0 else viewer
    sides = s.spec.sides
    sections = [
        fixed_section([heading(title, width, "bold")]),
        ScreenSection([house_rule_lines(s, width)], []).add_shorter_form([], 3),
    ]
    for seat in sorted(sides[view.opponent_of(viewer)], key=lambda seat: seat != view.opponent_of(viewer)):
        side = _side_sections(s, names, seat, width, compact, summaries, important=seat == deciding_seat)
        if names_fighters and seat == deciding_seat:
            side[-1].add_shorter_form([], 12)
        sections += side
    sections.append(ScreenSection([[heading("", width)]], []).add_shorter_form([], 4))
    basics = card_lines_short(s, -1, width)
    if basics:
        sections.append(_cards_section(s, -1, width, summaries, important=True).add_shorter_form([], 11))
    if fights := draw_combat(s, width):
        sections.append(ScreenSection([[attack_heading(s, width)]], []).add_shorter_form([], 8))
        zone = ScreenSection([fights], []).add_shorter_form(draw_combat_compact(s, width), 7)
        sections.append(
            zone.add_shorter_form([], 12)
            if names_fighters
            else zone.add_shorter_form(_truncate(zone.forms[-1], MAX_FIELD_ROWS, width), 18)
        )
    sections.append(ScreenSection([[heading("", width)]], []).add_shorter_form([], 4))
    for seat in sorted(sides[viewer], key=lambda seat: seat == viewer):
        side = _side_sections(s, names, seat, width, compact, summaries, important=seat == deciding_seat)
        if names_fighters and seat == deciding_seat:
            side[-1].add_shorter_form([], 12)  # the field, whose dice the answers list
        sections += reversed(side)
    return sections


def _side_sections(
    s: State, names: Sequence[str], seat: int, width: int, compact: bool, summaries: bool, *, important: bool
) -> list[ScreenSection]:
    """Return the rows of a player's side as sections. Those of the deciding player (`important`) are shortened last.

    In a compact Doubles screen every row begins with the letter of its seat.
    """
    sections: list[ScreenSection] = []
    show_letters = compact and s.spec.n_seats > 2
    width -= show_letters
    for name, lines in side_rows(s, names, seat, width).items():
        match name:
            case "life":
                sections.append(fixed_section([] if compact else lines))
            case "cards":
                section = _cards_section(s, seat, width, summaries, important=important)
                sections.append(
                    section.add_shorter_form(_truncate(section.forms[-1], 1, width), 18)
                    if important
                    else section.add_shorter_form([], 6)
                )
            case "piles":
                sections.append(
                    ScreenSection([lines], [])
                    .add_shorter_form(lines[:1], 3)
                    .add_shorter_form([], 12 if important else 8)
                )
            case "field":
                section = ScreenSection([lines], [])
                if len(lines) > MAX_FIELD_ROWS:
                    section.add_shorter_form(_truncate(lines, MAX_FIELD_ROWS, width), 13)
                sections.append(
                    section
                    if important or len(lines) == 1
                    else section.add_shorter_form(_truncate(lines, 1, width), 15)
                )
            case _:
                section = ScreenSection([lines], [])
                sections.append(section if important else section.add_shorter_form(_truncate(lines, 1, width), 9))
    return [_with_mark(section, describe.SEATS[seat]) for section in sections] if show_letters else sections


def _with_mark(section: ScreenSection, mark: str) -> ScreenSection:
    """Return the section with a mark before the first line of each form and a space before the others."""
    forms = [
        [Text(" " if i else mark, LABEL).append_text(line) for i, line in enumerate(form)] for form in section.forms
    ]
    return ScreenSection(forms, section.losses)


def _truncate(lines: list[Text], room: int, width: int) -> list[Text]:
    """Return the first `room` lines, with an ellipsis if there are more."""
    if len(lines) <= room:
        return lines
    last = shorten(lines[room - 1], width - 2).copy()
    return [*lines[: room - 1], last.append(" …", LABEL)]


def _cards_section(s: State, seat: int, width: int, summaries: bool, *, important: bool) -> ScreenSection:
    """Return a team's cards: with summaries if requested, then side by side, then without squares for dice."""
    label = "cards" if seat >= 0 else "basics"
    side_by_side = flow(label, card_lines_short(s, seat, width), width, 3)
    section = (
        ScreenSection([card_lines(s, seat, width)], []).add_shorter_form(side_by_side, 3)
        if summaries
        else ScreenSection([side_by_side], [])
    )
    without_dice = [Text(word.plain.partition(" ■")[0]) for word in card_lines_short(s, seat, 0)]
    return section.add_shorter_form(flow(label, without_dice, width, 2), 10 if important else 5)
