"""A plugin for pytest: answers of a language model are assertions, and the session ends with what was found.

Loaded with pytest wherever the gate is installed; nothing of the gate is imported before a test asks for `grounded`.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

if TYPE_CHECKING:
    from gate.local.accepted_findings import Baseline, Weighed
    from gate.local.gate import Answer, Context, Gate
    from gate.model import Policy
    from gate.reports.model import Report, ReportClaim

PROPERTY = "gate"
"""The property of a test that holds what became of its answers: it reaches the summary from every worker."""
OPTIONS = {
    "gate_corpus": "What answers are checked against where a test names nothing: a path from here, or a name.",
    "gate_policy": "When an answer passes: a policy (YAML or JSON).",
    "gate_baseline": "Findings that are accepted (`gate baseline`): only new ones fail.",
}


def pytest_addoption(parser: pytest.Parser) -> None:
    """Add what the command line and the configuration file may say."""
    group = parser.getgroup("gate", "answers of language models")
    group.addoption("--gate-baseline", metavar="FILE", help=OPTIONS["gate_baseline"])
    group.addoption("--gate-report", metavar="FOLDER", help="Write the report of each answer here: a page, and JSON.")
    for name, said in OPTIONS.items():
        parser.addini(name, said, default="")


def pytest_configure(config: pytest.Config) -> None:
    """Make the marker known, and have a place to gather what is found."""
    said = "grounded(corpus, contexts, policy, repo): what the fixture `grounded` is given where a call says nothing."
    config.addinivalue_line("markers", said)
    config.pluginmanager.register(Summary(), "gate-summary")


@pytest.fixture(scope="session")
def _gates(pytestconfig: pytest.Config) -> Gates:
    return Gates(pytestconfig)


@pytest.fixture
def grounded(request: pytest.FixtureRequest, _gates: Gates) -> Grounded:
    """Assert that answers say nothing that their sources do not support: `grounded(answer, corpus="docs/")`.

    Takes what `gate.Gate.check` takes, and `corpus` and `policy`; returns the report. An answer that the policy does
    not let pass fails the test, with each claim beside what the evidence says.
    """
    return Grounded(_gates, request.node)


class Gates:
    """The gates of a session, one for each corpus and policy, each warm from its second answer on."""

    def __init__(self, config: pytest.Config) -> None:
        self.config = config
        self._made: dict[str, Gate] = {}
        self._baseline: Baseline | None = None

    def of(self, corpus: Any, policy: Policy | Mapping[str, Any] | None, *, has_contexts: bool) -> Gate:
        """The gate for a corpus and a policy; what is not given is that of the configuration."""
        from gate.local.gate import Gate

        if corpus is None and not has_contexts:
            corpus = self._named("gate_corpus")
        known = policy.model_dump() if policy is not None and not isinstance(policy, Mapping) else policy
        if known is None and (path := self._path("gate_policy")):
            from gate.text.formats import strict_yaml

            known = strict_yaml.load(path.read_text(encoding="utf-8"))
        key = json.dumps([None if corpus is None else str(corpus), known], sort_keys=True, default=str)
        if key not in self._made:
            self._made[key] = Gate(corpus, policy=known)
        return self._made[key]

    def weighed(self, report: Report) -> Weighed:
        """What a report comes to, less what is accepted."""
        from gate.local.accepted_findings import Baseline, read, today, weigh

        if self._baseline is None:
            given = self.config.getoption("--gate-baseline")
            path = Path(given) if given else self._path("gate_baseline")
            self._baseline = read(path) if path else Baseline()
        return weigh(report, self._baseline, today())

    def keep(self, report: Report) -> str:
        """Write a report where the command line says; returns the page's place, or nothing."""
        from gate.adapters.local_files import write_atomically
        from gate.reports import render

        given = self.config.getoption("--gate-report")
        if not given:
            return ""
        stem = Path(given) / re.sub(r"[^\w.-]+", "-", report.name)[-120:]
        for form in ("json", "html"):
            # A link in the folder may have come with a checkout: it is replaced, and not written through.
            write_atomically(stem.with_name(f"{stem.name}.{form}"), render(report, form).data)
        return f"{stem}.html"

    def _named(self, name: str) -> str | None:
        """A path from the configuration file, or the name of a corpus."""
        path = self._path(name)
        return str(path if path.exists() else self.config.getini(name)) if path else None

    def _path(self, name: str) -> Path | None:
        value = str(self.config.getini(name))
        return (self.config.inipath or self.config.rootpath / "_").parent / value if value else None


