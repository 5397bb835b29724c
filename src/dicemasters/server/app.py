"""FastAPI application: the HTTP API, the WebSocket endpoint and the static page."""

from __future__ import annotations

import asyncio
import contextlib
import logging
from collections.abc import AsyncIterator, Callable, Iterator
from datetime import UTC, datetime, timedelta
from functools import cache
from traceback import format_exception
from typing import Annotated, Any

from fastapi import FastAPI, Path, Query, Request, WebSocket
from fastapi.exceptions import RequestValidationError
from fastapi.responses import JSONResponse, PlainTextResponse
from pydantic import BaseModel
from pydantic_core import to_json
from starlette.exceptions import HTTPException
from starlette.responses import Response

from dicemasters import __version__
from dicemasters.cards.query import MAX_QUERY_LENGTH
from dicemasters.server.config import ServerSettings
from dicemasters.server.http.gzip_middleware import GZipMiddleware
from dicemasters.server.http.limits_middleware import RequestLimitsMiddleware
from dicemasters.server.http.static_files import HEADERS, NOT_BUILT, StaticSite
from dicemasters.server.net.connection_limits import ConnectionLimiter
from dicemasters.server.observability.metrics import (
    CONTENT_TYPE,
    INTERNAL_ERRORS,
    LOOP_LAG,
    GaugeCollector,
    MetricsAccess,
    count_refusal,
    render_metrics,
)
from dicemasters.server.rate_limiter import RateLimiter, client_network
from dicemasters.server.storage.sql_store import SqlGameStore
from dicemasters.server.websocket import WebSocketEndpoint
from dicemasters.server.workers.server_services import ServerServices
from dicemasters.service.catalog.card_catalog import CardNotFoundError, build_card_catalog, card_details, search_cards
from dicemasters.service.catalog.die_gallery import build_die_gallery
from dicemasters.service.catalog.game_options import build_game_options
from dicemasters.service.catalog.glossary import build_glossary, build_rules
from dicemasters.service.catalog.team_builder import TeamCheckRequest, TrialRequest, build_team_catalog
from dicemasters.service.drafts.draft_room import DraftAction, DraftPickRequest, DraftPoll, DraftRegistry
from dicemasters.service.drafts.draft_session import NewDraftRequest, build_draft_options
from dicemasters.service.games.game_setup import LessonChoiceRequest, NewGameRequest, PositionUpload, RecordUpload
from dicemasters.service.games.registry import GameNotFoundError, RoomRegistry
from dicemasters.service.games.review import review_game, suggest_move
from dicemasters.service.games.room import ActionRejectedError
from dicemasters.service.games.stored_events import StorageError
from dicemasters.service.lesson_views import (
    LessonNotFoundError,
    answer_lesson_choice,
    build_lesson_moment,
    build_lessons,
)
from dicemasters.service.protocol import card_schema, draft_schema, game_schema, http_schema, puzzle_schema
from dicemasters.service.protocol.validation import ValidationError, to_jsonable
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
    require_puzzle,
)
from dicemasters.service.structured_log import log_event
from dicemasters.service.token_bucket import RateLimitedError

MAX_VIEWS = 100
EVICTION_INTERVAL = 20.0  # seconds between two evictions of idle games from memory
STALL_SECONDS = 1.0  # event loop lag above which a warning is logged


class AliveResponse(BaseModel):
    """Answer of the liveness check."""

    status: str
    version: str


class HealthResponse(AliveResponse):
    """Answer of the health check, which also tests the database."""

    games: int


GameName = Annotated[str, Path(max_length=40)]
Step = Annotated[int, Query(ge=0, le=1_000_000)]
LessonStep = Annotated[int, Path(ge=0, le=1000)]
PuzzleNumber = Annotated[int, Path(ge=1, le=MAX_PUZZLE_NUMBER)]
Day = Annotated[int, Path(ge=1, le=LAST_DAY)]
Hint = Annotated[int, Path(ge=1, le=MAX_HINTS)]
ERROR_RESPONSES: dict[int | str, dict[str, Any]] = {
    code: {"model": http_schema.ErrorResponse} for code in (400, 403, 404, 405, 408, 409, 413, 415, 421, 422, 429, 503)
}

TEXT_RESPONSE: dict[int | str, dict[str, Any]] = {200: {"content": {"text/plain": {"schema": {"type": "string"}}}}}


