"""Drafts: the rules of both kinds, and properties of every draft."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.support.effort import examples

from dicemasters.cards import Card, Catalogue, catalogue
from dicemasters.game.notation import NotationError
from dicemasters.game.rulesets.editions import EDITIONS
from dicemasters.players.heuristic import HeuristicPlayer
from dicemasters.players.random_player import RandomPlayer
from dicemasters.players.rng import SplitMix64
from dicemasters.teams import rainbow_draft
from dicemasters.teams.draft import Draft, IllegalPickError
from dicemasters.teams.draft_bot import DraftBot, card_value_in_team, play_bot_picks
from dicemasters.teams.draft_picks import SEATS, Pick
from dicemasters.teams.formats import check_matchup, check_team, find_format
from dicemasters.teams.matchup import start_team_game
from dicemasters.teams.packs import ODDS, open_packs
from dicemasters.teams.rainbow_draft import RainbowDraftState
from dicemasters.teams.team_draft import TeamDraftState, stacks_of
from dicemasters.teams.team_file import read_team, write_team

SETS = st.sampled_from([("avx",), ("uxm",), ("cw",), ("ai",), ("avx", "uxm"), ("avx", "uxm", "cw", "ai")])


def card(name: str) -> Card:
    return catalogue().find(name)


def team_state(draft: Draft) -> TeamDraftState:
    assert isinstance(draft.state, TeamDraftState)
    return draft.state


def rainbow_state(draft: Draft) -> RainbowDraftState:
    assert isinstance(draft.state, RainbowDraftState)
    return draft.state


def pick_texts(draft: Draft) -> list[str]:
    assert draft.decision is not None
    return [pick.text for pick in draft.decision]


def next_player(draft: Draft) -> str:
    return draft.decision.player if draft.decision is not None else "nobody"


def finish(draft: Draft, choose: Callable[[Draft], int] = lambda draft: 0) -> Draft:
    while draft.decision is not None:
        draft.pick(choose(draft))
    return draft


def random_choices(seed: int) -> Callable[[Draft], int]:
    chance = SplitMix64(seed)
    return lambda draft: chance.below(len(draft.decision or ()))


@st.composite
def drafts(draw: st.DrawFn) -> Draft:
    """Draw a new draft of either kind."""
    seed, sets = draw(st.integers(0, 10**6)), draw(SETS)
    if draw(st.booleans()):
        return Draft.rainbow(sets=sets, players=draw(st.integers(2, 8)), seed=seed)
    life, basics = draw(st.integers(8, 20)), draw(st.integers(3, 4))
    stacks = draw(st.none() | st.integers(2, 16))
    return Draft.team(sets=sets, life=life, stacks=stacks, basics=basics, seed=seed)


# --- Draft team ----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("first", [0, 1])
def test_second_player_picks_first_and_then_players_alternate(first: int) -> None:
    draft = Draft.team(life=20, first=first, seed=3)
    pickers = []
    while draft.decision is not None:
        if draft.decision.kind == "stack":
            pickers.append(draft.decision.player)
        draft.pick("1 die" if draft.decision.kind == "dice" else 0)
    assert pickers == [SEATS[1 - first], SEATS[first]] * 10


def test_first_player_is_random() -> None:
    assert {team_state(Draft.team(seed=seed)).first for seed in range(9)} == {0, 1}


def test_all_versions_of_a_title_form_one_stack() -> None:
    stacks = stacks_of([*catalogue()])
    assert len({stack[0].title for stack in stacks}) == len(stacks) == 102
    (hulk,) = (stack for stack in stacks if stack[0].title == "Hulk")
    assert {c.set for c in hulk} == {c.set for c in catalogue() if c.title == "Hulk"}
    assert sum(len(stack) for stack in stacks) == sum(c.kind != "basic" for c in catalogue())


def test_player_picks_a_stack_then_a_version_then_its_dice() -> None:
    draft = Draft.team(stacks=38, first=0)
    draft.pick("Human Torch")
    assert pick_texts(draft) == [
        "Human Torch: Playing with Fire",
        "Human Torch: Matchstick",
        'Human Torch: "Flame On!"',
        "Human Torch: Johnny Storm",
    ]
    draft.pick("johnny")
    assert pick_texts(draft) == ["1 die", "2 dice", "3 dice", "4 dice", "5 dice"]  # the card allows five
    draft.pick("3 dice")
    assert team_state(draft).taken == ((), ((card("Human Torch: Johnny Storm"), 3),))
    assert next_player(draft) == "A"
    assert "Human Torch" not in pick_texts(draft)


def test_dice_of_a_player_are_limited() -> None:
    draft = Draft.team(life=8, stacks=38, first=0)
    for words in ("Human Torch", "johnny", "5 dice", "Thor", "lord of", "1 die", "Hulk", "jade"):
        draft.pick(words)
    assert pick_texts(draft) == ["1 die", "2 dice", "3 dice", "no dice"]


def test_any_card_but_the_first_can_be_taken_without_dice() -> None:
    draft = Draft.team(life=8, stacks=38, first=0)
    for words in ("Hulk", "jade"):
        draft.pick(words)
    assert "no dice" not in pick_texts(draft)
    for words in ("1 die", "Thor", "lord of", "1 die", "Storm", "wind", "no dice"):
        draft.pick(words)
    assert [c.name for c, _ in draft.teams[1].cards] == ["Hulk: Jade Giant"]


def test_player_with_all_dice_still_takes_stacks_from_the_opponent() -> None:
    draft = Draft.team(life=8, stacks=38, first=0)
    for words in ("Hulk", "jade", "4 dice", "Thor", "lord of", "1 die", "Storm", "wind", "4 dice"):
        draft.pick(words)
    for words in ("Beast", "big boy", "1 die"):
        draft.pick(words)
    assert next_player(draft) == "B"
    draft.pick("Wolverine")
    assert next_player(draft) == "A"
    assert "Wolverine" not in pick_texts(draft)
    assert [c.title for c, _ in draft.teams[1].cards] == ["Hulk", "Storm"]


def test_draft_ends_when_no_player_can_take_another_die() -> None:
    draft = Draft.team(life=8, stacks=38, first=0)
    for words in ("Hulk", "jade", "4 dice", "Thor", "lord of", "4 dice", "Storm", "wind", "4 dice"):
        draft.pick(words)
    assert draft.decision is not None
    for words in ("Beast", "big boy", "4 dice"):
        draft.pick(words)
    assert draft.decision is None


@pytest.mark.parametrize("number", [3, 4])
def test_three_or_four_different_basic_actions_are_shared(number: int) -> None:
    for seed in range(20):
        draft = Draft.team(sets=["avx", "ai"], basics=number, seed=seed)
        basics = team_state(draft).basics
        assert len({c.title for c in basics}) == number
        assert all(c.kind == "basic" for c in basics)
        assert all(team.basics == basics for team in draft.teams)


@pytest.mark.parametrize(
    ("wrong", "words"),
    [
        ({"life": 7}, "A Draft team has from 8 to 20 life, not 7."),
        ({"life": 21}, "A Draft team has from 8 to 20 life, not 21."),
        ({"stacks": 1}, "The sets have titles for 2 to 38 stacks, not 1."),
        ({"stacks": 39}, "The sets have titles for 2 to 38 stacks, not 39."),
        ({"basics": 5}, "A Draft team has 3 or 4 basic actions, not 5."),
        ({"sets": ["dc"]}, "There is no set 'dc'; there are avx, uxm, cw, ai."),
    ],
)
def test_invalid_draft_team_settings_are_refused(wrong: dict[str, object], words: str) -> None:
    with pytest.raises(ValueError, match=words):
        Draft.team(**wrong)  # type: ignore[arg-type]


# --- packs ---------------------------------------------------------------------------------------------------------


def test_pack_has_two_titles_of_one_set_and_no_starter_cards() -> None:
    for one, two in open_packs(catalogue(), 500, SplitMix64(1)):
        assert one.set == two.set
        assert one.title != two.title
        assert {one.rarity, two.rarity} <= set(ODDS)
        assert "basic" not in (one.kind, two.kind)


def test_rarities_occur_in_packs_with_their_odds() -> None:
    cards = [c for c in catalogue() if c.set == "cw"]
    found = Counter(c.rarity for pack in open_packs(cards, 5000, SplitMix64(2)) for c in pack)
    for rarity, odds in ODDS.items():
        assert odds * 0.8 < found[rarity] / 100 < odds * 1.2


def test_set_of_commons_makes_packs_of_commons() -> None:
    cards = [c for c in catalogue() if c.set == "ai"]
    assert {c.rarity for pack in open_packs(cards, 50, SplitMix64(3)) for c in pack} == {"common"}


def test_packs_need_cards_that_come_in_packs() -> None:
    with pytest.raises(ValueError, match="no cards for packs"):
        open_packs([c for c in catalogue() if c.kind == "basic"], 1, SplitMix64(1))


# --- Rainbow Draft -------------------------------------------------------------------------------------------------


def test_packs_opened_last_are_drafted_first() -> None:
    packs = [open_packs(catalogue(), 12, SplitMix64(seat)) for seat in range(2)]
    state = rainbow_draft.deal(packs, [])
    for seat in range(2):
        assert Counter(state.hands[seat]) == Counter(c for pack in packs[seat][6:] for c in pack)
        assert Counter(state.piles[seat]) == Counter(c for pack in packs[seat][:6] for c in pack)


@pytest.mark.parametrize(("drafted", "step"), [(0, -1), (12, 1)])
def test_first_pile_is_passed_right_and_second_pile_left(drafted: int, step: int) -> None:
    draft = Draft.rainbow(players=3, seed=1)
    while len(rainbow_state(draft).drafted[2]) < drafted:
        draft.pick(0)
    before = rainbow_state(draft).hands
    for _ in range(3):
        draft.pick(0)
    after = rainbow_state(draft).hands
    for seat in range(3):  # B sits to the left of A
        picked = rainbow_state(draft).drafted[seat][-1]
        assert Counter(after[(seat + step) % 3]) == Counter(before[seat]) - Counter([picked])


def test_each_player_drafts_24_cards_and_each_card_is_drafted_once() -> None:
    draft = Draft.rainbow(players=5, seed=4)
    opened = Counter(c for pile in (*rainbow_state(draft).hands, *rainbow_state(draft).piles) for c in pile)
    finish(draft)
    assert [len(mine) for mine in rainbow_state(draft).drafted] == [24] * 5
    assert Counter(c for mine in rainbow_state(draft).drafted for c in mine) == opened


def building(*names: str) -> Draft:
    """Return a Rainbow Draft in which A has drafted these cards and builds a team."""
    draft = Draft.rainbow(players=2, seed=1)
    state = replace(rainbow_state(draft), hands=((), ()), piles=((), ()), stage="team")
    return Draft(replace(state, drafted=(tuple(card(name) for name in names), (card("Storm: Wind-Rider"),))))


def test_each_drafted_card_gives_a_die_to_any_version_of_its_title() -> None:
    draft = building("Hulk: Jade Giant", "Hulk: Annihilator", "Hulk: Annihilator", "Thor: Lord of Asgard")
    assert pick_texts(draft) == ["Hulk: Annihilator", "Hulk: Jade Giant", "Thor: Lord of Asgard"]
    draft.pick("Hulk: Jade Giant")
    assert pick_texts(draft) == ["1 die", "2 dice", "3 dice"]
    draft.pick("3 dice")
    assert pick_texts(draft) == ["Thor: Lord of Asgard", "done, the team is complete"]  # each title only once


def test_drafted_team_respects_the_dice_limit_of_a_card() -> None:
    draft = building(*["Cyclops: If Looks Could Kill"] * 4)
    draft.pick("Cyclops")
    most = card("Cyclops: If Looks Could Kill").max
    assert len(pick_texts(draft)) == most == 2


def test_drafted_team_has_at_most_eight_cards() -> None:
    names = list({c.title: c.name for c in catalogue() if c.set == "avx" and c.kind != "basic"}.values())[:9]
    draft = building(*names)
    for _ in range(8):
        draft.pick(0)
    assert draft.decision is not None
    assert draft.decision.kind == "basics"


def test_basic_actions_of_a_drafted_team_differ_in_title() -> None:
    draft = building("Hulk: Jade Giant")
    draft.pick("Hulk")
    draft.pick("Take Cover [ai]")
    assert not any("Take Cover" in text for text in pick_texts(draft))


@pytest.mark.parametrize("players", [1, 9])
def test_rainbow_draft_needs_two_to_eight_players(players: int) -> None:
    with pytest.raises(ValueError, match="from 2 to 8 players"):
        Draft.rainbow(players=players)


def test_view_of_a_seat_shows_only_its_own_cards_and_the_shared_dice() -> None:
    draft = Draft.rainbow(players=3, seed=2)
    while draft.decision is not None:
        state = rainbow_state(draft)
        for seat in range(3):
            view = draft.view(seat)
            assert isinstance(view, RainbowDraftState)
            assert view.middle == state.middle
            assert view.drafted[seat] == state.drafted[seat]
            assert view.hands[seat] == state.hands[seat]
            assert not any(view.piles)
            secrets = [view.hands, view.drafted, view.built, view.basics]
            assert not any(mine[other] for mine in secrets for other in range(3) if other != seat)
        draft.pick(0)
    assert all(draft.view(0).teams())  # the teams are public at the end


def test_view_of_the_picking_seat_offers_its_picks() -> None:
    draft = Draft.rainbow(players=2, seed=2)
    while draft.decision is not None:
        assert draft.view(draft.decision.seat).pick_request == draft.decision
        draft.pick(len(draft.decision) - 1)


# --- every draft ---------------------------------------------------------------------------------------------------


@pytest.mark.soak
@settings(max_examples=examples(quick=10, thorough=40))
@given(drafts(), st.integers(0, 10**6))
def test_every_draft_ends_with_legal_teams_within_the_available_dice(draft: Draft, seed: int) -> None:
    finish(draft, random_choices(seed))
    format = find_format(draft.teams[0].format)
    assert format.life == draft.life
    for team in draft.teams:
        assert check_team(team, format) == []
        assert read_team(write_team(team)).team == team
    assert check_matchup(draft.teams, format) == []
    titles = Counter(c.title for team in draft.teams for c, _ in team.cards)
    if isinstance(draft.state, RainbowDraftState):
        dice = Counter(dict.fromkeys(titles, 0))
        for team in draft.teams:
            for c, n in team.cards:
                dice[c.title] += n
        assert all(dice[title] <= dict(draft.state.middle)[title] for title in titles)
    else:
        assert set(titles.values()) == {1}  # one stack per title


@pytest.mark.soak
@settings(max_examples=examples(quick=10, thorough=40))
@given(drafts(), st.integers(0, 10**6), st.integers(0, 400))
def test_draft_resumed_at_any_step_ends_identically(draft: Draft, seed: int, step: int) -> None:
    choose = random_choices(seed)
    while draft.decision is not None and len(draft.moves) < step:
        draft.pick(choose(draft))
    text = draft.to_text()
    resumed = Draft.from_text(text)
    assert resumed == draft
    assert resumed.to_text() == text
    for one in (draft, resumed):
        play_bot_picks(one)
    assert resumed == draft
    assert resumed.teams == draft.teams
    assert draft.decision is None


def test_draft_of_bots_can_be_resumed_and_undone_at_every_step() -> None:
    for draft in (Draft.team(life=9, seed=5), Draft.rainbow(players=2, seed=5)):
        end = draft.copy()
        play_bot_picks(end)
        drafter = DraftBot(draft.seed)
        while draft.decision is not None:
            draft.pick(drafter.choose(draft.view(draft.decision.seat)))
            resumed = Draft.from_text(draft.to_text())
            assert resumed == draft
            resumed.undo()
            assert len(resumed.moves) == len(draft.moves) - 1
        assert draft == end


@pytest.mark.soak
@settings(max_examples=examples(quick=10, thorough=40))
@given(drafts(), st.integers(0, 10**6))
def test_undo_restores_each_state_and_copies_are_independent(draft: Draft, seed: int) -> None:
    choose = random_choices(seed)
    seen = []
    while draft.decision is not None:
        seen.append(draft.state)
        draft.pick(choose(draft))
    copy = draft.copy()
    while copy.undo():
        assert copy.state == seen.pop()
    assert not seen
    assert not copy.moves
    assert copy.state == draft.start
    assert draft.decision is None


@pytest.mark.soak
@settings(max_examples=examples(quick=10, thorough=40))
@given(drafts())
def test_picks_of_a_decision_have_different_texts(draft: Draft) -> None:
    while draft.decision is not None:
        assert len(set(pick_texts(draft))) == len(draft.decision) > 0
        draft.pick(len(draft.decision) // 2)


def test_pick_that_is_not_offered_is_refused() -> None:
    draft = Draft.team(stacks=38, seed=1)
    for wrong in (-1, 38, "nobody", "", "man", Pick("stack", "Batman")):
        with pytest.raises(IllegalPickError):
            draft.pick(wrong)
    assert not draft.moves
    finish(draft)
    with pytest.raises(IllegalPickError, match="the draft is over"):
        draft.pick(0)


# --- bots ----------------------------------------------------------------------------------------------------------


@pytest.mark.soak
@settings(max_examples=examples(quick=10, thorough=25))
@given(drafts())
def test_bots_pick_reproducibly_and_fill_their_teams(draft: Draft) -> None:
    again = draft.copy()
    play_bot_picks(draft)
    play_bot_picks(again)
    assert draft == again
    for team in draft.teams:
        if isinstance(draft.state, RainbowDraftState):
            assert len(team.cards) == 8 or team.dice == 20
        elif len(draft.start.stacks if isinstance(draft.start, TeamDraftState) else ()) >= 12:
            assert team.dice == draft.life


def test_card_value_is_higher_if_the_team_lacks_its_cost_or_kind() -> None:
    cheap = [card(name) for name in ("avx4", "Ant-Man: Scott Lang", "Rocket Raccoon: Not a Raccoon")]
    expensive = [card(name) for name in ("Hulk: Jade Giant", "Thor: Odinson", "Colossus: Russian Bear")]
    another = card("Kitty Pryde: Ariel")
    assert another.cost <= 3
    assert card_value_in_team(another, expensive) > card_value_in_team(another, cheap)
    actions = [card(name) for name in ("Mjolnir: Forged by Odin", "Vibranium Shield: Irreplaceable")]
    assert card_value_in_team(card("Pym Particles: Grow"), expensive) > card_value_in_team(
        card("Pym Particles: Grow"), actions
    )


def test_card_value_is_higher_with_shared_affiliations() -> None:
    friends, strangers = ([card(name)] for name in ("Captain America: Anti-Reg", "Venom: Spidery"))
    assert set(card("Thor: Boom!").affiliations) & set(friends[0].affiliations)
    assert card_value_in_team(card("Thor: Boom!"), friends) > card_value_in_team(card("Thor: Boom!"), strangers)


@pytest.mark.parametrize("seed", range(8))
def test_bots_draft_few_actions_and_most_teams_get_cheap_cards(seed: int) -> None:
    draft = Draft.rainbow(players=8, seed=seed)
    play_bot_picks(draft)
    assert all(sum(c.kind == "action" for c, _ in team.cards) <= 3 for team in draft.teams)
    assert sum(any(c.cost <= 3 for c, _ in team.cards) for team in draft.teams) >= 6


def test_bots_with_different_seeds_draft_different_teams() -> None:
    ends = set()
    for seed in range(4):
        draft = Draft(Draft.rainbow(players=2, seed=1).start, seed=seed)
        play_bot_picks(draft)
        ends.add(draft.teams)
    assert len(ends) > 1


def test_bots_do_not_pick_for_people() -> None:
    draft = Draft.rainbow(players=3, people=[1], seed=1)
    play_bot_picks(draft)
    assert next_player(draft) == "B"
    assert len(draft.moves) == 1


# --- games with drafted teams --------------------------------------------------------------------------------------


@pytest.mark.parametrize("edition", EDITIONS)
def test_drafted_teams_play_a_complete_game(edition: str) -> None:
    for draft in (Draft.team(sets=[edition], life=10, stacks=10, seed=1), Draft.rainbow(sets=[edition], seed=1)):
        play_bot_picks(draft)
        game = start_team_game(draft.teams[:2], find_format(draft.teams[0].format), edition, seed=1, first="B")
        assert game.state.life == [draft.life] * 2
        players = (HeuristicPlayer(1), RandomPlayer(2))
        while game.decision is not None:
            game.play(players[game.state.decision.seat].choose(game.state))
        assert game.result is not None


def test_drafted_teams_play_with_three_dice_of_each_drafted_basic_action() -> None:
    draft = Draft.team(life=10, seed=9)
    play_bot_picks(draft)
    game = start_team_game(draft.teams, find_format("draft 10"), "avx", seed=1)
    assert game.table.setup.basics == tuple((basic, 3) for basic in team_state(draft).basics)


# --- files ---------------------------------------------------------------------------------------------------------


def saved_lines(kind: str = "team") -> list[str]:
    draft = Draft.team(life=8, stacks=4, first=0, seed=6) if kind == "team" else Draft.rainbow(players=2, seed=6)
    for _ in range(2):
        draft.pick(0)
    return draft.to_text().splitlines()


def with_changed_line(kind: str, line: int, text: str | None) -> str:
    lines = saved_lines(kind)
    lines[line - 1 : line] = [] if text is None else [text]
    return "\n".join(lines)


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("", "line 1: a draft must begin with 'dicemasters draft 1'"),
        ("dicemasters record\n", "line 1: a draft must begin with 'dicemasters draft 1'"),
        (with_changed_line("team", 1, "dicemasters draft 2"), "line 1: version 2 of the draft format"),
        (with_changed_line("team", 2, "kind: cube"), "line 2: there is no draft of the kind 'cube'"),
        (with_changed_line("team", 2, None), "the draft has no 'kind:' line"),
        (with_changed_line("team", 3, "life: 7"), "line 3: '7' is not the life of a Draft team from 8 to 20"),
        (with_changed_line("team", 3, "life: ٣"), "line 3: '٣' is not the life of a Draft team"),
        (with_changed_line("team", 4, "first: C"), "line 4: 'C' cannot go first; only A or B can"),
        (with_changed_line("team", 5, "people: A A"), "line 5: 'A A' must be different seats from A to B"),
        (with_changed_line("team", 6, "seed: x"), "line 6: 'x' is not a seed"),
        (with_changed_line("team", 6, "seed: 1\nseed: 2"), "line 7: 'seed:' appears a second time"),
        (with_changed_line("team", 6, "seed: 1\nmood: good"), "line 7: a draft has no line 'mood:'"),
        (
            with_changed_line("team", 6, "seed: 1\nplayers: 2"),
            "line 7: a draft of the kind 'team' has no line 'players:'",
        ),
        (
            with_changed_line("team", 6, "seed: 1\nwhatever"),
            "line 7: 'whatever' is not a line of a draft: it has no colon",
        ),
        (
            with_changed_line("team", 7, "basics: Smash!; Smash!; Force Beam"),
            "line 7: the basic actions must be different basic action cards",
        ),
        (
            with_changed_line("team", 7, "basics: Smash!; Force Beam"),
            "line 7: a Draft team needs three or four basic actions",
        ),
        (
            with_changed_line("team", 8, "stack: Hulk: Jade Gant"),
            "line 8: no card is called 'Hulk: Jade Gant'; did you mean",
        ),
        (
            with_changed_line("team", 8, "stack: Hulk: Jade Giant; Thor: Odinson"),
            "line 8: a stack must consist of different versions",
        ),
        (with_changed_line("team", 9, saved_lines()[7]), "line 9: there already is a stack of "),
        (with_changed_line("team", 13, "A: 1"), "line 13: it is B's pick, not A's"),
        (with_changed_line("team", 13, "B: Nobody"), "line 13: 'Nobody' cannot be taken now"),
        (with_changed_line("team", 15, None), "the draft ends before its 'next:' line"),
        (with_changed_line("team", 15, "next: nobody"), "line 15: the file says 'nobody' is next, but it is: B, dice"),
        (with_changed_line("team", 12, None), "the draft has no 'picks:' line"),
        (with_changed_line("rainbow", 3, "players: 9"), "line 3: '9' is not a number of players from 2 to 8"),
        (with_changed_line("rainbow", 6, None), "line 29: A has 11 packs instead of 12"),
        (
            with_changed_line("rainbow", 6, "pack C: avx9; avx10"),
            "line 6: 'pack C:' does not name a seat of this draft",
        ),
        (with_changed_line("rainbow", 6, "pack A: avx9"), "line 6: a pack must have two characters or actions"),
        (with_changed_line("rainbow", 6, "pack A: avx9; Smash!"), "line 6: a pack must have two characters or actions"),
        (with_changed_line("rainbow", 6, "stack: avx9"), "line 6: 'stack:' does not name a seat of this draft"),
    ],
)
def test_invalid_draft_file_is_refused_in_one_sentence_with_its_line(text: str, words: str) -> None:
    with pytest.raises(ValueError, match=r"^line [0-9]+: ") as error:
        Draft.from_text(text)
    assert words in str(error.value)
    assert "\n" not in str(error.value)


@pytest.mark.soak
@given(st.data())
def test_draft_with_a_lost_or_garbled_line_is_read_or_refused(data: st.DataObject) -> None:
    lines = saved_lines(data.draw(st.sampled_from(["team", "rainbow"])))
    at = data.draw(st.integers(0, len(lines) - 1))
    lines[at : at + 1] = data.draw(st.lists(st.text(max_size=30) | st.sampled_from(lines), max_size=2))
    try:
        draft = Draft.from_text("\n".join(lines))
    except NotationError:
        return
    assert Draft.from_text(draft.to_text()) == draft


def test_handwritten_draft_can_have_comments_and_short_card_names() -> None:
    draft = Draft.from_text(
        "\ufeffdicemasters draft 1\r\n# ours\r\nkind: team\r\nlife: 8\r\nfirst: A\r\npeople: none\r\nseed: 0\r\n"
        "basics: Smash!; Force Beam; Ambush\r\nstack: avx9\r\nstack: thor: lord of asgard\r\n\r\npicks:\r\n"
        "B: hulk\r\nB: 2\r\nnext: A, stack\r\n"
    )
    assert team_state(draft).taken[1] == ((card("avx9"), 2),)


def test_home_made_cards_can_be_drafted() -> None:
    nurse = replace(card("avx9"), set="mine", number=1, title="Nurse", subtitle="Night Shift")
    doctor = replace(card("avx9"), set="mine", number=2, title="Doctor", subtitle="Day Shift", rarity="common")
    known = catalogue().with_cards([nurse, doctor])
    draft = Draft.team(sets=["avx", "mine"], stacks=40, seed=1, cards=known)
    assert {"Nurse", "Doctor"} <= set(pick_texts(draft))
    assert Draft.from_text(draft.to_text(), known) == draft
    with pytest.raises(ValueError, match="no card is called 'Doctor: Day Shift"):
        Draft.from_text(draft.to_text(), Catalogue(catalogue()))
