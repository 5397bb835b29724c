"""Prometheus metrics. They identify neither clients nor games.

The values are those of this process. With several processes, each is scraped separately.
"""

from __future__ import annotations

import logging
import threading
import time
from bisect import bisect_left
from collections.abc import Callable, Iterable, Iterator, Mapping
from itertools import accumulate

from prometheus_client import CollectorRegistry, Counter, GCCollector, Histogram, ProcessCollector, generate_latest
from prometheus_client.core import GaugeMetricFamily, HistogramMetricFamily
from prometheus_client.registry import Collector

from dicemasters.server.rate_limiter import NetworkSet
from dicemasters.service.structured_log import log_event

CONTENT_TYPE = "text/plain; version=0.0.4; charset=utf-8"
FORWARDED = ("forwarded", "x-forwarded-for", "x-real-ip", "via")  # headers that show a request came through a proxy
_SECONDS = (0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0, 10.0, 30.0)


class FastHistogram:
    """Minimal histogram for hot paths such as game decisions."""

    __slots__ = ("_counts", "_lock", "_sum")

    def __init__(self) -> None:
        self._counts = [0] * (len(_SECONDS) + 1)
        self._sum = 0.0
        self._lock = threading.Lock()

    def observe(self, seconds: float) -> None:
        """Add an observation."""
        with self._lock:
            self._counts[bisect_left(_SECONDS, seconds)] += 1
            self._sum += seconds

    @property
    def snapshot(self) -> tuple[list[tuple[str, int]], float]:
        """Cumulative count for each bucket bound, and the sum of all observations."""
        with self._lock:
            counts, total = list(accumulate(self._counts)), self._sum
        return list(zip((*map(str, _SECONDS), "+Inf"), counts, strict=True)), total


class HistogramCollector(Collector):
    """Exports `FastHistogram`s as one metric, labelled by keyword; the key "" means no label."""

    def __init__(self, name: str, documentation: str, **histograms: FastHistogram) -> None:
        self._name, self._documentation, self._histograms = name, documentation, histograms

    def collect(self) -> Iterator[HistogramMetricFamily]:
        family = HistogramMetricFamily(
            self._name, self._documentation, labels=[] if "" in self._histograms else ["what"]
        )
        for label, histogram in self._histograms.items():
            buckets, total = histogram.snapshot
            family.add_metric([label] if label else [], buckets, total)
        yield family


REGISTRY = CollectorRegistry()
ProcessCollector(registry=REGISTRY)
GCCollector(registry=REGISTRY)

OPENED = Counter("dicemasters_games_opened", "Games opened and records stored", registry=REGISTRY)
FINISHED = Counter("dicemasters_games_finished", "Finished games by how they ended", ["how"], registry=REGISTRY)
CHOICES = Counter("dicemasters_choices", "Stored choices by kind of player", ["by"], registry=REGISTRY)
CHOICE = FastHistogram()
REGISTRY.register(
    HistogramCollector(
        "dicemasters_choice_seconds",
        "Time from reading a person's choice until it is stored and broadcast",
        **{"": CHOICE},
    )
)
READ, WRITE = FastHistogram(), FastHistogram()
REGISTRY.register(
    HistogramCollector("dicemasters_storage_seconds", "Duration of database reads and writes", read=READ, write=WRITE)
)
STORAGE_ERRORS = Counter("dicemasters_storage_errors", "Failed database operations", ["what"], registry=REGISTRY)
REFUSALS = Counter("dicemasters_refusals", "Refused requests and messages by reason", ["reason"], registry=REGISTRY)
ANSWERS = Counter("dicemasters_answers", "HTTP responses by status class", ["status"], registry=REGISTRY)
INTERNAL_ERRORS = Counter("dicemasters_mistakes", "Internal errors; each is logged", registry=REGISTRY)
WORK = Histogram(
    "dicemasters_work_seconds",
    "Duration of sandboxed jobs",
    ["what", "end"],
    buckets=_SECONDS,
    registry=REGISTRY,
)
LOOP_LAG = Histogram(
    "dicemasters_loop_late_seconds",
    "Event loop lag; when it grows, all clients wait",
    buckets=_SECONDS,
    registry=REGISTRY,
)


def count_refusal(reason: str, **facts: object) -> None:
    """Count and log a refusal. `reason` is a metric label, so it must come from a small set."""
    REFUSALS.labels(reason).inc()
    log_event(reason, level=logging.WARNING, **facts)


class timed:
    """Context manager that observes the duration of a block unless it raises."""

    __slots__ = ("_histogram", "_started")

    def __init__(self, histogram: Histogram | FastHistogram) -> None:
        self._histogram = histogram

    def __enter__(self) -> None:
        self._started = time.perf_counter()

    def __exit__(self, kind: type[BaseException] | None, *_: object) -> None:
        if kind is None:
            self._histogram.observe(time.perf_counter() - self._started)


class GaugeCollector(Collector):
    """Exports gauges that are read at scrape time, each with its name, documentation and values by label."""

    def __init__(self, read_gauges: Callable[[], Iterable[tuple[str, str, Mapping[str, float]]]]) -> None:
        self._read_gauges = read_gauges

    def collect(self) -> Iterator[GaugeMetricFamily]:
        for name, documentation, values in self._read_gauges():
            family = GaugeMetricFamily(name, documentation, labels=["what"] if "" not in values else [])
            for label, number in values.items():
                family.add_metric([label] if label else [], number)
            yield family


def render_metrics(gauges: GaugeCollector) -> bytes:
    """Return all metrics in the Prometheus text format."""
    registry = CollectorRegistry()
    registry.register(gauges)
    return generate_latest(REGISTRY) + generate_latest(registry)


class MetricsAccess:
    """Access rule for /metrics: networks, "loopback" for this machine, or "none".

    Requests through a proxy are always denied, since they could come from anybody.

    >>> MetricsAccess("loopback").has("127.0.0.1", {}), MetricsAccess("loopback").has("192.0.2.1", {}), MetricsAccess("none").has("::1", {})
    (True, False, False)
    >>> MetricsAccess("loopback").has("127.0.0.1", {"x-forwarded-for": "192.0.2.1"})  # a client behind a proxy
    False
    """

    def __init__(self, text: str) -> None:
        try:
            self._networks = NetworkSet("" if text.strip() == "none" else text)
        except ValueError as error:
            raise ValueError(f"metrics access is for networks, loopback or none: {error}") from None

    def has(self, address: str, headers: Mapping[str, str]) -> bool:
        """Return True if a request from this address may read the metrics."""
        return not any(name in headers for name in FORWARDED) and address in self._networks
