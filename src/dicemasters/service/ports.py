"""Ports of the application layer: the storage, workers and connections that an adapter provides."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, Protocol, TypeVar

from dicemasters.game import Game
from dicemasters.service.games.game_setup import Seat
from dicemasters.service.games.stored_events import StoredEvent, StoredGame
from dicemasters.service.protocol.codec import OutgoingMessage

T = TypeVar("T")


class BackgroundExecutor(Protocol):
    """Executor for long computations, which must not block other games."""

    async def run_for_client(self, work: Any, *args: Any, **kwargs: Any) -> Any: ...

    async def run_unmetered(self, work: Callable[..., T], *args: Any) -> T: ...

    def yield_cpu(self) -> None: ...


class JobRunner(Protocol):
    """Runner for jobs on untrusted input (`service.jobs`)."""

    async def run(self, what: str, **job: Any) -> Any: ...


class BotRunner(Protocol):
    """Runner for bots that search. `choose` returns the index of an option of the pending decision."""

    async def choose(self, player: str, game: Game) -> int: ...


class Services(Protocol):
    """Background work and metrics."""

    @property
    def executor(self) -> BackgroundExecutor: ...

    @property
    def job_runner(self) -> JobRunner: ...

    @property
    def bot_runner(self) -> BotRunner: ...

    def count(self, event: str, label: str = "") -> None: ...


class RoomClient(Protocol):
    """A client connected to a game, with the seats it holds."""

    seats: tuple[Seat, ...]
    number: int  # ascending in order of connection

    def send(self, message: OutgoingMessage) -> None: ...

    def close(self, reason: str) -> None: ...


class GameStore(Protocol):
    """Store of games and their events.

    Of two writers that append the same event number, one gets False and has to read the new events.
    """

    async def create(self, stored: StoredGame) -> bool: ...

    async def append(self, game: str, events: Sequence[StoredEvent]) -> bool: ...

    async def find(self, game: str) -> StoredGame | None: ...

    async def events(self, game: str, after: int = 0) -> list[StoredEvent]: ...

    async def expire(self, before: str) -> list[str]: ...
