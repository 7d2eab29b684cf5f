"""`gate serve` and `gate review`: runs wait for a person, whichever process they decide in, and whatever restarts."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result

from gate import wiring
from gate.cli import group
from gate.cli.labelled_rows import read_rows
from gate.services.reviews.review_queue import changed, moment
from gate.serving import local_runs
from gate.serving.local_runs import LocalRuns
from tests.entrance import Entrance
from tests.local_server import ANSWER, Served, eventually, serving

POLICY = {"contradicted": "review", "unsupported": "review", "failed_check": "review", "review_hours": 1}
FINE = {"outcome": "pass", "comment": "The page is out of date.", "reviewer": "ann"}


@pytest.fixture(autouse=True)
def ledger(entrance: Entrance) -> None:
    entrance.change(ledger="local")


@pytest.fixture
def served() -> Iterator[Served]:
    with serving(policy=POLICY) as found:
        yield found


def asked(served: Served, text: str = ANSWER) -> str:
    """A run that waits for a person; its id."""
    _, started = served.value("POST", "/v1/checks", {"text": text, "search": {"index": "docs"}})
    eventually(lambda: started["id"] in waiting(served))
    return str(started["id"])


def waiting(served: Served) -> list[str]:
    return [one["id"] for one in served.value("GET", "/v1/reviews")[1]["reviews"]]


def outcome(served: Served, run_id: str) -> Any:
    """Once it has ended."""
    return eventually(lambda: served.value("GET", f"/v1/checks/{run_id}")[1]["outcome"])


def review(*arguments: str) -> Result:
    return CliRunner().invoke(group, ["review", *arguments])


def test_runs_that_wait_hold_up_no_others(served: Served) -> None:
    runs = [asked(served, f"{ANSWER} Again {number}.") for number in range(6)]
    assert waiting(served) == runs, "more than the four that run at a time"
    assert served.value("POST", f"/v1/reviews/{runs[3]}/decide", FINE)[1]["goes_on"]
    assert outcome(served, runs[3]) == "pass"
    assert waiting(served) == [*runs[:3], *runs[4:]]


def test_no_check_is_begun_while_too_many_wait_for_a_person(served: Served, monkeypatch: pytest.MonkeyPatch) -> None:
    """Each of them holds a thread."""
    monkeypatch.setattr("gate.serving.local_runs.WAITING", 2)
    runs = [asked(served, f"{ANSWER} Again {number}.") for number in range(2)]
    check = {"text": f"{ANSWER} Again.", "search": {"index": "docs"}}
    status, refused = served.value("POST", "/v1/checks", check)
    assert (status, refused["message"]) == (503, "2 checks wait for a person")
    served.value("POST", f"/v1/reviews/{runs[0]}/decide", FINE)
    outcome(served, runs[0])
    eventually(lambda: served.value("POST", "/v1/checks", check)[0] == 202)


def test_on_a_machine_of_one_s_own_a_reviewer_gives_their_name(served: Served) -> None:
    run_id = asked(served)
    status, body = served.value("POST", f"/v1/reviews/{run_id}/decide", {"outcome": "block"})
    assert (status, body["message"]) == (400, "reviewer: who decides is to be named here")
    served.value("POST", f"/v1/reviews/{run_id}/decide", {"outcome": "block", "reviewer": "ann"})
    assert outcome(served, run_id) == "block"


def test_the_command_decides_and_the_server_goes_on(served: Served) -> None:
    run_id = asked(served)
    listed = review("list").output
    assert run_id in listed
    assert ".;" not in listed
    assert "; " in listed  # several reasons
    shown = review("show", run_id).output
    assert "Returns are free for 90 days" in shown
    assert "waits until" in shown
    assert "waits for ann until" in review("assign", run_id, "ann").output
    assert "for ann; " in review("list").output
    refused = review("decide", run_id, "pass")
    assert (refused.exit_code, "a comment is needed" in refused.output) == (2, True)
    done = review("decide", run_id, "pass", "-m", "It is 90 by now.", "--mark", "c0002=supported", "--as", "ann")
    assert (done.exit_code, "decided: pass" in done.output) == (0, True), done.output
    assert outcome(served, run_id) == "pass"
    assert review("list").output == "nothing waits\n"
    late = review("decide", run_id, "block")
    assert (late.exit_code, "nothing has changed" in late.output) == (2, True)
    rows = list(read_rows(Path("labels"), review("labels").output, None, 0))
    assert [(row.label, row.claim) for row in rows] == [("supported", "Returns are free for 90 days.")]
    assert json.loads(review("show", run_id, "-f", "json").output)["decisions"][0]["reviewer"] == "ann"
    told = CliRunner().invoke(group, ["ledger", "show", run_id]).output
    assert "review requested  (entry" in told, "a service asks by itself"
    assert "review overruled: pass by ann" in told
    assert "review late by" in told
    period = json.loads(CliRunner().invoke(group, ["ledger", "report", "-f", "json"]).output)
    assert period["overruled"] == 1


@pytest.mark.parametrize("decided", ["before", "after"])
def test_a_run_that_waited_when_its_server_was_killed_goes_on_in_the_next_one(served: Served, decided: str) -> None:
    run_id = asked(served)
    cut = served.cut_off()
    runs = served.entrance.runs()
    assert isinstance(runs, LocalRuns)
    runs._tokens._open.clear()  # what waited in that process is gone with it
    if decided == "before":
        assert review("decide", run_id, "block", "--as", "ann").exit_code == 0
    with serving(policy=POLICY) as again:
        if decided == "after":
            assert waiting(again) == [run_id]
            eventually(
                lambda: again.value("POST", f"/v1/reviews/{run_id}/decide", FINE | {"outcome": "block"})[0] == 200
            )
        assert outcome(again, run_id) == "block"
        assert again.value("GET", f"/v1/checks/{cut}")[1]["status"] == "ABORTED"


def killed(served: Served) -> None:
    """What waited in the server's process is gone with it."""
    runs = served.entrance.runs()
    assert isinstance(runs, LocalRuns)
    runs._tokens._open.clear()


