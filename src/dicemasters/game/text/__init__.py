"""Options, log lines and explanations as text."""
