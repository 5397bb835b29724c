"""Solitaire games: what the script's seat receives when the player buys (S2 to S11)."""

import re

import pytest
from tools.verify.random_games import random_game
from tools.verify.soak import play_checked

from dicemasters import Game
from dicemasters.game.game_spec import make_spec
from dicemasters.game.notation import NotationError
from dicemasters.game.rulesets.solitaire import (
    DIFFICULTIES,
    MIXED,
    NEVER,
    SCRIPT_VARIANTS,
    SolitaireRules,
    difficulty,
    parse_variants,
    purchase_order,
    row,
    variant_texts,
)
from dicemasters.game.turn import loop
from dicemasters.players.player import Player
from dicemasters.players.random_player import RandomPlayer
from dicemasters.players.scripted import ScriptedPlayer

TEAMS = (
    "edition: avx\nbasics: Force Beam; Gearing Up\nteam A: Hulk: Jade Giant; Beast: Big Boy Blue\n"
    "team B: 2x Beast: Mutate #666; 1x Storm: African Priestess; 4x Thor: Lord of Asgard\n"
)


def position(more: str, solitaire: str = "B") -> Game:
    return Game.from_text(f"{TEAMS}solitaire: {solitaire}\n{more}\n")


def bought(game: Game) -> list[str]:
    """Return the titles that the script's seat has bought, according to the log."""
    return [line.split(" buys ")[1].split(" too")[0] for line in game.log if " too, for nothing" in line]


def test_script_gets_its_cheapest_die_for_each_die_the_player_buys() -> None:
    game = position("A reserve: 8 F\nturn: 3, A, main")
    for _ in range(2):
        game.play("buy Force Beam")
    assert bought(game) == ["Beast", "Beast"]
    assert "B used: 2 Beast" in game.to_text()


def test_log_names_the_free_purchase_of_the_script() -> None:
    game = position("A reserve: 3 F\nturn: 3, A, main")
    game.play("buy Force Beam")
    assert game.log[-1] == "  B buys Beast too, for nothing [S7]"


def test_script_empties_one_card_after_another_and_then_the_basics() -> None:
    game = position("B used: 2 Beast, Storm, 3 Thor\nA reserve: 8 F\nturn: 3, A, main")
    game.play("buy Force Beam")
    game.play("buy Gearing Up")
    assert bought(game) == ["Thor", "Force Beam"]


def test_script_gets_nothing_when_its_cards_are_empty() -> None:
    game = position("B used: 2 Beast, Storm, 4 Thor\nA reserve: 4 F\nturn: 3, A, main", "B, basics never")
    game.play("buy Force Beam")
    assert bought(game) == []
    assert game.state.stack == []


def test_basics_mixed_sorts_basics_into_the_scripts_row_by_cost() -> None:
    game = position("B used: 2 Beast\nA reserve: 8 F\nturn: 3, A, main", "B, basics mixed")
    game.play("buy Gearing Up")
    assert bought(game) == ["Force Beam"]


def test_one_of_each_makes_the_script_alternate_between_cards() -> None:
    game = position("A reserve: 8 F\nturn: 3, A, main", "B, one of each")
    game.play("buy Force Beam")
    game.play("buy Gearing Up")
    assert bought(game) == ["Beast", "Storm"]


def test_dearest_first_makes_the_script_begin_with_its_most_expensive_card() -> None:
    game = position("A reserve: 4 F\nturn: 3, A, main", "B, dearest first")
    game.play("buy Force Beam")
    assert bought(game) == ["Thor"]


def test_script_gets_a_die_for_each_of_several_bought_together() -> None:
    game = position("A reserve: 4 F, Gearing Up:2, Gearing Up:2\nturn: 3, A, main")
    game.play("pay for several things at once")
    game.play("buy Force Beam")
    game.play("buy Gearing Up")
    game.play("pay now")
    while game.decision is not None and game.decision.kind == "pay":
        game.play(0)
    assert bought(game) == ["Beast", "Beast"]


def test_free_purchase_of_the_player_counts_too() -> None:
    game = Game.from_text(
        "edition: avx\nbasics: Force Beam\nteam A: Doctor Strange: Sorcerer Supreme\nteam B: Beast: Mutate #666\n"
        "solitaire: B\nA field: Doctor Strange\nturn: 3, A, main\n"
    )
    game.play("ability of Doctor Strange")
    assert bought(game) == ["Beast"]


def test_purchase_on_the_scripts_turn_gives_it_nothing() -> None:
    game = position("B reserve: 3 F\nturn: 3, B, main")
    game.play("buy Force Beam")
    assert bought(game) == []


def test_players_buy_effects_resolve_before_the_scripts_purchase() -> None:
    game = Game.from_text(
        "edition: ai\nbasics: Big Entrance\nteam A: Hulk: Jade Giant\nteam B: 1x Beast: Mutate #666\nsolitaire: B\n"
        "A reserve: 6 F\nB used: Beast\nturn: 3, A, main\n"
    )
    game.play("buy Big Entrance")
    assert game.decision is not None
    assert (game.decision.player, game.decision.kind) == ("A", "may")
    assert bought(game) == []
    assert Game.from_text(game.to_text()) == game
    game.play("no")
    assert bought(game) == ["Big Entrance"]
    assert game.decision is not None
    assert (game.decision.player, game.decision.kind) == ("B", "may")
    reason = ScriptedPlayer().explain(game.state)
    assert (reason.option, reason.rule) == (game.find("yes"), "S33")


def test_undo_reverts_the_scripts_purchase() -> None:
    game = position("A reserve: 3 F\nturn: 3, A, main")
    before = game.to_text()
    game.play("buy Force Beam")
    assert game.undo()
    assert game.to_text() == before


