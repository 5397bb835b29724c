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

    async def run_for_client(self, work: Any, *args: Any, **kwargs: Any) -> Any:
        """Run a function at the expense of the current client, after that client's earlier calls."""

    async def run_unmetered(self, work: Callable[..., T], *args: Any) -> T:
        """Run a function without charging a client."""

    def yield_cpu(self) -> None:
        """Yield the CPU to other work. Long computations call it between their parts."""


class JobRunner(Protocol):
    """Runner for jobs on untrusted input (`service.jobs`)."""

    async def run(self, what: str, **job: Any) -> Any:
        """Run the job named `what` in a sandbox and return its result."""


class BotRunner(Protocol):
    """Runner for bots that search."""

    async def choose(self, player: str, game: Game) -> int:
        """Return the index of the option that a bot chooses for the pending decision."""


class Services(Protocol):
    """Background work and metrics."""

    @property
    def executor(self) -> BackgroundExecutor:
        """The executor for long computations."""

    @property
    def job_runner(self) -> JobRunner:
        """The runner for jobs on untrusted input."""

    @property
    def bot_runner(self) -> BotRunner:
        """The runner for bots that search."""

    def count(self, event: str, label: str = "") -> None:
        """Count an event in the metrics."""


class RoomClient(Protocol):
    """A client connected to a game, with the seats it holds."""

    seats: tuple[Seat, ...]
    number: int  # ascending in order of connection

    def send(self, message: OutgoingMessage) -> None:
        """Queue a message for the client."""

    def close(self, reason: str) -> None:
        """Close the connection and send the client the reason."""


class GameStore(Protocol):
    """Store of games and their events.

    Of two writers that append the same event number, one gets False and has to read the new events.
    """

    async def create(self, stored: StoredGame) -> bool:
        """Store a new game. Return False if its id exists."""

    async def append(self, game: str, events: Sequence[StoredEvent]) -> bool:
        """Append events to a game atomically. Return False if one of the numbers exists."""

    async def find(self, game: str) -> StoredGame | None:
        """Return a game as it was created, or None."""

    async def events(self, game: str, after: int = 0) -> list[StoredEvent]:
        """Return the events of a game with numbers greater than `after`, in order."""

    async def expire(self, before: str) -> list[str]:
        """Delete games without an event since `before` (ISO 8601, UTC). Return their ids."""
