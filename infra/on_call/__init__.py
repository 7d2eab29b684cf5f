"""Who is told that something is wrong, and what they look at."""
