"""What a run may cost, and whether the day holds it."""
