"""Who decides: players for any seat."""
