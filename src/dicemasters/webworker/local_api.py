"""The server's API without a server: the same paths and live messages, handled in the browser's worker.

A worker has one `LocalApi`. Its games belong to this browser alone, and the only untrusted input is text that the user
pastes. So there are no rate limits and no sandbox: work that never finishes ends with the worker.
"""

from __future__ import annotations

import asyncio
import json
import re
from collections import deque
from collections.abc import Awaitable, Callable, Mapping
from functools import cache
from itertools import count
from secrets import randbits
from typing import Any, NamedTuple, TypeVar
from urllib.parse import parse_qsl

from dicemasters.cards.query import MAX_QUERY_LENGTH
from dicemasters.game import Game
from dicemasters.game.text import describe
from dicemasters.players.heuristic import HeuristicPlayer
from dicemasters.service.catalog.card_catalog import CardNotFoundError, build_card_catalog, card_details
from dicemasters.service.catalog.die_gallery import build_die_gallery
from dicemasters.service.catalog.game_options import build_game_options
from dicemasters.service.catalog.glossary import build_glossary, build_rules
from dicemasters.service.catalog.team_builder import TeamCheckRequest, TrialRequest, build_team_catalog
from dicemasters.service.drafts.draft_room import DraftAction, DraftPickRequest, DraftPoll, DraftRegistry
from dicemasters.service.drafts.draft_session import NewDraftRequest, build_draft_options
from dicemasters.service.games.dispatch import handle_message, parse_message
from dicemasters.service.games.game_setup import LessonChoiceRequest, NewGameRequest, PositionUpload, RecordUpload, Seat
from dicemasters.service.games.registry import GameNotFoundError, RoomRegistry
from dicemasters.service.games.review import review_game, suggest_move
from dicemasters.service.games.room import ActionRejectedError, Room
from dicemasters.service.games.stored_events import StorageError
from dicemasters.service.jobs import run_job
from dicemasters.service.lesson_views import (
    LessonNotFoundError,
    answer_lesson_choice,
    build_lesson_moment,
    build_lessons,
)
from dicemasters.service.limits import Limits
from dicemasters.service.ports import GameStore
from dicemasters.service.protocol import draft_schema, http_schema, messages
from dicemasters.service.protocol.codec import OutgoingMessage, to_json
from dicemasters.service.protocol.validation import Range, RequestModel, ValidationError, parse, to_jsonable
from dicemasters.service.puzzle_views import (
    LAST_DAY,
    MAX_HINTS,
    MAX_PUZZLE_NUMBER,
    PuzzleExplainRequest,
    PuzzleNotFoundError,
    PuzzleTryRequest,
    build_daily_puzzle,
    build_hint,
    build_puzzle,
    build_puzzles,
    build_solution,
)

T = TypeVar("T")
MAX_VIEWS = 100
BOT_SECONDS = 0.5  # seconds per choice of a bot; other messages wait meanwhile
CLOSE_NOT_FOUND = 4404  # close code for an unknown game
_numbers = count()


class LocalResponse(NamedTuple):
    """Response to a request: the status a server would send, and the body."""

    status: int
    text: str
    kind: str = "application/json"


class InlineServices:
    """Services for the rooms of one browser: all work runs inline, and nothing is counted."""

    @property
    def executor(self) -> InlineServices:
        return self

    @property
    def job_runner(self) -> InlineServices:
        return self

    @property
    def bot_runner(self) -> InlineServices:
        return self

    async def run_for_client(self, work: Any, *args: Any, **kwargs: Any) -> Any:
        return work(*args, **kwargs)

    async def run_unmetered(self, work: Callable[..., T], *args: Any) -> T:
        return work(*args)

    def yield_cpu(self) -> None:
        """Do nothing: no other thread is waiting."""

    async def run(self, what: str, **job: Any) -> Any:
        try:
            return run_job({"what": what, **job})
        except (MemoryError, RecursionError):
            raise ValueError("this takes too much memory") from None

    async def choose(self, player: str, game: Game) -> int:
        """Return the option a bot chooses. Messages that are already queued are processed first."""
        option_texts = describe.option_texts(game.state)
        if len(option_texts) == 1:
            return 0
        await asyncio.sleep(0)
        payload = {"player": player, "text": game.to_text(), "within": BOT_SECONDS, "seed": randbits(62)}
        chosen = run_job({"what": "choice", **payload})
        return (
            option_texts.index(chosen) if chosen in option_texts else HeuristicPlayer(randbits(62)).choose(game.state)
        )

    def count(self, event: str, label: str = "") -> None:
        return None


