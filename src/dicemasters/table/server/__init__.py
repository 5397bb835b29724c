"""The browser table: what it shows and how choices come back."""
