"""The lexicon of a corpus: which words of its documents are names, and that a name is found wherever it stands."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from gate.adapters.embedded import EmbeddedSearch, analysis
from gate.adapters.readers import READERS, Problem
from gate.agents.judge import judge
from gate.agents.retrieve_evidence import retrieve_evidence
from gate.agents.verify_claims import verify_claims
from gate.ports import SearchEngine
from gate.repository.names.corpus_names import names_in, nearest
from gate.services import run
from tests.entrance import Entrance
from tests.fakes.search import MemorySearch

MARKDOWN = """# Nets

Set `mend` or `cast off` before you haul, and call prepare() once. The maxDepth of a haul is told by net_depth.

| Option | Meaning |
| --- | --- |
| slack | how loose it is |

| Port | Boats |
| --- | --- |
| Sunmere | seven |

buoy
: floats above the net

An early morning haul
: is what it says

```sh
tern net --fine=3

tern sort
```
"""
RESTRUCTURED = """
Nets
====

Set ``mend`` and call :py:func:`haul`; see :ref:`harbour <ports>`. Nothing else is plain.

.. option:: slack

   How loose it is.

-q, --quiet  says nothing

buoy
   Floats above the net.

::

   tern sort
"""
HTML = "<main><p>Set <code>mend</code> before <kbd>haul</kbd>.</p><dl><dt>buoy</dt><dd>floats</dd></dl></main>"
ASCIIDOC = "= Nets\n\nSet `mend` first.\n\nbuoy:: floats\n\n----\ntern sort\n----\n"


def names_of(data: str, ending: str) -> set[str]:
    found = list(READERS[ending](data.encode(), f"nets{ending}"))
    assert not [one for one in found if isinstance(one, Problem)]
    return {name for one in found if isinstance(one, dict) for name in names_in(one)}


@pytest.mark.parametrize(
    ("data", "ending", "names"),
    [
        (
            MARKDOWN,
            ".md",
            {"mend", "cast", "off", "maxDepth", "net_depth", "slack", "buoy", "tern", "net", "--fine", "sort"},
        ),
        (RESTRUCTURED, ".rst", {"mend", "haul", "slack", "-q", "--quiet", "buoy", "tern", "sort"}),
        (HTML, ".html", {"mend", "haul", "buoy"}),
        (ASCIIDOC, ".adoc", {"mend", "buoy", "tern", "sort"}),
    ],
)
def test_names_are_words_of_code_terms_options_and_what_is_a_name_by_its_form(
    data: str, ending: str, names: set[str]
) -> None:
    assert names_of(data, ending) == names


def test_a_block_of_code_that_is_cut_in_two_is_code_in_both_parts() -> None:
    rows = "\n\n".join(f"haul net{n} gently" for n in range(120))
    found = [one for one in READERS[".md"](f"```\n{rows}\n```\n".encode(), "a.md") if isinstance(one, dict)]
    assert len(found) > 1
    assert all("gently" in names_in(one) for one in found)


def test_a_passage_that_comes_as_such_has_the_names_between_its_backquotes() -> None:
    assert names_in({"content": "Set `mend` or ```\ncast off\n``` and go; not `this."}) == ["mend", "cast", "off"]


def test_words_that_are_said_to_be_code_and_do_not_stand_in_the_passage_are_no_names() -> None:
    assert names_in({"content": "plain words", "code_words": "plain secret"}) == ["plain"]


def test_an_option_is_near_to_options_alone() -> None:
    names = ["--ignore-errors", "ignore_errors", "follow_redirects"]
    assert nearest("--ignore-erors", names) == "--ignore-errors"
    assert nearest("follow_redirect", names) == "follow_redirects"
    assert nearest("--sing", names) is None


def claims_of(*names: str) -> dict[str, Any]:
    common = {"source_prompt": "", "source_response": "", "turn": 0, "start": 0, "end": 1, "kind": "name"}
    claims = [{**common, "text": name, "claim_id": f"c{number}"} for number, name in enumerate(names)]
    return {"claims": claims, "config": {"elasticsearch": {"index": "nets"}}}


def passages_of(count: int) -> list[dict[str, Any]]:
    """Many passages that share the words of a name, and one that has it."""
    noise = [{"id": f"n{n}", "content": f"Fine nets and a fine net: no {n}."} for n in range(count)]
    return [
        *noise,
        {"id": "there", "content": "A long tale of boats and of much more. " * 20 + "Pass `--fine` to `tern`."},
    ]


FOUND = {"label": "supported", "reason": "entailed", "doubt": 0.0, "checks": []}


@pytest.fixture(params=["memory", "embedded"])
def nets(request: pytest.FixtureRequest, entrance: Entrance, tmp_path: Path) -> SearchEngine:
    engine: SearchEngine = MemorySearch() if request.param == "memory" else EmbeddedSearch(tmp_path)
    engine.index_documents(passages_of(40), "nets")
    entrance.give(search_engine=engine)
    return engine


@pytest.mark.usefixtures("nets")
def test_a_name_that_search_does_not_reach_is_found_by_the_lexicon() -> None:
    state = claims_of("--fine")
    retrieve_evidence(state)
    verify_claims(state)
    assert [verdict["label"] for verdict in state["verdicts"]] == ["supported"]
    assert state["verdicts"][0]["documents"] == ["there"]
    assert state["ranking"][0]["ids"][-1] == "there"
    assert "near" not in state["evidence"][0]


@pytest.mark.usefixtures("nets")
def test_a_name_that_the_corpus_lacks_is_told_with_one_that_is_close() -> None:
    state = claims_of("--fines", "heron", "tern --coarse", "tern --fine")
    retrieve_evidence(state)
    verify_claims(state)
    assert [(verdict["label"], verdict["justification"]) for verdict in state["verdicts"]] == [
        ("unsupported", "Nothing in the corpus names `--fines`. It names `--fine`."),
        ("unsupported", "Nothing in the corpus names `heron`."),
        ("unsupported", "Nothing in the corpus names `tern --coarse`."),
        ("supported", "The evidence names `tern --fine`."),
    ]


@pytest.mark.parametrize(("name", "outcome"), [("--fines", "block"), ("heron", "review"), ("--fine", "pass")])
def test_an_absent_name_blocks_where_a_close_one_is_there_and_is_reviewed_otherwise(
    nets: SearchEngine, name: str, outcome: str
) -> None:
    state = claims_of(name)
    retrieve_evidence(state)
    verify_claims(state)
    verdicts = [*state["verdicts"], *({**state["verdicts"][0], "claim_id": f"other{n}", **FOUND} for n in range(3))]
    claims = [{**state["claims"][0], "claim_id": one["claim_id"], "branch": 0} for one in verdicts]
    checked = [{"branch": 0, "verdicts": verdicts, "evidence": [], "ranking": []}]
    state = {"claims": claims, "non_claims": [], "checked": checked}
    judge(state)
    assert state["decision"]["outcome"] == outcome


def test_a_setting_that_the_corpus_has_with_another_value_is_told_with_that(nets: SearchEngine) -> None:
    nets.index_documents([{"id": "set", "content": "Begin with `follow_redirects=True`, or leave it."}], "nets")
    state = claims_of("follow_redirects=False")
    retrieve_evidence(state)
    verify_claims(state)
    said = "Nothing in the corpus has `follow_redirects=False`. It has `follow_redirects=True`."
    (verdict,) = state["verdicts"]
    assert (verdict["label"], verdict["reason"], verdict["justification"]) == ("weakly_supported", "partial", said)
    (check,) = verdict["checks"]
    assert (check["name"], check["passed"]) == ("names", False), "a person looks at it"


@pytest.mark.parametrize(
    ("name", "prompt", "label"),
    [
        ("tern mend", "", "weakly_supported"),
        ("tern.mend", "", "weakly_supported"),
        ("mesh_width = 4", "", "weakly_supported"),
        ("tern mends", "", "unsupported"),
        ("tern boats", "", "unsupported"),
        ("mesh_widths = 4", "", "unsupported"),
        ("tern Berlin", "", "unsupported"),
        ("tern Berlin", "Which nets do we have in Berlin?", "weakly_supported"),
        ("Berlin", "Which nets do we have in Berlin?", "weakly_supported"),
        ("Berlin", "Which nets do we have in Berlin-Mitte?", "unsupported"),
        ("tern Berlin", "x" * 3_000 + " in Berlin", "unsupported"),
    ],
)
def test_a_name_whose_words_the_corpus_or_the_question_names_apart_is_for_a_person_to_look_at(
    nets: SearchEngine, name: str, prompt: str, label: str
) -> None:
    nets.index_documents([{"id": "mend", "content": "`mend` repairs nets by their `mesh_width`."}], "nets")
    state = claims_of(name)
    state["claims"][0]["source_prompt"] = prompt
    retrieve_evidence(state)
    verify_claims(state)
    (verdict,) = state["verdicts"]
    assert verdict["label"] == label
    assert [check["passed"] for check in verdict["checks"]] == [False]


def test_a_setting_whose_key_is_only_like_one_of_the_corpus_has_no_other_value(nets: SearchEngine) -> None:
    nets.index_documents([{"id": "set", "content": "Raise `redirects` to 9."}], "nets")
    state = claims_of("redirect=5")
    retrieve_evidence(state)
    verify_claims(state)
    said = "Nothing in the corpus names `redirect=5`. It names `redirects`."
    assert [(verdict["label"], verdict["justification"]) for verdict in state["verdicts"]] == [("unsupported", said)]


def test_a_name_of_a_hundred_words_is_not_a_hundred_searches(
    nets: SearchEngine, monkeypatch: pytest.MonkeyPatch
) -> None:
    nets.index_documents([{"id": f"w{n}", "content": f"Call `word{n}` once."} for n in range(100)], "nets")
    asked: list[Any] = []
    look = nets.naming

    def noted(names: Any, *given: Any, **how: Any) -> Any:
        asked.append(names)
        return look(names, *given, **how)

    monkeypatch.setattr(nets, "naming", noted)
    state = claims_of(".".join(f"word{n}" for n in range(100)), ".".join(f"word{n}" for n in range(16)))
    retrieve_evidence(state)
    verify_claims(state)
    assert len(asked) == 17
    assert ["apart" in entry for entry in state["evidence"]] == [False, True]
    assert [verdict["label"] for verdict in state["verdicts"]] == ["unsupported", "weakly_supported"]


@pytest.mark.usefixtures("nets")
def test_what_a_run_may_not_see_is_neither_found_nor_suggested() -> None:
    state = {
        **claims_of("--fine", "--fines"),
        "config": {"elasticsearch": {"index": "nets"}, "search": {"tenant": "a"}},
    }
    with run.using(state["config"]):
        retrieve_evidence(state)
    assert [(one["documents"], one["near"]) for one in state["evidence"]] == [([], ""), ([], "")]


def test_an_index_of_other_rules_is_written_anew_when_it_is_opened(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with monkeypatch.context() as before:
        before.setattr(analysis, "NAMES_VERSION", "0")
        before.setattr("gate.adapters.embedded.text_index.names_in", lambda passage: [])
        store = EmbeddedSearch(tmp_path)
        store.index_documents(passages_of(3), "nets")
        assert store.naming(["--fine"], "nets") == []
    again = EmbeddedSearch(tmp_path)
    assert [one["id"] for one in again.naming(["--fine"], "nets") or ()] == ["there"]
