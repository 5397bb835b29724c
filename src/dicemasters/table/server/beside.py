"""Who is there beside a game: those who work for it, and those who look at it."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Protocol, TypeVar

from dicemasters.game import Game
from dicemasters.table.server.parcel import Parcel
from dicemasters.table.server.setups import Letter

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
