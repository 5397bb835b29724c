"""Simulated games as a Parquet table, one row per game (needs pyarrow)."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from dicemasters.lab.simulation.game_stats import CARD_STATS, Data

if TYPE_CHECKING:
    from dicemasters.lab.simulation.simulate import Pairing

ROWS_PER_BATCH = 20_000  # games in memory at once


def write_parquet(path: Path, pairings: Sequence[Pairing], players: tuple[str, str], rows: Sequence[Data]) -> None:
    """Write the games; life by turn and the statistics of cards are lists within the row of a game."""
    import pyarrow as pa
    from pyarrow import parquet

    statistics = [(statistic.replace(" ", "_"), pa.int32()) for statistic in CARD_STATS]
    card = pa.struct([("seat", pa.string()), ("card", pa.string()), *statistics])
    texts = ("team_a", "team_b", "edition", "player_a", "player_b", "first", "winner", "how")
    schema = pa.schema(
        [
            ("game", pa.int32()),
            *((name, pa.string()) for name in texts),
            ("turns", pa.int32()),
            ("life_a", pa.list_(pa.int32())),
            ("life_b", pa.list_(pa.int32())),
            ("cards", pa.list_(card)),
        ]
    )
    with parquet.ParquetWriter(path, schema) as file:
        for begin in range(0, len(rows), ROWS_PER_BATCH):
            batch = [_row(pairings[row["pairing"]], players, row) for row in rows[begin : begin + ROWS_PER_BATCH]]
            file.write_table(pa.Table.from_pylist(batch, schema))


def _row(pairing: Pairing, players: tuple[str, str], row: Data) -> Data:
    return {
        "game": row["number"],
        "team_a": pairing.names[0],
        "team_b": pairing.names[1],
        "edition": pairing.edition,
        "player_a": players[0],
        "player_b": players[1],
        "first": row["first"],
        "winner": row["winner"],
        "how": row["how"],
        "turns": row["turns"],
        "life_a": [a for a, _ in row["life"]],
        "life_b": [b for _, b in row["life"]],
        "cards": [
            {
                "seat": seat,
                "card": key,
                **{statistic.replace(" ", "_"): n for statistic, n in zip(CARD_STATS, counts, strict=True)},
            }
            for seat in "AB"
            for key, counts in row["cards"][seat].items()
        ],
    }
