"""Many jobs side by side on the cores of this machine, with the same result whatever the number of workers.

A job is a value that says everything its result depends on. Results come in any order, each with its job's number;
whoever adds them up does so in the order of the numbers. A worker that dies loses only what it had not finished, and that
is given to another.
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

MAX_WORKER_DEATHS = 20  # of workers, one after the other without a result; then something else is wrong


class WorkersDiedError(ValueError):
    """Workers die again and again without finishing anything."""


def imap_unordered(
    jobs: Sequence[Job], work: Callable[[Job], Result], *, workers: int = 0, chunk: int = 4
) -> Iterator[tuple[int, Result]]:
    """Do the jobs and give each one's number and result as they come; without a number of workers on all cores."""
    if not 0 <= workers <= MAX_WORKERS:
        raise ValueError(f"{workers} workers: there can be 1 to {MAX_WORKERS}, or 0 for one on each core")
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
                raise WorkersDiedError(f"{deaths} workers died one after the other; is there memory enough?") from None
            pending.extend(in_flight.values())
        finally:
            if in_flight:  # nobody wants what is half done, and a game may take long
                for child in set(active_children()) - other_children:
                    child.terminate()
            pool.shutdown(wait=False, cancel_futures=True)


def map_ordered(
    jobs: Sequence[Job], work: Callable[[Job], Result], *, workers: int = 0, chunk: int = 4, label: str = ""
) -> list[Result]:
    """Do the jobs and give their results in the jobs' order; what it says while it works ends with the time left."""
    results: dict[int, Result] = {}
    with progress() as bar:
        task = bar.add_task(label, total=len(jobs), visible=bool(label))
        for number, result in imap_unordered(jobs, work, workers=workers, chunk=chunk):
            results[number] = result
            bar.advance(task)
    return [results[number] for number in range(len(jobs))]


def progress() -> Progress:
    """Give a line for the standard error, with the time left."""
    return progress_line(Console(stderr=True))


def run_chunk(work: Callable[[Job], Result], jobs: Sequence[Job]) -> list[Result]:
    """Do some jobs one after the other, in whichever process this is."""
    return [work(job) for job in jobs]