def make_app(settings: ServerSettings, storage: SqlGameStore, connection_limiter: ConnectionLimiter) -> FastAPI:
    """Return the application. Its shutdown closes the storage."""
    services = ServerServices(settings.limits)
    rooms = RoomRegistry(storage, settings.limits, services)
    drafts = DraftRegistry(storage, settings.limits, rooms)
    endpoint = WebSocketEndpoint(rooms, settings.limits, connection_limiter.cpu_budgets)
    site = StaticSite()
    metrics_access = MetricsAccess(settings.metrics)
    gauges = GaugeCollector(lambda: _gauges(rooms, endpoint, services, storage, connection_limiter))
    creation_limiter = RateLimiter(settings.limits.games_per_minute / 60, settings.limits.games_per_minute)

    def on_external_event(key: str | None) -> None:
        rooms.on_external_event(key)
        drafts.on_external_event(key)

    @contextlib.asynccontextmanager
    async def lifespan(_: FastAPI) -> AsyncIterator[None]:
        if not site.is_built:
            log_event(NOT_BUILT, level=logging.WARNING)
        storage.listen(on_external_event)
        tasks = [
            asyncio.create_task(_expire_old_games(rooms, drafts, settings.expire_days)),
            asyncio.create_task(_monitor_loop_lag()),
            asyncio.create_task(_evict_idle_rooms(rooms, drafts)),
        ]
        yield
        for task in tasks:
            task.cancel()
        rooms.close("the server stops")
        await services.close()
        await storage.close()
        log_event("stopped")

    app = FastAPI(
        title="dicemasters",
        version=__version__,
        description="Marvel Dice Masters at a table in the browser.",
        docs_url=None,
        redoc_url=None,
        openapi_url="/api/openapi.json",
        responses=ERROR_RESPONSES,
        lifespan=lifespan,
    )
    app.state.rooms = rooms
    app.state.drafts = drafts
    app.state.websocket_endpoint = endpoint
    app.add_middleware(GZipMiddleware)
    app.add_middleware(RequestLimitsMiddleware, settings=settings, cpu_budgets=connection_limiter.cpu_budgets)

    def limit_creation(request: Request) -> None:
        address = request.client.host if request.client else ""
        if not creation_limiter.acquire(address):
            count_refusal("too many games", address=address)
            raise HTTPException(429, "you have opened many games; wait a minute")

    @app.get("/api/alive")
    async def alive() -> AliveResponse:
        return AliveResponse(status="ok", version=__version__)

    @app.get("/api/health")
    async def health() -> HealthResponse:
        await storage.check()
        return HealthResponse(status="ok", version=__version__, games=len(rooms.live))

    @app.get("/api/start", response_model=http_schema.GameOptions)
    async def start() -> Response:
        return _cached_response(build_game_options)

    @app.post("/api/games", status_code=201)
    async def create(body: NewGameRequest, request: Request) -> http_schema.GameCreated:
        limit_creation(request)
        game, seats = await rooms.create(body)
        return http_schema.GameCreated(game=game, seats=seats)

    @app.get("/api/games/{game}", response_class=JSONResponse)
    async def look(game: GameName) -> Response:
        return _json(await (await rooms.get(game)).game_snapshot())

    @app.get("/api/games/{game}/views", response_model=http_schema.ReplayData)
    async def views(
        game: GameName,
        start: Step = 0,
        count: Annotated[int, Query(ge=1, le=MAX_VIEWS)] = 50,
    ) -> Response:
        return _json(await (await rooms.get(game)).views(start, count))

    @app.get("/api/games/{game}/record", responses=TEXT_RESPONSE)
    async def record(game: GameName) -> Response:
        return PlainTextResponse(await (await rooms.get(game)).record())

    @app.get("/api/games/{game}/position", responses=TEXT_RESPONSE)
    async def position(game: GameName, step: Step | None = None) -> Response:
        return PlainTextResponse(await (await rooms.get(game)).position(step))

    @app.get("/api/games/{game}/summary")
    async def summary(game: GameName) -> http_schema.GameSummary:
        return await (await rooms.get(game)).summary()

    @app.get("/api/games/{game}/looked-back", response_model=http_schema.GameReviewData)
    async def looked_back(game: GameName, start: Step = 0) -> http_schema.GameReviewData:
        return await review_game(await rooms.get(game), start)

    @app.get("/api/games/{game}/thought", response_model=http_schema.MoveSuggestion)
    async def thought(game: GameName, step: Step | None = None) -> http_schema.MoveSuggestion:
        return await suggest_move(await rooms.get(game), step)

    @app.get("/api/games/{game}/fair", response_class=JSONResponse)
    async def fair(game: GameName) -> Response:
        return _json(await (await rooms.get(game)).dice_audit())

    @app.post("/api/records", status_code=201)
    async def keep_record(body: RecordUpload, request: Request) -> http_schema.RecordCreated:
        limit_creation(request)
        return http_schema.RecordCreated(game=await rooms.store_record(body.text))

    @app.get("/api/terms", response_model=http_schema.Glossary)
    async def terms() -> Response:
        return _cached_response(build_glossary)

    @app.get("/api/dice", response_model=http_schema.DieGallery)
    async def dice() -> Response:
        return _cached_response(build_die_gallery)

    @app.get("/api/cards", response_model=card_schema.CardCatalog)
    async def all_cards() -> Response:
        return _cached_response(build_card_catalog)

    @app.get("/api/cards/found", response_model=card_schema.CardSearchResult)
    async def find_cards(q: Annotated[str, Query(max_length=MAX_QUERY_LENGTH)] = "") -> Response:
        if "/" in q:  # a pattern may take a long time, no matter what it finds
            return _json(to_json(await rooms.job_runner.run("search", text=q)))
        return _json(to_json(await rooms.executor.run_for_client(search_cards, q)))

    @app.get("/api/cards/{card}", response_model=card_schema.CardDetails)
    async def look_at_card(card: GameName) -> Response:
        return _json(to_json(await rooms.executor.run_for_client(card_details, card)))

    @app.get("/api/teams", response_model=card_schema.TeamCatalog)
    async def all_teams() -> Response:
        return _cached_response(build_team_catalog)

    @app.post("/api/teams/check", response_model=card_schema.TeamReport)
    async def check_team(body: TeamCheckRequest) -> Response:
        return _json(to_json(await rooms.job_runner.run("team", asked=to_jsonable(body))))

    @app.post("/api/teams/try", response_model=card_schema.TrialResult)
    async def try_team(body: TrialRequest) -> Response:
        return _json(to_json(await rooms.job_runner.run("trial", asked=to_jsonable(body))))

    @app.get("/api/rules", response_model=http_schema.RulesData)
    async def rules() -> Response:
        return _cached_response(build_rules)

    @app.get("/api/lessons", response_model=http_schema.LessonList)
    async def list_lessons() -> Response:
        return _cached_response(build_lessons)

    @app.get("/api/lessons/{lesson}/{step}/{done}")
    async def look_at_lesson(lesson: GameName, step: LessonStep, done: LessonStep) -> http_schema.LessonMomentData:
        moment: http_schema.LessonMomentData = await rooms.executor.run_for_client(
            build_lesson_moment, lesson, step, done
        )
        return moment

    @app.post("/api/lessons/{lesson}/{step}/{done}")
    async def try_in_lesson(
        lesson: GameName, step: LessonStep, done: LessonStep, body: LessonChoiceRequest
    ) -> http_schema.LessonAnswer:
        answer: http_schema.LessonAnswer = await rooms.executor.run_for_client(
            answer_lesson_choice, lesson, step, done, body.choice
        )
        return answer

    @app.get("/api/puzzles", response_model=puzzle_schema.PuzzleList)
    async def list_puzzles() -> Response:
        return _cached_response(build_puzzles)

    @app.get("/api/puzzles/days/{day}")
    async def puzzle_of_the_day(day: Day) -> puzzle_schema.PuzzleOfDay:
        return build_daily_puzzle(day)

    @app.get("/api/puzzles/{puzzle}", response_model=puzzle_schema.PuzzleDetails)
    async def pose_puzzle(puzzle: PuzzleNumber) -> Response:
        return _json(to_json(await rooms.executor.run_for_client(build_puzzle, puzzle)))

    @app.post("/api/puzzles/{puzzle}", response_model=puzzle_schema.PuzzleProgress)
    async def try_puzzle(puzzle: PuzzleNumber, body: PuzzleTryRequest) -> Response:
        job = {"number": require_puzzle(puzzle).number, "choices": to_jsonable(body)["choices"]}
        return _json(to_json(await rooms.job_runner.run("puzzle", **job)))

    @app.post("/api/puzzles/{puzzle}/why", response_model=game_schema.Explanation)
    async def why_not_in_puzzle(puzzle: PuzzleNumber, body: PuzzleExplainRequest) -> Response:
        return _json(
            to_json(await rooms.job_runner.run("unable", number=require_puzzle(puzzle).number, **to_jsonable(body)))
        )

    @app.get("/api/puzzles/{puzzle}/hints/{hint}")
    async def give_hint(puzzle: PuzzleNumber, hint: Hint) -> puzzle_schema.PuzzleHint:
        return build_hint(puzzle, hint)

    @app.get("/api/puzzles/{puzzle}/solution", response_model=puzzle_schema.PuzzleSolution)
    async def solve_puzzle(puzzle: PuzzleNumber) -> Response:
        return _json(to_json(await rooms.executor.run_for_client(build_solution, puzzle)))

    @app.post("/api/positions", response_model=http_schema.PositionData)
    async def look_at_position(body: PositionUpload) -> Response:
        return _json(to_json(await rooms.job_runner.run("position", text=body.text)))

    @app.get("/api/drafts")
    async def draft_offers() -> draft_schema.DraftOptions:
        return build_draft_options()

    @app.post("/api/drafts", status_code=201)
    async def open_draft(body: NewDraftRequest, request: Request) -> draft_schema.DraftCreated:
        limit_creation(request)
        draft, chairs = await drafts.create(body)
        return draft_schema.DraftCreated(draft=draft, chairs=chairs)

    @app.post("/api/drafts/{draft}/look", response_model=draft_schema.DraftView)
    async def look_at_draft(draft: GameName, body: DraftPoll, request: Request) -> Response:
        with drafts.poll_slot(client_network(request.client.host if request.client else "")):
            return _json(to_json(await (await drafts.get(draft)).poll(body)))

    @app.post("/api/drafts/{draft}/pick", response_model=draft_schema.DraftView)
    async def pick_in_draft(draft: GameName, body: DraftPickRequest) -> Response:
        return _json(to_json(await (await drafts.get(draft)).pick(body)))

    @app.post("/api/drafts/{draft}/wish", response_model=draft_schema.DraftView)
    async def wish_in_draft(draft: GameName, body: DraftAction) -> Response:
        return _json(to_json(await (await drafts.get(draft)).handle_action(body)))

    @app.websocket("/api/games/{game}/live")
    async def live(websocket: WebSocket, game: str) -> None:
        await endpoint.accept(websocket, game)

    @app.get("/metrics", include_in_schema=False)
    async def metrics(request: Request) -> Response:
        if not metrics_access.has(request.client.host if request.client else "", request.headers):
            return site.answer(request)
        return Response(render_metrics(gauges), media_type=CONTENT_TYPE)

    @app.api_route("/{path:path}", methods=["GET", "HEAD"], include_in_schema=False)
    async def page(path: str, request: Request) -> Response:
        if path == "api" or path.startswith("api/"):
            raise HTTPException(404, "there is no such address")
        return site.answer(request)

    @app.exception_handler(HTTPException)
    async def http_error(_: Request, error: HTTPException) -> JSONResponse:
        return JSONResponse({"error": str(error.detail)}, error.status_code, error.headers)

    @app.exception_handler(GameNotFoundError)
    async def game_not_found(_: Request, error: GameNotFoundError) -> JSONResponse:
        return JSONResponse({"error": str(error)}, 404)

    @app.exception_handler(LessonNotFoundError)
    async def lesson_not_found(_: Request, error: LessonNotFoundError) -> JSONResponse:
        return JSONResponse({"error": str(error)}, 404)

    @app.exception_handler(CardNotFoundError)
    async def card_not_found(_: Request, error: CardNotFoundError) -> JSONResponse:
        return JSONResponse({"error": str(error)}, 404)

    @app.exception_handler(PuzzleNotFoundError)
    async def puzzle_not_found(_: Request, error: PuzzleNotFoundError) -> JSONResponse:
        return JSONResponse({"error": str(error)}, 404)

    @app.exception_handler(RateLimitedError)
    async def rate_limited(_: Request, error: RateLimitedError) -> JSONResponse:
        return JSONResponse({"error": str(error)}, 429)

    @app.exception_handler(ActionRejectedError)
    async def action_rejected(_: Request, error: ActionRejectedError) -> JSONResponse:
        return JSONResponse({"error": str(error)}, 409)

    @app.exception_handler(ValueError)
    async def bad_request(_: Request, error: ValueError) -> JSONResponse:
        return JSONResponse({"error": " ".join(str(error).split())[:500]}, 400)

    @app.exception_handler(StorageError)
    async def storage_unavailable(_: Request, error: StorageError) -> JSONResponse:
        log_event("storage", level=logging.ERROR, reason=str(error))
        return JSONResponse({"error": f"the server cannot reach its storage: {error.public_message}"}, 503)

    @app.exception_handler(RequestValidationError)
    async def validation_failed(_: Request, error: RequestValidationError) -> JSONResponse:
        problem = error.errors()[0]
        cause = problem.get("ctx", {}).get("error")
        if isinstance(cause, ValidationError):
            return JSONResponse({"error": str(cause)[:300]}, 422)
        location = ".".join(str(x) for x in problem["loc"][1:])[:60]
        return JSONResponse({"error": f"{location}: {problem['msg']}"[:300] if location else problem["msg"][:300]}, 422)

    @app.exception_handler(Exception)
    async def internal_error(request: Request, error: Exception) -> JSONResponse:
        INTERNAL_ERRORS.inc()
        log_event("mistake", level=logging.ERROR, path=request.url.path[:200], error="".join(format_exception(error)))
        return JSONResponse({"error": "internal server error; it has been logged"}, 500, HEADERS)

    return app


