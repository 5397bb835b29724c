"""Sandboxed processes for work on untrusted input, with limits on time and memory.

Positions, records and teams from clients are first read in such a process. A job over its time limit is killed with its
process, which runs at low priority, so games are not affected.
"""

from __future__ import annotations

import asyncio
import contextlib
import json
import os
import sys
import threading
import time
from collections import Counter
from collections.abc import AsyncIterator, Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextvars import ContextVar
from typing import Any, TypeVar

from dicemasters.cards.toml_loader import register_files
from dicemasters.server.observability.metrics import REFUSALS, WORK
from dicemasters.service.jobs import run_job
from dicemasters.service.limits import Limits
from dicemasters.service.token_bucket import RateLimitedError, TokenBucket

T = TypeVar("T")
WORKERS = 2
THREADS = 4  # threads of the executor in this process
SWITCH_SECONDS = 0.0002  # interpreter switch interval while an executor thread is busy
SLEEP_RATIO = 3.0  # seconds of sleep per CPU second of long work in this process
START_SECONDS = 30.0
KILL_SECONDS = 5.0
MAX_QUEUED_JOBS = 100  # running and queued jobs of all clients
MAX_JOBS_PER_CLIENT = 4
MEMORY_LIMIT = 400_000_000  # bytes beyond the size of the idle process
MAX_CPU_SECONDS = 1.0  # per job; an opened game is replayed again in the server whenever it is loaded
MAX_CPU_SECONDS_BY_JOB = {"rate": 4.0, "thought": 4.0}  # jobs that limit their time, usually to a second
MAX_ANSWER_BYTES = 8_000_000

CARD_FILES_VARIABLE = "DICEMASTERS_LOAD"  # environment variable with the files of home-made cards

CLIENT: ContextVar[str] = ContextVar("client", default="")


class MeteredExecutor:
    """Runs background work under a CPU budget per client."""

    def __init__(self, limits: Limits, max_buckets: int = 10_000) -> None:
        self.limits = limits
        self.max_buckets = max_buckets
        self._buckets: dict[str, TokenBucket] = {}
        self._locks: dict[str, tuple[asyncio.Lock, int]] = {}  # lock, and its number of holders and waiters
        self._threads = ThreadPoolExecutor(THREADS, "strangers")
        self._active_jobs = 0
        self._default_interval = sys.getswitchinterval()
        self._last_yield = threading.local()  # attribute `cpu_time`: the thread's CPU time at its last pause

    def check(self) -> str:
        """Return the current client. Raise a `RateLimitedError` if its budget is exhausted."""
        client = CLIENT.get()
        bucket = self._buckets.get(client)
        if bucket is None:
            if len(self._buckets) >= self.max_buckets:
                self._buckets.clear()
            bucket = self._buckets[client] = TokenBucket(self.limits.work_per_second, self.limits.work_burst)
        if not bucket.has_tokens(0.001):
            REFUSALS.labels("much work").inc()
            raise RateLimitedError("you have asked for much work; wait a moment")
        return client

    def charge(self, client: str, seconds: float) -> None:
        """Charge CPU time to a client."""
        if client in self._buckets:
            self._buckets[client].charge(seconds)

    async def run_unmetered(self, work: Callable[..., T], *args: Any) -> T:
        """Run a function in another thread without charging a client."""
        with self.fast_switching():
            return await asyncio.to_thread(work, *args)

    async def run_for_client(self, work: Any, *args: Any, **kwargs: Any) -> Any:
        """Run a function in another thread at the client's expense, after the client's earlier calls."""

        def measured() -> Any:
            started = self._last_yield.cpu_time = time.thread_time()
            try:
                return work(*args, **kwargs)
            finally:
                self.charge(client, time.thread_time() - started)

        client = self.check()
        async with self._client_lock(client):
            self.check()
            with self.fast_switching():
                return await asyncio.get_running_loop().run_in_executor(self._threads, measured)

    def yield_cpu(self) -> None:
        """Sleep between two parts of long work in a thread, because constant thread switches slow down the games."""
        now = time.thread_time()
        time.sleep(SLEEP_RATIO * (now - self._last_yield.cpu_time))
        self._last_yield.cpu_time = now

    @contextlib.contextmanager
    def fast_switching(self) -> Iterator[None]:
        """Shorten the interpreter's switch interval while the block runs; not always, since every switch has a cost."""
        if not self._active_jobs:
            self._default_interval = sys.getswitchinterval()
            sys.setswitchinterval(min(SWITCH_SECONDS, self._default_interval))
        self._active_jobs += 1
        try:
            yield
        finally:
            self._active_jobs -= 1
            if not self._active_jobs:
                sys.setswitchinterval(self._default_interval)

    @contextlib.asynccontextmanager
    async def _client_lock(self, client: str) -> AsyncIterator[None]:
        lock, waiting = self._locks.get(client, (asyncio.Lock(), 0))
        self._locks[client] = lock, waiting + 1
        try:
            async with lock:
                yield
        finally:
            lock, waiting = self._locks.pop(client)
            if waiting > 1:
                self._locks[client] = lock, waiting - 1


