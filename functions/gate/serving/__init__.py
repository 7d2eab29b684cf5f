"""`gate serve`: the deployed API on this machine, and a page to use it by."""