async def _expire_old_games(rooms: RoomRegistry, drafts: DraftRegistry, days: float) -> None:
    """Delete games that have had no event for `days` days, now and every hour; never if `days` is 0."""
    while days > 0:
        try:
            expired = await rooms.expire(datetime.now(UTC) - timedelta(days=days))
            if expired:
                drafts.evict_idle()  # some of them may have been deleted
                log_event("forgotten", games=expired)
        except StorageError as error:
            log_event("storage", level=logging.ERROR, reason=str(error))
        await asyncio.sleep(3600)


async def _evict_idle_rooms(rooms: RoomRegistry, drafts: DraftRegistry) -> None:
    """Unload rooms and drafts that have been idle for a while. They are loaded again on demand."""
    while True:
        await asyncio.sleep(EVICTION_INTERVAL)
        rooms.evict_idle()
        drafts.evict_idle(rooms.limits.kept_seconds)


async def _monitor_loop_lag() -> None:
    """Measure the event loop lag twice a second."""
    loop = asyncio.get_running_loop()
    while True:
        due = loop.time() + 0.5
        await asyncio.sleep(0.5)
        lag = max(0.0, loop.time() - due)
        LOOP_LAG.observe(lag)
        if lag > STALL_SECONDS:
            log_event("stalled", level=logging.WARNING, seconds=round(lag, 1))


