"""Where people are told that a run waits for them."""
