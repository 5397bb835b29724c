"""Storage in SQLite and PostgreSQL, migrations and backup."""
