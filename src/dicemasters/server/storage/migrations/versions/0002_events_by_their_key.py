"""On SQLite, cluster events by primary key (WITHOUT ROWID), which halves the amount written."""

from alembic import op

revision = "0002"
down_revision = "0001"


def upgrade() -> None:
    """Copy the events into a table without row ids."""
    if op.get_bind().dialect.name != "sqlite":
        return
    op.execute("drop table if exists events_by_key")  # left over from an interrupted migration
    op.execute(
        "create table events_by_key (game varchar(40) not null references games (id), number integer not null,"
        " kind varchar(20) not null, at varchar(32) not null, data text not null, primary key (game, number))"
        " without rowid"
    )
    op.execute("insert into events_by_key select game, number, kind, at, data from events")
    op.execute("drop table events")
    op.execute("alter table events_by_key rename to events")
