"""Database tables and migrations."""

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

VERSION_TABLE = "alembic_version"  # holds the schema revision

# keys of PostgreSQL advisory locks
MIGRATION_LOCK = 8_420_001  # exclusive while migrating
SERVER_LOCK = 8_420_002  # shared by all servers, so that a restore cannot replace tables in use


def migrate(engine: sa.Engine) -> None:
    """Migrate the database to the newest revision. Safe to run in several processes at once."""
    with engine.connect() as connection, connection.begin():
        if engine.dialect.name == "postgresql":
            connection.execute(sa.text(f"select pg_advisory_xact_lock({MIGRATION_LOCK})"))
        upgrade(connection)


def upgrade(connection: sa.Connection, revision: str = "head") -> None:
    """Migrate the database to `revision` in the transaction of the connection."""
    config = Config()
    config.set_main_option("script_location", str(resources.files("dicemasters.server.storage") / "migrations"))
    config.attributes["connection"] = connection
    command.upgrade(config, revision)
