"""On SQLite, events lie by their game and number instead of in a table with an index beside it: half as much is written."""

from alembic import op

revision = "0002"
down_revision = "0001"


def upgrade() -> None:
    if op.get_bind().dialect.name != "sqlite":
        return
    op.execute("drop table if exists events_by_key")  # of a migration that was cut off
    op.execute(
        "create table events_by_key (game varchar(40) not null references games (id), number integer not null,"
        " kind varchar(20) not null, at varchar(32) not null, data text not null, primary key (game, number))"
        " without rowid"
    )
    op.execute("insert into events_by_key select game, number, kind, at, data from events")
    op.execute("drop table events")
    op.execute("alter table events_by_key rename to events")
