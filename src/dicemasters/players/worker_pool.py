"""Other processes that think along, one for each further core: kept warm, asked with the position as text.

They look at the options that are close with dice of their own, and what they find is added to what the player finds itself.
Writing a position and reading it take some milliseconds, so they are for those who may think long.
"""

from __future__ import annotations

import os
from collections.abc import Callable
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from concurrent.futures import Future, ProcessPoolExecutor
    from multiprocessing.synchronize import Event

MIN_SECONDS: Final = 0.2  # of thought; for less, nobody is asked
RESULT_TIMEOUT: Final = 0.5  # seconds that an answer may be late
MAX_WORKERS: Final = 15

Rounds = list[list[float]]  # for each round of dice the chance of each option that was looked at
SearchFunction = Callable[[str, list[int], int, float, Callable[[], bool]], Rounds]

_stop_event: Event | None = None  # in such a process: set when nobody wants more


def start_worker() -> None:
    """Begin a process that works for another: it ends with that one, however that ends, and leaves an interrupt to it."""
    import signal
    from threading import Thread

    signal.signal(signal.SIGINT, signal.SIG_IGN)  # whoever asked decides what an interrupt means
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
    """Some processes, started when they are first asked."""

    def __init__(self, size: int) -> None:
        self._size = min(size, MAX_WORKERS)
        self._pool: ProcessPoolExecutor | None = None
        self._stop_event: Event | None = None
        self._futures: list[Future[Rounds]] = []

    def submit(
        self, search: SearchFunction, text: str, options: list[int], seeds: Callable[[], int], seconds: float
    ) -> None:
        """Let each of them look at these options of a position for so many seconds."""
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
        """Say that it is enough; give what they found, or nothing if whoever asked cannot wait."""
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
        """Whether all who were asked have begun."""
        return all(future.running() or future.done() for future in self._futures)

    def close(self) -> None:
        """End the processes."""
        if self._pool is not None:
            if self._stop_event is not None:
                self._stop_event.set()
            self._pool.shutdown(wait=False, cancel_futures=True)
            self._pool = None


def extra_cores() -> int:
    """Give how many cores this process may use beside the one it runs on."""
    try:
        return len(os.sched_getaffinity(0)) - 1
    except AttributeError:  # not on every system
        return (os.cpu_count() or 1) - 1
