"""People at the page, in a real browser."""
