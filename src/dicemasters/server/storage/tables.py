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
    sqlite_with_rowid=False,
)

VERSION_TABLE = "alembic_version"  # the table that says in which form the others are

# numbers of PostgreSQL locks
MIGRATION_LOCK = 8_420_001  # one process migrates and the others wait
SERVER_LOCK = 8_420_002  # shared by all servers, so that nobody takes the tables from under them


def migrate(engine: sa.Engine) -> None:
    """Bring the database to the newest form; several processes may start at once."""
    with engine.connect() as connection, connection.begin():
        if engine.dialect.name == "postgresql":
            connection.execute(sa.text(f"select pg_advisory_xact_lock({MIGRATION_LOCK})"))
        upgrade(connection)


def upgrade(connection: sa.Connection, revision: str = "head") -> None:
    """Bring the database to a form, in the transaction of the connection."""
    config = Config()
    config.set_main_option("script_location", str(resources.files("dicemasters.server.storage") / "migrations"))
    config.attributes["connection"] = connection
    command.upgrade(config, revision)
