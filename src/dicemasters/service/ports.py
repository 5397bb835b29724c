"""Ports of the application layer: storage, workers and connections, which an adapter provides."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, Protocol, TypeVar

from dicemasters.game import Game
from dicemasters.service.games.game_setup import Letter
from dicemasters.service.games.stored_events import Event, Kept
from dicemasters.service.protocol.codec import Parcel

T = TypeVar("T")


class Shares(Protocol):
    """Who does what takes longer, so that the other games do not wait for it."""

    async def in_thread(self, work: Any, *args: Any, **named: Any) -> Any: ...

    async def at_leisure(self, work: Callable[..., T], *args: Any) -> T: ...

    def rest(self) -> None: ...


class Apart(Protocol):
    """Who reads what strangers send (`jobs`); what they send may be anything."""

    async def do(self, what: str, **job: Any) -> Any: ...


class Thinkers(Protocol):
    """Who thinks for players that take their time; gives an option of the decision the game waits for."""

    async def choose(self, player: str, game: Game) -> int: ...


class Staff(Protocol):
    """Who works beside the games, and counts."""

    @property
    def shares(self) -> Shares: ...

    @property
    def apart(self) -> Apart: ...

    @property
    def thinkers(self) -> Thinkers: ...

    def count(self, what: str, which: str = "") -> None: ...


class Visitor(Protocol):
    """Somebody who looks at a game, with the seats they hold."""

    seats: tuple[Letter, ...]
    number: int  # in the order of coming

    def tell(self, message: Parcel) -> None: ...

    def leave(self, reason: str) -> None: ...


class Keeping(Protocol):
    """Where games are kept. Of two who append the same number one is told False, and reads on."""

    async def create(self, kept: Kept) -> bool: ...

    async def append(self, game: str, events: Sequence[Event]) -> bool: ...

    async def find(self, game: str) -> Kept | None: ...

    async def events(self, game: str, after: int = 0) -> list[Event]: ...

    async def expire(self, before: str) -> list[str]: ...
