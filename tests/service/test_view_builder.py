"""Views sent to the browser: every die once, exactly the legal options, prompts and explanations."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

import pytest
from tools.verify.random_games import random_game

from dicemasters import Game
from dicemasters.cards.catalogue import catalogue
from dicemasters.game.decision import Choice
from dicemasters.game.queries import characteristics, die_identity
from dicemasters.game.rulesets.editions import EDITIONS
from dicemasters.game.scenarios.scenario import read_scenarios, run_scenario
from dicemasters.game.state.constants import ATTACKING, FIELD, GONE, PLAYER, ZONE_NAMES
from dicemasters.game.text import describe
from dicemasters.game.turn import loop
from dicemasters.players.heuristic import HeuristicPlayer
from dicemasters.players.rng import SplitMix64
from dicemasters.service.catalog.glossary import GLOSSARY, build_glossary
from dicemasters.service.games.choices import apply_choice
from dicemasters.service.games.explanations import build_die_explanation, build_illegal_explanation
from dicemasters.service.games.view_builder import build_table, build_view
from dicemasters.service.protocol import game_schema

editions = pytest.mark.parametrize("edition", EDITIONS)


def positions(edition: str, every: int = 1, games: int = 6, moves: int = 200) -> Iterator[Game]:
    """Yield positions of games in which half of the choices are random."""
    for seed in range(games):
        game, chance, simple = random_game(seed, edition=edition), SplitMix64(seed), HeuristicPlayer(seed)
        while len(game.moves) < moves:
            if len(game.moves) % every == 0 or game.result is not None:
                yield game
            if game.result is not None:
                break
            game.play(simple.choose(game.state) if chance.below(2) else chance.below(len(game.state.options)))


@editions
def test_view_shows_every_die_once_in_its_zone(edition: str) -> None:
    for game in positions(edition, every=7):
        s = game.state
        shown = build_view(game, since=len(game.moves))["dice"]
        there = [d for d in range(s.spec.n_dice) if s.place[d] >> 2 != GONE]
        assert [die["id"] for die in shown] == there
        for die in shown:
            d = die["id"]
            assert die["zone"] == ZONE_NAMES[s.place[d] >> 2]
            assert die["card"] == s.spec.card_of[d]
            assert die["seat"] in (describe.SEATS[s.place[d] & 3], None)
            if s.place[d] >> 2 == FIELD:
                assert die["face"] == s.face[d]
                assert die.get("attacking", False) == bool(s.flags[d] & ATTACKING)
                assert die.get("blocks", []) == [a for b, a in s.blocks if b == d]
                if die_identity.is_character(s, d):
                    assert (die["a"], die["d"]) == characteristics.current_stats(s, d)
                    assert die.get("damage", 0) == s.damage[d]


@editions
def test_view_lists_exactly_the_legal_options(edition: str) -> None:
    for game in positions(edition, every=3):
        decision = build_view(game, since=len(game.moves))["decision"]
        if game.decision is None:
            assert decision is None
            continue
        assert decision is not None
        options = decision["options"]
        numbers = [option["number"] for option in options if option["number"] is not None]
        if decision["mode"] == "split":
            assert numbers == []
        else:
            assert sorted(numbers) == list(range(len(game.decision)))
            for option in options:
                if option["number"] is not None:
                    assert option["text"] == game.decision.options[option["number"]].text
        for option in options:
            assert all(0 <= d < game.table.n_dice for d in (*option["dice"], *option.get("attackers", ())))
        assert decision["seat"] == game.decision.player
        assert decision["question"]
        assert 0 <= decision["min"] <= decision["max"]


@editions
def test_dice_of_one_option_are_interchangeable(edition: str) -> None:
    """Choosing an equivalent die gives an equal state."""
    compared = 0
    for game in positions(edition, every=3, games=4, moves=120):
        decision = build_view(game, since=len(game.moves))["decision"]
        for option in decision["options"] if decision else ():
            if option["number"] is None or option["what"] not in ("field", "use", "reroll", "attack", "choose", "pay"):
                continue
            what, x, y = game.state.options[option["number"]]
            if x >= PLAYER:
                continue
            assert x in option["dice"]
            for other in option["dice"]:
                if other != x:
                    one, two = game.state.copy(), game.state.copy()
                    loop.apply(one, (what, x, y))
                    loop.apply(two, (what, other, y))
                    assert one == two
                    compared += 1
                    break
    assert compared


@editions
def test_view_is_json_and_equal_for_equal_games(edition: str) -> None:
    for game in positions(edition, every=40):
        text = json.dumps(build_view(game))
        assert json.loads(text) == build_view(game.copy())


@editions
def test_news_match_the_log(edition: str) -> None:
    for game in positions(edition, every=50):
        news = [line for line in build_view(game)["news"] if line["kind"] not in ("step", "pay")]
        assert [line["text"] for line in news] == [line.strip() for line in game.log]


def test_news_since_a_choice_exclude_earlier_events() -> None:
    game = Game.new("ai", seed=7)
    before = len(game.moves)
    game.play("go first")
    news = build_view(game, since=before)["news"]
    assert news[0] == {"text": "B: go first", "kind": "move", "dice": [], "seat": "B", "amount": 0}
    assert [line["kind"] for line in news if line["kind"] in ("draw", "roll")] == ["draw"] * 4 + ["roll"] * 3
    assert build_view(game, since=len(game.moves))["news"] == []


def test_undo_restores_the_earlier_view() -> None:
    game = Game.new("ai", seed=7)
    before = build_view(game)
    game.play("go first")
    game.undo()
    assert build_view(game) == before


@editions
def test_table_data_has_every_card_with_its_die(edition: str) -> None:
    table = Game.new(edition).table
    data = build_table(table, format="first", scripted="B")
    assert json.loads(json.dumps(data)) == data
    assert [card["title"] for card in data["cards"]] == [card.title for card in table.cards]
    assert [card["owner"] for card in data["cards"][:2]] == ["A", "B"]
    for shown, card in zip(data["cards"], table.cards, strict=True):
        assert len(shown["die"]["faces"]) == 6
        assert len(shown["text"]) + len(shown["globals"]) == len(card.abilities)


def test_every_card_of_the_catalogue_can_be_shown() -> None:
    cards = list(catalogue())
    for edition, first in zip(("avx", "ai") * len(cards), range(0, len(cards), 16), strict=False):
        some = cards[first : first + 16]
        teams = [[(card, card.max) for card in some if card.kind != "basic"][half::2] for half in (0, 1)]
        game = Game.new(edition, teams=teams, basics=[card for card in some if card.kind == "basic"])
        for shown in build_table(game.table)["cards"]:
            card = game.table.cards[shown["id"]]
            assert len(shown["text"]) + len(shown["globals"]) == len(card.abilities), card.name


def test_basic_actions_have_dice_of_different_colours() -> None:
    cards = build_table(Game.new("avx").table)["cards"]
    basics = [card["die"]["base"] for card in cards if card["kind"] == "basic"]
    assert len(set(basics)) == len(basics) == 3


def test_unbought_basic_action_dice_belong_to_no_seat() -> None:
    game = Game.new("ai")
    kinds = {card["id"]: card["kind"] for card in build_table(game.table)["cards"]}
    assert {die["seat"] for die in build_view(game)["dice"] if kinds[die["card"]] == "basic"} == {None}


BOOSTED_HULK = """
edition: ai
team A: Hulk: Jade Giant
A field: Hulk@1 (+2A +1D, 1 damage), Sidekick
B field: Sidekick
turn: 5, A, main
"""


def hulk_of(game: Game) -> game_schema.DieData:
    names = game.table.names
    return next(die for die in build_view(game)["dice"] if names[die["card"]] == "Hulk" and "a" in die)


def test_bonus_is_shown_with_printed_stats_and_explanation() -> None:
    game = Game.from_text(BOOSTED_HULK)
    hulk = hulk_of(game)
    assert (hulk["a"], hulk["d"], hulk["printed_a"], hulk["printed_d"], hulk["damage"]) == (8, 6, 6, 5, 1)
    assert build_die_explanation(game, hulk["id"])["lines"] == [
        {"text": "printed 6/5", "rule": "1.1e"},
        {"text": "+2 A and +1 D", "rule": "5.4a"},
        {"text": "now 8/6", "rule": "5.8a1"},
    ]
    given = {"text": "+2 A and +1 D", "dice": [hulk["id"]], "card": None, "until": "until end of turn", "rule": "5.4a"}
    assert given in build_view(game)["effects"]


def test_explanation_of_an_invalid_die_is_empty() -> None:
    assert build_die_explanation(Game.new("ai"), 10**6)["lines"] == []
    assert build_die_explanation(Game.new("ai"), -1)["lines"] == []


def test_why_not_about_an_invalid_thing_is_answered() -> None:
    game = Game.new("ai")
    for x in (None, {}, {"die": "1"}, {"die": True}, [1], {"card": -4}, {"die": 10**9}, {"ability": 10**9}):
        assert build_illegal_explanation(game, "A", x)["text"]
        assert build_illegal_explanation(game, "B", x)["text"]
    assert build_illegal_explanation(game, "X", {"die": 1})["text"]
    assert build_illegal_explanation(game, "A", {"die": 1}, 5)["text"]


def test_finished_game_shows_its_result() -> None:
    game, simple = Game.new("ai", seed=3), HeuristicPlayer(1)
    while game.result is None:
        game = apply_choice(game, {"option": simple.choose(game.state)}).game
    view = build_view(game, version=9, reason={"rule": "S18", "text": "because"})
    assert view["decision"] is None
    assert view["result"] == {"winner": game.result.winner, "text": describe.result_text(game.state)}
    assert (view["version"], view["why"]) == (9, {"rule": "S18", "text": "because"})


# --- glossary and prompts ------------------------------------------------------------------------------------------


def test_glossary_explains_every_keyword() -> None:
    from dicemasters.cards.language.vocabulary import KEYWORDS

    explained = {term.term for term in GLOSSARY}
    assert set(KEYWORDS) <= explained


def test_glossary_has_no_duplicate_terms() -> None:
    names = [name.casefold() if len(name) > 1 else name for t in GLOSSARY for name in (t.term,)]
    assert len(set(names)) == len(names)
    assert json.loads(json.dumps(build_glossary())) == build_glossary()


WIDOW = "edition: ai\nteam A: Black Widow: Red Alert\nteam B: Hulk: Jade Giant\nA reserve: Black Widow@1\nA field: Sidekick\n"


@pytest.mark.parametrize(("more", "is_warned"), [("", True), ("B field: Sidekick\n", False)])
def test_prompt_warns_when_only_own_dice_can_be_targeted(more: str, is_warned: bool) -> None:
    game = Game.from_text(f"{WIDOW}{more}turn: 5, A, main")
    game.play("field Black Widow")
    decision = build_view(game)["decision"]
    assert decision is not None
    assert decision["about"].startswith("There is only your own Sidekick. When") == is_warned
    assert "you may KO" in decision["about"]
    game.play("yes")
    decision = build_view(game)["decision"]
    assert decision is not None
    assert (decision["question"] == "Black Widow: choose a target.") != is_warned


def test_prompt_for_a_granted_keyword_shows_the_granting_text(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    prompts: list[str] = []
    play = Game.play

    def play_after_viewing(game: Game, choice: Choice | int | str) -> None:
        decision = build_view(game)["decision"]
        prompts.append(decision["about"] if decision else "")
        play(game, choice)

    monkeypatch.setattr(Game, "play", play_after_viewing)
    scenarios = Path(__file__).parents[1] / "scenarios" / "cards" / "punisher.scenario"
    for scenario in read_scenarios(scenarios.read_text(encoding="utf-8")):
        run_scenario(scenario)
    assert any(text.startswith("When Punisher is fielded, other non-Sidekick characters") for text in prompts), prompts
