"""Validation of untrusted input: limits are enforced, and errors name the location."""

from __future__ import annotations

import json
from typing import Any

import pytest
from pydantic import TypeAdapter

from dicemasters.service.games.dispatch import parse_message
from dicemasters.service.games.game_setup import (
    NewGameRequest,
    RecordUpload,
    SeatRequest,
    SolitaireOptions,
    StoredSetup,
    resolve_setup,
)
from dicemasters.service.protocol import messages
from dicemasters.service.protocol.validation import ValidationError, parse, to_jsonable

HEX = "0" * 64


@pytest.mark.parametrize(
    ("payload", "problem"),
    [
        (None, "should be an object"),
        ([], "should be an object"),
        ({"colour": 1}, "colour: is not known here"),
        ({"x" * 300: 1}, f"{'x' * 20}: is not known here"),
        ({"life": True}, "life: should be a whole number"),
        ({"life": 0}, "life: should be between 1 and 200"),
        ({"life": "20"}, "life: should be a whole number"),
        ({"life": 10**400}, "life: should be between 1 and 200"),
        ({"first": "C"}, "first: should be 'A' or 'B'"),
        ({"first": {}}, "first: should be 'A' or 'B'"),
        ({"seats": [{}]}, "seats: should have at least 2 entries"),
        ({"seats": [{}, {"name": "x" * 201}]}, "seats.1.name: should have at most 200 characters"),
        ({"teams": ["random", 7]}, "teams.1: should be a text"),
        ({"solitaire": {"difficulty": "dire"}}, "solitaire.difficulty: should be 'easy' or 'normal' or 'hard'"),
        ({"clock": {"minutes": float("nan")}}, "clock.minutes: should be a number"),
        ({"clock": {"minutes": float("inf")}}, "clock.minutes: should be between 0.5 and 600"),
    ],
)
def test_invalid_game_request_is_refused_with_its_location(payload: object, problem: str) -> None:
    with pytest.raises(ValidationError) as refused:
        parse(NewGameRequest, payload)
    assert str(refused.value) == problem


def test_game_request_is_parsed_with_defaults() -> None:
    payload = {
        "life": 12,
        "seats": [{"name": "Ann"}, {"kind": "player", "player": "level5"}],
        "solitaire": {"readings": []},
    }
    new = parse(NewGameRequest, payload)
    assert new == NewGameRequest(
        life=12,
        seats=[SeatRequest(name="Ann"), SeatRequest(kind="player", player="level5")],
        solitaire=SolitaireOptions(),
    )
    assert parse(NewGameRequest, json.loads(json.dumps(to_jsonable(new)))) == new
    assert parse(NewGameRequest, {}) == NewGameRequest()
    assert to_jsonable(NewGameRequest()) == {}


def test_game_setup_round_trips_through_json() -> None:
    setup = resolve_setup(
        parse(NewGameRequest, {"seed": 4, "clock": {"minutes": 5, "increment": 2}, "solitaire": True}), ["h", "i"]
    )
    assert parse(StoredSetup, json.loads(json.dumps(to_jsonable(setup)))) == setup


@pytest.mark.parametrize(
    ("message", "problem"),
    [
        ({}, "type: should be a known message type"),
        ({"type": ["play"]}, "type: should be a known message type"),
        ({"type": "shout"}, "type: should be a known message type"),
        ({"type": "play", "version": 1}, "choice: is missing"),
        ({"type": "play", "version": -1, "choice": {"option": 0}}, "version: should be between 0 and 1000000000"),
        ({"type": "play", "version": 1, "choice": {"option": 10**6}}, "choice.option: should be between -1 and 10000"),
        ({"type": "play", "version": 1, "choice": {"dice": [1] * 301}}, "choice.dice: should have at most 300 entries"),
        ({"type": "play", "version": 1, "choice": {"blocks": [[1]]}}, "choice.blocks.0: should be a list of 2"),
        ({"type": "sit", "anchor": HEX + "\n"}, "anchor: has an invalid format"),
        ({"type": "sit", "anchor": "G" * 64}, "anchor: has an invalid format"),
        ({"type": "undo", "all": True}, "all: is not known here"),
        ({"type": "hello", "secrets": ["x"] * 9}, "secrets: should have at most 8 entries"),
    ],
)
def test_invalid_message_is_refused_with_its_location(message: object, problem: str) -> None:
    with pytest.raises(ValidationError) as refused:
        parse_message(message)
    assert str(refused.value) == problem


def test_valid_messages_are_parsed() -> None:
    message = parse_message({"type": "play", "version": 3, "choice": {"blocks": [[1, 2]]}, "word": "0" * 32})
    assert message == messages.PlayChoice(type="play", version=3, choice={"blocks": [(1, 2)]}, word="0" * 32)
    assert parse_message({"type": "sit", "anchor": HEX}) == messages.TakeSeat(type="sit", anchor=HEX)


def test_json_schema_contains_the_limits() -> None:
    schema: dict[str, Any] = TypeAdapter(RecordUpload).json_schema()
    assert schema["properties"]["text"] == {"maxLength": 200_000, "title": "Text", "type": "string"}
    assert TypeAdapter(NewGameRequest).json_schema()["additionalProperties"] is False
