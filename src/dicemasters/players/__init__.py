"""Bots: heuristic, Monte Carlo, scripted, and external programs."""
