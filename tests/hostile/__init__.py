"""Repositories that an attacker made: each with one thing in it that a reader could trip over."""
