"""Evaluation of the strength and cost of bots."""
