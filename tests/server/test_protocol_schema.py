"""Views and messages match the protocol schema."""

from __future__ import annotations

from typing import Any

import pytest
from pydantic import TypeAdapter, ValidationError
from tests.support.live_server import LiveServer
from tools.verify.random_games import random_game

from dicemasters import Game
from dicemasters.game.rulesets.editions import EDITIONS
from dicemasters.game.rulesets.solitaire import DIFFICULTIES
from dicemasters.game.state.constants import STEP_NAMES, ZONE_NAMES
from dicemasters.game.state.decision_kinds import DECISION_KINDS
from dicemasters.game.text.describe import SEATS
from dicemasters.players.heuristic import HeuristicPlayer
from dicemasters.players.rng import SplitMix64
from dicemasters.service.games.choices import apply_choice
from dicemasters.service.games.view_builder import build_table, build_view
from dicemasters.service.protocol import game_schema, http_schema, messages

TO_SERVER: TypeAdapter[Any] = TypeAdapter(messages.ClientMessage)
TABLE = TypeAdapter(game_schema.TableData)
VIEW = TypeAdapter(game_schema.View)


def test_engine_names_match_the_protocol() -> None:
    assert tuple(SEATS) == game_schema.SEATS
    assert game_schema.ZONES == ZONE_NAMES
    assert game_schema.STEPS == STEP_NAMES
    assert tuple(DIFFICULTIES) == game_schema.DIFFICULTIES
    assert {kind.mode for kind in DECISION_KINDS.values()} <= {"one", "many", "blocks", "spend", "split"}


@pytest.mark.parametrize("edition", EDITIONS)
def test_every_view_of_a_game_matches_the_schema(edition: str) -> None:
    for seed in range(6):
        game, chance, simple = random_game(seed, edition=edition), SplitMix64(seed), HeuristicPlayer(seed)
        TABLE.validate_python(build_table(game.table))
        while game.result is None and len(game.moves) < 300:
            before = len(game.moves)
            sensible = chance.below(3)
            option = simple.choose(game.state) if sensible else chance.below(len(game.state.options))
            game = apply_choice(game, {"option": option}).game
            VIEW.validate_python(build_view(game, len(game.moves), before))


def test_invalid_view_is_rejected_by_the_schema() -> None:
    view = build_view(Game.new("ai"))
    VIEW.validate_python(view)
    for wrong in ({**view, "turn": "1"}, {**view, "left": {}}, {k: v for k, v in view.items() if k != "news"}):
        with pytest.raises(ValidationError):
            VIEW.validate_python(wrong)


def test_every_message_of_a_live_game_matches_the_schema(server: LiveServer) -> None:
    """Two players and a watcher exchange every kind of message; the clients validate everything they receive."""
    opened = server.open(seats=[{"kind": "person"}, {"kind": "person"}], clock={"minutes": 10})
    a, b, watcher = opened.join("A"), opened.join("B"), opened.join()
    a.receive("view")
    for message in (
        {"type": "look", "die": 0},
        {"type": "why not", "thing": {"die": 0}},
        {"type": "name", "seat": "A", "name": "Ann"},
        {"type": "claim"},
    ):
        TO_SERVER.validate_python(message)
        a.send(**message)
    for number in range(40):
        mover = next(person for person in (a, b) if person.view["decision"]["seat"] in person.seats)
        other = b if mover is a else a
        mover.choose(number)
        other.receive("view")
        if mover.view["result"] is not None:
            break
    a.send(type="undo")
    b.receive("meta")
    b.send(type="answer", yes=False)
    b.send(type="concede", seat="B")
    while a.view["result"] is None:  # the game may have ended already
        a.receive("view")
    a.send(type="rematch")
    watcher.send(type="undo")
    for person in (a, b, watcher):
        person.send(type="ping")
        person.receive("pong")
    assert a.received_types >= {"welcome", "change", "meta", "refused", "look", "why not", "pong"}
    assert watcher.received_types >= {"welcome", "change", "meta", "refused", "pong"}


@pytest.mark.parametrize(
    ("path", "type_"),
    [
        ("start", http_schema.GameOptions),
        ("terms", http_schema.Glossary),
        ("rules", http_schema.RulesData),
        ("dice", http_schema.DieGallery),
    ],
)
def test_page_data_matches_the_schema(server: LiveServer, path: str, type_: Any) -> None:
    TypeAdapter(type_).validate_python(server.get(f"/api/{path}"))


def test_snapshot_and_replay_match_the_schema(server: LiveServer) -> None:
    opened = server.open(seats=[{"kind": "player"}, {"kind": "player"}], solitaire=False, seed=3)
    TypeAdapter(http_schema.GameSnapshot).validate_python(server.get(f"/api/games/{opened.game}"))
    TypeAdapter(http_schema.ReplayData).validate_python(server.get(f"/api/games/{opened.game}/views"))
