"""Verifiers made of verifiers: two in a row (`cascade`), one on labels of your own (`own_labels`)."""
