"""Simulation of many games: play, statistics, reports."""
