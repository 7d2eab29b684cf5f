"""The report as JUnit XML: a test case for the decision, and one a claim, which fails when the decision objects.

Claims are checked at the same time, so the time of the run stands at the decision alone.
"""

from __future__ import annotations

import re
from xml.etree.ElementTree import Element, SubElement, indent, tostring

from gate.reports import wording
from gate.reports.findings import message, objections
from gate.reports.model import Report, ReportClaim

NAME_CHARS = 120
FORBIDDEN = re.compile("[^\t\n\r\u0020-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")
"""What XML 1.0 cannot hold."""


def render(report: Report) -> str:
    """Return the XML document."""
    name = _legal(report.name or report.run_id)
    suite = Element("testsuite", {"name": name, "timestamp": report.created_at, **_time(report)})
    _decision(suite, report)
    objected = objections(report)
    for claim in report.claims:
        _claim(suite, claim, report, objected.get(claim.claim_id))
    if unread := [told for told in (wording.not_read(report), wording.left_out(report)) if told]:
        SubElement(suite, "system-out").text = _legal("\n".join(unread))
    suite.set("tests", str(len(suite.findall("testcase"))))
    suite.set("failures", str(len(suite.findall("testcase/failure"))))
    suite.set("errors", str(len(suite.findall("testcase/error"))))
    root = Element("testsuites")
    root.append(suite)
    indent(root)
    return '<?xml version="1.0" encoding="UTF-8"?>\n' + tostring(root, encoding="unicode") + "\n"


def _decision(suite: Element, report: Report) -> None:
    case = SubElement(suite, "testcase", {"classname": "gate", "name": "decision", **_time(report)})
    if report.outcome == "error":
        SubElement(case, "error", type="error", message=_legal(wording.headline(report)))
    elif report.outcome != "pass":
        failure = SubElement(case, "failure", type=report.outcome, message=_legal(wording.headline(report)))
        reasons = report.decision["reasons"] if report.decision else []
        failure.text = _legal("\n".join(f"{reason['outcome']}: {reason['message']}" for reason in reasons))


def _claim(suite: Element, claim: ReportClaim, report: Report, objection: str | None) -> None:
    name = _legal(f"{claim.claim_id} {claim.text}")[:NAME_CHARS]
    case = SubElement(suite, "testcase", classname="gate.claims", name=name)
    if claim.status == "unchecked":
        SubElement(case, "error", type="unchecked", message=_legal(message(claim, report)))
    elif objection:
        SubElement(case, "failure", type=claim.status, message=_legal(message(claim, report)))


def _time(report: Report) -> dict[str, str]:
    return {} if report.seconds is None else {"time": f"{report.seconds:.3f}"}


def _legal(text: str) -> str:
    return FORBIDDEN.sub("\N{REPLACEMENT CHARACTER}", text)
