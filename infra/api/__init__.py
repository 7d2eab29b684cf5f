"""The API: its routes, and what stands between callers and it."""
