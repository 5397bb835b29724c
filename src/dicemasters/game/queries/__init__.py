"""Questions about a state that do not change it."""
