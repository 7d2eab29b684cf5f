"""Measures every redactor on the hand-written cases: `python -m tests.quality.redaction [NAMES]`."""

from __future__ import annotations

import sys

from tests.quality.redaction.scores import REDACTORS, SETS, cases, missed, scores, table


def main() -> None:
    """Print precision and recall by kind and redactor, and with `--missed` what was missed or hidden wrongly."""
    names = [name for name in sys.argv[1:] if not name.startswith("-")] or list(REDACTORS)
    for each in SETS:
        every = cases(each)
        print(f"\n{each}: {len(every)} texts, {sum(len(case.values) for case in every)} values\n")
        print(table({name: scores(name, every) for name in names}))
        if "--missed" in sys.argv:
            for name in names:
                print(f"\n{name}", *missed(name, every), sep="\n  ")


if __name__ == "__main__":
    main()
