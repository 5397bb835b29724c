"""Worker processes for the sandbox and for bots."""
