"""The state of a game as plain values."""
