"""The trail of decisions, `gate ledger` to its users: entries chained by hashes, and the seals over them. Pure."""
