"""HTTP: middleware, host policy and static files."""
