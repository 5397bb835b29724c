"""People at a table."""
