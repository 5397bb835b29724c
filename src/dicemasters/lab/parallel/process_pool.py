"""Parallel jobs on the cores of this machine, with the same result for any number of workers.

A job is a value that contains everything its result depends on. Results arrive in any order, with the numbers of their
jobs; callers that combine them use the order of the numbers. If a worker dies, its unfinished jobs are given to
another.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, ProcessPoolExecutor, wait
from concurrent.futures.process import BrokenProcessPool
from functools import partial
from multiprocessing import active_children
from typing import TypeVar

from rich.console import Console
from rich.progress import Progress

from dicemasters.lab.defaults import MAX_WORKERS
from dicemasters.lab.io.progress import progress_line
from dicemasters.players.worker_pool import start_worker

Job = TypeVar("Job")
Result = TypeVar("Result")

MAX_WORKER_DEATHS = 20  # deaths in a row without any result, a sign that something else is wrong


class WorkersDiedError(ValueError):
    """Workers keep dying without finishing anything."""


def imap_unordered(
    jobs: Sequence[Job], work: Callable[[Job], Result], *, workers: int = 0, chunk: int = 4
) -> Iterator[tuple[int, Result]]:
    """Yield the number and result of each job as it finishes; 0 workers means one per core."""
    if not 0 <= workers <= MAX_WORKERS:
        raise ValueError(f"{workers} workers: choose 1 to {MAX_WORKERS}, or 0 for one per core")
    workers = min(workers or os.cpu_count() or 1, len(jobs))
    if workers < 2:
        for number, job in enumerate(jobs):
            yield number, work(job)
        return
    pending = [range(i, min(i + chunk, len(jobs))) for i in range(0, len(jobs), chunk)][::-1]
    work_on_chunk = partial(run_chunk, work)
    deaths = 0
    while pending:
        in_flight: dict[Future[list[Result]], range] = {}
        other_children = set(active_children())
        pool = ProcessPoolExecutor(workers, initializer=start_worker)
        try:
            while pending or in_flight:
                while pending and len(in_flight) < 2 * workers:
                    numbers = pending.pop()
                    in_flight[pool.submit(work_on_chunk, [jobs[n] for n in numbers])] = numbers
                for future in wait(in_flight, return_when=FIRST_COMPLETED).done:
                    yield from zip(in_flight[future], future.result(), strict=True)
                    del in_flight[future]
                    deaths = 0
        except BrokenProcessPool:
            deaths += 1
            if deaths > MAX_WORKER_DEATHS:
                raise WorkersDiedError(f"{deaths} workers died one after another; is there enough memory?") from None
            pending.extend(in_flight.values())
        finally:
            if in_flight:  # unfinished jobs are no longer wanted, and a game may take a long time
                for child in set(active_children()) - other_children:
                    child.terminate()
            pool.shutdown(wait=False, cancel_futures=True)


def map_ordered(
    jobs: Sequence[Job], work: Callable[[Job], Result], *, workers: int = 0, chunk: int = 4, label: str = ""
) -> list[Result]:
    """Return the results of all jobs in order; with a label, show a progress bar."""
    results: dict[int, Result] = {}
    with progress() as bar:
        task = bar.add_task(label, total=len(jobs), visible=bool(label))
        for number, result in imap_unordered(jobs, work, workers=workers, chunk=chunk):
            results[number] = result
            bar.advance(task)
    return [results[number] for number in range(len(jobs))]


def progress() -> Progress:
    """Return a progress bar on standard error."""
    return progress_line(Console(stderr=True))


def run_chunk(work: Callable[[Job], Result], jobs: Sequence[Job]) -> list[Result]:
    """Run some jobs one after another in the current process."""
    return [work(job) for job in jobs]
