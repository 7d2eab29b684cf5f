"""Who may do what: each function by its line, services by the key's policy, and findings that stand on purpose."""
