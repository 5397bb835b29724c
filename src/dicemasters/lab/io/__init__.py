"""Checkpoints, progress and output paths."""
