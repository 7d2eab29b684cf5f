"""The trail of decisions as the gate keeps it: what is written down, and what is read out of it."""
