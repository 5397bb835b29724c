"""Worker processes that join a second search, one per extra core. They stay warm and receive positions as text.

They search the finalists with their own dice, and their results are added to those of the player. Writing and reading a
position takes some milliseconds, so only longer searches use them.
"""

from __future__ import annotations

import os
from collections.abc import Callable
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from concurrent.futures import Future, ProcessPoolExecutor
    from multiprocessing.synchronize import Event

MIN_SECONDS: Final = 0.2  # CPU seconds; shorter searches use no workers
RESULT_TIMEOUT: Final = 0.5  # seconds to wait for late results
MAX_WORKERS: Final = 15

Rounds = list[list[float]]  # for each round of dice, the win chance after each searched option
SearchFunction = Callable[[str, list[int], int, float, Callable[[], bool]], Rounds]

_stop_event: Event | None = None  # in a worker process: set when no more results are wanted


def start_worker() -> None:
    """Prepare a worker process: it ends with its parent, however the parent ends, and ignores interrupts."""
    import signal
    from threading import Thread

    signal.signal(signal.SIGINT, signal.SIG_IGN)  # the parent decides what an interrupt means
    Thread(target=_exit_with_parent, daemon=True).start()


def _exit_with_parent() -> None:
    from multiprocessing import parent_process

    parent = parent_process()
    if parent is not None:
        parent.join()
        os._exit(1)


def _init_worker(stop_event: Event) -> None:
    global _stop_event
    _stop_event = stop_event
    start_worker()


def _run_search(search: SearchFunction, text: str, options: list[int], seed: int, seconds: float) -> Rounds:
    assert _stop_event is not None
    return search(text, options, seed, seconds, _stop_event.is_set)


class WorkerPool:
    """Worker processes, started on first use."""

    def __init__(self, size: int) -> None:
        self._size = min(size, MAX_WORKERS)
        self._pool: ProcessPoolExecutor | None = None
        self._stop_event: Event | None = None
        self._futures: list[Future[Rounds]] = []

    def submit(
        self, search: SearchFunction, text: str, options: list[int], seeds: Callable[[], int], seconds: float
    ) -> None:
        """Start a search of these options of a position in every worker, for this many seconds."""
        if self._pool is None:
            from concurrent.futures import ProcessPoolExecutor
            from multiprocessing import get_context

            context = get_context()
            self._stop_event = context.Event()
            self._pool = ProcessPoolExecutor(self._size, context, _init_worker, (self._stop_event,))
        assert self._stop_event is not None
        self._stop_event.clear()
        self._futures = [
            self._pool.submit(_run_search, search, text, options, seeds(), seconds) for _ in range(self._size)
        ]

    def collect(self, stopped: bool) -> Rounds:
        """Stop the workers and return their results. If `stopped`, do not wait for late ones."""
        from concurrent.futures import wait

        if self._stop_event is not None:
            self._stop_event.set()
        futures, self._futures = self._futures, []
        done = wait(futures, 0.0 if stopped else RESULT_TIMEOUT).done
        return [
            chances
            for future in futures
            if future in done and future.exception() is None
            for chances in future.result()
        ]

    @property
    def all_started(self) -> bool:
        """Return True if all submitted searches have started."""
        return all(future.running() or future.done() for future in self._futures)

    def close(self) -> None:
        """Shut down the workers."""
        if self._pool is not None:
            if self._stop_event is not None:
                self._stop_event.set()
            self._pool.shutdown(wait=False, cancel_futures=True)
            self._pool = None


def extra_cores() -> int:
    """Return the number of cores this process may use besides the one it runs on."""
    try:
        return len(os.sched_getaffinity(0)) - 1
    except AttributeError:  # not available on every system
        return (os.cpu_count() or 1) - 1
