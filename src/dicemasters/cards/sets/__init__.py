"""The cards of each set."""
