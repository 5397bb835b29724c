"""Checkpoints, progress bars and output paths."""
