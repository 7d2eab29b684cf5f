"""A document that does not fit its model is refused with the place and the reason, and with nothing that it says."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from pydantic import BaseModel, ConfigDict, ValidationError

from gate.adapters.settings_files import read_signals
from gate.decision.policy_document import policy_of
from gate.errors import KEY_CHARS, GateError, Misfit, first_misfit
from gate.services.run import citation_options, using
from gate.settings import Settings
from gate.submission.transcripts.own import parse

LONG = "k" * 100_000
SECRET = "Jane Roe's account 4711"


class Page(BaseModel):
    model_config = ConfigDict(extra="forbid")
    lines: list[int]


def misfit_of(document: Any, within: str = "") -> Misfit:
    with pytest.raises(ValidationError) as caught:
        Page.model_validate(document)
    return first_misfit(caught.value, within)


def test_the_place_is_the_way_from_the_root() -> None:
    assert misfit_of({"lines": [1, SECRET]}, "pages.0").place == "pages.0.lines.1"
    assert str(misfit_of({})) == "lines: Field required"
    assert str(misfit_of([])).startswith("the document: ")
    assert misfit_of([], "pages").place == "pages"


def test_only_a_key_that_the_model_lacks_is_unknown_and_a_long_one_is_cut() -> None:
    unknown = misfit_of({"lines": [], LONG: 1})
    assert (unknown.is_unknown, unknown.place) == (True, "k" * KEY_CHARS)
    assert not misfit_of({"lines": 7}).is_unknown


def citations(part: Any) -> None:
    with using({"citations": part}):
        citation_options()


def signals(document: str) -> None:
    Path("signals.json").write_text(document, encoding="utf-8")
    read_signals(Path("signals.json"))


@pytest.mark.parametrize(
    ("refuse", "place"),
    [
        (lambda: parse({"turns": [], LONG: SECRET}), "k"),
        (lambda: parse({"turns": [{"role": "user", "content": SECRET, LONG: SECRET}]}), "turns.0.k"),
        (lambda: policy_of({LONG: SECRET}), "k"),
        (lambda: policy_of({"combine": SECRET}), "combine: "),
        (lambda: Settings.from_env({"GATE_BUDGET_TOKENS": SECRET}), "GATE_BUDGET_TOKENS: "),
        (lambda: Settings.from_env({f"GATE_{LONG}": SECRET}), "GATE_K"),
        (lambda: citations({"k": SECRET}), "config.citations.k: "),
        (lambda: citations(SECRET), "config.citations: "),
        (lambda: signals(f'{{"synonyms": {{"a": [{{"x": "{SECRET}"}}]}}}}'), "signals signals.json: synonyms.a.0"),
    ],
)
def test_every_entrance_names_the_place_in_one_short_line_without_the_value(
    refuse: Callable[[], None], place: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    with pytest.raises(GateError) as caught:
        refuse()
    assert caught.value.safe_message.startswith(place)
    assert len(caught.value.safe_message) < 200
    assert SECRET not in caught.value.reason
