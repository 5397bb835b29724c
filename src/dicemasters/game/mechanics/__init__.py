"""Mechanics that change a state: zones, payment, triggers, damage and KOs."""
