"""Runs that wait for a person: who is asked, what they decide, and what becomes of the run."""
