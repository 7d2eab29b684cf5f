"""What stands above single reports: an evaluation, what changed between reports, what many records came to."""
