"""Studies of cards and teams, plots, and coverage of abilities."""
