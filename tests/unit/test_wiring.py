"""What belongs to an entrance stays in it."""

from __future__ import annotations

import threading
from collections.abc import Mapping
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest

from gate import runtime, wiring
from gate.adapters.spending import allowance
from gate.errors import InputError, SettingsError
from gate.services.audit_log import record, recording
from gate.services.run import search_options, together, using
from gate.settings import Settings
from gate.wiring import Wiring

RUNS = 100


def test_a_hundred_runs_with_settings_of_their_own_do_not_see_each_other(tmp_path: Path) -> None:
    all_there = threading.Barrier(RUNS)

    def run(number: int) -> None:
        settings = Settings(home=tmp_path / str(number), index=f"index-{number}", max_turns=1 + number % 2)
        with wiring.entered(Wiring(settings)), recording() as facts:
            all_there.wait(60)
            assert load(number)["config"]["elasticsearch"]["index"] == f"index-{number}"
            with using({"run_id": f"run-{number}", "search": {"top_k": number}, "budget": {"tokens": number}}):
                record("Number", number)
                seen = together(lambda _: observed(), range(4))
        assert seen == [(settings, number, number)] * 4
        assert [fact.value for fact in facts] == [number]
        assert [path.name for path in (tmp_path / str(number) / "runs").iterdir()] == [f"run-{number}"]

    with ThreadPoolExecutor(RUNS) as pool:
        list(pool.map(run, range(1, RUNS + 1)))


def load(number: int) -> Mapping[str, Any]:
    """Load a transcript of two turns, for which every other entrance has no room."""
    text = '{"turns": [{"role": "user", "content": "?"}, {"role": "assistant", "content": "The sky is blue."}]}'
    state = {"submission": {"name": "a.json", "text": text}}
    if wiring.current().settings.max_turns == 1:
        with pytest.raises(InputError, match="turns"):
            runtime.handle("load_transcript", {"run_id": f"run-{number}", "state": state})
        state["submission"]["text"] = '{"turns": [{"role": "assistant", "content": "The sky is blue."}]}'
    return runtime.handle("load_transcript", {"run_id": f"run-{number}", "state": state})


def observed() -> tuple[Settings, int, int]:
    spendable = allowance.current()
    assert spendable is not None
    return wiring.current().settings, search_options()["top_k"], spendable.tokens


def test_adapters_are_made_once_an_entrance_and_anew_for_changed_settings(tmp_path: Path) -> None:
    one = Wiring(Settings(home=tmp_path))
    other = one.changed(index="other")
    assert one.blob_store() is one.blob_store()
    assert one.blob_store() is not other.blob_store()
    assert (other.settings.home, other.settings.index, one.settings.index) == (tmp_path, "other", "trusted_docs")


def test_an_entrance_is_left_when_its_work_has_failed() -> None:
    before = wiring.current()
    with pytest.raises(KeyError), wiring.entered(Wiring(Settings(index="inner"))):
        raise KeyError
    assert wiring.current() is before


def test_a_process_that_enters_nothing_has_the_settings_of_its_environment(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.undo()
    monkeypatch.setenv("GATE_INDEX", "handbook")
    assert Wiring().settings.index == "handbook"
    monkeypatch.setenv("GATE_MODLE", "local")
    with pytest.raises(SettingsError, match="GATE_MODLE"):
        Wiring().settings  # noqa: B018
    with ThreadPoolExecutor(1) as pool:
        assert pool.submit(wiring.current).result() is wiring.PROCESS
