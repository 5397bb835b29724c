"""Worker processes: sandbox and bots."""
