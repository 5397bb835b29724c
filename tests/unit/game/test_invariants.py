"""Invariants that hold in every edition and with every card; the checks are in tools.verify.soak."""

from __future__ import annotations

import zlib
from collections.abc import Callable
from typing import Any

import pytest
from hypothesis import Phase, given, settings
from hypothesis import strategies as st
from tests.support.digest import without_version
from tests.support.effort import examples
from tests.support.random_lines import play_and_undo
from tools.verify.random_games import random_game
from tools.verify.soak import InvariantFailure, main, play_checked, soak_game

from dicemasters.game import Game
from dicemasters.game.inspect.invariants import InvariantError, check_invariants
from dicemasters.game.rulesets.editions import EDITIONS
from dicemasters.game.state.constants import ATTACKING, CARD, FIELD, GONE, HAND, OUT_OF_PLAY, PREP, RESERVE, USED
from dicemasters.game.state.state import State
from dicemasters.game.state.values import Holding
from dicemasters.players.random_player import RandomPlayer
from dicemasters.teams.starter_teams import STARTER_GAMES

editions = pytest.mark.parametrize("edition", EDITIONS)
seeds = st.integers(0, 2**31)


# --- whole games ---------------------------------------------------------------------------------------------------


@editions
@pytest.mark.soak
@settings(
    max_examples=examples(quick=6, thorough=40), phases=[Phase.generate]
)  # no shrinking: a smaller seed is not a simpler game
@given(seed=seeds)
def test_random_game_holds_every_invariant_and_ends(edition: str, seed: int) -> None:
    play_checked(random_game(seed, edition=edition), seed)


@pytest.mark.parametrize("cast", STARTER_GAMES)
@editions
def test_every_cast_plays_in_every_edition(edition: str, cast: str) -> None:
    play_checked(Game.new(edition, cast=cast, seed=1), 1)


@editions
@pytest.mark.soak
@settings(max_examples=examples(quick=12, thorough=50))
@given(seed=seeds, picks=st.lists(st.integers(0, 40), max_size=80))
def test_any_line_of_play_can_be_branched_written_recorded_and_undone(
    edition: str, seed: int, picks: list[int]
) -> None:
    play_and_undo(random_game(seed, edition=edition), picks)


@editions
def test_copy_plays_on_identically_and_independently(edition: str) -> None:
    game = random_game(5, edition=edition)
    player = RandomPlayer(5)
    for _ in range(40):
        game.play(player.choose(game.state))
    twin, before = game.copy(), game.state.key()
    picks: list[int] = []
    while game.result is None and len(picks) < 100:
        picks.append(player.choose(game.state))
        game.play(picks[-1])
    assert twin.state.key() == before
    for pick in picks:
        twin.play(pick)
    assert twin.state.key() == game.state.key()
    assert (twin.log, twin.record) == (game.log, game.record)


# --- reproducible games --------------------------------------------------------------------------------------------

# (edition, cast, seed): decisions, turns, result, checksum of the record. They change only when the rules, the
# cards or the order of options do; the failure message then shows the new row. Python 3.11, 3.12 and 3.13
# give the same values.
GOLDEN: dict[tuple[str, str, int], tuple[int, int, str, str]] = {
    ("avx", "avx", 1): (178, 40, "B", "615c1dcb"),
    ("avx", "avx-fight", 2): (192, 42, "B", "9b6584bf"),
    ("uxm", "uxm", 1): (163, 29, "A", "4673b0c8"),
    ("uxm", "uxm-fight", 2): (183, 31, "A", "9b4574aa"),
    ("cw", "cw", 1): (227, 53, "B", "d623572f"),
    ("cw", "avx-fight", 3): (166, 33, "B", "58a99f45"),
    ("ai", "ai", 1): (193, 36, "A", "810c7e60"),
    ("ai", "uxm-fight", 4): (149, 23, "A", "b1e9a6fd"),
}


def play_golden(edition: str, cast: str, seed: int) -> tuple[int, int, str, str]:
    game = Game.new(edition, cast=cast, seed=seed)
    player = RandomPlayer(seed)
    while game.result is None:
        game.play(player.choose(game.state))
    return (
        len(game.moves),
        game.state.turn,
        game.result.winner,
        f"{zlib.crc32(without_version(game.record).encode()):08x}",
    )


@pytest.mark.parametrize(("edition", "cast", "seed"), GOLDEN)
def test_same_seed_gives_the_same_game_on_every_machine(edition: str, cast: str, seed: int) -> None:
    assert play_golden(edition, cast, seed) == GOLDEN[edition, cast, seed]


def test_another_seed_gives_another_game() -> None:
    assert play_golden("ai", "ai", 11) != play_golden("ai", "ai", 12)


# --- the checks can fail -------------------------------------------------------------------------------------------

