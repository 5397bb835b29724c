"""Strength and cost of bots."""
