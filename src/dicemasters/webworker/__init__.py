"""The whole game without a server: the same answers, given by Python in a browser's worker."""
