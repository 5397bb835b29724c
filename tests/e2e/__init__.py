"""End-to-end tests of the page in a real browser."""
