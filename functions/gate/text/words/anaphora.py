"""Anaphora: words that stand for something said before, in the languages whose negations are known."""

from __future__ import annotations

from gate.text.words.function_words import PRONOUNS

_ENGLISH = "its his their this these"
_SUBJECTS = "er sie es il elle ils ella lui lei loro ele ela hij zij"
_OTHERS = """ihn ihm ihr sein seine dieser diese dieses elles leur son sa ses ce cette ces
él ellos ellas su sus este esta estos estas esso essa suo sua eles elas seu
ze hem haar hun deze dit han hon honom henne hans hennes"""

SUBJECTS = frozenset(_SUBJECTS.split())
"""Those of the third person that can be a subject, the English ones aside."""
ANAPHORS = (PRONOUNS - {"one", "other", "both"}).union(_ENGLISH.split(), SUBJECTS, _OTHERS.split())
"""Pronouns and determiners that point to something else; those that are articles too are none."""
