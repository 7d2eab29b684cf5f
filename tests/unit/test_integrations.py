"""The gate in other tools: LangChain, LangGraph, LangSmith, OpenTelemetry as they are, the others by their shapes."""

from __future__ import annotations

import asyncio
import inspect
import json
import re
import uuid
from pathlib import Path
from types import SimpleNamespace
from typing import Any, TypedDict

import langsmith
import pytest
from langchain_core.documents import Document
from langchain_core.messages import AIMessage
from langchain_core.runnables import RunnableLambda
from langgraph.graph import END, START, StateGraph
from langsmith.schemas import Example
from opentelemetry import trace
from opentelemetry.sdk.trace import TracerProvider
from opentelemetry.sdk.trace.export import SimpleSpanProcessor
from opentelemetry.sdk.trace.export.in_memory_span_exporter import InMemorySpanExporter

from gate.errors import InternalError
from gate.integrations.checking_runnable import checking, checking_node, route
from gate.integrations.evaluators import (
    GroundedEvaluator,
    GroundedMetric,
    GroundedScorer,
    get_assert,
    grounded_feedback,
)
from gate.integrations.telemetry import record
from gate.local.gate import Gate
from tests.entrance import Entrance
from tests.report_builders import a_report
from tests.tools.__main__ import ROOT, TOOLS
from tests.tools.recipes import PAGE, block

RECIPES = ROOT / "tests" / "tools"

TRUE, FALSE = "Boats leave at nine.", "Boats leave at eleven."
CONTEXTS = ["Boats leave at nine."]


@pytest.fixture(autouse=True)
def lexical(entrance: Entrance) -> None:
    entrance.change(model="local:lexical")


def test_a_chain_ends_in_a_report() -> None:
    documents = [Document(page_content=CONTEXTS[0], metadata={"source": "harbour.md"})]
    model: RunnableLambda[str, dict[str, Any]] = RunnableLambda(
        lambda question: {"answer": AIMessage(content=FALSE), "contexts": documents}
    )
    report = (model | checking(Gate())).invoke("When?")
    assert report.outcome != "pass"
    assert [one.title for one in report.passages.values()] == ["harbour.md"]
    assert asyncio.run(checking(Gate()).ainvoke({"answer": TRUE, "contexts": CONTEXTS})).claims[0].status == "supported"
    with pytest.raises(TypeError, match="not a int"):
        checking(Gate()).invoke({"answer": 5})


DISGUISED = [
    json.dumps({"messages": [{"role": "user", "content": FALSE}, {"role": "assistant", "content": TRUE}]}),
    json.dumps([{"role": "user", "content": FALSE}, {"role": "assistant", "content": TRUE}]),
    json.dumps({"question": FALSE, "answer": TRUE, "contexts": [FALSE]}),
]


@pytest.mark.parametrize("answer", DISGUISED)
def test_what_a_model_said_is_all_judged_though_it_looks_like_a_transcript(answer: str) -> None:
    assert Gate().check(answer, contexts=CONTEXTS).outcome == "pass", "a file that holds it is a transcript"
    given: dict[str, Any] = {"answer": AIMessage(content=answer), "contexts": CONTEXTS}
    assert checking(Gate()).invoke(given).outcome != "pass"
    assert asyncio.run(checking(Gate()).ainvoke(given)).outcome != "pass"
    assert checking_node(Gate()).invoke(given)["gate"]["outcome"] != "pass"
    assert GroundedScorer(Gate()).score(answer, CONTEXTS) < 1


def test_a_graph_goes_on_by_the_outcome() -> None:
    class Talk(TypedDict, total=False):
        messages: list[Any]
        contexts: list[str]
        gate: dict[str, Any]

    graph = StateGraph(Talk)
    graph.add_node("check", checking_node(Gate()))
    graph.add_edge(START, "check")
    graph.add_conditional_edges("check", route, {"pass": END, "review": END, "block": END, "error": END})
    found = graph.compile().invoke(
        {"messages": [AIMessage(content=[{"type": "text", "text": FALSE}])], "contexts": CONTEXTS}
    )
    assert found["gate"]["passed"] is False
    assert [claim["text"] for claim in found["gate"]["claims"]] == [FALSE]


