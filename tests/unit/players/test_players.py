"""The built-in players: their games end and are reproducible, and simple plays sensibly."""

import pytest

from dicemasters import Game
from dicemasters.game.rulesets.editions import EDITIONS
from dicemasters.players.heuristic import HeuristicPlayer
from dicemasters.players.player import PLAYERS, Player, make_player
from dicemasters.players.random_player import RandomPlayer
from dicemasters.players.rng import SplitMix64
from dicemasters.teams.starter_teams import STARTER_GAMES


def play_out(game: Game, players: list[Player], most: int = 10_000) -> str:
    """Play to the end or up to `most` choices. Return the winner."""
    while game.result is None and len(game.moves) < most:
        game.play(players[game.state.decision.seat].choose(game.state))
    return "" if game.result is None else game.result.winner


QUICK = [name for name in PLAYERS if name not in ("level3", "level4", "level5")]
ENDED = [(name, cast) for name in QUICK for cast in STARTER_GAMES] + [
    ("level3", "uxm"),
    ("level4", "avx"),
    ("level5", "ai"),
]


@pytest.mark.parametrize(("name", "cast"), ENDED)
def test_every_player_finishes_a_game_of_every_cast(name: str, cast: str) -> None:
    edition = cast.split("-")[0]
    game = Game.new(edition, cast=cast, seed=11)
    play_out(game, [make_player(name, 1), make_player(name, 2)])
    assert game.result is not None


@pytest.mark.parametrize("name", PLAYERS)
def test_same_seed_gives_the_same_game(name: str) -> None:
    logs = []
    for _ in range(2):
        game = Game.new("ai", seed=4)
        most = 30 if name == "level5" else 10_000  # choices; one of level5 takes as long as a game of the others
        play_out(game, [make_player(name, 8), make_player(name, 9)], most)
        logs.append(game.log)
    assert logs[0] == logs[1]


def test_choosing_does_not_change_the_state() -> None:
    game = Game.new("uxm", seed=6)
    players: list[Player] = [HeuristicPlayer(1), HeuristicPlayer(2)]
    while game.result is None:
        before = game.state.copy()
        index = players[game.state.decision.seat].choose(game.state)
        assert game.state == before
        game.play(index)


@pytest.mark.parametrize("edition", EDITIONS)
def test_simple_beats_random(edition: str) -> None:
    wins = 0
    for seed in range(40):
        players: list[Player] = [HeuristicPlayer(seed), RandomPlayer(seed)]
        if seed % 2:
            players.reverse()
        wins += play_out(Game.new(edition, seed=seed), players) == "AB"[seed % 2]
    assert wins > 34, f"only {wins} of 40"


def test_simple_buys_its_most_expensive_card() -> None:
    game = Game.from_text(
        "edition: avx\nteam A: Hulk: Jade Giant; Beast: Big Boy Blue\nbasics: Force Beam\n"
        "A reserve: 4 F, 2 S\nB field: Sidekick\nturn: 3, A, main\n"
    )
    index = HeuristicPlayer().choose(game.state)
    assert game.decision is not None
    assert game.decision.options[index].text == "buy Hulk"


def test_simple_attacks_with_everything_when_the_opponent_cannot_block() -> None:
    game = Game.from_text("edition: avx\nteam A: Hulk: Jade Giant\nA field: 2 Sidekick\nturn: 3, A, attack\n")
    player = HeuristicPlayer()
    assert game.decision is not None
    assert game.decision.kind == "attack"
    for text in ("attack with Sidekick", "attack with Sidekick"):
        assert game.decision.options[player.choose(game.state)].text == text
        game.play(text)


def test_simple_does_not_attack_into_a_stronger_blocker() -> None:
    game = Game.from_text(
        "edition: avx\nteam A: Beast: Big Boy Blue\nteam B: Hulk: Jade Giant\n"
        "A field: Sidekick\nB field: Hulk@3\nA life: 20\nturn: 3, A, attack\n"
    )
    assert game.decision is not None
    assert game.decision.options[HeuristicPlayer().choose(game.state)].text == "no attack"


def test_simple_blocks_a_lethal_attack() -> None:
    game = Game.from_text(
        "edition: avx\nteam A: Hulk: Jade Giant\nA field: Hulk@3\nB field: Sidekick\nB life: 2\nturn: 3, A, attack\n"
    )
    game.play("attack with Hulk")
    while game.decision is not None and game.decision.kind != "block":
        game.play(len(game.decision) - 1)
    assert game.decision is not None
    assert game.decision.options[HeuristicPlayer().choose(game.state)].text.startswith("block Hulk")


def test_random_generator_is_uniform() -> None:
    chance = SplitMix64(3)
    counts = [0] * 6
    for _ in range(6000):
        counts[chance.below(6)] += 1
    assert min(counts) > 850
    assert max(counts) < 1150


def test_unknown_player_is_named() -> None:
    with pytest.raises(ValueError, match="there is no player 'grandma'; there are random, level1, simple"):
        make_player("grandma", 1)


@pytest.mark.parametrize("name", sorted(set(PLAYERS)))
def test_player_has_the_name_it_was_made_with(name: str) -> None:
    assert make_player(name, 1).name == name
