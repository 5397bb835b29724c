"""Verification with many games, texts and cards."""
