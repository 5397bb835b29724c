"""Checks by many games, texts and cards."""
