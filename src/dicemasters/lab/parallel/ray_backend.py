"""The same jobs on a Ray cluster: `ray` for one on this machine, `ray://HOST` for one that runs elsewhere (needs ray)."""

from __future__ import annotations

import os
import socket
from collections.abc import Callable, Iterator, Sequence
from typing import Any, Final, TypeVar
from urllib.parse import urlsplit

from dicemasters.lab.parallel.process_pool import run_chunk
from dicemasters.lab.studies.plots import require_package

Job = TypeVar("Job")
Result = TypeVar("Result")

LOCAL_CLUSTER: Final = "ray"
REMOTE_PREFIX: Final = "ray://"
DEFAULT_PORT: Final = 10001  # of Ray's, where none is given
CONNECT_TIMEOUT: Final = 5.0  # to wait for a cluster to answer
HINT: Final = "docs/lab.md says how to start one"
CHUNK: Final = 4  # jobs that are sent at once
CHUNKS_PER_CPU: Final = 2  # chunks for each processor, so that none waits


def check_cluster(on: str) -> None:
    """Say in one line what is wrong with where to work, before anything is played."""
    if on != LOCAL_CLUSTER and not on.startswith(REMOTE_PREFIX):
        raise ValueError(f"--on {on}: it is {LOCAL_CLUSTER}, or {REMOTE_PREFIX}HOST")
    require_package("ray", "cluster")
    if on == LOCAL_CLUSTER:
        return
    try:
        parts = urlsplit(on)
        host, port = parts.hostname or "", parts.port or DEFAULT_PORT
        socket.create_connection((host, port), CONNECT_TIMEOUT).close()
    except (OSError, ValueError) as error:
        reason = getattr(error, "strerror", None) or str(error) or type(error).__name__
        raise ValueError(f"no Ray cluster answers at {on}: {reason}") from None


def ray_imap_unordered(jobs: Sequence[Job], work: Callable[[Job], Result], on: str) -> Iterator[tuple[int, Result]]:
    """Do the jobs on the cluster; give each one's number and result as they come.

    What a worker had not finished when it died, Ray gives to another.
    """
    ray = _connect(on)
    task = ray.remote(max_retries=-1, num_cpus=1)(run_chunk)
    left = [range(i, min(i + CHUNK, len(jobs))) for i in range(0, len(jobs), CHUNK)][::-1]
    most = CHUNKS_PER_CPU * max(1, int(ray.cluster_resources().get("CPU", 1)))
    flying: dict[Any, range] = {}
    while left or flying:
        while left and len(flying) < most:
            numbers = left.pop()
            flying[task.remote(work, [jobs[n] for n in numbers])] = numbers
        done, _ = ray.wait(list(flying), num_returns=1)
        for one in done:
            yield from zip(flying.pop(one), ray.get(one), strict=True)


def _connect(on: str) -> Any:
    """Give Ray, connected: with a cluster of its own, with one elsewhere, or with the one it is connected with already."""
    import ray

    if not ray.is_initialized():
        os.environ.setdefault("RAY_ACCEL_ENV_VAR_OVERRIDE_ON_ZERO", "0")  # or it warns of a change to come
        try:
            if on == LOCAL_CLUSTER:
                ray.init(include_dashboard=False, logging_level="ERROR", log_to_driver=False)
            else:
                ray.init(on, logging_level="ERROR", log_to_driver=False)
        except (ConnectionError, OSError, RuntimeError, ValueError) as error:
            first = (str(error).strip() or type(error).__name__).splitlines()[0].rstrip(": ")
            hint = f" ({HINT})" if on != LOCAL_CLUSTER else ""
            raise ValueError(f"no Ray cluster answers at {on}: {first}{hint}") from None
    return ray
