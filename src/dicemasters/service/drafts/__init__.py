"""Drafts for several players."""
