"""Where the trail of decisions is kept, and the keys that seal it."""