class LocalClient:
    """The page's connection to one game: processes its messages in order and passes replies back."""

    def __init__(self, room: Room, on_message: Callable[[str], None], on_close: Callable[[int], None]) -> None:
        self.room = room
        self.seats: tuple[Seat, ...] = ()
        self.number = next(_numbers)
        self._on_message = on_message
        self._on_close = on_close
        self._inbox: deque[str] = deque()
        self._inbox_task: asyncio.Task[None] | None = None
        self._has_received_hello = False
        room.connections.add(self)

    def send(self, message: OutgoingMessage) -> None:
        """Pass a message on to the page."""
        self._on_message(message.text.decode())

    def close(self, reason: str) -> None:
        """Send a closing message and close the connection."""
        closing: messages.Closing = {"type": "bye", "reason": reason}
        self.send(OutgoingMessage(to_json(closing)))
        self._on_close(1001)

    def disconnect(self) -> None:
        """Leave the room."""
        self.room.remove_client(self)
        self.room.connections.discard(self)

    def receive(self, text: str) -> None:
        """Queue a message from the page; messages are processed one after another."""
        self._inbox.append(text)
        if self._inbox_task is None:
            self._inbox_task = asyncio.ensure_future(self._process_inbox())

    async def _process_inbox(self) -> None:
        try:
            while self._inbox:
                await self._process_message(self._inbox.popleft())
        finally:
            self._inbox_task = None

    async def _process_message(self, text: str) -> None:
        try:
            message = parse_message(_parse_json(text))
            if self._has_received_hello is isinstance(message, messages.Hello):
                raise ActionRejectedError(
                    "you have already said hello" if self._has_received_hello else "say hello first"
                )
            self._has_received_hello = True
            if isinstance(message, messages.Hello):
                self.seats = self.room.seats_of(message.secrets)
                await self.room.join(self)
            else:
                await handle_message(self.room, self, message)
        except ValidationError as error:
            self._refuse(f"the message is not understood: {str(error)[:160]}")
        except ActionRejectedError as error:
            self._refuse(str(error))

    def _refuse(self, reason: str) -> None:
        rejection: messages.ActionRejected = {
            "type": "refused",
            "reason": reason,
            "version": self.room.session.view_version,
        }
        self.send(OutgoingMessage(to_json(rejection)))


class LocalApi:
    """Every endpoint a page uses, for the games of one browser."""

    def __init__(self, storage: GameStore) -> None:
        self.rooms = RoomRegistry(storage, Limits(), InlineServices())
        self.drafts = DraftRegistry(storage, Limits(), self.rooms)

    async def join(
        self, game: str, on_message: Callable[[str], None], on_close: Callable[[int], None]
    ) -> LocalClient | None:
        """Return a client connected to a game. If that fails, send a closing message and return None."""
        try:
            return LocalClient(await self.rooms.get(game), on_message, on_close)
        except (GameNotFoundError, StorageError) as error:
            closing: messages.Closing = {"type": "bye", "reason": str(error)}
            on_message(to_json(closing).decode())
            on_close(CLOSE_NOT_FOUND)
            return None

    async def handle(self, method: str, address: str, body: str = "") -> LocalResponse:
        """Handle a request to a path, as a server does (docs/http-api.md)."""
        path, _, query = address.partition("?")
        try:
            for route_method, pattern, handler in ROUTES:
                match = re.fullmatch(pattern, path)
                if match and route_method == method:
                    return await handler(self, match.groups(), dict(parse_qsl(query, keep_blank_values=True)), body)
            return _error_response(404, "there is no such address")
        except (GameNotFoundError, LessonNotFoundError, CardNotFoundError, PuzzleNotFoundError) as error:
            return _error_response(404, str(error))
        except ActionRejectedError as error:
            return _error_response(409, str(error))
        except StorageError as error:
            return _error_response(503, f"this browser cannot store games: {error}")
        except ValidationError as error:
            return _error_response(422, str(error)[:300])
        except ValueError as error:
            return _error_response(400, " ".join(str(error).split())[:500])


