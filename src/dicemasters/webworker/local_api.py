"""A table's answers without a server: the same addresses and live messages, answered here, one after the other.

A browser's worker has one desk. Its games are those of this browser alone; what strangers could send is what its own user
pastes. So nobody is counted or kept waiting, and what takes long ends with the worker.
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

from dicemasters.cards.query import LONGEST
from dicemasters.game import Game
from dicemasters.game.text import describe
from dicemasters.players.heuristic import SimplePlayer
from dicemasters.service.catalog.card_catalog import NoSuchCardError, card_page, cards_data
from dicemasters.service.catalog.die_gallery import dice_data
from dicemasters.service.catalog.game_options import start_data
from dicemasters.service.catalog.glossary import rules_data, terms_data
from dicemasters.service.catalog.team_builder import TeamAsked, TrialAsked, teams_data
from dicemasters.service.drafts.draft_room import DraftChoice, DraftLook, Drafts, DraftWish
from dicemasters.service.drafts.draft_session import NewDraft, offers_data
from dicemasters.service.games.dispatch import hear, understood
from dicemasters.service.games.game_setup import LessonChoice, Letter, NewGame, PositionText, RecordText
from dicemasters.service.games.registry import NoSuchGameError, Rooms
from dicemasters.service.games.review import look_back, thought_of
from dicemasters.service.games.room import RefusedError, Room
from dicemasters.service.games.stored_events import StorageError
from dicemasters.service.jobs import work
from dicemasters.service.lesson_views import NoSuchLessonError, lessons_data, moment_data, try_data
from dicemasters.service.limits import Limits
from dicemasters.service.ports import Keeping
from dicemasters.service.protocol import draft_schema, http_schema, messages
from dicemasters.service.protocol.codec import Parcel, to_json
from dicemasters.service.protocol.validation import Between, Form, WrongError, read, written
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
)

T = TypeVar("T")
MOST_VIEWS = 100
WITHIN = 0.5  # seconds of a thought; the table waits so long for what is said meanwhile
GONE = 4404  # the code of closing where there is no such game
_numbers = count()


class Answer(NamedTuple):
    """What an address gives: a status as a server would give it, and a text."""

    status: int
    text: str
    kind: str = "application/json"


class Alone:
    """The staff of one browser's rooms: everything is done here and now, and nothing is counted."""

    @property
    def shares(self) -> Alone:
        return self

    @property
    def apart(self) -> Alone:
        return self

    @property
    def thinkers(self) -> Alone:
        return self

    async def in_thread(self, work: Any, *args: Any, **named: Any) -> Any:
        return work(*args, **named)

    async def at_leisure(self, work: Callable[..., T], *args: Any) -> T:
        return work(*args)

    def rest(self) -> None:
        """Nobody else waits."""

    async def do(self, what: str, **job: Any) -> Any:
        try:
            return work({"what": what, **job})
        except (MemoryError, RecursionError):
            raise ValueError("this takes too much memory") from None

    async def choose(self, player: str, game: Game) -> int:
        """Give the option a thinking player takes; what was said before it thinks is heard first."""
        texts = describe.option_texts(game.state)
        if len(texts) == 1:
            return 0
        await asyncio.sleep(0)
        job = {"player": player, "text": game.to_text(), "within": WITHIN, "seed": randbits(62)}
        found = work({"what": "choice", **job})
        return texts.index(found) if found in texts else SimplePlayer(randbits(62)).choose(game.state)

    def count(self, what: str, which: str = "") -> None:
        return None


