"""The server's addresses: games to open, look at and replay; the live socket; the page itself."""

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
from dicemasters.cards.query import LONGEST
from dicemasters.server.config import Settings
from dicemasters.server.http.gzip_middleware import Packing
from dicemasters.server.http.limits_middleware import Guard
from dicemasters.server.http.static_files import HEADERS, NOT_BUILT, Pages
from dicemasters.server.net.connection_limits import Crowd
from dicemasters.server.observability.metrics import CONTENT_TYPE, LATE, MISTAKES, Gauges, Readers, exposition, refused
from dicemasters.server.rate_limiter import Buckets, network_of
from dicemasters.server.storage.sql_store import Storage
from dicemasters.server.websocket import Door
from dicemasters.server.workers.server_services import ServerStaff
from dicemasters.service.catalog.card_catalog import NoSuchCardError, card_page, cards_data, find_data
from dicemasters.service.catalog.die_gallery import dice_data
from dicemasters.service.catalog.game_options import start_data
from dicemasters.service.catalog.glossary import rules_data, terms_data
from dicemasters.service.catalog.team_builder import TeamAsked, TrialAsked, teams_data
from dicemasters.service.drafts.draft_room import DraftChoice, DraftLook, Drafts, DraftWish
from dicemasters.service.drafts.draft_session import NewDraft, offers_data
from dicemasters.service.games.game_setup import LessonChoice, NewGame, PositionText, RecordText
from dicemasters.service.games.registry import NoSuchGameError, Rooms
from dicemasters.service.games.review import look_back, thought_of
from dicemasters.service.games.room import RefusedError
from dicemasters.service.games.stored_events import StorageError
from dicemasters.service.lesson_views import NoSuchLessonError, lessons_data, moment_data, try_data
from dicemasters.service.protocol import card_schema, draft_schema, game_schema, http_schema, puzzle_schema
from dicemasters.service.protocol.validation import WrongError, written
from dicemasters.service.puzzle_views import (
    LAST_DAY,
    MOST_HINTS,
    MOST_PUZZLE,
    NoSuchPuzzleError,
    PuzzleTry,
    PuzzleWhy,
    day_data,
    hinted_data,
    posed_data,
    puzzles_data,
    solved_data,
    the_puzzle,
)
from dicemasters.service.structured_log import note
from dicemasters.service.token_bucket import TooBusyError

MOST_VIEWS = 100
TIDY_SECONDS = 20.0  # between two looks whether games are in memory that nobody wants any more
STALL_SECONDS = 1.0  # that the process is late, before a line is written about it


class Alive(BaseModel):
    status: str
    version: str


class Health(Alive):
    games: int


GameName = Annotated[str, Path(max_length=40)]
Step = Annotated[int, Query(ge=0, le=1_000_000)]
LessonStep = Annotated[int, Path(ge=0, le=1000)]
PuzzleNumber = Annotated[int, Path(ge=1, le=MOST_PUZZLE)]
Day = Annotated[int, Path(ge=1, le=LAST_DAY)]
Hint = Annotated[int, Path(ge=1, le=MOST_HINTS)]
REFUSALS: dict[int | str, dict[str, Any]] = {
    code: {"model": http_schema.Refusal} for code in (400, 403, 404, 405, 408, 409, 413, 415, 421, 422, 429, 503)
}

AS_TEXT: dict[int | str, dict[str, Any]] = {200: {"content": {"text/plain": {"schema": {"type": "string"}}}}}


