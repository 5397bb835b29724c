"""Benchmarks in addition to the engine's own."""