class Chair:
    """Where the page sits at one game: what it says is done in order, what it is told is passed on."""

    def __init__(self, room: Room, tell: Callable[[str], None], gone: Callable[[int], None]) -> None:
        self.room = room
        self.seats: tuple[Letter, ...] = ()
        self.number = next(_numbers)
        self._tell = tell
        self._gone = gone
        self._said: deque[str] = deque()
        self._doing: asyncio.Task[None] | None = None
        self._greeted = False
        room.entered.add(self)

    def tell(self, message: Parcel) -> None:
        """Pass a message on to the page."""
        self._tell(message.text.decode())

    def leave(self, reason: str) -> None:
        """Say goodbye."""
        bye: messages.Bye = {"type": "bye", "reason": reason}
        self.tell(Parcel(to_json(bye)))
        self._gone(1001)

    def part(self) -> None:
        """Be gone."""
        self.room.part(self)
        self.room.entered.discard(self)

    def hear(self, text: str) -> None:
        """Take what the page says; it is done after what it has said before."""
        self._said.append(text)
        if self._doing is None:
            self._doing = asyncio.ensure_future(self._do())

    async def _do(self) -> None:
        try:
            while self._said:
                await self._answer(self._said.popleft())
        finally:
            self._doing = None

    async def _answer(self, text: str) -> None:
        try:
            message = understood(_data(text))
            if self._greeted is isinstance(message, messages.Hello):
                raise RefusedError("you have already said hello" if self._greeted else "say hello first")
            self._greeted = True
            if isinstance(message, messages.Hello):
                self.seats = self.room.seats_of(message.secrets)
                await self.room.join(self)
            else:
                await hear(self.room, self, message)
        except WrongError as error:
            self._refuse(f"the message is not understood: {str(error)[:160]}")
        except RefusedError as error:
            self._refuse(str(error))

    def _refuse(self, reason: str) -> None:
        answer: messages.Refused = {"type": "refused", "reason": reason, "version": self.room.match.moved}
        self.tell(Parcel(to_json(answer)))


class Desk:
    """Everything a page can ask of a server, but for other people."""

    def __init__(self, storage: Keeping) -> None:
        self.rooms = Rooms(storage, Limits(), Alone())
        self.drafts = Drafts(storage, Limits(), self.rooms)

    async def sit(self, game: str, tell: Callable[[str], None], gone: Callable[[int], None]) -> Chair | None:
        """Give the page a chair at a game; None if there is no such game, which is then said."""
        try:
            return Chair(await self.rooms.get(game), tell, gone)
        except (NoSuchGameError, StorageError) as error:
            bye: messages.Bye = {"type": "bye", "reason": str(error)}
            tell(to_json(bye).decode())
            gone(GONE)
            return None

    async def ask(self, method: str, address: str, body: str = "") -> Answer:
        """Answer what is asked at an address, as a server does (docs/table.md)."""
        path, _, query = address.partition("?")
        try:
            for how, pattern, answer in ROUTES:
                found = re.fullmatch(pattern, path)
                if found and how == method:
                    return await answer(self, found.groups(), dict(parse_qsl(query, keep_blank_values=True)), body)
            return _refusal(404, "there is no such address")
        except (NoSuchGameError, NoSuchLessonError, NoSuchCardError, NoSuchPuzzleError) as error:
            return _refusal(404, str(error))
        except RefusedError as error:
            return _refusal(409, str(error))
        except StorageError as error:
            return _refusal(503, f"this browser keeps nothing: {error}")
        except WrongError as error:
            return _refusal(422, str(error)[:300])
        except ValueError as error:
            return _refusal(400, " ".join(str(error).split())[:500])


# --- addresses -------------------------------------------------------------------------------------------------------

Parts = tuple[str, ...]
Route = Callable[[Desk, Parts, Mapping[str, str], str], Awaitable[Answer]]


def _fixed(make: Callable[[], object]) -> Route:
    @cache
    def text() -> str:
        return to_json(make()).decode()

    async def answer(desk: Desk, parts: Parts, query: Mapping[str, str], body: str) -> Answer:
        return Answer(200, text())

    return answer


async def _create(desk: Desk, parts: Parts, query: Mapping[str, str], body: str) -> Answer:
    game, seats = await desk.rooms.create(read(NewGame, _data(body)))
    opened: http_schema.Opened = {"game": game, "seats": seats}
    return _json(opened, 201)


async def _look(desk: Desk, parts: Parts, query: Mapping[str, str], body: str) -> Answer:
    return Answer(200, (await (await desk.rooms.get(parts[0])).shown()).decode())


async def _views(desk: Desk, parts: Parts, query: Mapping[str, str], body: str) -> Answer:
    start = _number(query.get("start", "0"), Between(0, 1_000_000), "start")
    many = _number(query.get("count", "50"), Between(1, MOST_VIEWS), "count")
    return Answer(200, (await (await desk.rooms.get(parts[0])).views(start, many)).decode())


