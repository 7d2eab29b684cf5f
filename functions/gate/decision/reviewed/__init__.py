"""What people say of verdicts: how far they agree, and whether verdicts become worse in their eyes."""
