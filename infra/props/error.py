"""What is raised where a property does not fit."""

from __future__ import annotations


class PropertyError(ValueError):
    """A property that does not fit; says which, and what would."""
