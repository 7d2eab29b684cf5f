"""Tells a report of the gate among documents: it repeats the answer word by word, and would vouch for it."""

from __future__ import annotations

import re

WHY = "a report of this gate, which repeats an answer and is no evidence"
_SIGN = re.compile(
    r"""(?mx)
    ^\d[\d,]*\ claims?\ in\ =\ \d[\d,]*\ verdicts?\ \+\ \d[\d,]*\ unchecked\ out  # the table, Markdown
    | ^\ \ "gate_version":\ "
    | ^\ {8,12}"name":\ "LLM\ Reliability\ Gate",$
    | <title>[^<\n]{0,300}·\ reliability\ report</title>
    | ^\ *<testcase\ classname="gate"
    | ^\ufeff?"?report"?,"?claim_id"?,"?turn"?,"?start"?,"?end"?,"?text"?,"?status"?,
    """
)
"""What each format of reports holds; `tests/unit/test_own_reports.py` has one of each."""
_FENCED = re.compile(
    r"(?m)^ {0,3}(?P<fence>`{3,}+|~{3,}+)[^\n]*+\n"
    r"(?:(?! {0,3}(?P=fence)[`~]*+[ \t]*+$)[^\n]*\n)*"
    r"(?: {0,3}(?P=fence)[`~]*+[ \t]*+$)?"  # else what ends this block would begin the next one
)


def is_report(text: str) -> bool:
    """Whether a document holds a report of the gate; one that a page shows as a block of code is an example."""
    return bool(_SIGN.search(text)) and bool(_SIGN.search(_FENCED.sub("", text)))
