"""Editions of the rules, solitaire rules and starter games."""
