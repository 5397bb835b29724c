"""Connections: limits and broadcast."""
