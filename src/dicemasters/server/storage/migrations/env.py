"""Alembic environment that migrates over the connection passed in the configuration."""

from alembic import context

from dicemasters.server.storage.tables import METADATA

context.configure(connection=context.config.attributes["connection"], target_metadata=METADATA)
with context.begin_transaction():
    context.run_migrations()
