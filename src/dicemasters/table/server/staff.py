"""Who works beside the games of a server: threads and processes for what takes longer, and who counts."""

from __future__ import annotations

from dicemasters.table.server.apart import Apart, Shares
from dicemasters.table.server.metrics import CHOICES, FINISHED, OPENED
from dicemasters.table.server.settings import Limits
from dicemasters.table.server.thinkers import Thinkers

_CHOICES = {who: CHOICES.labels(who) for who in ("person", "player")}


class ServerStaff:
    """The staff of a server's rooms."""

    def __init__(self, limits: Limits) -> None:
        self.shares = Shares(limits)
        self.apart = Apart(limits, self.shares)
        self.thinkers = Thinkers(limits)

    def count(self, what: str, which: str = "") -> None:
        """Count a game opened or finished, or a choice."""
        match what:
            case "opened":
                OPENED.inc()
            case "finished":
                FINISHED.labels(which).inc()
            case "choice":
                _CHOICES[which].inc()

    async def close(self) -> None:
        """End the processes."""
        await self.apart.close()
        await self.thinkers.close()
