"""The turn: steps, priority and legal actions."""
