"""Learning the value of positions."""
