"""Golden games: every value of their states stays the same while modules, classes and fields are renamed."""

from __future__ import annotations

import pytest
from tests.support.digest import Digest, play_digest
from tools.verify.compiled_parity import field_values
from tools.verify.random_games import MixedPlayer, random_doubles, random_game

from dicemasters.game.state.values import NO_DECISION, DecisionRequest, GameEvent, PendingTrigger

# seed: digest of the game. Digests change only with the rules, the cards, a text or the order of options.
TWO_SEATS = {
    0: "f182f9c8e0f63594",
    1: "a3048711bcda6c7c",
    2: "0a8001c79d99544a",
    3: "efa6aa04f09412c0",
    4: "b719bb647468d97e",
    5: "84623ab5cc0cb87d",
    6: "d3a73f94ab7c8626",
    7: "d1c89ec8b47a8e9f",
}
FOUR_SEATS = {0: "ed2e12a9e148afd9", 1: "56729bfd350a9761", 2: "0220a1ec28ab240c", 3: "1ce182403d4ba593"}
HINT = "if you changed a rule, a card, a text or the order of options on purpose, enter the new digest"


@pytest.mark.parametrize("seed", TWO_SEATS)
def test_random_game_of_two_players_keeps_its_digest(seed: int) -> None:
    assert play_digest(random_game(seed), MixedPlayer(seed).choose) == TWO_SEATS[seed], HINT


@pytest.mark.parametrize("seed", FOUR_SEATS)
def test_random_game_of_four_players_keeps_its_digest(seed: int) -> None:
    assert play_digest(random_doubles(seed), MixedPlayer(seed).choose) == FOUR_SEATS[seed], HINT


def test_field_values_contain_no_class_names() -> None:
    trigger = PendingTrigger(3, 0, 7, 12, 0, GameEvent("ko", 12, known=(2, 3)))
    assert field_values(trigger) == (3, 0, 7, 12, 0, ("ko", 12, 255, 0, "", (2, 3)), 255)
    assert field_values([(NO_DECISION, "text"), [1, None]]) == (((-1, "", -1, 0), "text"), (1, None))
    assert not {"Trigger", "Happening"} & set(repr(field_values(trigger)).replace("'", " ").split())


def test_field_values_refuse_plain_objects() -> None:
    with pytest.raises(TypeError, match="a digest is made of"):
        field_values((1, object()))


def test_digest_depends_on_every_value() -> None:
    found: list[str] = []
    for request in (
        DecisionRequest(0, "main"),
        DecisionRequest(1, "main"),
        DecisionRequest(0, "order"),
        DecisionRequest(0, "main", number=1),
    ):
        digest = Digest()
        digest.add(request)
        found.append(str(digest))
    assert len(set(found)) == len(found)
