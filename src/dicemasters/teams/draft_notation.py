"""Drafts as text: the initial cards, every pick, and whose pick is next."""

from __future__ import annotations

from collections import Counter

from dicemasters.cards.catalogue import Card, Catalogue, UnknownCardError
from dicemasters.game.notation import NotationError, is_number, lines_of
from dicemasters.teams import rainbow_draft, team_draft
from dicemasters.teams.draft import Draft, DraftState, IllegalPickError, seat_of, shorten
from dicemasters.teams.draft_picks import SEATS, full_name
from dicemasters.teams.packs import Pack
from dicemasters.teams.rainbow_draft import RainbowDraftState
from dicemasters.teams.team_draft import TeamDraftState

HEADING = "dicemasters draft"
VERSION = 1

DraftLines = list[tuple[int, str, str]]  # line number, key, and value after the colon


# --- writing -------------------------------------------------------------------------------------------------------


def write_draft(draft: Draft) -> str:
    """Return a draft as text, which `read_draft` reads back."""
    start = draft.start
    lines = [f"{HEADING} {VERSION}"]
    lines += _team_lines(start) if isinstance(start, TeamDraftState) else ["kind: rainbow", f"players: {draft.seats}"]
    lines.append(f"people: {' '.join(SEATS[seat] for seat in draft.people) or 'none'}")
    lines.append(f"seed: {draft.seed}")
    if isinstance(start, TeamDraftState):
        lines.append(f"basics: {_card_names(start.basics)}")
        lines += [f"stack: {_card_names(stack)}" for stack in start.stacks]
    else:
        lines += _pack_lines(start)
    lines.append("picks:")
    lines += [f"{move.player}: {move.text}" for move in draft.moves]
    lines.append(f"next: {_next_line(draft)}")
    return "\n".join(lines) + "\n"


def _team_lines(start: TeamDraftState) -> list[str]:
    return ["kind: team", f"life: {start.limit}", f"first: {SEATS[start.first]}"]


def _pack_lines(start: RainbowDraftState) -> list[str]:
    """Return a line for each pack, in the order of opening; the second pile was opened first."""
    lines: list[str] = []
    for seat, (hand, pile) in enumerate(zip(start.hands, start.piles, strict=True)):
        opened = pile + hand
        lines += [f"pack {SEATS[seat]}: {_card_names(opened[i : i + 2])}" for i in range(0, len(opened), 2)]
    return lines


def _card_names(cards: tuple[Card, ...]) -> str:
    return "; ".join(full_name(card) for card in cards)


def _next_line(draft: Draft) -> str:
    request = draft.decision
    return f"{request.player}, {request.kind}" if request is not None else "nobody"


# --- reading -------------------------------------------------------------------------------------------------------


def read_draft(text: str, cards: Catalogue) -> Draft:
    """Read a draft and replay its picks. Raise `NotationError` with the number of the first invalid line."""
    lines = lines_of(text.removeprefix("\ufeff"))
    _check_heading(lines[0] if lines else "")
    body: DraftLines = []
    for number, line in enumerate(lines[1:], 2):
        if line.strip() and not line.lstrip().startswith("#"):
            key, colon, value = line.partition(":")
            if not colon:
                raise NotationError(f"'{shorten(line)}' is not a line of a draft: it has no colon", number)
            body.append((number, key.strip(), value.strip()))
    keys = [key for _, key, _ in body]
    if "picks" not in keys:
        raise NotationError("the draft has no 'picks:' line", len(lines))
    if keys[-1] != "next":
        raise NotationError("the draft ends before its 'next:' line", len(lines))
    picks_index = keys.index("picks")
    draft = _read_header(body[:picks_index], body[picks_index][0], cards)
    for number, player, pick in body[picks_index + 1 : -1]:
        _replay_pick(draft, number, player, pick)
    number, _, expected = body[-1]
    if expected != _next_line(draft):
        raise NotationError(f"the file says '{shorten(expected)}' is next, but it is: {_next_line(draft)}", number)
    return draft


def _check_heading(line: str) -> None:
    version = line.strip().removeprefix(HEADING).strip()
    if not line.strip().startswith(HEADING) or not is_number(version, 4):
        raise NotationError(f"a draft must begin with '{HEADING} {VERSION}'", 1)
    if int(version) != VERSION:
        raise NotationError(f"version {version} of the draft format is not supported; only version {VERSION} is", 1)