# --- routes ----------------------------------------------------------------------------------------------------------

PathArgs = tuple[str, ...]
Route = Callable[[LocalApi, PathArgs, Mapping[str, str], str], Awaitable[LocalResponse]]


def _cached_route(build: Callable[[], object]) -> Route:
    @cache
    def text() -> str:
        return to_json(build()).decode()

    async def handler(api: LocalApi, path_args: PathArgs, query: Mapping[str, str], body: str) -> LocalResponse:
        return LocalResponse(200, text())

    return handler


async def _create_game(api: LocalApi, path_args: PathArgs, query: Mapping[str, str], body: str) -> LocalResponse:
    game, seats = await api.rooms.create(parse(NewGameRequest, _parse_json(body)))
    created: http_schema.GameCreated = {"game": game, "seats": seats}
    return _json_response(created, 201)


async def _get_game(api: LocalApi, path_args: PathArgs, query: Mapping[str, str], body: str) -> LocalResponse:
    return LocalResponse(200, (await (await api.rooms.get(path_args[0])).game_snapshot()).decode())


async def _get_views(api: LocalApi, path_args: PathArgs, query: Mapping[str, str], body: str) -> LocalResponse:
    start = _parse_number(query.get("start", "0"), Range(0, 1_000_000), "start")
    view_count = _parse_number(query.get("count", "50"), Range(1, MAX_VIEWS), "count")
    return LocalResponse(200, (await (await api.rooms.get(path_args[0])).views(start, view_count)).decode())


async def _get_record(api: LocalApi, path_args: PathArgs, query: Mapping[str, str], body: str) -> LocalResponse:
    return LocalResponse(200, await (await api.rooms.get(path_args[0])).record(), "text/plain")


async def _get_position(api: LocalApi, path_args: PathArgs, query: Mapping[str, str], body: str) -> LocalResponse:
    return LocalResponse(200, await (await api.rooms.get(path_args[0])).position(_parse_step(query)), "text/plain")


async def _review_game(api: LocalApi, path_args: PathArgs, query: Mapping[str, str], body: str) -> LocalResponse:
    return _json_response(await review_game(await api.rooms.get(path_args[0]), _parse_step(query, "start") or 0))


async def _suggest_move(api: LocalApi, path_args: PathArgs, query: Mapping[str, str], body: str) -> LocalResponse:
    return _json_response(await suggest_move(await api.rooms.get(path_args[0]), _parse_step(query)))


async def _get_summary(api: LocalApi, path_args: PathArgs, query: Mapping[str, str], body: str) -> LocalResponse:
    return _json_response(await (await api.rooms.get(path_args[0])).summary())


async def _get_dice_audit(api: LocalApi, path_args: PathArgs, query: Mapping[str, str], body: str) -> LocalResponse:
    return LocalResponse(200, (await (await api.rooms.get(path_args[0])).dice_audit()).decode())


async def _store_record(api: LocalApi, path_args: PathArgs, query: Mapping[str, str], body: str) -> LocalResponse:
    created: http_schema.RecordCreated = {
        "game": await api.rooms.store_record(parse(RecordUpload, _parse_json(body)).text)
    }
    return _json_response(created, 201)


async def _view_position(api: LocalApi, path_args: PathArgs, query: Mapping[str, str], body: str) -> LocalResponse:
    return _json_response(
        await api.rooms.job_runner.run("position", text=parse(PositionUpload, _parse_json(body)).text)
    )


