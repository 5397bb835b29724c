"""Training of the value network."""
