"""Load on the whole, as programs: bounded in count and time, loopback or memory alone."""
