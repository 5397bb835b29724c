"""Types of requests, responses and messages, with their validation and encoding."""
