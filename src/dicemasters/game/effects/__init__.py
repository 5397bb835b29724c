"""Execution of compiled abilities: feasibility, choices and effects."""
