"""Tests of a server under attack, over a long time, and when it is killed."""