def test_an_experiment_of_langsmith_has_a_score_where_there_is_one_and_an_error_where_nothing_was_checked() -> None:
    def bot(inputs: dict[str, Any]) -> dict[str, Any]:
        return {"answer": inputs["answer"], **({"contexts": CONTEXTS} if inputs["found"] else {})}

    asked = [
        {"answer": TRUE, "found": True},
        {"answer": FALSE, "found": True},
        {"answer": FALSE, "found": False, "contexts": [Document(page_content=FALSE)]},
        {"answer": None, "found": True},
    ]
    experiment = langsmith.evaluate(
        bot,
        data=[Example(id=uuid.uuid4(), inputs=inputs) for inputs in asked],
        evaluators=[grounded_feedback(Gate())],
        client=langsmith.Client(api_url="http://127.0.0.1:9", api_key="none", auto_batch_tracing=False),
        upload_results=False,
    )
    found = [result for row in experiment for result in row["evaluation_results"]["results"]]
    assert [(one.key, one.score, one.value) for one in found] == [
        ("grounded", 1.0, "pass"),
        ("grounded", 0.0, "block"),
        ("grounded", 1.0, "pass"),
        ("grounded", None, None),
    ]
    assert FALSE in str(found[1].comment)
    assert found[3].extra == {"error": True}


def recipe(title: str, folder: Path, monkeypatch: pytest.MonkeyPatch, **names: Any) -> dict[str, Any]:
    """What the page's code under a heading defines, run beside a corpus `docs`."""
    (folder / "docs").mkdir()
    (folder / "docs" / "harbour.md").write_text(TRUE, encoding="utf-8")
    monkeypatch.chdir(folder)
    exec(compile(block(title), f"{PAGE.name}: {title}", "exec"), names)
    return names


