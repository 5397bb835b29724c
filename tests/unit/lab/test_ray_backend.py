"""Simulations on a Ray cluster of two nodes: the same results, and a dying worker loses no finished game."""

from __future__ import annotations

import os
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from functools import partial
from pathlib import Path
from typing import Any

import pytest

from dicemasters.cli.main import main
from dicemasters.lab.io.checkpoint import Checkpoint, CompactRows
from dicemasters.lab.parallel.ray_backend import CHUNK
from dicemasters.lab.simulation import simulate as command
from dicemasters.lab.simulation.game_stats import Data, SimulationTask, simulate_game
from dicemasters.lab.simulation.simulate import make_pairings, make_tasks, run

PLAYERS = ("simple", "simple")
GAMES = 24
PATIENCE = 600  # seconds, enough for a busy machine

pytestmark = pytest.mark.server
ray = pytest.importorskip("ray", reason="Ray is not installed: pip install --require-hashes -r cluster.lock")


def free_port() -> int:
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port: int = free.getsockname()[1]
        return port


class SlowClock:
    """A stand-in for `time` in Ray: its deadline of 30 seconds for starting a node becomes ten minutes."""

    sleep = staticmethod(time.sleep)
    time = staticmethod(time.time)

    @staticmethod
    def monotonic() -> float:
        return time.monotonic() / 20


@pytest.fixture(scope="module")
def client_port() -> int:
    """Return the port of the cluster for Ray clients."""
    return free_port()


@pytest.fixture(scope="module")
def cluster(client_port: int) -> Iterator[Any]:
    from ray.cluster_utils import Cluster

    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("GRPC_ENABLE_FORK_SUPPORT", "0")  # see docs/lab.md
        patch.setattr("ray._private.node.time", SlowClock)
        head = {"num_cpus": 1, "include_dashboard": False, "ray_client_server_port": client_port}
        try:
            found = Cluster(initialize_head=True, head_node_args=head)
            found.add_node(num_cpus=1)
        except (OSError, RuntimeError, TimeoutError) as error:
            pytest.skip(f"Ray does not start on this machine: {error!s:.200}")
    ray.init(address=found.address, logging_level="ERROR", log_to_driver=False)
    ray.cloudpickle.register_pickle_by_value(sys.modules[__name__])  # the workers cannot import this file
    yield found
    ray.shutdown()
    found.shutdown()


@pytest.fixture(scope="module")
def todo() -> list[SimulationTask]:
    return make_tasks(make_pairings(["green-rage", "stonewall"], ["ai"]), GAMES, PLAYERS, seed=3)


@pytest.fixture(scope="module")
def local_rows(todo: list[SimulationTask]) -> CompactRows:
    return run(todo, workers=1)


def test_cluster_of_two_nodes_gives_the_same_result(
    cluster: Any, todo: list[SimulationTask], local_rows: CompactRows
) -> None:
    assert sum(node["Alive"] for node in ray.nodes()) == 2
    assert run(todo, address="ray") == local_rows


def test_remote_cluster_gives_the_same_result(cluster: Any, client_port: int, tmp_path: Path) -> None:
    argv = ["simulate", "green-rage", "stonewall", "--games", "8", "--seed", "3"]
    far, near = tmp_path / "far.json", tmp_path / "near.json"
    command = [sys.executable, "-m", "dicemasters", *argv, "--on", f"ray://127.0.0.1:{client_port}", "--json", str(far)]
    assert subprocess.run(command, capture_output=True, timeout=2 * PATIENCE).returncode == 0
    assert main([*argv, "--workers", "1", "--json", str(near)]) == 0
    assert far.read_bytes() == near.read_bytes()


def die_once(folder: Path, task: SimulationTask) -> Data:
    """Play a game, but kill the worker at the first attempt of two of them."""
    been = folder / str(task.number)
    if task.number in (6, 13) and not been.exists():
        been.touch()
        os.kill(os.getpid(), signal.SIGKILL)
    return simulate_game(task)


def test_killed_worker_loses_no_finished_game(
    cluster: Any, todo: list[SimulationTask], local_rows: CompactRows, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "run.jsonl"
    monkeypatch.setattr(command, "simulate_game", partial(die_once, tmp_path))
    assert run(todo, address="ray", checkpoint=Checkpoint(path, {})) == local_rows
    assert sorted(file.name for file in tmp_path.iterdir()) == ["13", "6", "run.jsonl"]
    assert len(Checkpoint(path, {}).results) == GAMES  # each game once


def test_stopped_run_resumes_where_it_stopped(
    cluster: Any, todo: list[SimulationTask], local_rows: CompactRows, tmp_path: Path
) -> None:
    path, played = tmp_path / "run.jsonl", list[int]()

    def stop(n: int) -> None:
        played.append(n)
        if sum(played) >= 5:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        run(todo, address="ray", checkpoint=Checkpoint(path, {}), on_progress=stop)
    checkpoint_file = Checkpoint(path, {})
    assert len(checkpoint_file.results) == 5  # written as they finish
    progress: list[int] = []
    assert run(todo, address="ray", checkpoint=checkpoint_file, on_progress=progress.append) == local_rows
    assert progress == [5, *[1] * (GAMES - 5)]


def wait_for_lost_node(folder: Path, task: SimulationTask) -> Data:
    """Play a game; all but the first few wait until a node is lost."""
    (folder / ray.get_runtime_context().get_node_id()).touch()
    deadline = time.monotonic() + PATIENCE
    while task.number >= CHUNK and not (folder / "lost").exists() and time.monotonic() < deadline:
        time.sleep(0.02)
    return simulate_game(task)


def test_lost_node_does_not_stop_the_run(
    cluster: Any, todo: list[SimulationTask], local_rows: CompactRows, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    lost = cluster.worker_nodes.copy().pop()
    monkeypatch.setattr(command, "simulate_game", partial(wait_for_lost_node, tmp_path))

    def remove_node_once(played: int) -> None:
        if played and not (tmp_path / "lost").exists():
            deadline = time.monotonic() + PATIENCE
            while not (tmp_path / lost.node_id).exists() and time.monotonic() < deadline:
                time.sleep(0.02)
            cluster.remove_node(lost, allow_graceful=False)
            (tmp_path / "lost").touch()

    assert run(todo, address="ray", on_progress=remove_node_once) == local_rows
    assert (tmp_path / lost.node_id).exists()  # the lost node was playing


@pytest.mark.parametrize(
    ("on", "message"),
    [
        ("ray://127.0.0.1:{}", "no Ray cluster answers at ray://127.0.0.1:"),
        ("ray://no-such-host.invalid", "no Ray cluster answers at ray://no-such-host.invalid: "),
        ("ray://127.0.0.1:99999", "no Ray cluster answers at"),
        ("moon", "--on moon: expected ray or ray://HOST"),
    ],
)
def test_unreachable_cluster_is_reported_in_one_line(on: str, message: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["simulate", "green-rage", "stonewall", "--games", "2", "--on", on.format(free_port())]) == 2
    err = capsys.readouterr().err
    assert message in err
    assert len(err.splitlines()) == 1
