"""Read-only rule queries about a state."""
