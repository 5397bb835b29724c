"""Formats, legality, drafts, the rulebooks' starter casts."""
