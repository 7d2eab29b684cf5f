"""A release reads the states that earlier ones left: a run under way is finished by what is deployed meanwhile."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest

from gate import runtime, wiring
from gate.catalogue import STATE_SCHEMA
from gate.errors import InternalError
from tests.entrance import Entrance

STORED = Path(__file__).parent / "data" / "states"
"""By form of the state: what each function of a run was given, and the blobs, as a release of that form left them."""


@pytest.fixture(params=sorted(STORED.glob("*.json")), ids=lambda path: path.stem)
def stored(request: pytest.FixtureRequest, entrance: Entrance) -> dict[str, Any]:
    """A run of an earlier release, in the store."""
    entrance.change(model="local:lexical", embedder="none")
    found: dict[str, Any] = json.loads(request.param.read_text(encoding="utf-8"))
    for sha, text in found["blobs"].items():
        wiring.current().blob_store().put(f"runs/stored/{sha}", text.encode())
    return found


def report() -> dict[str, Any]:
    loaded: dict[str, Any] = json.loads(wiring.current().blob_store().get("reports/stored/report.json"))
    return loaded


def test_every_function_goes_on_from_what_an_earlier_release_left(stored: dict[str, Any]) -> None:
    done = [name for name, event in stored["events"] if runtime.handle(name, event)]
    assert {"load_transcript", "extract_claims", "retrieve_evidence", "verify_claims", "judge"} < set(done)
    assert (report()["outcome"], [claim["status"] for claim in report()["claims"]]) == (
        stored["outcome"],
        stored["claims"],
    )
    assert report()["integrity"] == "SUCCESS"


def test_every_form_before_this_one_has_its_stored_run() -> None:
    forms = {json.loads(path.read_text(encoding="utf-8"))["schema"] for path in STORED.glob("*.json")}
    assert forms == set(range(STATE_SCHEMA))


def test_a_state_of_a_later_release_is_refused_with_what_to_do(stored: dict[str, Any]) -> None:
    for name, event in stored["events"]:
        later: Mapping[str, Any] = {
            **event["state"],
            "config": {**event["state"]["config"], "schema": STATE_SCHEMA + 1},
        }
        with pytest.raises(InternalError, match=f"a later release: its state has form {STATE_SCHEMA + 1}") as raised:
            runtime.handle(name, {**event, "state": later})
        assert "redrive" in raised.value.hint


def test_a_run_says_which_form_its_state_has(stored: dict[str, Any]) -> None:
    (event,) = (event for name, event in stored["events"] if name == "load_transcript")
    assert runtime.handle("load_transcript", event)["config"]["schema"] == STATE_SCHEMA