def _gauges(
    rooms: RoomRegistry,
    endpoint: WebSocketEndpoint,
    services: ServerServices,
    storage: SqlGameStore,
    connection_limiter: ConnectionLimiter,
) -> Iterator[tuple[str, str, dict[str, float]]]:
    """Yield the gauges, each with its name, documentation and values by label."""
    live = rooms.live
    players = sum(1 for room in live for client in room.clients if client.seats)
    finished = sum(room.session.is_over for room in live)
    yield "dicemasters_live_games", "Games with connected clients", {"going on": len(live) - finished, "over": finished}
    yield "dicemasters_kept_games", "Games in memory", {"": rooms.in_memory}
    watchers = sum(len(room.clients) for room in live) - players
    handshaking = endpoint.sockets - players - watchers
    yield (
        "dicemasters_sockets",
        "Open WebSocket connections",
        {"players": players, "watchers": watchers, "coming": handshaking},
    )
    yield "dicemasters_connections", "Connections of any kind", {"": connection_limiter.total}
    yield (
        "dicemasters_waiting",
        "Queued calls of addresses with an exhausted CPU budget",
        {"": connection_limiter.cpu_budgets.waiting},
    )
    yield (
        "dicemasters_workers",
        "Sandboxed processes and jobs",
        {k: float(n) for k, n in services.job_runner.stats.items()},
    )
    yield "dicemasters_storage", "Database: health (0 or 1), queued writes, file size in bytes", storage.stats
    yield "dicemasters_info", "Program version", {__version__: 1.0}


def _json(text: str | bytes) -> Response:
    return Response(text, media_type="application/json")


def _cached_response(build: Callable[[], object]) -> Response:
    """Return a JSON response that is built once per process."""
    return _json(_cached_json(build))


@cache
def _cached_json(build: Callable[[], object]) -> bytes:
    return to_json(build())
