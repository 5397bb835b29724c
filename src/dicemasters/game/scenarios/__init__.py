"""Scenario files and the runner that plays and checks them."""
