"""Checks what a language model wrote, claim by claim, against documents you trust."""

__version__ = "0.1.0"
