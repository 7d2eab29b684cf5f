"""Where runs are kept that wait for a person."""
