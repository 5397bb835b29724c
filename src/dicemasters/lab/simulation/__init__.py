"""Simulation of many games: playing, statistics and reports."""
