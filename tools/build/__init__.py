"""Package builds: the PEP 517 backend, the page and the documentation, and the compiled engine."""