async def _record(desk: Desk, parts: Parts, query: Mapping[str, str], body: str) -> Answer:
    return Answer(200, await (await desk.rooms.get(parts[0])).record(), "text/plain")


async def _position(desk: Desk, parts: Parts, query: Mapping[str, str], body: str) -> Answer:
    return Answer(200, await (await desk.rooms.get(parts[0])).position(_step(query)), "text/plain")


async def _looked_back(desk: Desk, parts: Parts, query: Mapping[str, str], body: str) -> Answer:
    return _json(await look_back(await desk.rooms.get(parts[0]), _step(query, "start") or 0))


async def _thought(desk: Desk, parts: Parts, query: Mapping[str, str], body: str) -> Answer:
    return _json(await thought_of(await desk.rooms.get(parts[0]), _step(query)))


async def _summary(desk: Desk, parts: Parts, query: Mapping[str, str], body: str) -> Answer:
    return _json(await (await desk.rooms.get(parts[0])).summary())


async def _fair(desk: Desk, parts: Parts, query: Mapping[str, str], body: str) -> Answer:
    return Answer(200, (await (await desk.rooms.get(parts[0])).fair()).decode())


async def _keep(desk: Desk, parts: Parts, query: Mapping[str, str], body: str) -> Answer:
    kept: http_schema.KeptRecord = {"game": await desk.rooms.keep(read(RecordText, _data(body)).text)}
    return _json(kept, 201)


async def _look_at(desk: Desk, parts: Parts, query: Mapping[str, str], body: str) -> Answer:
    return _json(await desk.rooms.apart.do("position", text=read(PositionText, _data(body)).text))


async def _find_cards(desk: Desk, parts: Parts, query: Mapping[str, str], body: str) -> Answer:
    wanted = query.get("q", "")
    if len(wanted) > LONGEST:
        raise WrongError(f"should have at most {LONGEST} characters", ("q",))
    return _json(await desk.rooms.apart.do("search", text=wanted))


async def _card(desk: Desk, parts: Parts, query: Mapping[str, str], body: str) -> Answer:
    return _json(card_page(parts[0]))


def _job(what: str, form: type[Form]) -> Route:
    async def answer(desk: Desk, parts: Parts, query: Mapping[str, str], body: str) -> Answer:
        return _json(await desk.rooms.apart.do(what, asked=written(read(form, _data(body)))))

    return answer


async def _moment(desk: Desk, parts: Parts, query: Mapping[str, str], body: str) -> Answer:
    return _json(moment_data(parts[0], *_place(parts)))


async def _try(desk: Desk, parts: Parts, query: Mapping[str, str], body: str) -> Answer:
    return _json(try_data(parts[0], *_place(parts), read(LessonChoice, _data(body)).choice))


async def _day(desk: Desk, parts: Parts, query: Mapping[str, str], body: str) -> Answer:
    return _json(day_data(_number(parts[0], Between(1, LAST_DAY), "day")))


async def _posed(desk: Desk, parts: Parts, query: Mapping[str, str], body: str) -> Answer:
    return _json(posed_data(_puzzle(parts)))


async def _tried(desk: Desk, parts: Parts, query: Mapping[str, str], body: str) -> Answer:
    choices = written(read(PuzzleTry, _data(body)))["choices"]
    return _json(await desk.rooms.apart.do("puzzle", number=_puzzle(parts), choices=choices))


async def _unable(desk: Desk, parts: Parts, query: Mapping[str, str], body: str) -> Answer:
    asked = written(read(PuzzleWhy, _data(body)))
    return _json(await desk.rooms.apart.do("unable", number=_puzzle(parts), **asked))


async def _hinted(desk: Desk, parts: Parts, query: Mapping[str, str], body: str) -> Answer:
    return _json(hinted_data(_puzzle(parts), _number(parts[1], Between(1, MOST_HINTS), "hint")))


async def _solution(desk: Desk, parts: Parts, query: Mapping[str, str], body: str) -> Answer:
    return _json(solved_data(_puzzle(parts)))


async def _open_draft(desk: Desk, parts: Parts, query: Mapping[str, str], body: str) -> Answer:
    draft, chairs = await desk.drafts.create(read(NewDraft, _data(body)))
    opened: draft_schema.DraftOpened = {"draft": draft, "chairs": chairs}
    return _json(opened, 201)


