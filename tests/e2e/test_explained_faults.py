"""Thirty faults, and what the command makes of each: an exit code, a sentence, what to do, and a page that says so."""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

from gate import cli
from tests.entrance import Entrance
from tests.explained_faults import FAULTS, USUAL, Fault, Given, a_folder
from tests.stubs.clock import FastClock
from tests.stubs.converse import ConverseStub, running

pytestmark = pytest.mark.e2e


@pytest.fixture
def given(entrance: Entrance, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Given]:
    """A working folder, and a model that counts words until something else is asked for."""
    here = tmp_path / "work"
    here.mkdir()
    monkeypatch.chdir(here)
    for name in ("AWS_ACCESS_KEY_ID", "AWS_SECRET_ACCESS_KEY"):
        monkeypatch.setenv(name, "stub")
    FastClock(2_000).drive(monkeypatch)
    a_folder(here)
    with ExitStack() as stack:

        def answering(response: Any) -> None:
            stub = stack.enter_context(running(ConverseStub().on("", response)))
            entrance.change(model="bedrock:m", model_endpoint=stub.url, region="us-east-1")

        yield Given(here, entrance, monkeypatch.setattr, answering)


@pytest.mark.parametrize("fault", FAULTS, ids=lambda fault: fault.name)
def test_a_fault_has_its_exit_code_its_sentence_what_to_do_and_a_page(given: Given, fault: Fault) -> None:
    arguments = fault.put(given) or USUAL
    page = given.folder / "page.html"
    more = () if "-o" in arguments else ("-o", str(page))
    result = CliRunner().invoke(cli.group, ["check", *arguments, *more], catch_exceptions=False)
    assert result.exit_code == fault.code, result.output
    assert fault.says in result.stderr
    assert fault.to_do in result.stderr
    assert "Traceback" not in result.output
    assert page.exists() is fault.page
    if fault.page:
        shown = page.read_text(encoding="utf-8")
        assert "What to do now" in shown
        assert fault.to_do.replace("`", "") in re.sub("</?code>", "", shown).replace("&#39;", "'")
        assert "A person should look" not in shown
        assert "lets this answer pass" not in shown


def test_thirty_faults_are_told() -> None:
    assert len(FAULTS) == len({fault.name for fault in FAULTS}) >= 30
