"""Abilities compiled from the card language."""