async def _look_at_draft(desk: Desk, parts: Parts, query: Mapping[str, str], body: str) -> Answer:
    return _json(await (await desk.drafts.get(parts[0])).look(read(DraftLook, _data(body))))


async def _pick(desk: Desk, parts: Parts, query: Mapping[str, str], body: str) -> Answer:
    return _json(await (await desk.drafts.get(parts[0])).pick(read(DraftChoice, _data(body))))


async def _wish(desk: Desk, parts: Parts, query: Mapping[str, str], body: str) -> Answer:
    return _json(await (await desk.drafts.get(parts[0])).wish(read(DraftWish, _data(body))))


ROUTES: tuple[tuple[str, str, Route], ...] = (
    ("GET", "/start", _fixed(start_data)),
    ("GET", "/terms", _fixed(terms_data)),
    ("GET", "/dice", _fixed(dice_data)),
    ("GET", "/rules", _fixed(rules_data)),
    ("GET", "/cards", _fixed(cards_data)),
    ("GET", "/cards/found", _find_cards),
    ("GET", "/cards/([^/]+)", _card),
    ("GET", "/teams", _fixed(teams_data)),
    ("POST", "/teams/check", _job("team", TeamAsked)),
    ("POST", "/teams/try", _job("trial", TrialAsked)),
    ("GET", "/lessons", _fixed(lessons_data)),
    ("GET", "/lessons/([^/]+)/([0-9]+)/([0-9]+)", _moment),
    ("POST", "/lessons/([^/]+)/([0-9]+)/([0-9]+)", _try),
    ("GET", "/puzzles", _fixed(puzzles_data)),
    ("GET", "/puzzles/days/([^/]+)", _day),
    ("GET", "/puzzles/([^/]+)", _posed),
    ("POST", "/puzzles/([^/]+)", _tried),
    ("POST", "/puzzles/([^/]+)/why", _unable),
    ("GET", "/puzzles/([^/]+)/hints/([^/]+)", _hinted),
    ("GET", "/puzzles/([^/]+)/solution", _solution),
    ("POST", "/games", _create),
    ("GET", "/games/([^/]+)", _look),
    ("GET", "/games/([^/]+)/views", _views),
    ("GET", "/games/([^/]+)/record", _record),
    ("GET", "/games/([^/]+)/position", _position),
    ("GET", "/games/([^/]+)/looked-back", _looked_back),
    ("GET", "/games/([^/]+)/thought", _thought),
    ("GET", "/games/([^/]+)/summary", _summary),
    ("GET", "/games/([^/]+)/fair", _fair),
    ("GET", "/drafts", _fixed(offers_data)),
    ("POST", "/drafts", _open_draft),
    ("POST", "/drafts/([^/]+)/look", _look_at_draft),
    ("POST", "/drafts/([^/]+)/pick", _pick),
    ("POST", "/drafts/([^/]+)/wish", _wish),
    ("POST", "/records", _keep),
    ("POST", "/positions", _look_at),
)


def _json(value: object, status: int = 200) -> Answer:
    return Answer(status, to_json(value).decode())


def _refusal(status: int, sentence: str) -> Answer:
    refusal: http_schema.Refusal = {"error": sentence}
    return _json(refusal, status)


def _data(text: str) -> object:
    try:
        return json.loads(text)
    except (ValueError, RecursionError):
        raise WrongError("this is no JSON") from None


def _number(text: str, limits: Between, what: str) -> int:
    if not re.fullmatch(r"[0-9]{1,9}", text):
        raise WrongError("should be a whole number", (what,))
    try:
        limits.check(int(text))
    except WrongError as error:
        raise WrongError(error.sentence, (what,)) from None
    return int(text)


def _step(query: Mapping[str, str], name: str = "step") -> int | None:
    return _number(query[name], Between(0, 1_000_000), name) if name in query else None


def _place(parts: Parts) -> tuple[int, int]:
    step, done = (_number(text, Between(0, 1000), what) for text, what in zip(parts[1:], ("step", "done"), strict=True))
    return step, done


def _puzzle(parts: Parts) -> int:
    return _number(parts[0], Between(1, MOST_PUZZLE), "puzzle")
