"""Support for the tests in a browser."""
