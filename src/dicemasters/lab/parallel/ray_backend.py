"""Jobs on a Ray cluster: `ray` for one on this machine, `ray://HOST` for one that runs elsewhere (needs ray)."""

from __future__ import annotations

import os
import socket
from collections.abc import Callable, Iterator, Sequence
from typing import Any, Final, TypeVar
from urllib.parse import urlsplit

from dicemasters.extras import require_package
from dicemasters.lab.parallel.process_pool import run_chunk

Job = TypeVar("Job")
Result = TypeVar("Result")

LOCAL_CLUSTER: Final = "ray"
REMOTE_PREFIX: Final = "ray://"
DEFAULT_PORT: Final = 10001  # port of a Ray head node if none is given
CONNECT_TIMEOUT: Final = 5.0  # seconds until a cluster must answer
HINT: Final = "docs/lab.md says how to start one"
CHUNK: Final = 4  # jobs per task
CHUNKS_PER_CPU: Final = 2  # tasks in flight per CPU, so that none is idle


def check_cluster(address: str) -> None:
    """Raise `ValueError` if there is no cluster at an address, before any game is played."""
    if address != LOCAL_CLUSTER and not address.startswith(REMOTE_PREFIX):
        raise ValueError(f"--on {address}: expected {LOCAL_CLUSTER} or {REMOTE_PREFIX}HOST")
    require_package("ray")
    if address == LOCAL_CLUSTER:
        return
    try:
        parts = urlsplit(address)
        host, port = parts.hostname or "", parts.port or DEFAULT_PORT
        socket.create_connection((host, port), CONNECT_TIMEOUT).close()
    except (OSError, ValueError) as error:
        reason = getattr(error, "strerror", None) or str(error) or type(error).__name__
        raise ValueError(f"no Ray cluster answers at {address}: {reason}") from None


def ray_imap_unordered(
    jobs: Sequence[Job], work: Callable[[Job], Result], address: str
) -> Iterator[tuple[int, Result]]:
    """Yield the number and result of each job as it finishes on the cluster.

    Ray gives the unfinished jobs of a worker that died to another.
    """
    ray = _connect(address)
    task = ray.remote(max_retries=-1, num_cpus=1)(run_chunk)
    pending = [range(i, min(i + CHUNK, len(jobs))) for i in range(0, len(jobs), CHUNK)][::-1]
    max_in_flight = CHUNKS_PER_CPU * max(1, int(ray.cluster_resources().get("CPU", 1)))
    in_flight: dict[Any, range] = {}
    while pending or in_flight:
        while pending and len(in_flight) < max_in_flight:
            numbers = pending.pop()
            in_flight[task.remote(work, [jobs[n] for n in numbers])] = numbers
        done, _ = ray.wait(list(in_flight), num_returns=1)
        for ref in done:
            yield from zip(in_flight.pop(ref), ray.get(ref), strict=True)


def _connect(address: str) -> Any:
    """Return Ray, connected to the cluster at an address, or to the one it is already connected to."""
    import ray

    if not ray.is_initialized():
        os.environ.setdefault("RAY_ACCEL_ENV_VAR_OVERRIDE_ON_ZERO", "0")  # avoids a warning about a future change
        try:
            if address == LOCAL_CLUSTER:
                ray.init(include_dashboard=False, logging_level="ERROR", log_to_driver=False)
            else:
                ray.init(address, logging_level="ERROR", log_to_driver=False)
        except (ConnectionError, OSError, RuntimeError, ValueError) as error:
            reason = (str(error).strip() or type(error).__name__).splitlines()[0].rstrip(": ")
            hint = f" ({HINT})" if address != LOCAL_CLUSTER else ""
            raise ValueError(f"no Ray cluster answers at {address}: {reason}{hint}") from None
    return ray
