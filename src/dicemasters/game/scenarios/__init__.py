"""Scenario files: format and runner."""
