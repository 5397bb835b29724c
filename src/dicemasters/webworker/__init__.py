"""The whole game without a server: the same API, run by Python in a browser's worker."""
