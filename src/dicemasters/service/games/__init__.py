"""Live and replayed games: sessions, rooms and their views."""
