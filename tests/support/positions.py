"""Positions shared by several tests."""

WINNING = """
edition: ai
team A: Hulk: Green Goliath
team B: Thor: Odinson
basics: Smash!
A field: 3 Sidekick
B field: Sidekick
B life: 2
turn: 9, A, attack
"""
