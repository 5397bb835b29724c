"""Benchmarks of the engine's speed."""
