"""Alembic runs this to migrate the database over the connection it is given."""

from alembic import context

from dicemasters.server.storage.tables import METADATA

context.configure(connection=context.config.attributes["connection"], target_metadata=METADATA)
with context.begin_transaction():
    context.run_migrations()
