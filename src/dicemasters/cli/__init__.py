"""Command-line interface: one module per command, imported when it is called."""