def make_app(settings: Settings, storage: Storage, crowd: Crowd) -> FastAPI:
    """Make the server's application; closing the storage is its own business."""
    staff = ServerStaff(settings.limits)
    rooms = Rooms(storage, settings.limits, staff)
    drafts = Drafts(storage, settings.limits, rooms)
    door = Door(rooms, settings.limits, crowd.effort)
    pages = Pages()
    readers = Readers(settings.metrics)
    gauges = Gauges(lambda: _gauges(rooms, door, staff, storage, crowd))
    opening = Buckets(settings.limits.games_per_minute / 60, settings.limits.games_per_minute)

    def hear(name: str | None) -> None:
        rooms.hear(name)
        drafts.hear(name)

    @contextlib.asynccontextmanager
    async def lifespan(_: FastAPI) -> AsyncIterator[None]:
        if not pages.is_built:
            note(NOT_BUILT, level=logging.WARNING)
        storage.listen(hear)
        tasks = [
            asyncio.create_task(_forget(rooms, drafts, settings.expire_days)),
            asyncio.create_task(_look_at_the_clock()),
            asyncio.create_task(_leave_idle(rooms, drafts)),
        ]
        yield
        for task in tasks:
            task.cancel()
        rooms.close("the server stops")
        await staff.close()
        await storage.close()
        note("stopped")

    app = FastAPI(
        title="dicemasters",
        version=__version__,
        description="Marvel Dice Masters at a table in the browser.",
        docs_url=None,
        redoc_url=None,
        openapi_url="/api/openapi.json",
        responses=REFUSALS,
        lifespan=lifespan,
    )
    app.state.rooms = rooms
    app.state.drafts = drafts
    app.state.door = door
    app.add_middleware(Packing)
    app.add_middleware(Guard, settings=settings, effort=crowd.effort)

    def _open(request: Request) -> None:
        address = request.client.host if request.client else ""
        if not opening.take(address):
            refused("too many games", address=address)
            raise HTTPException(429, "you have opened many games; wait a minute")

    @app.get("/api/alive")
    async def alive() -> Alive:
        return Alive(status="ok", version=__version__)

    @app.get("/api/health")
    async def health() -> Health:
        await storage.check()
        return Health(status="ok", version=__version__, games=len(rooms.live))

    @app.get("/api/start", response_model=http_schema.StartOffers)
    async def start() -> Response:
        return _fixed(start_data)

    @app.post("/api/games", status_code=201)
    async def create(new: NewGame, request: Request) -> http_schema.Opened:
        _open(request)
        game, seats = await rooms.create(new)
        return http_schema.Opened(game=game, seats=seats)

    @app.get("/api/games/{game}", response_class=JSONResponse)
    async def look(game: GameName) -> Response:
        return _json(await (await rooms.get(game)).shown())

    @app.get("/api/games/{game}/views", response_model=http_schema.Replay)
    async def views(
        game: GameName,
        start: Step = 0,
        count: Annotated[int, Query(ge=1, le=MOST_VIEWS)] = 50,
    ) -> Response:
        return _json(await (await rooms.get(game)).views(start, count))

    @app.get("/api/games/{game}/record", responses=AS_TEXT)
    async def record(game: GameName) -> Response:
        return PlainTextResponse(await (await rooms.get(game)).record())

    @app.get("/api/games/{game}/position", responses=AS_TEXT)
    async def position(game: GameName, step: Step | None = None) -> Response:
        return PlainTextResponse(await (await rooms.get(game)).position(step))

    @app.get("/api/games/{game}/summary")
    async def summary(game: GameName) -> http_schema.Summary:
        return await (await rooms.get(game)).summary()

    @app.get("/api/games/{game}/looked-back", response_model=http_schema.LookedBack)
    async def looked_back(game: GameName, start: Step = 0) -> http_schema.LookedBack:
        return await look_back(await rooms.get(game), start)

    @app.get("/api/games/{game}/thought", response_model=http_schema.Thought)
    async def thought(game: GameName, step: Step | None = None) -> http_schema.Thought:
        return await thought_of(await rooms.get(game), step)

    @app.get("/api/games/{game}/fair", response_class=JSONResponse)
    async def fair(game: GameName) -> Response:
        return _json(await (await rooms.get(game)).fair())

    @app.post("/api/records", status_code=201)
    async def keep_record(record: RecordText, request: Request) -> http_schema.KeptRecord:
        _open(request)
        return http_schema.KeptRecord(game=await rooms.keep(record.text))

    @app.get("/api/terms", response_model=http_schema.Terms)
    async def terms() -> Response:
        return _fixed(terms_data)

    @app.get("/api/dice", response_model=http_schema.Dice)
    async def dice() -> Response:
        return _fixed(dice_data)

    @app.get("/api/cards", response_model=card_schema.CardShelf)
    async def all_cards() -> Response:
        return _fixed(cards_data)

    @app.get("/api/cards/found", response_model=card_schema.CardsFound)
    async def find_cards(q: Annotated[str, Query(max_length=LONGEST)] = "") -> Response:
        if "/" in q:  # a pattern may take long, whatever it finds
            return _json(to_json(await rooms.apart.do("search", text=q)))
        return _json(to_json(await rooms.shares.in_thread(find_data, q)))

    @app.get("/api/cards/{card}", response_model=card_schema.CardPage)
    async def look_at_card(card: GameName) -> Response:
        return _json(to_json(await rooms.shares.in_thread(card_page, card)))

    @app.get("/api/teams", response_model=card_schema.TeamShelf)
    async def all_teams() -> Response:
        return _fixed(teams_data)

    @app.post("/api/teams/check", response_model=card_schema.TeamChecked)
    async def check_team(asked: TeamAsked) -> Response:
        return _json(to_json(await rooms.apart.do("team", asked=written(asked))))

    @app.post("/api/teams/try", response_model=card_schema.Trial)
    async def try_team(asked: TrialAsked) -> Response:
        return _json(to_json(await rooms.apart.do("trial", asked=written(asked))))

    @app.get("/api/rules", response_model=http_schema.Rules)
    async def rules() -> Response:
        return _fixed(rules_data)

    @app.get("/api/lessons", response_model=http_schema.LessonList)
    async def list_lessons() -> Response:
        return _fixed(lessons_data)

    @app.get("/api/lessons/{lesson}/{step}/{done}")
    async def look_at_lesson(lesson: GameName, step: LessonStep, done: LessonStep) -> http_schema.LessonMoment:
        found: http_schema.LessonMoment = await rooms.shares.in_thread(moment_data, lesson, step, done)
        return found

    @app.post("/api/lessons/{lesson}/{step}/{done}")
    async def try_in_lesson(
        lesson: GameName, step: LessonStep, done: LessonStep, tried: LessonChoice
    ) -> http_schema.LessonAnswer:
        found: http_schema.LessonAnswer = await rooms.shares.in_thread(try_data, lesson, step, done, tried.choice)
        return found

    @app.get("/api/puzzles", response_model=puzzle_schema.PuzzleList)
    async def list_puzzles() -> Response:
        return _fixed(puzzles_data)

    @app.get("/api/puzzles/days/{day}")
    async def puzzle_of_the_day(day: Day) -> puzzle_schema.PuzzleOfDay:
        return day_data(day)

    @app.get("/api/puzzles/{puzzle}", response_model=puzzle_schema.PuzzlePosed)
    async def pose_puzzle(puzzle: PuzzleNumber) -> Response:
        return _json(to_json(await rooms.shares.in_thread(posed_data, puzzle)))

    @app.post("/api/puzzles/{puzzle}", response_model=puzzle_schema.PuzzleTried)
    async def try_puzzle(puzzle: PuzzleNumber, tried: PuzzleTry) -> Response:
        job = {"number": the_puzzle(puzzle).number, "choices": written(tried)["choices"]}
        return _json(to_json(await rooms.apart.do("puzzle", **job)))

    @app.post("/api/puzzles/{puzzle}/why", response_model=game_schema.Said)
    async def why_not_in_puzzle(puzzle: PuzzleNumber, asked: PuzzleWhy) -> Response:
        return _json(to_json(await rooms.apart.do("unable", number=the_puzzle(puzzle).number, **written(asked))))

    @app.get("/api/puzzles/{puzzle}/hints/{hint}")
    async def give_hint(puzzle: PuzzleNumber, hint: Hint) -> puzzle_schema.PuzzleHint:
        return hinted_data(puzzle, hint)

    @app.get("/api/puzzles/{puzzle}/solution", response_model=puzzle_schema.PuzzleSolution)
    async def solve_puzzle(puzzle: PuzzleNumber) -> Response:
        return _json(to_json(await rooms.shares.in_thread(solved_data, puzzle)))

    @app.post("/api/positions", response_model=http_schema.Position)
    async def look_at_position(position: PositionText) -> Response:
        return _json(to_json(await rooms.apart.do("position", text=position.text)))

    @app.get("/api/drafts")
    async def draft_offers() -> draft_schema.DraftOffers:
        return offers_data()

    @app.post("/api/drafts", status_code=201)
    async def open_draft(new: NewDraft, request: Request) -> draft_schema.DraftOpened:
        _open(request)
        draft, chairs = await drafts.create(new)
        return draft_schema.DraftOpened(draft=draft, chairs=chairs)

    @app.post("/api/drafts/{draft}/look", response_model=draft_schema.DraftView)
    async def look_at_draft(draft: GameName, said: DraftLook, request: Request) -> Response:
        with drafts.looking(network_of(request.client.host if request.client else "")):
            return _json(to_json(await (await drafts.get(draft)).look(said)))

    @app.post("/api/drafts/{draft}/pick", response_model=draft_schema.DraftView)
    async def pick_in_draft(draft: GameName, said: DraftChoice) -> Response:
        return _json(to_json(await (await drafts.get(draft)).pick(said)))

    @app.post("/api/drafts/{draft}/wish", response_model=draft_schema.DraftView)
    async def wish_in_draft(draft: GameName, said: DraftWish) -> Response:
        return _json(to_json(await (await drafts.get(draft)).wish(said)))

    @app.websocket("/api/games/{game}/live")
    async def live(websocket: WebSocket, game: str) -> None:
        await door.enter(websocket, game)

    @app.get("/metrics", include_in_schema=False)
    async def figures(request: Request) -> Response:
        if not readers.has(request.client.host if request.client else "", request.headers):
            return pages.answer(request)
        return Response(exposition(gauges), media_type=CONTENT_TYPE)

    @app.api_route("/{path:path}", methods=["GET", "HEAD"], include_in_schema=False)
    async def page(path: str, request: Request) -> Response:
        if path == "api" or path.startswith("api/"):
            raise HTTPException(404, "there is no such address")
        return pages.answer(request)

    @app.exception_handler(HTTPException)
    async def status(_: Request, error: HTTPException) -> JSONResponse:
        return JSONResponse({"error": str(error.detail)}, error.status_code, error.headers)

    @app.exception_handler(NoSuchGameError)
    async def missing(_: Request, error: NoSuchGameError) -> JSONResponse:
        return JSONResponse({"error": str(error)}, 404)

    @app.exception_handler(NoSuchLessonError)
    async def no_lesson(_: Request, error: NoSuchLessonError) -> JSONResponse:
        return JSONResponse({"error": str(error)}, 404)

    @app.exception_handler(NoSuchCardError)
    async def no_card(_: Request, error: NoSuchCardError) -> JSONResponse:
        return JSONResponse({"error": str(error)}, 404)

    @app.exception_handler(NoSuchPuzzleError)
    async def no_puzzle(_: Request, error: NoSuchPuzzleError) -> JSONResponse:
        return JSONResponse({"error": str(error)}, 404)

    @app.exception_handler(TooBusyError)
    async def busy(_: Request, error: TooBusyError) -> JSONResponse:
        return JSONResponse({"error": str(error)}, 429)

    @app.exception_handler(RefusedError)
    async def early(_: Request, error: RefusedError) -> JSONResponse:
        return JSONResponse({"error": str(error)}, 409)

    @app.exception_handler(ValueError)
    async def wrong(_: Request, error: ValueError) -> JSONResponse:
        return JSONResponse({"error": " ".join(str(error).split())[:500]}, 400)

    @app.exception_handler(StorageError)
    async def down(_: Request, error: StorageError) -> JSONResponse:
        note("storage", level=logging.ERROR, reason=str(error))
        return JSONResponse({"error": f"the server cannot reach its storage: {error.shown}"}, 503)

    @app.exception_handler(RequestValidationError)
    async def invalid(_: Request, error: RequestValidationError) -> JSONResponse:
        problem = error.errors()[0]
        wrong = problem.get("ctx", {}).get("error")
        if isinstance(wrong, WrongError):
            return JSONResponse({"error": str(wrong)[:300]}, 422)
        where = ".".join(str(x) for x in problem["loc"][1:])[:60]
        return JSONResponse({"error": f"{where}: {problem['msg']}"[:300] if where else problem["msg"][:300]}, 422)

    @app.exception_handler(Exception)
    async def mistake(request: Request, error: Exception) -> JSONResponse:
        MISTAKES.inc()
        note("mistake", level=logging.ERROR, path=request.url.path[:200], error="".join(format_exception(error)))
        return JSONResponse({"error": "the server has made a mistake; it is noted"}, 500, HEADERS)

    return app


