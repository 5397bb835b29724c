"""Sentences at work: what they can do, what they ask, what they do."""
