"""Two verifiers in a row: who judges what, and what the report says of it."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

from gate import cli, wiring
from gate.adapters.judging.cascade import Cascade
from gate.errors import AnswerError, GateError, ModelThrottledError, SettingsError, UnmeasuredLanguageError
from gate.model import NONE_KNOWN, Answer, Check, Document, Known, Label
from gate.ports import Judged, Verifier
from gate.services.budgets.estimate import estimate_of
from gate.services.run import using
from gate.settings import endpoint_of, stages
from tests.builders import a_claim
from tests.entrance import Entrance
from tests.stubs.converse import running
from tests.stubs.openai import ChatStub

DOCUMENTS: list[Document] = [{"content": "The shop opens at nine."}]
FAILED: Check = {"name": "numbers", "passed": False, "detail": "10"}


class Fixed:
    """A verifier of one verdict, or one error."""

    def __init__(self, name: str, label: Label, share: float | None, *checks: Check, error: GateError | None = None):
        self.name, self.asked = name, 0
        self._error = error
        rest = {} if share is None else {"supported": share, "weakly_supported": 1 - share, "unsupported": 0.0}
        reason = {"supported": "entailed", "weakly_supported": "partial", "unsupported": "not_mentioned"}[label]
        said = {"label": label, "reason": reason, "justification": "J.", "scores": rest}
        self._judged = Judged(Answer.model_validate(said), name, {"input": 5, "calls": 1}, checks)

    def judge(self, claim: str, context: str, documents: Sequence[Document], known: Known = NONE_KNOWN) -> Judged:
        self.asked += 1
        if self._error:
            raise self._error
        return self._judged


def judged(first: Verifier, second: Verifier) -> Judged:
    return Cascade(first, second, 0.2, 0.9).judge("The shop opens at nine.", "", DOCUMENTS)


@pytest.mark.parametrize(
    ("label", "share", "checks", "goes_on"),
    [
        ("unsupported", 0.05, (), False),
        ("unsupported", 0.2, (FAILED,), False),
        ("weakly_supported", 0.1, (), False),
        ("unsupported", 0.21, (), True),
        ("supported", 0.9, (), False),
        ("supported", 0.89, (), True),
        ("supported", 0.99, (FAILED,), True),
        ("unsupported", 0.99, (), True),
        ("supported", 0.1, (), True),
        ("supported", None, (), True),
        ("unsupported", None, (), True),
    ],
)
def test_the_first_verifiers_word_stands_where_it_is_sure_and_no_check_objects(
    label: Label, share: float | None, checks: tuple[Check, ...], goes_on: bool
) -> None:
    second = Fixed("second", "unsupported", None)
    found = judged(Fixed("first", label, share, *checks), second)
    assert (second.asked, found.model) == ((1, "second") if goes_on else (0, "first"))
    assert found.before == (label if goes_on else None)
    assert found.usage == ({"input": 10, "calls": 2} if goes_on else {"input": 5, "calls": 1, "saved": 1})


def test_an_answer_of_the_first_that_cannot_be_read_goes_to_the_second() -> None:
    unreadable = Fixed("first", "supported", 0.9, error=AnswerError("?", usage={"input": 7}))
    found = judged(unreadable, Fixed("second", "supported", None))
    assert (found.model, found.before, found.usage["input"]) == ("second", None, 12)


def test_a_claim_in_a_language_that_the_first_was_not_measured_in_goes_to_the_second() -> None:
    english = Fixed("first", "supported", None, error=UnmeasuredLanguageError("German", "first"))
    assert judged(english, Fixed("second", "unsupported", None)).answer.label == "unsupported"
    with pytest.raises(UnmeasuredLanguageError):
        judged(english, english)


def test_what_goes_wrong_with_the_second_is_not_made_good_by_the_first() -> None:
    unsure = Fixed("first", "supported", 0.5)
    with pytest.raises(ModelThrottledError):
        judged(unsure, Fixed("second", "supported", None, error=ModelThrottledError("slow down")))
    with pytest.raises(AnswerError) as raised:
        judged(unsure, Fixed("second", "supported", None, error=AnswerError("?", usage={"input": 7})))
    assert raised.value.usage == {"input": 12, "calls": 1}


def test_its_name_says_what_shapes_its_verdicts() -> None:
    one, other = Fixed("a", "supported", 1.0), Fixed("b", "supported", 1.0)
    assert Cascade(one, other, 0.2, 0.9).name == "a>b (0.2 to 0.9)"
    with pytest.raises(SettingsError, match="GATE_CASCADE_LOW"):
        Cascade(one, other, 0.9, 0.2)


@pytest.mark.parametrize("model", ["", "a>", ">a", "a>b>c"])
def test_more_than_two_verifiers_or_none_are_refused(model: str) -> None:
    with pytest.raises(SettingsError, match="is not one verifier, nor two"):
        stages(model)


@pytest.mark.parametrize(
    ("model", "models", "endpoints", "expected"),
    [
        ("bedrock:x", "bedrock:x", "E", "E"),
        ("bedrock", "local", "E", "E"),
        ("bedrock:x", "local>bedrock:x", "E", "E"),
        ("openai:a", "openai:a>bedrock:x", "E", "E"),
        ("bedrock:x", "openai:a>bedrock:x", "E", ""),
        ("bedrock", "openai:a", "E", ""),
        ("openai:a", "openai:a>openai:b", "E>F", "E"),
        ("openai:b", "openai:a>openai:b", "E>F", "F"),
        ("bedrock:x", "openai:a>bedrock:x", "E>F", "F"),
    ],
)
def test_each_verifier_is_reached_at_its_own_address(model: str, models: str, endpoints: str, expected: str) -> None:
    assert endpoint_of(model, models, endpoints) == expected


def test_of_two_services_the_last_one_gets_the_key(entrance: Entrance) -> None:
    with running(ChatStub()) as first, running(ChatStub()) as second:
        endpoints = f"{first.url}/v1>{second.url}/v1"
        entrance.change(model="openai:a>openai:b", model_endpoint=endpoints, verdict_cache=False)
        entrance.change(model_key=wiring.current().settings.model_validate({"model_key": "sk-1"}).model_key)
        found = wiring.current().verifier().judge("The shop opens at nine.", "", DOCUMENTS)
    assert (found.model, found.before) == ("openai:b", "supported")
    assert "authorization" not in first.seen[0].headers
    assert second.seen[0].headers["authorization"] == "Bearer sk-1"


def test_the_report_says_who_judged_what_what_it_saved_and_what_the_second_changed(
    entrance: Entrance, tmp_path: Path
) -> None:
    corpus, answer, report = tmp_path / "corpus.jsonl", tmp_path / "answer.md", tmp_path / "report.json"
    corpus.write_text(json.dumps({"id": "p", "content": "The shop opens at nine. Tea is served at four."}) + "\n")
    answer.write_text("The shop opens at nine. The shop sells yachts to Saskatchewan. Tea is served at five.")
    with running(ChatStub()) as stub:
        entrance.change(
            model="local:lexical>openai:m", model_endpoint=f"{stub.url}/v1", cascade_low=0.3, cascade_high=0.6
        )
        CliRunner().invoke(cli.group, ["check", str(answer), "--corpus", str(corpus), "-o", str(report)])
        table = CliRunner().invoke(cli.group, ["check", str(answer), "--corpus", str(corpus)]).output
        page = report.with_suffix(".html")
        CliRunner().invoke(cli.group, ["check", str(answer), "--corpus", str(corpus), "-o", str(page)])
    assert "judged by the first verifier" in page.read_text()
    found = json.loads(report.read_text())
    by = {claim["text"]: (claim["checked_by"].split("/")[0], claim["before"]) for claim in found["claims"]}
    assert by["The shop sells yachts to Saskatchewan."] == ("local-lexical", None)
    asked = [claim for claim in found["claims"] if claim["checked_by"] == "openai:m"]
    assert found["verifiers"]["first"] + found["verifiers"]["second"] == 3
    assert (found["verifiers"]["second"], len(stub.seen)) == (len(asked), len(asked))
    changed = [claim["claim_id"] for claim in asked if claim["before"] != claim["label"]]
    assert found["verifiers"]["changed"] == changed
    assert "saved" not in found["usage"]
    assert f"judged by the first verifier, {len(asked)} by the second" in table


def test_a_budget_that_may_not_be_needed_stops_no_run(entrance: Entrance) -> None:
    claims: list[Any] = [a_claim("The shop opens at nine.")]
    entrance.change(model="bedrock:m", budget_tokens=10)
    with using({"run_id": "r"}):
        alone = estimate_of(claims)
        entrance.change(model="local>bedrock:m")
        behind = estimate_of(claims)
    assert alone is not None
    assert behind is not None
    assert (alone["stopped"], behind["stopped"], behind["least"]) == (True, False, 0)
    assert alone["input"] == behind["input"]
