"""Lessons: positions with a coach's comments and the choices the learner makes (docs/lessons.md)."""
