"""Combat: restrictions, declarations and damage (rules 3.4)."""
