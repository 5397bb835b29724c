"""Strength and cost of players."""