def test_the_recipe_of_langchain_and_langgraph(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    graph: StateGraph[Any] = StateGraph(dict)
    graph.add_edge(START, "check")
    for node in ("ask", "again"):
        graph.add_node(node, lambda state, node=node: {**state, "then": node})
    chain: RunnableLambda[str, dict[str, Any]] = RunnableLambda(lambda said: {"answer": said, "contexts": CONTEXTS})
    found = recipe("LangChain and LangGraph", tmp_path, monkeypatch, chain=chain, graph=graph)
    assert [found["checked"].invoke(answer).passed for answer in (TRUE, FALSE)] == [True, False]
    assert graph.compile().invoke({"answer": FALSE})["then"] == "again"


def test_the_recipe_of_langsmith(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    scores, evaluate = [], langsmith.evaluate

    def offline(target: Any, data: str, evaluators: list[Any]) -> None:
        examples = [Example(id=uuid.uuid4(), inputs={"said": answer}) for answer in (TRUE, FALSE)]
        client = langsmith.Client(api_url="http://127.0.0.1:9", api_key="none", auto_batch_tracing=False)
        for row in evaluate(target, data=examples, evaluators=evaluators, client=client, upload_results=False):
            scores.append(row["evaluation_results"]["results"][0].score)

    monkeypatch.setattr(langsmith, "evaluate", offline)
    recipe("LangSmith", tmp_path, monkeypatch, target=lambda inputs: {"answer": inputs["said"]})
    assert sorted(scores) == [0.0, 1.0]


def test_the_recipe_of_opentelemetry(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    exported, provider = InMemorySpanExporter(), TracerProvider()
    provider.add_span_processor(SimpleSpanProcessor(exported))
    monkeypatch.setattr(trace, "get_tracer", provider.get_tracer)
    given = {"bot": lambda question: FALSE, "question": "When?", "gate": Gate(tmp_path / "docs")}
    recipe("OpenTelemetry", tmp_path, monkeypatch, **given)
    outcomes = {span.name: (span.attributes or {})["gate.outcome"] for span in exported.get_finished_spans()}
    assert outcomes == {"gate.check": "block", "answer": "block"}


def test_a_report_is_a_span_with_an_evaluation_for_each_claim_and_no_text() -> None:
    exported, provider = InMemorySpanExporter(), TracerProvider()
    provider.add_span_processor(SimpleSpanProcessor(exported))
    record(a_report([(TRUE, "supported"), (FALSE, "unsupported"), ("And so.", "unchecked")]), provider.get_tracer("t"))
    (span,) = exported.get_finished_spans()
    labels = [event.attributes["gen_ai.evaluation.score.label"] for event in span.events if event.attributes]
    assert labels[1:] == ["supported", "unsupported", "unchecked"]
    assert span.attributes is not None
    assert span.attributes["gate.claims"] == 3
    assert "Boats" not in span.to_json()


def test_a_metric_of_deepeval_is_a_success_where_the_policy_passes() -> None:
    metric = GroundedMetric(Gate())
    case = SimpleNamespace(actual_output=FALSE, retrieval_context=CONTEXTS)
    assert (metric.measure(case), metric.is_successful()) == (0.0, False)
    assert FALSE in metric.reason
    true = SimpleNamespace(actual_output=TRUE, retrieval_context=CONTEXTS)
    assert (asyncio.run(metric.a_measure(true)), metric.is_successful()) == (1.0, True)


def test_a_metric_that_deepeval_copies_by_the_names_of_its_arguments_keeps_its_gate() -> None:
    metric = GroundedMetric(Gate(), threshold=0.5)
    names = list(inspect.signature(GroundedMetric.__init__).parameters)[1:]
    copied = GroundedMetric(**{name: vars(metric)[name] for name in names})
    assert (copied.gate, copied.threshold) == (metric.gate, 0.5)


def test_a_sample_of_ragas_and_an_evaluation_of_llamaindex_have_the_share_of_supported_claims() -> None:
    sample = SimpleNamespace(response=f"{TRUE} {FALSE}", retrieved_contexts=CONTEXTS)
    assert asyncio.run(GroundedScorer(Gate()).single_turn_ascore(sample)) == 0.5
    found = GroundedEvaluator(Gate()).evaluate("When?", FALSE, CONTEXTS)
    assert (found["score"], found["passing"]) == (0.0, False)


def test_an_assertion_of_promptfoo_names_every_claim() -> None:
    found = get_assert(f"{TRUE} {FALSE}", {"vars": {"contexts": CONTEXTS[0]}, "config": {}})
    assert (found["pass"], found["score"]) == (False, 0.5)
    assert [part["pass"] for part in found["componentResults"]] == [True, False]


def test_passages_that_an_answer_brings_go_before_the_corpus_of_the_gate(tmp_path: Path) -> None:
    (tmp_path / "harbour.md").write_text(TRUE, encoding="utf-8")
    gate, other = Gate(tmp_path), [FALSE]
    metric = GroundedMetric(gate)
    assert metric.measure(SimpleNamespace(actual_output=TRUE, retrieval_context=None)) == 1.0
    assert metric.measure(SimpleNamespace(actual_output=TRUE, retrieval_context=other)) == 0.0
    assert GroundedScorer(gate).score(TRUE, other) == 0.0
    assert GroundedEvaluator(gate).evaluate("When?", TRUE, other)["score"] == 0.0
    assert grounded_feedback(gate)({}, {"answer": TRUE, "contexts": other})["score"] == 0.0
    assert not checking(gate).invoke({"answer": TRUE, "contexts": other}).passed
    assert not checking_node(gate).invoke({"answer": TRUE, "contexts": other})["gate"]["passed"]
    asked = {"vars": {"contexts": FALSE}, "config": {"corpus": str(tmp_path)}}
    assert get_assert(TRUE, asked)["score"] == 0.0


def test_every_recipe_of_the_page_is_run() -> None:
    page = PAGE.read_text(encoding="utf-8")
    recipes = {
        part.partition("\n")[0].lower() for part in re.split(r"^##+ ", page, flags=re.M)[1:] if "```python" in part
    }
    here = {
        name[len("test_the_recipe_of_") :].replace("_", " ") for name in globals() if name.startswith("test_the_recipe")
    }
    shapes = {"fastapi", "strands agents", "bedrock agents"}  # test_request_recipes
    assert recipes == here | shapes | set(TOOLS) - {"strands"}


def test_the_page_tells_what_is_tried_against_the_packages_themselves() -> None:
    table = PAGE.read_text(encoding="utf-8").partition("\n\n| tool |")[2].partition("\n\n")[0]
    told = {
        name.lower(): version for name, version in re.findall(r"^\| (\w+).*; ([\d.]+) by `make tools`", table, re.M)
    }
    assert told == {name: re.split("==|@", tool.packages[0])[1] for name, tool in TOOLS.items()}
    assert {path.stem for path in RECIPES.glob("*.py")} == {*TOOLS, "recipes", "__main__"}


def test_what_could_not_be_checked_is_no_score(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Gate, "check", lambda *_, **__: a_report([(TRUE, "supported"), (FALSE, "unchecked")]))
    with pytest.raises(InternalError, match="could not be checked"):
        GroundedScorer(Gate()).score(TRUE, CONTEXTS)
