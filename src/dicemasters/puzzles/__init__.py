"""Puzzles: positions with one way to win or to survive the turn, found in played games and proved (docs/puzzles.md)."""
