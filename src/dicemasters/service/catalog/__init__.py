"""Cards, dice, terms, game options and teams as data."""
