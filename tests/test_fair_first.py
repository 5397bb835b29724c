"""The first way of fair dice: games and records of 0.1.0 are still shown, played on and checked."""

from __future__ import annotations

import hashlib
import hmac
import re

import pytest

from dicemasters import Game
from dicemasters.game.chances import chances
from dicemasters.game.editions import EDITIONS
from dicemasters.game.fair_first import FirstFair
from dicemasters.game.notation import NotationError
from dicemasters.game.record import read_record, write_record
from dicemasters.players.random import RandomPlayer
from dicemasters.table.server.views import fair_data, table_data

SECRET = bytes(range(32))
editions = pytest.mark.parametrize("edition", EDITIONS)


def fair_game(edition: str, moves: int = 10_000) -> Game:
    """Play a game in which B's number joins after twenty choices."""
    game = Game.new(edition, fair=FirstFair.new(SECRET).joined("A", "abc"))
    player = RandomPlayer(3)
    while game.result is None and len(game.moves) < moves:
        if len(game.moves) == 20 and isinstance(game.fair, FirstFair):
            game.fair = game.fair.joined("B", "xyz-9", 21)
        game.play(player.choose(game.state))
    return game


def without_chance(game: Game) -> str:
    return re.sub("(?m)^chance:.*$", "", game.to_text())


def pcg32(state: int) -> tuple[int, int]:
    """Write the generator down a second time, as the page on fair dice has it."""
    after = (state * 6364136223846793005 + 1442695040888963407) % 2**64
    mixed = (((state >> 18) ^ state) >> 27) % 2**32
    turn = state >> 59
    return after, ((mixed >> turn) | (mixed << (32 - turn))) % 2**32


@editions
def test_every_toss_draw_and_roll_can_be_checked_from_what_is_told(edition: str) -> None:
    game = fair_game(edition)
    told, cards = fair_data(game), table_data(game.table)["cards"]
    secret = bytes.fromhex(told["secret"])
    assert hashlib.sha256(secret).hexdigest() == told["commitment"]
    assert len(told["chance"]) == len(game.moves) + 1
    taken = 0
    for n, rolls in enumerate(told["chance"]):
        message = "\n".join(f"{x['seat']}:{x['text']}" for x in told["nonces"] if x["move"] <= n)
        key = hmac.digest(secret, message.encode(), "sha256")
        state = int.from_bytes(hmac.digest(key, str(n).encode(), "sha256")[:8], "big")
        for roll in rolls:
            value = 0
            if roll["of"] > 1:
                state, out = pcg32(state)
                value = (out * roll["of"]) >> 32
                taken += 1
            assert value == roll["value"]
            if roll["what"] == "roll":
                faces = cards[roll["c"]]["die"]["faces"]
                assert faces.index(faces[value]) == roll["f"]
            elif roll["what"] == "draw":
                assert len(roll["bag"]) == roll["of"]
                assert roll["bag"][value] == roll["c"]
            else:
                assert "AB"[value] == roll["seat"]
    assert taken > 20


@editions
def test_what_is_told_are_the_draws_and_rolls_that_were_seen(edition: str) -> None:
    game = fair_game(edition)
    seen = [(c.card, c.face) for move in game.moves for c in move.chance]
    seen = [(c.card, c.face) for c in game.opening] + seen
    assert [(r.card, r.face) for step in chances(game) for r in step.rolls if r.what != "toss"] == seen


@editions
def test_the_record_of_a_finished_game_holds_the_secret_and_plays_again(edition: str) -> None:
    game = fair_game(edition)
    assert f"secret: {SECRET.hex()}" in game.record
    again = read_record(game.record)
    assert again.record == game.record
    assert again.state == game.state


@editions
@pytest.mark.parametrize("moves", [0, 1, 7, 60])
def test_the_record_of_an_unfinished_game_tells_nothing_and_plays_again(edition: str, moves: int) -> None:
    game = fair_game(edition, moves)
    record = write_record(game, reveal=False)
    assert SECRET.hex() not in record
    assert "secret" not in record
    again = read_record(record)
    assert again.record == record
    assert without_chance(again) == without_chance(game)


def test_a_conceded_game_tells_its_secret_if_it_is_asked_to() -> None:
    game = fair_game("ai", 5)
    assert fair_data(game)["secret"] is None
    assert fair_data(game)["chance"] == []
    assert fair_data(game, over=True)["secret"] == SECRET.hex()
    assert read_record(write_record(game, reveal=True)).state == game.state


def test_a_record_with_another_secret_is_refused() -> None:
    game = fair_game("ai")
    with pytest.raises(NotationError, match="not the one the commitment was made for"):
        read_record(game.record.replace(SECRET.hex(), bytes(32).hex()))


def test_a_record_with_another_players_number_is_refused() -> None:
    game = fair_game("ai")
    with pytest.raises(NotationError):
        read_record(game.record.replace("nonce: A, 0, abc", "nonce: A, 0, abd"))


@pytest.mark.parametrize(
    ("line", "problem"),
    [
        ("commitment: 12", "64 hexadecimal digits"),
        ("nonce: A, 0, abc", "behind a line 'commitment:'"),
        ("commitment: " + "0" * 64 + "\nnonce: A", "written as"),
        ("commitment: " + "0" * 64 + "\nnonce: A, 0, ä b", "letters, digits"),
        ("commitment: " + "0" * 64 + "\nsecret: xyz", "hexadecimal digits"),
        ("commitment: " + "0" * 64 + "\ntoss: Q", "cannot win the toss"),
    ],
)
def test_a_wrong_line_about_fair_dice_is_named(line: str, problem: str) -> None:
    record = Game.new("ai").record
    with pytest.raises(NotationError, match=problem):
        read_record(record.replace("seed: 0", line))


def test_the_same_choice_after_taking_it_back_gives_the_same_dice() -> None:
    game = fair_game("cw", 30)
    there, text = game.state.copy(), game.moves[-1].text
    assert game.undo()
    game.play(text)
    assert game.state.key() == there.key()


def test_a_players_number_changes_only_what_comes_after_it() -> None:
    before = FirstFair.new(SECRET).joined("A", "abc")
    after = before.joined("B", "xyz", 5)
    assert [before.generator(n) == after.generator(n) for n in range(8)] == [True] * 5 + [False] * 3


def test_two_secrets_are_never_the_same() -> None:
    assert FirstFair.new().commitment != FirstFair.new().commitment


@pytest.mark.parametrize("text", ["", "a b", "a\n", "é", "x" * 65])
def test_a_players_number_is_plain_and_short(text: str) -> None:
    with pytest.raises(ValueError, match="letters, digits"):
        FirstFair.new(SECRET).joined("A", text)
