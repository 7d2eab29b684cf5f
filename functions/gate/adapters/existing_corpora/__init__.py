"""Corpora that somebody else keeps: searched, and never written."""
