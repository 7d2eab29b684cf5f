"""What `import gate` offers: an answer checked in this process, by the machine that is deployed."""

from __future__ import annotations

import asyncio
import multiprocessing
import subprocess
import sys
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import pytest

import gate
from gate.errors import InputError, SettingsError
from gate.local.gate import Answer, Context
from gate.local.sentence_stream import Failing
from tests.documents import ROOT, python_example

pytestmark = pytest.mark.e2e
SENTENCE = "The lamp weighs 200 g."


@pytest.fixture
def corpus(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    path = tmp_path / "corpus.jsonl"
    path.write_text('{"id": "p1", "text": "The lamp weighs 200 g."}\n', encoding="utf-8")
    return path


def test_an_answer_is_checked_against_a_corpus_and_nothing_of_its_text_stays(corpus: Path, tmp_path: Path) -> None:
    report = gate.check(SENTENCE, corpus, model="local:lexical", home=tmp_path / "home")
    assert isinstance(report, gate.Report)
    assert (report.outcome, [claim.status for claim in report.claims]) == ("pass", ["supported"])
    assert not list((tmp_path / "home" / "runs").glob("*"))
    assert list((tmp_path / "home" / "reports").glob(f"{report.run_id}/report.json"))


def test_an_answer_may_list_the_titles_of_the_passages_that_are_given(tmp_path: Path) -> None:
    answer = "Lamps burn for a year [1]. The sale ends on 31 March [2].\n\n[1] Care and use\n[2] {}"
    passages = [
        {"title": "Care and use", "text": "Lamps burn for a year."},
        {"title": "Sale and after sale", "text": "The sale ends on 31 March."},
    ]
    checker = gate.Gate(model="local:lexical", home=tmp_path / "home")
    report = checker.check(answer.format("Sale and after sale"), contexts=passages)
    assert [claim.text for claim in report.claims] == ["Lamps burn for a year.", "The sale ends on 31 March."]
    told = checker.check(answer.format("Sale and never again"), contexts=passages)
    assert "never again" in told.claims[-1].text
    (many,) = checker.check_many([answer.format("Sale and after sale")], contexts=[passages])
    assert [claim.text for claim in many.claims] == [claim.text for claim in report.claims]


def test_a_gate_decides_by_its_policy_and_two_stand_side_by_side(corpus: Path, tmp_path: Path) -> None:
    home, policy = tmp_path / "home", gate.Policy(unsupported="pass", failed_check="pass")
    strict = gate.Gate(corpus, model="local:lexical", home=home)
    lenient = gate.Gate(corpus, policy=policy, model="local:lexical", home=home)
    wrong = "The lamp weighs 900 g."
    assert [strict.check(wrong).outcome, lenient.check(wrong).outcome] == ["block", "pass"]
    assert strict.check(SENTENCE, name="lamp").name == "lamp"


def test_paths_are_looked_up_in_the_repository_that_is_given(corpus: Path, tmp_path: Path) -> None:
    (tmp_path / "repo").mkdir()
    (tmp_path / "repo" / "a.py").write_text("")
    checked = gate.Gate(corpus, model="local:lexical", home=tmp_path / "home")
    report = checked.check("See [the code](src/missing.py). " + SENTENCE, repo=tmp_path / "repo")
    assert report.decision is not None
    assert "missing_path" in {reason["rule"] for reason in report.decision["reasons"]}


def test_what_cannot_be_used_is_said_before_anything_runs(corpus: Path, tmp_path: Path) -> None:
    with pytest.raises(SettingsError, match="modle"):
        gate.Gate(corpus, modle="local")
    with pytest.raises(InputError, match="unsuported"):
        gate.Gate(corpus, policy={"unsuported": "pass"})
    with pytest.raises(InputError, match="a policy is a mapping of keys to values"):
        gate.Gate(corpus, policy="strict.yaml")  # type: ignore[arg-type]
    with pytest.raises(InputError, match="empty"):
        gate.check("  ", corpus, home=tmp_path / "home")
    with pytest.raises(InputError, match="neither a file nor a folder nor a corpus"):
        gate.check(SENTENCE, "nowhere", home=tmp_path / "home")


def test_an_answer_is_checked_against_the_contexts_it_was_made_from_and_nothing_of_them_stays(tmp_path: Path) -> None:
    home = tmp_path / "home"
    contexts: list[Context] = ["The lamp is made of oak.", {"id": "w", "title": "Data sheet", "text": SENTENCE}]
    report = gate.check(SENTENCE, contexts=contexts, model="local:lexical", home=home)
    assert report.passed
    assert [report.passages[key].title for key in report.claims[0].deciding] == ["Data sheet"]
    assert not gate.check(SENTENCE, contexts=["It is blue."], model="local:lexical", home=home).passed
    assert not list((home / "indexes").glob("contexts-*"))


def test_contexts_that_vouch_for_nothing_are_refused(corpus: Path, tmp_path: Path) -> None:
    how: dict[str, Any] = {"model": "local:lexical", "home": tmp_path / "home"}
    with pytest.raises(InputError, match="there are no contexts"):
        gate.check(SENTENCE, contexts=[], **how)
    with pytest.raises(InputError, match=r"context 2.jsonl, line 1: no text"):
        gate.check(SENTENCE, contexts=["a", {"title": "b"}], **how)
    with pytest.raises(InputError, match="a corpus and contexts"):
        gate.check(SENTENCE, corpus, contexts=["a"], **how)


def test_the_contexts_of_one_answer_go_before_the_corpus_of_its_gate(corpus: Path, tmp_path: Path) -> None:
    checked = gate.Gate(corpus, model="local:lexical", home=tmp_path / "home")
    other = ["It is blue."]
    assert checked.check(SENTENCE).passed
    assert not checked.check(SENTENCE, contexts=other).passed
    assert not checked.check_many([SENTENCE], contexts=[other])[0].passed
    assert not any(sentence.passed for sentence in checked.stream([SENTENCE], contexts=other))


def test_many_answers_come_back_in_their_order_and_a_bad_one_is_refused_before_any_is_checked(
    corpus: Path, tmp_path: Path
) -> None:
    checked = gate.Gate(corpus, model="local:lexical", home=tmp_path / "home")
    answers: list[Answer] = [
        SENTENCE,
        "The lamp weighs 900 g.",
        {"messages": [{"role": "assistant", "content": SENTENCE}]},
    ]
    assert [report.passed for report in checked.check_many(answers, jobs=2)] == [True, False, True]
    reports = list((tmp_path / "home" / "reports").iterdir())
    with pytest.raises(InputError, match="answer 2: empty"):
        checked.check_many([SENTENCE, " "])
    assert list((tmp_path / "home" / "reports").iterdir()) == reports
    beside = gate.Gate(model="local:lexical", home=tmp_path / "home")
    given = [["The lamp weighs 900 g."], [SENTENCE]]
    assert [each.passed for each in beside.check_many([SENTENCE, SENTENCE], contexts=given)] == [False, True]
    with pytest.raises(InputError, match="1 answers, and contexts of 2"):
        beside.check_many([SENTENCE], contexts=given)


def test_an_answer_is_checked_sentence_by_sentence_while_it_is_written(corpus: Path, tmp_path: Path) -> None:
    checked = gate.Gate(corpus, model="local:lexical", home=tmp_path / "home")
    pieces = iter(["# Lamps\n\nThe lamp", " weighs 200 g. It weighs", " 900 g.\n\nIt", " is made of oak."])
    stream = checked.stream(pieces)
    first = next(stream)
    assert (first.passed, first.shown) == (True, "# Lamps\n\nThe lamp weighs 200 g. ")
    assert next(pieces) == " 900 g.\n\nIt", "the first verdict waited for the end of the answer"
    pieces = iter(["The lamp weighs 200 g. It weighs", " 900 g.\n\nLet me know if", " you need more!"])
    found = list(checked.stream(pieces))
    assert [one.passed for one in found] == [True, False, True]
    assert (
        "".join(one.text for one in found) == "The lamp weighs 200 g. It weighs 900 g.\n\nLet me know if you need more!"
    )
    assert [claim.text for one in found for claim in one.report.claims] == [SENTENCE, "It weighs 900 g."]
    assert [len(one.report.turns[0].content) for one in found] == [23, 41, 70], "each was read with what stands before"
    assert not list((tmp_path / "home" / "reports").glob("*"))
    with pytest.raises(InputError, match="failing"):
        next(checked.stream(["One."], failing="show"))


@pytest.mark.parametrize(
    ("answer", "failing", "shown"),
    [
        (f"It weighs 900 g. {SENTENCE}", "mark", f"It weighs 900 g. [unsupported] {SENTENCE}"),
        (f"It weighs 900 g.\n\n{SENTENCE}\n", "hold", f"[held back: unsupported]\n\n{SENTENCE}\n"),
        ("| lamp |\n|---|\n| 900 g |\n", "mark", "| lamp |\n|---|\n| 900 g [unsupported] |\n"),
        (f"{SENTENCE}\n\n```\nprint(1)\n```\n", "mark", f"{SENTENCE}\n\n```\nprint(1)\n```\n\n[not read]\n"),
        (f"{SENTENCE}\n\n```\nprint(1)\n```\n", "hold", f"{SENTENCE}\n\n[held back: not read]\n"),
        ("Hello! How can I help?", "hold", "[held back: review]"),
    ],
)
def test_what_does_not_pass_is_held_back_or_marked(corpus: Path, answer: str, failing: Failing, shown: str) -> None:
    checked = gate.Gate(corpus, model="local:lexical", home=corpus.parent / "home")
    assert "".join(one.shown for one in checked.stream([answer], failing=failing)) == shown


def test_a_sentence_of_a_stream_that_could_not_be_checked_is_never_shown_as_one_that_passed(
    corpus: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    checked = gate.Gate(corpus, model="local:lexical", home=tmp_path / "home")

    def broken(*_: Any, **__: Any) -> None:
        raise RuntimeError

    with monkeypatch.context() as patch:
        patch.setattr("gate.agents.verify_claims._judge", broken)
        found = list(checked.stream([SENTENCE]))
    assert [(one.passed, one.shown) for one in found] == [(False, f"{SENTENCE} [unchecked]")]
    repo = tmp_path / "repo"
    repo.mkdir()
    answer = f"See [the code](src/missing.py). {SENTENCE} {SENTENCE}"
    assert [one.passed for one in checked.stream([answer], repo=repo)] == [False, True, True], "said of one alone"


def test_an_answer_is_checked_beside_an_event_loop(corpus: Path, tmp_path: Path) -> None:
    checked = gate.Gate(corpus, model="local:lexical", home=tmp_path / "home")

    async def written() -> AsyncIterator[str]:
        for piece in (SENTENCE, " It weighs", " 900 g."):
            yield piece

    async def both() -> list[bool]:
        return [(await checked.acheck(SENTENCE)).passed, *[one.passed async for one in checked.astream(written())]]

    assert asyncio.run(both()) == [True, True, False]
    beside = gate.Gate(model="local:lexical", home=tmp_path / "home")
    assert [one.passed for one in beside.stream([f"{SENTENCE} It is red."], contexts=[SENTENCE])] == [True, False]


def test_a_report_shows_itself_as_a_line_a_table_and_a_page(
    corpus: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    report = gate.check("The lamp weighs 900 g. <b>", corpus, model="local:lexical", home=tmp_path / "home")
    assert repr(report) == str(report) == "<Report block: 1 claim, 1 unsupported>"
    report.show()
    assert "The lamp weighs 900 g." in capsys.readouterr().out
    assert report.to_html().startswith("<!doctype html>")
    framed = report._repr_html_()
    assert framed.startswith("<iframe sandbox srcdoc=")
    assert framed.count("<") == 2, "the page stands escaped in its frame"


def _outcomes(checked: gate.Gate) -> list[str]:
    return [report.outcome for report in checked.check_many([SENTENCE, "The lamp weighs 900 g."])]


@pytest.mark.parametrize("way", ["fork", "spawn"])
def test_a_gate_that_has_checked_goes_on_in_another_process(way: str, corpus: Path, tmp_path: Path) -> None:
    checked = gate.Gate(corpus, home=tmp_path / "home")
    assert _outcomes(checked) == ["pass", "block"]
    pool = multiprocessing.get_context(way).Pool(1)
    with pool:
        assert pool.map_async(_outcomes, [checked]).get(60) == [["pass", "block"]]


def test_importing_the_gate_loads_none_of_its_modules_and_it_offers_four_names() -> None:
    probe = "import sys; before = set(sys.modules); import gate; print(*set(sys.modules) - before); print(*dir(gate))"
    done = subprocess.run([sys.executable, "-c", probe], capture_output=True, text=True, check=True)
    assert done.stdout.splitlines() == ["gate", "Gate Policy Report __version__ check"]
    light = "import sys; from gate import check, Gate; print({'pydantic', 'numpy', 'asyncio'} & set(sys.modules))"
    assert subprocess.run([sys.executable, "-c", light], capture_output=True, text=True, check=True).stdout == "set()\n"
    with pytest.raises(AttributeError, match="no attribute 'Nothing'"):
        getattr(gate, "Nothing")  # noqa: B009


def test_the_example_of_the_readme_prints_what_it_says(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("GATE_HOME", str(tmp_path / "home"))
    assert python_example() in (ROOT / "README.md").read_text(encoding="utf-8")
