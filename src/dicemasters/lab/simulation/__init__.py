"""Many games: simulated, counted, reported."""
