"""Quantifiers: words that say how many of a kind, and words that take some out."""

from __future__ import annotations

_UNIVERSAL = "all every each everyone everybody everything always any entire whole never none only"
_PARTIAL = """some most many several few sometimes often usually generally mostly partly partially half nearly almost
typically rarely seldom occasionally"""
_EXCEPTING = "except excepting excluding unless"

UNIVERSAL = frozenset(_UNIVERSAL.split())
"""Words that leave nothing out. "Only" says so of all others."""
PARTIAL = frozenset(_PARTIAL.split())
EXCEPTING = frozenset(_EXCEPTING.split())