def test_a_server_that_is_started_again_waits_no_longer_than_the_run_was_to_wait(served: Served) -> None:
    run_id = asked(served)
    killed(served)
    with wiring.entered(served.entrance):
        changed(run_id, lambda item: item.model_copy(update={"until": moment(2)}))
    with serving(policy=POLICY) as again:
        assert outcome(again, run_id) == "review"
        assert again.value("GET", f"/v1/reviews/{run_id}")[1]["state"] == "timed_out"


def test_a_run_that_cannot_be_gone_on_with_has_failed_and_waits_for_nobody(served: Served) -> None:
    run_id = asked(served)
    killed(served)
    served.entrance.blob_store().put(f"runs/{run_id}/asked.json", b"{")
    with serving(policy=POLICY) as again:
        eventually(lambda: again.value("GET", f"/v1/checks/{run_id}")[1]["status"] == "FAILED")
        assert outcome(again, run_id) == "error", "its report is still the one that waited"


def test_the_command_says_that_the_time_of_a_review_is_over(served: Served) -> None:
    run_id = asked(served)
    killed(served)
    with wiring.entered(served.entrance):
        changed(run_id, lambda item: item.model_copy(update={"until": moment(-1)}))
    shown = review("show", run_id).output
    assert "its time was over" in shown
    assert "waits until" not in shown.partition("its time was over")[2]


def test_nobody_answers_and_it_is_what_the_policy_says() -> None:
    with serving(policy={**POLICY, "review_hours": 0.0003, "review_fallback": "block"}) as served:
        _, started = served.value("POST", "/v1/checks", {"text": ANSWER, "search": {"index": "docs"}})
        assert outcome(served, started["id"]) == "block"


def test_a_check_in_the_request_waits_for_nobody(served: Served) -> None:
    status, report = served.value("POST", "/v1/checks:now", {"text": ANSWER, "search": {"index": "docs"}})
    assert (status, report["outcome"], report["review"]) == (200, "review", None)
    assert waiting(served) == []


def delete(run_id: str) -> Result:
    return CliRunner().invoke(group, ["ledger", "delete", run_id, "--reason", "erasure"])


def holding(text: str) -> list[str]:
    """Files of the gate's own that hold a text."""
    files = (path for path in wiring.current().settings.home.rglob("*") if path.is_file())
    return sorted(path.name for path in files if text.encode() in path.read_bytes())


def test_the_command_deletes_the_review_of_a_check_too_and_not_before_it_has_ended(served: Served) -> None:
    run_id = asked(served, f"{ANSWER} Quartermain says so.")
    refused = delete(run_id)
    assert (refused.exit_code, "still running, or waits for a person" in refused.output) == (2, True), refused.output
    assert waiting(served) == [run_id]
    assert review("decide", run_id, "pass", "-m", "Wendelstein rang up.", "--as", "Ottokar").exit_code == 0
    outcome(served, run_id)
    deleted = delete(run_id)
    assert deleted.exit_code == 0, deleted.output
    assert served.value("GET", f"/v1/checks/{run_id}")[0] == 404
    assert review("show", run_id).exit_code == 2
    assert [holding("Quartermain"), holding("Wendelstein")] == [[], []]
    assert "nothing of that run is stored here" in delete(run_id).output
    with serving(policy=POLICY):
        told = CliRunner().invoke(group, ["ledger", "verify", "--blobs"])
        assert told.exit_code == 0, told.output


def test_a_check_can_be_deleted_once_nothing_more_is_stored_of_it(
    served: Served, monkeypatch: pytest.MonkeyPatch
) -> None:
    seen: list[str] = []

    def look(run_id: str) -> None:
        seen.append(served.value("GET", f"/v1/checks/{run_id}")[1]["status"])

    monkeypatch.setattr(local_runs, "_keep_input_alone", look)
    run_id = asked(served)
    served.value("POST", f"/v1/reviews/{run_id}/decide", FINE)
    outcome(served, run_id)
    assert eventually(lambda: seen) == ["RUNNING"]


def test_a_review_whose_run_is_gone_already_can_still_be_deleted(served: Served) -> None:
    run_id = asked(served)
    assert review("decide", run_id, "pass", "-m", "Wendelstein rang up.", "--as", "ann").exit_code == 0
    outcome(served, run_id)
    for folder in ("reports", "runs"):
        served.entrance.blob_store().delete_prefix(f"{folder}/{run_id}")
    assert delete(run_id).exit_code == 0
    assert holding("Wendelstein") == []


def test_no_file_holds_what_was_said_of_a_deleted_check(served: Served) -> None:
    run_id = asked(served, f"{ANSWER} Quartermain says so.")
    served.value("POST", f"/v1/reviews/{run_id}/decide", {**FINE, "comment": "Wendelstein rang up."})
    outcome(served, run_id)
    assert "reviews.sqlite-wal" in holding("Wendelstein")
    assert served.value("DELETE", f"/v1/checks/{run_id}?reason=erasure")[0] == 200
    assert [holding("Quartermain"), holding("Wendelstein")] == [[], []]


@pytest.mark.parametrize("mark", ["c0002", "=supported", "c0002=wrong"])
def test_a_mark_that_cannot_be_read_is_refused_in_one_line(served: Served, mark: str) -> None:
    run_id = asked(served)
    refused = review("decide", run_id, "block", "-m", "No.", "--mark", mark)
    assert refused.exit_code == 2
    assert run_id in waiting(served)
