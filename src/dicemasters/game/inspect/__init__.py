"""Read-only views of a state for players, features and invariant checks."""
