"""Lessons: positions, what a coach says to them, and what the learner does (docs/lessons.md)."""