def _read_header(header: DraftLines, end: int, cards: Catalogue) -> Draft:
    """Return the draft before its first pick, read from its header; `end` is the line after the header."""
    fields: dict[str, tuple[int, str]] = {}
    card_lines: DraftLines = []
    for number, key, value in header:
        if key == "stack" or key.startswith("pack "):
            card_lines.append((number, key, value))
        elif key not in ("kind", "life", "first", "players", "people", "seed", "basics"):
            raise NotationError(f"a draft has no line '{shorten(key)}:'", number)
        elif key in fields:
            raise NotationError(f"'{key}:' appears a second time", number)
        else:
            fields[key] = (number, value)

    def take_field(key: str) -> tuple[int, str]:
        if key not in fields:
            raise NotationError(f"the draft has no '{key}:' line", end)
        return fields.pop(key)

    number, kind = take_field("kind")
    if kind not in ("team", "rainbow"):
        raise NotationError(f"there is no draft of the kind '{shorten(kind)}'; use team or rainbow", number)
    seed = _read_number(*take_field("seed"), "a seed", -(2**63), 2**64 - 1)
    if kind == "team":
        seats = 2
        state: DraftState = _read_team_start(
            take_field("life"), take_field("first"), take_field("basics"), card_lines, end, cards
        )
    else:
        seats = _read_number(
            *take_field("players"), "a number of players", rainbow_draft.MIN_PLAYERS, rainbow_draft.MAX_PLAYERS
        )
        state = _read_rainbow_start(seats, card_lines, end, cards)
    people = _read_people(*take_field("people"), seats)
    for key, (number, _) in fields.items():
        raise NotationError(f"a draft of the kind '{kind}' has no line '{key}:'", number)
    return Draft(state, seed=seed, people=people)


def _read_team_start(
    life: tuple[int, str],
    first: tuple[int, str],
    basics: tuple[int, str],
    card_lines: DraftLines,
    end: int,
    cards: Catalogue,
) -> TeamDraftState:
    limit = _read_number(*life, "the life of a Draft team", team_draft.MIN_LIFE, team_draft.MAX_LIFE)
    seat = seat_of(first[1], 2)
    if seat < 0:
        raise NotationError(f"'{shorten(first[1])}' cannot go first; only A or B can", first[0])
    shared = _read_cards(*basics, cards)
    if any(card.kind != "basic" for card in shared) or len({card.title for card in shared}) != len(shared):
        raise NotationError("the basic actions must be different basic action cards", basics[0])
    if not team_draft.MIN_BASICS <= len(shared) <= team_draft.MAX_BASICS:
        raise NotationError(f"a Draft team needs three or four basic actions, not {len(shared)}", basics[0])
    stacks: dict[str, tuple[Card, ...]] = {}
    for number, key, value in card_lines:
        if key != "stack":
            raise NotationError(f"a draft of the kind 'team' has no line '{shorten(key)}:'", number)
        stack = _read_cards(number, value, cards)
        title = stack[0].title
        if any(card.title != title or card.kind == "basic" for card in stack) or len(set(stack)) != len(stack):
            raise NotationError("a stack must consist of different versions of one character or action", number)
        if title in stacks:
            raise NotationError(f"there already is a stack of {title}", number)
        stacks[title] = stack
    if not stacks:
        raise NotationError("the draft has no 'stack:' line", end)
    return TeamDraftState(limit, shared, seat, tuple(stacks.values()), 1 - seat)


def _read_rainbow_start(seats: int, card_lines: DraftLines, end: int, cards: Catalogue) -> RainbowDraftState:
    packs: list[list[Pack]] = [[] for _ in range(seats)]
    for number, key, value in card_lines:
        seat = seat_of(key.removeprefix("pack ").strip(), seats)
        if not key.startswith("pack ") or seat < 0:
            raise NotationError(f"'{shorten(key)}:' does not name a seat of this draft", number)
        pack = _read_cards(number, value, cards)
        if len(pack) != 2 or any(card.kind == "basic" for card in pack):
            raise NotationError("a pack must have two characters or actions", number)
        packs[seat].append((pack[0], pack[1]))
    counts = Counter({SEATS[seat]: len(seat_packs) for seat, seat_packs in enumerate(packs)})
    for letter, count in counts.items():
        if count != rainbow_draft.PACKS_PER_PLAYER:
            raise NotationError(f"{letter} has {count} packs instead of {rainbow_draft.PACKS_PER_PLAYER}", end)
    return rainbow_draft.deal(packs, [card for card in cards if card.kind == "basic"])


def _replay_pick(draft: Draft, number: int, player: str, text: str) -> None:
    request = draft.decision
    if request is None:
        raise NotationError("the draft is over before this pick", number)
    if player != request.player:
        raise NotationError(f"it is {request.player}'s pick, not {shorten(player)}'s", number)
    try:
        draft.pick(text)
    except IllegalPickError as error:
        raise NotationError(str(error), number) from None


def _read_people(number: int, text: str, seats: int) -> list[int]:
    if text == "none":
        return []
    people = [seat_of(letter, seats) for letter in text.split()]
    if not people or -1 in people or len(set(people)) != len(people):
        raise NotationError(f"'{shorten(text)}' must be different seats from A to {SEATS[seats - 1]}", number)
    return people


def _read_cards(number: int, text: str, cards: Catalogue) -> tuple[Card, ...]:
    try:
        return tuple(cards.find(name) for name in text.split(";"))
    except UnknownCardError as error:
        raise NotationError(str(error), number) from None


def _read_number(number: int, text: str, noun: str, minimum: int, maximum: int) -> int:
    digits = text.removeprefix("-")
    if digits.isascii() and digits.isdigit() and len(digits) <= 20 and minimum <= int(text) <= maximum:
        return int(text)
    raise NotationError(f"'{shorten(text)}' is not {noun} from {minimum} to {maximum}", number)
