"""Drafts of several people."""
