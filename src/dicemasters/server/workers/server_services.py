"""Background services of a server: executor, sandbox, bots and counters."""

from __future__ import annotations

from dicemasters.server.observability.metrics import CHOICES, FINISHED, OPENED
from dicemasters.server.workers.bot_pool import BotPool
from dicemasters.server.workers.sandbox import MeteredExecutor, SandboxPool
from dicemasters.service.limits import Limits

_CHOICES = {who: CHOICES.labels(who) for who in ("person", "player")}


class ServerServices:
    """The `Services` of a server's rooms."""

    def __init__(self, limits: Limits) -> None:
        self.executor = MeteredExecutor(limits)
        self.job_runner = SandboxPool(limits, self.executor)
        self.bot_runner = BotPool(limits)

    def count(self, what: str, which: str = "") -> None:
        """Count an opened game, a finished game or a choice."""
        match what:
            case "opened":
                OPENED.inc()
            case "finished":
                FINISHED.labels(which).inc()
            case "choice":
                _CHOICES[which].inc()

    async def close(self) -> None:
        """Stop the worker processes."""
        await self.job_runner.close()
        await self.bot_runner.close()
