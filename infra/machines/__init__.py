"""The state machines: what they are made of, what one submission and what a batch goes through, and as resources."""