class SandboxPool:
    """Pool of sandboxed processes, each of which runs one job at a time."""

    def __init__(self, limits: Limits, executor: MeteredExecutor, workers: int = WORKERS) -> None:
        self.limits = limits
        self.executor = executor
        self._free: asyncio.Queue[SandboxProcess] = asyncio.Queue()
        self._workers = [SandboxProcess() for _ in range(workers)]
        for worker in self._workers:
            self._free.put_nowait(worker)
        self._waiting: Counter[str] = Counter()
        self._is_closed = False

    async def run(self, what: str, **job: Any) -> Any:
        """Run a job and return its result. Raise a `ValueError` if the job refuses its input or exceeds a limit."""
        client = self.executor.check()
        if self._waiting[client] >= MAX_JOBS_PER_CLIENT or self._waiting.total() >= MAX_QUEUED_JOBS:
            REFUSALS.labels("much work").inc()
            raise RateLimitedError("there is much to do; try again in a moment")
        self._waiting[client] += 1
        try:
            worker = await self._free.get()
            if self._is_closed:
                self._free.put_nowait(worker)
                raise RateLimitedError("the server stops")
            started = time.monotonic()
            outcome, cpu_seconds = "given up", self.limits.work_seconds
            try:
                answer = await worker.run({"what": what, **job}, self.limits.work_seconds)
                # CPU time, so that clients do not pay for a busy machine
                cpu_seconds = answer.get("seconds", cpu_seconds)
                outcome = "killed" if not worker.is_running else "refused" if "error" in answer else "done"
            finally:
                WORK.labels(what, outcome).observe(time.monotonic() - started)
                self.executor.charge(client, cpu_seconds)
                self._free.put_nowait(worker)
        finally:
            self._waiting[client] -= 1
            if not self._waiting[client]:
                del self._waiting[client]
        if "error" in answer:
            raise ValueError(answer["error"])
        return answer["found"]

    @property
    def stats(self) -> dict[str, int]:
        """Number of running processes, of busy ones, and of running or queued jobs."""
        return {
            "running": sum(worker.is_running for worker in self._workers),
            "working": len(self._workers) - self._free.qsize(),
            "wanted": self._waiting.total(),
        }

    async def close(self) -> None:
        """Kill the processes. Later jobs are refused."""
        self._is_closed = True
        for worker in self._workers:
            await worker.close()


class SandboxProcess:
    """A sandboxed process, started on demand and restarted after it was killed."""

    def __init__(self) -> None:
        self._process: asyncio.subprocess.Process | None = None
        self._is_closed = False

    @property
    def is_running(self) -> bool:
        return self._process is not None and self._process.returncode is None

    async def run(self, job: dict[str, Any], seconds: float) -> dict[str, Any]:
        try:
            async with asyncio.timeout(START_SECONDS):  # `wait_for` may lose a concurrent cancellation
                process = await self._ensure_started()
            assert process.stdin is not None
            assert process.stdout is not None
            process.stdin.write(json.dumps(job).encode() + b"\n")
            async with asyncio.timeout(seconds):
                line = await process.stdout.readline()
            if line.endswith(b"\n"):
                answer: dict[str, Any] = json.loads(line)
                return answer
            problem = "this takes too much memory"
        except TimeoutError:
            problem = "this takes too long"
        except (OSError, ValueError):
            problem = "this cannot be worked out"
        except BaseException:  # cancelled: nobody waits for the result
            await asyncio.shield(self.kill())
            raise
        await self.kill()
        return {"error": problem}

    async def _ensure_started(self) -> asyncio.subprocess.Process:
        if self._is_closed:
            raise OSError("the server stops")
        if self._process is None or self._process.returncode is not None:
            pipe = asyncio.subprocess.PIPE
            self._process = await asyncio.create_subprocess_exec(
                *(sys.executable, "-m", __name__),
                stdin=pipe,
                stdout=pipe,
                stderr=asyncio.subprocess.DEVNULL,
                limit=MAX_ANSWER_BYTES,
                start_new_session=True,  # Ctrl-C at the terminal must reach only the server
            )
            if self._is_closed:  # closed while the process was starting
                raise OSError("the server stops")  # the caller kills the process
            assert self._process.stdout is not None
            await self._process.stdout.readline()  # wait for the ready line
        return self._process

    async def close(self) -> None:
        """Kill the process and never start it again."""
        self._is_closed = True
        await self.kill()

    async def kill(self) -> None:
        process, self._process = self._process, None
        if process is not None:
            with contextlib.suppress(ProcessLookupError):
                process.kill()
            with contextlib.suppress(TimeoutError):
                await asyncio.wait_for(process.wait(), KILL_SECONDS)


# --- inside the sandboxed process ----------------------------------------------------------------------------------


def main() -> None:
    """Run jobs, one line of JSON each, until standard input closes."""
    register_files(os.environ.get(CARD_FILES_VARIABLE, ""))
    _limit_resources()
    output = os.fdopen(os.dup(1), "w", encoding="utf-8")
    os.dup2(2, 1)  # standard output carries only answers
    print("{}", file=output, flush=True)
    for line in sys.stdin:
        started = time.process_time()
        try:
            job = json.loads(line)
            answer: dict[str, Any] = {"found": run_job(job)}
            if time.process_time() - started > MAX_CPU_SECONDS_BY_JOB.get(job["what"], MAX_CPU_SECONDS):
                raise ValueError("this takes too long")
        except ValueError as error:
            answer = {"error": " ".join(str(error).split())[:500]}
        except (MemoryError, RecursionError):
            answer = {"error": "this takes too much memory"}
        except Exception as error:
            answer = {"error": f"this cannot be worked out ({type(error).__name__})"}
        print(json.dumps({**answer, "seconds": time.process_time() - started}), file=output, flush=True)


def _limit_resources() -> None:
    """Lower the process priority and limit its memory."""
    if sys.platform == "win32":
        return
    import resource

    os.nice(10)
    with open("/proc/self/statm") if os.path.exists("/proc/self/statm") else contextlib.nullcontext() as statm:
        used = int(statm.read().split()[0]) * resource.getpagesize() if statm else 0
    if used:
        resource.setrlimit(resource.RLIMIT_AS, (used + MEMORY_LIMIT, used + MEMORY_LIMIT))


if __name__ == "__main__":
    main()
