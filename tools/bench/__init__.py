"""Benchmarks beside the engine's own."""