async def _find_cards(api: LocalApi, path_args: PathArgs, query: Mapping[str, str], body: str) -> LocalResponse:
    query_text = query.get("q", "")
    if len(query_text) > MAX_QUERY_LENGTH:
        raise ValidationError(f"should have at most {MAX_QUERY_LENGTH} characters", ("q",))
    return _json_response(await api.rooms.job_runner.run("search", text=query_text))


async def _get_card(api: LocalApi, path_args: PathArgs, query: Mapping[str, str], body: str) -> LocalResponse:
    return _json_response(card_details(path_args[0]))


def _job_route(kind: str, request_type: type[RequestModel]) -> Route:
    async def handler(api: LocalApi, path_args: PathArgs, query: Mapping[str, str], body: str) -> LocalResponse:
        return _json_response(
            await api.rooms.job_runner.run(kind, asked=to_jsonable(parse(request_type, _parse_json(body))))
        )

    return handler


async def _get_lesson_moment(api: LocalApi, path_args: PathArgs, query: Mapping[str, str], body: str) -> LocalResponse:
    return _json_response(build_lesson_moment(path_args[0], *_parse_lesson_position(path_args)))


async def _answer_lesson(api: LocalApi, path_args: PathArgs, query: Mapping[str, str], body: str) -> LocalResponse:
    return _json_response(
        answer_lesson_choice(
            path_args[0], *_parse_lesson_position(path_args), parse(LessonChoiceRequest, _parse_json(body)).choice
        )
    )


async def _get_daily_puzzle(api: LocalApi, path_args: PathArgs, query: Mapping[str, str], body: str) -> LocalResponse:
    return _json_response(build_daily_puzzle(_parse_number(path_args[0], Range(1, LAST_DAY), "day")))


async def _get_puzzle(api: LocalApi, path_args: PathArgs, query: Mapping[str, str], body: str) -> LocalResponse:
    return _json_response(build_puzzle(_parse_puzzle_number(path_args)))


async def _try_puzzle(api: LocalApi, path_args: PathArgs, query: Mapping[str, str], body: str) -> LocalResponse:
    choices = to_jsonable(parse(PuzzleTryRequest, _parse_json(body)))["choices"]
    return _json_response(
        await api.rooms.job_runner.run("puzzle", number=_parse_puzzle_number(path_args), choices=choices)
    )


async def _explain_puzzle_refusal(
    api: LocalApi, path_args: PathArgs, query: Mapping[str, str], body: str
) -> LocalResponse:
    request = to_jsonable(parse(PuzzleExplainRequest, _parse_json(body)))
    return _json_response(await api.rooms.job_runner.run("unable", number=_parse_puzzle_number(path_args), **request))


async def _get_hint(api: LocalApi, path_args: PathArgs, query: Mapping[str, str], body: str) -> LocalResponse:
    return _json_response(
        build_hint(_parse_puzzle_number(path_args), _parse_number(path_args[1], Range(1, MAX_HINTS), "hint"))
    )


async def _get_solution(api: LocalApi, path_args: PathArgs, query: Mapping[str, str], body: str) -> LocalResponse:
    return _json_response(build_solution(_parse_puzzle_number(path_args)))


async def _open_draft(api: LocalApi, path_args: PathArgs, query: Mapping[str, str], body: str) -> LocalResponse:
    draft, chairs = await api.drafts.create(parse(NewDraftRequest, _parse_json(body)))
    created: draft_schema.DraftCreated = {"draft": draft, "chairs": chairs}
    return _json_response(created, 201)


async def _poll_draft(api: LocalApi, path_args: PathArgs, query: Mapping[str, str], body: str) -> LocalResponse:
    return _json_response(await (await api.drafts.get(path_args[0])).poll(parse(DraftPoll, _parse_json(body))))


async def _make_pick(api: LocalApi, path_args: PathArgs, query: Mapping[str, str], body: str) -> LocalResponse:
    return _json_response(await (await api.drafts.get(path_args[0])).pick(parse(DraftPickRequest, _parse_json(body))))


async def _handle_draft_action(
    api: LocalApi, path_args: PathArgs, query: Mapping[str, str], body: str
) -> LocalResponse:
    return _json_response(
        await (await api.drafts.get(path_args[0])).handle_action(parse(DraftAction, _parse_json(body)))
    )


