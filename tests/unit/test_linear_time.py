"""Nothing that reads foreign text takes more than linear time: hostile texts grow, and the time with them."""

from __future__ import annotations

import ast
import re
import sys
from collections import defaultdict
from types import CodeType, FrameType

import pytest

from tests.growth import CORE, superlinear
from tests.linear_cases import CASES
from tests.linear_patterns import Pattern, calls, modules, patterns, readers

MADE_OF_VALUES = {
    "gate.adapters.aws.bedrock.models.capabilities": "the operator's model id",
    "gate.adapters.openai.chat_models.capabilities": "the operator's model id",
    "gate.decision.lookups.names._filled_in": "look_up of what is left open",
    "gate.decision.lookups.names._opens": "look_up of what is left open",
    "gate.decision.lookups.names.look_up_as_asked": "look_up_as_asked",
    "gate.prompts.fencing.unfence_parts": "fence",
    "gate.privacy.pseudonyms._token": "pseudonyms",
    "gate.reports.corrected.turns._written": "a figure as it is said: its words, with blanks between",
    "gate.repository.globs._bracket": "one character",
    "gate.repository.globs.compiled": "ignore rules, counted by their effort",
    "gate.repository.manifest.variants": "citations of Markdown",
    "gate.retrieval.segment_query._with_synonyms": "query of a segment",
}
"""Functions that make a pattern of what they are given, and the case that covers it, or why none has to."""

OTHERWISE = {
    "gate.adapters.readers.pdf.text_of": "fuzzed: a PDF cannot be doubled",
    "gate.adapters.readers.folders.read": "the readers that it calls",
    "gate.adapters.local_verifier.explanation.held_to_quote": "looks whether there is a quote",
    "gate.decision.accounting.account": "compares texts",
    "gate.decision.accounting.unaffordable": "looks at no text",
    "gate.decision.accounting.unchecked": "looks at no text",
    "gate.decision.sources_apart.cited_sources.judged_sources": "compares ids",
    "gate.decision.costs.costs": "looks at no text",
    "gate.decision.costs.service_costs": "looks at no text",
    "gate.decision.lookups.names.with_repository": "compares names as a whole",
    "gate.decision.policy.opinion": "looks at no text",
    "gate.privacy.stretches.stretches": "cuts by bytes for services",
    "gate.repository.records.image_record": "looks at no text",
    "gate.repository.records.unjudged": "looks at no text",
    "gate.repository.path_rule.words": "splits words of ours",
    "gate.retrieval.citations.citation": "cuts one passage",
}
"""Functions that no case calls, and why none has to."""


pytestmark = pytest.mark.hostile

PATTERNS: defaultdict[str, list[Pattern]] = defaultdict(list)
for _pattern in patterns():
    PATTERNS[re.split("[:]|[.](?=[_A-Z])", _pattern.where)[0]].append(_pattern)


@pytest.mark.parametrize("module", sorted(PATTERNS))
def test_patterns_take_linear_time(module: str) -> None:
    grown = [(each.where, superlinear(each, unit, 4_096)) for each in PATTERNS[module] for unit in CORE]
    assert not [f"{where}: {found}" for where, found in grown if found]


@pytest.mark.parametrize("case", CASES)
def test_a_reader_of_foreign_text_takes_linear_time(case: str) -> None:
    assert not [str(found) for unit in CORE if (found := superlinear(CASES[case], unit, 2_048))]


def test_a_quadratic_reader_is_told_from_a_linear_one() -> None:
    quadratic = re.compile(r"[\w.]+@[\w.]+").search
    # One slow call at first may hide it, and so may a clock that tells a few milliseconds as none.
    assert any(superlinear(quadratic, "a", 1_024) for _ in range(10))
    assert not superlinear(re.compile(r"[\w.]@[\w.]").search, "a", 512)


def test_no_pattern_is_left_out() -> None:
    made = {
        f"{module.__name__}.{function}"
        for module in modules()
        for call, function in calls(module)
        if function and not isinstance(call.args[0], ast.Constant)
    }
    fixed = {
        call.args[0].value
        for module in modules()
        for call, function in calls(module)
        if not function and isinstance(call.args[0], ast.Constant)
    }
    assert fixed <= {each.pattern.pattern for each in patterns()}
    assert made == set(MADE_OF_VALUES)


def test_no_function_that_reads_text_is_left_out() -> None:
    called: set[CodeType] = set()

    def note(frame: FrameType, event: str, _: object) -> None:
        if event == "call":
            called.add(frame.f_code)

    text = (
        "See `docs/a.md`, Dr Moor “said so” on 3 May 2024; 5 km. 4111 1111 1111 1111, DE89 3704 0044 0532 0130 00, "
        "8.8.8.8, 2001:db8::8:8, a@b.example, 2125550123 and one more.\n"
    )
    sys.setprofile(note)
    try:
        for reads in CASES.values():
            reads(text)
    finally:
        sys.setprofile(None)
    assert {name for name, code in readers() if code not in called} == set(OTHERWISE)
