"""Compound answers, and the order in which their parts are played."""
