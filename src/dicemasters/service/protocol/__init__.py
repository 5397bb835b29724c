"""Types of requests, responses and messages, their validation and encoding."""
