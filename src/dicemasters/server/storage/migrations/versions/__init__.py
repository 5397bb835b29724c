"""Database revisions."""