def test_player_takes_the_first_turn() -> None:
    game = Game.new("ai", solitaire=SolitaireRules(), seed=5)
    assert game.decision is not None
    assert game.decision.player == "A"
    game = Game.new("ai", solitaire=SolitaireRules(0), seed=5)
    assert game.decision is not None
    assert game.decision.player == "B"


def test_rows_are_sorted_by_cost_title_and_subtitle() -> None:
    table = Game.from_text(
        "basics: Smash!; Power Bolt; Invulnerability\nteam A: Thor: Lord of Asgard; Storm: African Priestess; "
        "Beast: Big Boy Blue\nteam B: Hulk: Jade Giant\n"
    ).table
    assert [table.names[c] for c in row(table, 0)] == ["Beast", "Storm", "Thor"]
    assert [table.names[c] for c in row(table, -1)] == ["Invulnerability", "Power Bolt", "Smash!"]
    (mixed,) = purchase_order(table, SolitaireRules(basics=MIXED))
    assert [table.names[c] for c in mixed] == ["Invulnerability", "Power Bolt", "Smash!", "Hulk"]


def test_script_can_start_with_its_own_life() -> None:
    game = position("B life: 9\nA reserve: 3 F\nturn: 3, A, main", "B, life 10")
    assert game.table.start_lives == (20, 10)
    assert "B life: 9" in game.to_text()
    assert Game.new("ai", life=20, solitaire=SolitaireRules(life=12)).state.life == [20, 12]


def test_easy_halves_the_scripts_life_and_hard_buys_one_of_each() -> None:
    assert [difficulty(name) for name in DIFFICULTIES] == [
        SolitaireRules(half_life=True),
        SolitaireRules(),
        SolitaireRules(one_of_each=True),
    ]
    assert Game.new("ai", life=15, solitaire=difficulty("easy")).state.life == [15, 8]


@pytest.mark.parametrize("word", [one.text for one in SCRIPT_VARIANTS])
def test_every_reading_round_trips_through_a_position(word: str) -> None:
    game = position("turn: 3, A, main", f"B, {word}, life 15")
    assert game.table.solitaire == parse_variants(1, [word, "life 15"])
    assert variant_texts(game.table.solitaire) == [word, "life 15"]
    assert f"solitaire: B, {word}, life 15" in game.to_text()


def test_unknown_reading_is_named_with_its_line() -> None:
    with pytest.raises(
        NotationError, match="line 2: 'always wins' is no reading of the script; there are basics mixed"
    ):
        Game.from_text("edition: ai\nsolitaire: B, always wins\n")
    with pytest.raises(NotationError, match="line 1: a solitaire game has two players, A and B"):
        Game.from_text("solitaire: C\n")


@pytest.mark.parametrize(
    ("words", "problem"),
    [
        (["basics never", "basics mixed"], "'basics never' and 'basics mixed' exclude each other"),
        (["every act", "one of each", "Tricks-wait"], "'every act' and 'tricks wait' exclude each other"),
        (["life 15", "life 12"], "'life 15' and 'life 12' exclude each other"),
        (["basics nevr"], "'basics nevr' is no reading of the script; did you mean 'basics never' or 'basics mixed'?"),
        (["itself"], "'itself' is no reading of the script; did you mean 'hurts itself' or 'spares itself'?"),
        (["life 0"], "'life 0' is no reading of the script; there are"),
        (["life 100"], "'life 100' is no reading of the script; there are"),
        (["life -3"], "'life -3' is no reading of the script; there are"),
        (["life ²"], "'life ²' is no reading of the script; there are"),
    ],
)
def test_invalid_readings_are_refused_with_a_reason(words: list[str], problem: str) -> None:
    with pytest.raises(ValueError, match=f"^{re.escape(problem)}"):
        parse_variants(1, words)
    with pytest.raises(NotationError, match=f"^line 2: {re.escape(problem)}"):
        Game.from_text(f"edition: ai\nsolitaire: B, {', '.join(words)}\n")


def test_reading_names_ignore_case_dashes_spaces_and_repetition() -> None:
    wanted = SolitaireRules(basics=NEVER, fields_by_purchase=True, life=15)
    for words in (
        ["basics never", "fields by purchase cost", "life 15"],
        ["Basics-Never", " FIELDS by  purchase cost", "Life 15 ", "basics never"],
    ):
        assert parse_variants(1, words) == wanted


def test_solitaire_game_round_trips_at_every_choice() -> None:
    game = Game.new("cw", solitaire=SolitaireRules(one_of_each=True), seed=8)
    players: list[Player] = [RandomPlayer(3), ScriptedPlayer()]
    while game.result is None:
        assert Game.from_text(game.to_text()) == game
        game.play(players[game.state.decision.seat].choose(game.state))
    assert bought(game)
    assert "solitaire: B, one of each" in game.record
    assert Game.from_record(game.record).record == game.record


@pytest.mark.parametrize("seed", range(12))
def test_solitaire_games_hold_every_invariant(seed: int) -> None:
    plain = random_game(seed).table.setup
    table = make_spec(plain.edition, plain.teams, plain.basics, plain.life, SolitaireRules(seed & 1))
    play_checked(Game(loop.new_state(table, seed, 1 - (seed & 1)), seed=seed), seed)


def test_game_without_a_solitaire_line_has_no_free_purchases() -> None:
    game = Game.from_text(f"{TEAMS}A reserve: 3 F\nturn: 3, A, main\n")
    game.play("buy Force Beam")
    assert bought(game) == []
    assert "solitaire" not in game.to_text()
