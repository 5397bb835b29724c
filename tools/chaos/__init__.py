"""Tests of a server under attack, over a long time, and with kills."""