class Grounded:
    """Checks the answers of one test."""

    def __init__(self, gates: Gates, node: pytest.Item) -> None:
        self._gates, self._node = gates, node
        marker = node.get_closest_marker("grounded")
        names = ("corpus", "contexts", "policy", "repo")
        self._given = {**dict(zip(names, marker.args, strict=False)), **marker.kwargs} if marker else {}
        if unknown := set(self._given) - set(names):
            pytest.fail(f"the marker `grounded` takes no {', '.join(sorted(unknown))}", pytrace=False)
        self._count = 0

    def __call__(
        self,
        answer: Answer,
        corpus: Any = None,
        *,
        contexts: Sequence[Context] | None = None,
        policy: Policy | Mapping[str, Any] | None = None,
        repo: Any = None,
    ) -> Report:
        """Check an answer; see the fixture.

        Raises:
            AssertionError: the policy does not let it pass, or it could not be checked.
        """
        from gate.local.gate import refuse_both

        __tracebackhide__ = True
        self._count += 1
        name = self._node.nodeid + (f" ({self._count})" if self._count > 1 else "")
        if corpus is None and contexts is None:
            corpus, contexts = self._given.get("corpus"), self._given.get("contexts")
        refuse_both(corpus, contexts)
        gate = self._gates.of(corpus, policy or self._given.get("policy"), has_contexts=contexts is not None)
        report = gate.check(answer, contexts=contexts, name=name, repo=repo or self._given.get("repo"))
        found = self._gates.weighed(report)
        noted = {
            "name": name,
            "outcome": found.outcome,
            "claims": len(report.claims),
            "accepted": len(found.accepted),
            "page": self._gates.keep(report),
        }
        self._node.user_properties.append((PROPERTY, json.dumps(noted)))
        if found.outcome != "pass":
            raise AssertionError("\n".join(lines(report, found)))
        return report


def lines(report: Report, found: Weighed) -> Iterator[str]:
    """What is wrong with an answer: each new finding beside what the evidence says, and why the policy objects."""
    from gate.reports.findings import objections, places

    yield f"the answer is not grounded: {found.outcome}, {str(report)[1:-1].partition(': ')[2]}"
    accepted = {each.finding for each in found.accepted}
    objected, where = objections(report), places(report)
    for claim in report.claims:
        finding = (report.name, claim.status, " ".join(claim.text.split()))
        if claim.status != "supported" and claim.claim_id in objected and finding not in accepted:
            yield from _lines_of(claim, report)
    for name in objected:
        if name in where:
            yield f"    ✗ {where[name]}"
    for reason in report.decision["reasons"] if report.decision else []:
        yield f"  {reason['outcome']}: {reason['message']}"
    if report.failure:
        yield f"  {report.failure.error}: {report.failure.message}"
    for each in found.expired:
        yield f"  accepted by {each.owner} until {each.expires}, which is over: {each.about}"


def _lines_of(claim: ReportClaim, report: Report) -> Iterator[str]:
    from gate.reports import wording

    yield f"    {wording.MARKS[claim.status]} {wording.NAMES[claim.status]}: {wording.joined(wording.objection(claim))}"
    yield f"      - {' '.join(claim.text.split())}"
    passage = report.passages[claim.deciding[0]] if claim.deciding else None
    if passage is not None:
        said = claim.quote or passage.content[:200]
        place = " › ".join(part for part in (passage.title, passage.section) if part)
        yield f"      + {' '.join(said.split())}" + (f"  [{place}]" if place else "")


class Summary:
    """What became of every answer of a session."""

    def __init__(self) -> None:
        self.answers: list[dict[str, Any]] = []

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        """Gather what a test found, in whichever process it ran."""
        if report.when == "call":
            self.answers += [json.loads(str(value)) for name, value in report.user_properties if name == PROPERTY]

    def pytest_terminal_summary(self, terminalreporter: pytest.TerminalReporter) -> None:
        """Say how many answers passed, and where the reports of the others are."""
        if not self.answers:
            return
        from gate.reports.wording import plural

        terminalreporter.section("answers")
        for each in self.answers:
            if each["outcome"] != "pass":
                page = f"  {each['page']}" if each["page"] else ""
                terminalreporter.write_line(f"{each['outcome']}  {each['name']}{page}")
        outcomes = [each["outcome"] for each in self.answers]
        counts = ", ".join(f"{outcomes.count(one)} {one}" for one in dict.fromkeys(sorted(outcomes)))
        claims, accepted = (sum(each[name] for each in self.answers) for name in ("claims", "accepted"))
        more = f"; {accepted} {plural(accepted, 'finding')} accepted" if accepted else ""
        terminalreporter.write_line(
            f"answers checked: {len(outcomes)} ({counts}); {claims} {plural(claims, 'claim')}{more}"
        )