POSITION = """
edition: ai
life: 20
team A: 2x Hulk: Jade Giant
team B: 2x Thor: Lord of Asgard
basics: Smash!
A field: Hulk@1, Sidekick
A reserve: F, Hulk:FF
A used: Smash!
B field: Thor@2
B reserve: B
turn: 4, A, main
"""
A_SIDEKICK, B_SIDEKICK, HULK, THOR, SMASH = 0, 8, 16, 18, 20  # the first die of each card


def _lose_a_sidekick(s: State) -> None:
    s.place[A_SIDEKICK] = CARD * 4


def _wrong_side(s: State) -> None:
    s.place[A_SIDEKICK] = USED * 4 + 1


def _wrong_owner(s: State) -> None:
    s.set_owner(HULK, 1)


def _owned_but_unbought(s: State) -> None:
    s.place[SMASH] = CARD * 4


def _gone(s: State) -> None:
    s.place[HULK] = GONE * 4


def _in_hand(s: State) -> None:
    s.place[HULK] = HAND * 4


def _held_by_nobody(s: State) -> None:
    s.holdings.append(Holding("capture", HULK, THOR, FIELD * 4, "end of turn", 0))


def _out_on_the_other_turn(s: State) -> None:
    s.place[B_SIDEKICK] = OUT_OF_PLAY * 4 + 1


def _character_waits_in_reserve(s: State) -> None:
    s.place[THOR] = RESERVE * 4 + 1


def _too_much_life(s: State) -> None:
    s.life[0] = 21


def _dead_and_playing(s: State) -> None:
    s.life[1] = 0


def _lethal_damage(s: State) -> None:
    s.damage[HULK] = 30


def _damage_in_prep(s: State) -> None:
    s.place[HULK], s.damage[HULK] = PREP * 4, 1


def _attacks_on_the_other_turn(s: State) -> None:
    s.flags[THOR] |= ATTACKING


def _no_option(s: State) -> None:
    s.options = []


def _same_option_twice(s: State) -> None:
    s.options = [*s.options, s.options[0]]


BREAKS = (
    _lose_a_sidekick,
    _wrong_side,
    _wrong_owner,
    _owned_but_unbought,
    _gone,
    _in_hand,
    _held_by_nobody,
    _out_on_the_other_turn,
    _character_waits_in_reserve,
    _too_much_life,
    _dead_and_playing,
    _lethal_damage,
    _damage_in_prep,
    _attacks_on_the_other_turn,
    _no_option,
    _same_option_twice,
)


@pytest.mark.parametrize("break_it", BREAKS, ids=lambda f: f.__name__.strip("_"))
def test_broken_position_raises_an_invariant_error(break_it: Callable[[State], None]) -> None:
    s = Game.from_text(POSITION).state
    check_invariants(s)
    break_it(s)
    with pytest.raises(InvariantError):
        check_invariants(s)


def test_failing_game_is_reported_with_its_record(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def fail(s: State) -> None:
        raise InvariantError("nothing holds")

    monkeypatch.setattr("tools.verify.soak.check_options", fail)
    found = soak_game(3, rarely=1)
    assert isinstance(found, InvariantFailure)
    assert (found.seed, found.edition) == (3, "ai")
    assert "nothing holds" in found.problem
    assert found.record.startswith("dicemasters record")
    monkeypatch.setattr("tools.verify.soak._soak_chunk", lambda seeds, **_: [found])
    assert main(["--games", "1", "--jobs", "0"]) == 1
    assert "seed 3, edition ai" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("seed", "how"),
    [
        (900277, {}),  # two characters copied each other's copy ability endlessly
        (1000388, {}),  # a die that had paid was back in the bag and drawn with an equal die
        (8010275, {}),  # no winner after the last turn
        (5029499, {"light": True, "rarely": 200}),  # a captured action die that stays in the field
        (
            5041568,
            {"light": True, "rarely": 200},
        ),  # an effect given to two dice and to a third that had it from the other player
        (26012379, {"light": True, "rarely": 200}),  # an effect given to two dice, then effects of both players to each
        (6028642, {"light": True, "rarely": 200, "doubles": True}),  # two dice of one card KO a character together
        (6031023, {"light": True, "rarely": 200, "doubles": True}),  # a roll redirected to an opposing character
        (22012441, {"light": True, "rarely": 200, "doubles": True}),  # stats copied by a die that had been KO'd
        (7002900, {"light": True, "house": True}),  # one of two equal dice had given an effect
        (
            7038549,
            {"light": True, "rarely": 200, "house": True},
        ),  # a captured action die that left when it was used
    ],
)
def test_game_that_once_broke_an_invariant_holds_every_invariant(seed: int, how: dict[str, Any]) -> None:
    assert isinstance(soak_game(seed, **how), int)


def test_soak_counts_clean_games(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["--games", "2", "--jobs", "0"]) == 0
    assert capsys.readouterr().out.startswith("2 games, ")