async def _forget(rooms: Rooms, drafts: Drafts, days: float) -> None:
    """Forget old games now and every hour, if that is wanted."""
    while days > 0:
        try:
            gone = await rooms.expire(datetime.now(UTC) - timedelta(days=days))
            if gone:
                drafts.drop_idle()  # some of them may be stored no more
                note("forgotten", games=gone)
        except StorageError as error:
            note("storage", level=logging.ERROR, reason=str(error))
        await asyncio.sleep(3600)


async def _leave_idle(rooms: Rooms, drafts: Drafts) -> None:
    """Forget what nobody has looked at for some time, every few seconds, until it is wanted again."""
    while True:
        await asyncio.sleep(TIDY_SECONDS)
        rooms.leave_idle()
        drafts.drop_idle(rooms.limits.kept_seconds)


async def _look_at_the_clock() -> None:
    """Measure how late this process is with what it has to do, twice a second."""
    loop = asyncio.get_running_loop()
    while True:
        due = loop.time() + 0.5
        await asyncio.sleep(0.5)
        late = max(0.0, loop.time() - due)
        LATE.observe(late)
        if late > STALL_SECONDS:
            note("stalled", level=logging.WARNING, seconds=round(late, 1))


def _gauges(
    rooms: Rooms, door: Door, staff: ServerStaff, storage: Storage, crowd: Crowd
) -> Iterator[tuple[str, str, dict[str, float]]]:
    """List the figures of this moment."""
    live = rooms.live
    players = sum(1 for room in live for visitor in room.visitors if visitor.seats)
    over = sum(room.match.is_over for room in live)
    yield "dicemasters_live_games", "Games somebody looks at", {"going on": len(live) - over, "over": over}
    yield "dicemasters_kept_games", "Games in memory", {"": rooms.in_memory}
    watchers = sum(len(room.visitors) for room in live) - players
    coming = door.sockets - players - watchers
    yield "dicemasters_sockets", "Live sockets", {"players": players, "watchers": watchers, "coming": coming}
    yield "dicemasters_connections", "Connections of any kind", {"": crowd.total}
    yield "dicemasters_waiting", "What addresses that have used up their time wait for", {"": crowd.effort.waiting}
    yield "dicemasters_workers", "Processes for strangers' text", {k: float(n) for k, n in staff.apart.figures.items()}
    yield "dicemasters_storage", "The database: well (1) or not, what waits, bytes of a file", storage.figures
    yield "dicemasters_info", "The program", {__version__: 1.0}


def _json(text: str | bytes) -> Response:
    return Response(text, media_type="application/json")


def _fixed(make: Callable[[], object]) -> Response:
    """Give an answer that is always the same."""
    return _json(_made_once(make))


@cache
def _made_once(make: Callable[[], object]) -> bytes:
    return to_json(make())
