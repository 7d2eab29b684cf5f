"""A period of the ledger as a page that prints: what was decided, by what, and what was overruled."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from gate.reports.overviews.page import page
from gate.reports.wording import OUTCOME_MARKS

TABLES = (
    ("policies", "Policies"),
    ("verifiers", "Verifiers and models"),
    ("corpora", "Corpora"),
    ("versions", "Versions of the gate"),
    ("errors", "Runs that failed"),
)


def period_page(totals: Mapping[str, Any], proof: Mapping[str, Any]) -> str:
    """The page.

    Args:
        totals: `PeriodTotals.as_json`.
        proof: what `gate ledger verify -f json` says.
    """
    return page("period.html.j2", totals=totals, proof=proof, tables=TABLES, marks=OUTCOME_MARKS)
