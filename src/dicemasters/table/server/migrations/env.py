"""Alembic runs this to migrate the database over the connection it is given."""

from alembic import context

from dicemasters.table.server.schema import METADATA

context.configure(connection=context.config.attributes["connection"], target_metadata=METADATA)
with context.begin_transaction():
    context.run_migrations()
