"""Storage in SQLite or PostgreSQL, migrations and backup."""
