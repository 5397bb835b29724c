"""Many games: measuring and comparing."""
