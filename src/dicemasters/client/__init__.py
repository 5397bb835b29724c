"""Python client of the HTTP and WebSocket API."""
