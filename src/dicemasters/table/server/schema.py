"""The tables of the database, and how an older database becomes a new one."""

from __future__ import annotations

from importlib import resources

import sqlalchemy as sa
from alembic import command
from alembic.config import Config

METADATA = sa.MetaData()

GAMES = sa.Table(
    "games",
    METADATA,
    sa.Column("id", sa.String(40), primary_key=True),
    sa.Column("created", sa.String(32), nullable=False),
    sa.Column("program", sa.String(20), nullable=False),
    sa.Column("setup", sa.Text, nullable=False),
    sa.Column("secret", sa.String(64), nullable=False),
)

EVENTS = sa.Table(
    "events",
    METADATA,
    sa.Column("game", sa.String(40), sa.ForeignKey("games.id"), primary_key=True),
    sa.Column("number", sa.Integer, primary_key=True, autoincrement=False),
    sa.Column("kind", sa.String(20), nullable=False),
    sa.Column("at", sa.String(32), nullable=False),
    sa.Column("data", sa.Text, nullable=False),
)

MIGRATING = 8_420_001  # the number of the PostgreSQL lock under which one process migrates and the others wait


def migrate(engine: sa.Engine) -> None:
    """Bring the database to the newest form; several processes may start at once."""
    config = Config()
    config.set_main_option("script_location", str(resources.files("dicemasters.table.server") / "migrations"))
    with engine.connect() as connection, connection.begin():
        if engine.dialect.name == "postgresql":
            connection.execute(sa.text(f"select pg_advisory_xact_lock({MIGRATING})"))
        config.attributes["connection"] = connection
        command.upgrade(config, "head")
