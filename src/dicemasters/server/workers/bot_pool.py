"""Worker processes for bots that search, so that no other game waits for them.

By default there is one per core; a new one is started when all others are busy. A search that exceeds its time or is
cancelled is killed with its process. If a search fails or the queue is too long, the heuristic player decides.
"""

from __future__ import annotations

import asyncio
import logging
import secrets

from dicemasters.game import Game
from dicemasters.game.text import describe
from dicemasters.players.heuristic import HeuristicPlayer
from dicemasters.players.worker_pool import extra_cores
from dicemasters.server.workers.sandbox import SandboxProcess
from dicemasters.service.limits import Limits
from dicemasters.service.structured_log import log_event

MAX_QUEUED_PER_WORKER = 20  # waiting choices per process
TIMEOUT_MARGIN = 10.0  # seconds a worker may exceed its time limit on a busy machine


class BotPool:
    """Pool of bot processes, each of which makes one choice at a time."""

    def __init__(self, limits: Limits) -> None:
        self._time_limit = limits.thought_seconds
        self._workers = [SandboxProcess() for _ in range(limits.thinkers or 1 + extra_cores())]
        self._free: asyncio.LifoQueue[SandboxProcess] = (
            asyncio.LifoQueue()
        )  # LIFO, so that running processes are reused first
        for worker in self._workers:
            self._free.put_nowait(worker)
        self._waiting = 0

    async def choose(self, player: str, game: Game) -> int:
        """Return the index of the option that a bot chooses in the pending decision."""
        texts = describe.option_texts(game.state)
        fallback = HeuristicPlayer(secrets.randbits(62)).choose(game.state)
        if len(texts) == 1 or self._waiting >= MAX_QUEUED_PER_WORKER * len(self._workers):
            return fallback
        job = {"what": "choice", "player": player, "text": game.to_text(), "within": self._time_limit}
        self._waiting += 1
        try:
            worker = await self._free.get()
            try:
                answer = await worker.run({**job, "seed": secrets.randbits(62)}, TIMEOUT_MARGIN + self._time_limit)
            finally:
                self._free.put_nowait(worker)
        finally:
            self._waiting -= 1
        if answer.get("found") in texts:
            return texts.index(answer["found"])
        log_event("not thought", level=logging.ERROR, player=player, reason=str(answer.get("error")))
        return fallback

    async def close(self) -> None:
        """Stop the processes."""
        for worker in self._workers:
            await worker.close()
