"""Connection limits and WebSocket broadcast."""
