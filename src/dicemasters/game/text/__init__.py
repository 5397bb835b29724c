"""Option texts, log lines, explanations and pictures of a position."""
