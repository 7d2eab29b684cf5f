"""Berths of a harbour."""

LIMIT = 24  # hours that a boat may stay


class Berth:
    """A place for one boat."""

    def book(self, length: float, nights: int = 1) -> None:
        """Book it; boats longer than 12 m are refused."""
