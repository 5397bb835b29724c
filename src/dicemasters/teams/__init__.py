"""Teams: files and codes, formats and legality, drafts, ready and random teams."""
