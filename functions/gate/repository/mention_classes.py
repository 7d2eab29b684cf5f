"""A mention and what was made of it; the classes of mention and what each may lead to. Data only."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from gate.repository.mentions import Mention

Kind = Literal[
    "asserts", "example", "placeholder", "template", "glob", "url", "system", "other_repository", "to_be_created",
    "deleted", "output", "route", "name",
]  # fmt: skip
Tier = Literal["block", "warn", "ignore"]

TIERS: dict[str, Tier] = {
    "link_near": "block",
    "link_moved": "warn",
    "link": "warn",
    "link_history": "warn",
    "link_folder": "warn",
    "link_foreign": "warn",
    "link_root": "warn",
    "include": "warn",
    "name_near": "warn",
    "name_near_cue": "warn",
    "name_beside": "warn",
    "name_moved": "warn",
    "name_listed": "warn",
    "bare_beside": "warn",
}
"""What an absent path leads to in documentation, by class of mention; a class that is not listed is never reported.

link: a relative link to a file; `_near`: one of a close name is here; `_moved`: one of the same uncommon name is, from
where what makes the pages may take it; `_made`: a script is called like the page; `_away`: out of a folder of documents
to where nothing like it is, as if to another site; `_history`: in a change log; `_folder`: to a folder; `_foreign`: in
vendored code or test data, with a close name beside it; `_root`: from the root.
include: a directive that copies a file in.
name: a path in code; `_near`: something of a close or the same uncommon name is here; `_beside`: its folder is here;
`_moved`: only the first folder is another; `_listed`: the document names others of its folder that are here; `_cue`:
the line says that the file is made, moved or imagined.
bare_beside: a name without a folder, and a close one lies beside the document.
"""
ANSWER_TIERS: dict[str, Tier] = {
    **TIERS,
    "link_away": "warn",
    "link_moved": "block",
    "link": "block",
    "link_root": "block",
    "link_folder": "block",
    "name_near": "block",
    "name_beside": "block",
    "name_moved": "block",
    "name_far": "warn",
    "name_shallow": "warn",
    "name_elsewhere": "warn",
    "bare_beside": "block",
    "bare": "warn",
}
"""The same for an answer about a repository, where most paths assert."""


@dataclass(frozen=True, slots=True)
class PathCitation:
    """A mention with what was made of it.

    Attributes:
        mention: the target as written, and where.
        kind: what the mention says; only `asserts` can be wrong.
        path: the path meant, relative to the repository's root; empty where the mention names none.
        found: whether the repository holds it.
        rule: the class of mention, for an absent path.
        tier: what its absence leads to.
        suggestion: a path that may have been meant.
    """

    mention: Mention
    kind: Kind
    path: str = ""
    found: bool = False
    rule: str = ""
    tier: Tier = "ignore"
    suggestion: str | None = None
