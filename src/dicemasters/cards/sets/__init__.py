"""The card definitions, one module per set."""
