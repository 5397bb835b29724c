"""The same simulation on a Ray cluster of two nodes: the same result, and nothing finished is lost when a worker dies."""

from __future__ import annotations

import os
import signal
import socket
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from dicemasters.cli import main
from dicemasters.lab.counting import Data, Task
from dicemasters.lab.notebook import Notebook
from dicemasters.lab.simulate import pairings, run, tasks

PLAYERS = ("simple", "simple")
GAMES = 24

ray = pytest.importorskip("ray", reason="Ray is not installed: pip install 'dicemasters[cluster]'")


@pytest.fixture(scope="module")
def cluster() -> Iterator[Any]:
    from ray.cluster_utils import Cluster

    found = Cluster(initialize_head=True, head_node_args={"num_cpus": 1, "include_dashboard": False})
    found.add_node(num_cpus=1)
    ray.init(address=found.address, logging_level="ERROR", log_to_driver=False)
    yield found
    ray.shutdown()
    found.shutdown()


@pytest.fixture(scope="module")
def todo() -> list[Task]:
    return tasks(pairings(["green-rage", "stonewall"], ["ai"]), GAMES, PLAYERS, seed=3)


@pytest.fixture(scope="module")
def here(todo: list[Task]) -> list[Data]:
    return run(todo, workers=1)


def workers() -> list[int]:
    """List the processes that play games just now."""
    found: list[int] = []
    for entry in Path("/proc").iterdir():
        if entry.name.isdigit():
            try:
                title = (entry / "cmdline").read_bytes()
            except OSError:
                continue
            if title.startswith(b"ray::") and b"some_jobs" in title:
                found.append(int(entry.name))
    return found


def test_a_cluster_of_two_nodes_gives_the_same_result(cluster: Any, todo: list[Task], here: list[Data]) -> None:
    assert sum(node["Alive"] for node in ray.nodes()) == 2
    assert run(todo, on="ray") == here


def test_a_killed_worker_loses_no_finished_game(
    cluster: Any, todo: list[Task], here: list[Data], tmp_path: Path
) -> None:
    path, killed = tmp_path / "run.jsonl", list[int]()

    def told(played: int) -> None:
        if played and not killed:
            killed.extend(workers())
            for pid in killed:
                os.kill(pid, signal.SIGKILL)

    assert run(todo, on="ray", notebook=Notebook(path, {}), told=told) == here
    assert killed
    assert len(Notebook(path, {}).found) == GAMES  # each once


def test_a_stopped_run_goes_on_where_it_was(cluster: Any, todo: list[Task], here: list[Data], tmp_path: Path) -> None:
    path, played = tmp_path / "run.jsonl", list[int]()

    def stop(n: int) -> None:
        played.append(n)
        if sum(played) >= 5:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        run(todo, on="ray", notebook=Notebook(path, {}), told=stop)
    kept = Notebook(path, {})
    assert len(kept.found) == 5  # written as they come
    told: list[int] = []
    assert run(todo, on="ray", notebook=kept, told=told.append) == here
    assert told == [5, *[1] * (GAMES - 5)]


def test_a_lost_node_does_not_stop_the_run(cluster: Any, todo: list[Task], here: list[Data]) -> None:
    lost: list[Any] = []

    def told(played: int) -> None:
        if played and not lost:
            lost.append(cluster.worker_nodes.copy().pop())
            cluster.remove_node(lost[0], allow_graceful=False)

    assert run(todo, on="ray", told=told) == here
    assert lost


@pytest.mark.parametrize(
    ("on", "says"),
    [
        ("ray://127.0.0.1:{}", "no Ray cluster answers at ray://127.0.0.1:"),
        ("ray://no-such-host.invalid", "no Ray cluster answers at ray://no-such-host.invalid: "),
        ("ray://127.0.0.1:99999", "no Ray cluster answers at"),
        ("moon", "--on moon: it is ray, or ray://HOST"),
    ],
)
def test_a_cluster_that_is_not_there_is_said_in_one_line(
    on: str, says: str, capsys: pytest.CaptureFixture[str]
) -> None:
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    assert main(["simulate", "green-rage", "stonewall", "--games", "2", "--on", on.format(port)]) == 2
    told = capsys.readouterr().err
    assert says in told
    assert len(told.splitlines()) == 1
