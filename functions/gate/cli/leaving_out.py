"""Says what a corpus lacks: files of its folder, and passages in the language that it is looked up in."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from gate.cli.printing import say
from gate.text.visible import one_line


def show_left_out(index: str, corpus: str | None, *, verbose: bool) -> None:
    """Say what of the folder `corpus` is not in its index, on the standard error; all of it in: nothing."""
    from gate.services.indexes import left_out

    if corpus is not None and index and (told := left_out(index)):
        show_omissions(corpus, told, verbose=verbose)


def show_languages(index: str) -> None:
    """Say which passages of an index are in another language than it is looked up in, on the standard error."""
    from gate.services.indexes import in_other_languages

    if index and (told := in_other_languages(index)):
        say(f"gate: {one_line(index)}: {told}", err=True)


def show_omissions(name: str, told: dict[str, Any], *, verbose: bool) -> None:
    """Say what was left out: counts by reason in a line, and with `verbose` each name.

    Args:
        told: as `gate.adapters.readers.folders.omissions` returns it.
    """
    if told["sentence"]:
        hint = "" if verbose else "; -v names them"
        say(f"gate: {one_line(name)}: {told['sentence']}{hint}", err=True)
    if verbose:
        _show_names(told["names"])


def _show_names(names: Sequence[dict[str, str]]) -> None:
    for each in names:
        say(f"  {one_line(each['where'])}: {each['why']}", err=True)
