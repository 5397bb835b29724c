"""Servers under attack, over a long time, and killed."""