ROUTES: tuple[tuple[str, str, Route], ...] = (
    ("GET", "/start", _cached_route(build_game_options)),
    ("GET", "/terms", _cached_route(build_glossary)),
    ("GET", "/dice", _cached_route(build_die_gallery)),
    ("GET", "/rules", _cached_route(build_rules)),
    ("GET", "/cards", _cached_route(build_card_catalog)),
    ("GET", "/cards/found", _find_cards),
    ("GET", "/cards/([^/]+)", _get_card),
    ("GET", "/teams", _cached_route(build_team_catalog)),
    ("POST", "/teams/check", _job_route("team", TeamCheckRequest)),
    ("POST", "/teams/try", _job_route("trial", TrialRequest)),
    ("GET", "/lessons", _cached_route(build_lessons)),
    ("GET", "/lessons/([^/]+)/([0-9]+)/([0-9]+)", _get_lesson_moment),
    ("POST", "/lessons/([^/]+)/([0-9]+)/([0-9]+)", _answer_lesson),
    ("GET", "/puzzles", _cached_route(build_puzzles)),
    ("GET", "/puzzles/days/([^/]+)", _get_daily_puzzle),
    ("GET", "/puzzles/([^/]+)", _get_puzzle),
    ("POST", "/puzzles/([^/]+)", _try_puzzle),
    ("POST", "/puzzles/([^/]+)/why", _explain_puzzle_refusal),
    ("GET", "/puzzles/([^/]+)/hints/([^/]+)", _get_hint),
    ("GET", "/puzzles/([^/]+)/solution", _get_solution),
    ("POST", "/games", _create_game),
    ("GET", "/games/([^/]+)", _get_game),
    ("GET", "/games/([^/]+)/views", _get_views),
    ("GET", "/games/([^/]+)/record", _get_record),
    ("GET", "/games/([^/]+)/position", _get_position),
    ("GET", "/games/([^/]+)/looked-back", _review_game),
    ("GET", "/games/([^/]+)/thought", _suggest_move),
    ("GET", "/games/([^/]+)/summary", _get_summary),
    ("GET", "/games/([^/]+)/fair", _get_dice_audit),
    ("GET", "/drafts", _cached_route(build_draft_options)),
    ("POST", "/drafts", _open_draft),
    ("POST", "/drafts/([^/]+)/look", _poll_draft),
    ("POST", "/drafts/([^/]+)/pick", _make_pick),
    ("POST", "/drafts/([^/]+)/wish", _handle_draft_action),
    ("POST", "/records", _store_record),
    ("POST", "/positions", _view_position),
)


def _json_response(value: object, status: int = 200) -> LocalResponse:
    return LocalResponse(status, to_json(value).decode())


def _error_response(status: int, message: str) -> LocalResponse:
    response: http_schema.ErrorResponse = {"error": message}
    return _json_response(response, status)


def _parse_json(text: str) -> object:
    try:
        return json.loads(text)
    except (ValueError, RecursionError):
        raise ValidationError("invalid JSON") from None


def _parse_number(text: str, limits: Range, name: str) -> int:
    if not re.fullmatch(r"[0-9]{1,9}", text):
        raise ValidationError("should be a whole number", (name,))
    try:
        limits.check(int(text))
    except ValidationError as error:
        raise ValidationError(error.message, (name,)) from None
    return int(text)


def _parse_step(query: Mapping[str, str], name: str = "step") -> int | None:
    return _parse_number(query[name], Range(0, 1_000_000), name) if name in query else None


def _parse_lesson_position(path_args: PathArgs) -> tuple[int, int]:
    step, done = (
        _parse_number(text, Range(0, 1000), name) for text, name in zip(path_args[1:], ("step", "done"), strict=True)
    )
    return step, done


def _parse_puzzle_number(path_args: PathArgs) -> int:
    return _parse_number(path_args[0], Range(1, MAX_PUZZLE_NUMBER), "puzzle")
