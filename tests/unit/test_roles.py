"""Submitting, reading, reviewing, deleting and administering are granted apart, in the API and in `gate serve`."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

from gate import catalogue, runtime, wiring
from gate.cli import group
from gate.errors import InputError
from gate.ports import RunStatus
from gate.services.trail.proofs import story
from gate.serving.known_callers import read_callers
from tests.aws_events import FakeRuns, a_request
from tests.entrance import Entrance
from tests.local_server import ANSWER, Served, eventually, serving

ROLES = {setting: f"{grant}-role" for grant, setting in catalogue.ROLES.items()}
TEXT = {"text": "The sky is blue."}
RUN = "api-0000"
CALLS: dict[str, list[tuple[str, str, Any]]] = {
    "submit": [
        ("POST", "/v1/checks", TEXT),
        ("POST", f"/v1/checks/{RUN}/rerun", {}),
        ("POST", "/v1/uploads", {}),
        ("POST", "/v1/citations", {"segment": {}}),
    ],
    "read": [("GET", f"/v1/checks/{RUN}/report", None)],
    "review": [("GET", "/v1/reviews", None), ("POST", f"/v1/reviews/{RUN}/assign", {"assignee": "x"})],
    "delete": [("DELETE", f"/v1/checks/{RUN}", None)],
}


@pytest.fixture
def runs(entrance: Entrance) -> FakeRuns:
    found = FakeRuns()
    entrance.change(ledger="local", **ROLES)
    entrance.give(runs=found, batch_runs=FakeRuns())
    found.statuses[RUN] = RunStatus("SUCCEEDED")
    return found


def asked(method: str, path: str, body: Any = None, *groups: str) -> tuple[int, dict[str, Any]]:
    answer = runtime.handle(
        "api", a_request(method, path, body, claims={"sub": "u1", "cognito:groups": ",".join(groups)})
    )
    return answer["statusCode"], json.loads(answer["body"])


@pytest.mark.parametrize("grant", CALLS)
def test_each_grant_lets_its_own_routes_and_no_other_grant_does(runs: FakeRuns, grant: str) -> None:
    others = [f"{other}-role" for other in CALLS if other != grant and {other, grant} != {"review", "read"}]
    for call in CALLS[grant]:
        status, body = asked(*call, *others)
        assert (status, body["code"]) == (403, "MayNotError"), call
        assert body["hint"].startswith(f"GATE_{grant.upper()}_ROLE")
        assert asked(*call, f"{grant}-role")[0] != 403, call


def test_who_has_no_grant_sees_outcomes_and_no_text(runs: FakeRuns, entrance: Entrance) -> None:
    entrance.change(ledger="")  # which shows no report that it knows nothing of
    report = {"outcome": "block", "failure": None, "claims": [{"text": "Jane Roe lives in Oslo."}]}
    wiring.current().blob_store().put(f"reports/{RUN}/report.json", json.dumps(report).encode())
    for path in (f"/v1/checks/{RUN}", f"/v1/outcomes/{RUN}"):
        status, body = asked("GET", path)
        assert (status, body["outcome"]) == (200, "block")
        assert "Jane" not in json.dumps(body)
    assert asked("GET", f"/v1/checks/{RUN}/report")[0] == 403


def test_an_answer_with_the_report_in_it_takes_both_grants(runs: FakeRuns) -> None:
    for held in (["submit-role"], ["read-role"], []):
        event = a_request("POST", "/v1/checks:now", TEXT, claims={"sub": "u1", "cognito:groups": ",".join(held)})
        assert runtime.handle("api", event)["statusCode"] == 403


def test_who_reviews_reads_what_they_decide_on(runs: FakeRuns) -> None:
    assert asked("GET", f"/v1/checks/{RUN}/report", None, "review-role")[0] == 404


def test_a_deletion_that_is_refused_for_its_role_is_written_down_and_removes_nothing(runs: FakeRuns) -> None:
    store = wiring.current().blob_store()
    store.put(f"runs/{RUN}/blob", b"kept")
    assert asked("DELETE", f"/v1/checks/{RUN}?reason=erasure", None, "submit-role", "read-role")[0] == 403
    assert store.exists(f"runs/{RUN}/blob")
    assert asked("DELETE", f"/v1/checks/{RUN}?reason=erasure", None, "delete-role")[0] == 200
    told = [(one.kind, one.actor, one.facts["allowed"], one.facts["reason"]) for one in story(RUN).entries]
    assert told == [("deletion", "u1", False, "erasure"), ("deletion", "u1", True, "erasure")]


@pytest.mark.parametrize(
    ("role", "held", "status"),
    [
        ("*", "", 404),
        ("", "auditors", 403),
        ("", "*", 403),
        ("auditors", "*", 403),
        ("auditors,readers", "readers", 404),
        ("auditors", "no-auditors", 403),
    ],
)
def test_a_role_is_one_of_several_groups_or_everybody_and_empty_is_nobody(
    runs: FakeRuns, entrance: Entrance, role: str, held: str, status: int
) -> None:
    entrance.change(read_role=role, review_role="")
    entrance.give(runs=runs, batch_runs=FakeRuns())
    assert asked("GET", f"/v1/checks/{RUN}/report", None, held)[0] == status


# The server on this machine knows callers by tokens of their own.

TOKENS = {name: f"the-token-of-{name}-alone" for name in ("ann", "bob", "eve", "sub", "own")}
GROUPS = {
    "ann": "review-role",
    "bob": "review-role",
    "eve": "",
    "sub": "submit-role",
    "own": "administer-role,delete-role",
}


def file_of_callers(folder: Path) -> Path:
    lines = [
        f"{name}:\n  sha256: {hashlib.sha256(token.encode()).hexdigest()}\n  groups: [{GROUPS[name]}]\n"
        for name, token in TOKENS.items()
    ]
    path = folder / "callers.yaml"
    path.write_text("".join(lines))
    return path


@pytest.fixture
def served(tmp_path: Path) -> Iterator[Served]:
    policy = {"contradicted": "review", "unsupported": "review", "failed_check": "review", "review_hours": 1}
    callers = read_callers(file_of_callers(tmp_path))
    settings: dict[str, Any] = {"ledger": "local", **ROLES}
    with serving(callers=callers, policy=policy | {"four_eyes": True}, **settings) as found:
        yield found


def by(served: Served, who: str, method: str, path: str, body: Any = None) -> tuple[int, Any]:
    status, _, data = served.ask(method, path, body, Authorization=f"Bearer {TOKENS.get(who, who)}")
    return status, json.loads(data) if data.startswith(b"{") else data


def test_who_decides_on_this_machine_is_who_has_the_token_and_four_eyes_are_two_people(served: Served) -> None:
    assert by(served, "nobody-has-this-token", "GET", "/v1/reviews")[0] == 401
    assert by(served, "eve", "POST", "/v1/checks", {"text": ANSWER})[0] == 403
    status, started = by(served, "sub", "POST", "/v1/checks", {"text": ANSWER, "search": {"index": "docs"}})
    assert status == 202
    run, path = started["id"], f"/v1/reviews/{started['id']}/decide"
    eventually(lambda: by(served, "ann", "GET", "/v1/reviews")[1]["reviews"])
    assert by(served, "sub", "POST", path, {"outcome": "pass"})[0] == 403
    fine = {"outcome": "pass", "comment": "The corpus is behind."}
    assert by(served, "ann", "POST", path, {**fine, "reviewer": "bob"})[0] == 400, "nobody decides in another's name"
    assert by(served, "ann", "POST", path, fine)[1]["state"] == "waiting"
    assert by(served, "ann", "POST", path, fine)[0] == 409
    assert by(served, "bob", "POST", path, fine)[1]["outcome"] == "pass"
    eventually(lambda: by(served, "eve", "GET", f"/v1/checks/{run}")[1]["outcome"] == "pass")
    with wiring.entered(served.entrance):
        steps = [(one.facts["step"], one.actor) for one in story(run).entries if one.kind == "review"]
    assert steps == [("requested", ""), ("refused", "sub"), ("overruled", "ann"), ("overruled", "bob")]


@pytest.mark.parametrize(
    ("path", "method", "who"),
    [
        ("/app/runs/api-1", "GET", "ann"),
        ("/app/runs/api-1/progress", "GET", "ann"),
        ("/app/labels.jsonl", "GET", "ann"),
        ("/app/corpora/docs/passages", "GET", "ann"),
        ("/app/runs/api-1/marks", "POST", "ann"),
        ("/app/corpora/docs/documents/new.md", "PUT", "own"),
        ("/v1/checks:now", "POST", None),
        ("/v1/streams", "POST", None),
    ],
)
def test_what_the_page_asks_for_takes_its_grant_too(served: Served, path: str, method: str, who: str | None) -> None:
    body = b"# New" if method == "PUT" else {"text": "x"} if method == "POST" else None
    for other in {*TOKENS} - {who or "", "bob"}:
        assert by(served, other, method, path, body)[0] == 403, other
    if who:
        assert by(served, who, method, path, body)[0] != 403


def test_the_page_knows_who_asks_and_a_link_to_a_report_is_theirs(served: Served) -> None:
    assert by(served, "ann", "GET", "/app/me")[1] == {"name": "ann", "grants": ["read", "review"]}
    for who, status in (("ann", 404), ("eve", 403)):
        ticket = by(served, who, "POST", "/app/ticket?run=api-1")[1]["ticket"]
        assert served.ask("GET", f"/v1/checks/api-1/report?ticket={ticket}")[0] == status
    assert served.ask("GET", "/v1/checks/api-1/report?ticket=another")[0] == 401


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("", "names nobody"),
        ("ann: secret", "ann"),
        ("ann: {sha256: short}", "sha256"),
        ("ann: {sha256: '%s', groups: ['a,b']}", "groups"),
        ("ann: {sha256: '%s', groups: ['*']}", "groups"),
        ("ann: {sha256: '%s'}\nAnn: {sha256: '%s'}", "two callers"),
        ("ann: {sha256: '%s'}\nbob: {sha256: '%s'}", "two callers"),
        ("anonymous: {sha256: '%s'}", "nobody"),
        ("Anonymous: {sha256: '%s'}", "nobody"),
    ],
)
def test_a_file_of_callers_that_tells_nobody_apart_is_refused(tmp_path: Path, text: str, said: str) -> None:
    path = tmp_path / "callers.yaml"
    path.write_text(text.replace("%s", "0" * 64))
    with pytest.raises(InputError, match=said):
        read_callers(path)


def test_a_stream_is_its_writers_alone() -> None:
    groups = {"pat": "submit-role,read-role", "kim": "submit-role,read-role", "sub": "submit-role"}
    claims = {
        hashlib.sha256(TOKENS.get(who, who).encode()).hexdigest(): {"sub": who, "cognito:groups": held}
        for who, held in groups.items()
    }
    settings: dict[str, Any] = {"indexes": "docs", **ROLES}
    with serving(callers=claims, **settings) as served:
        began, stream = by(served, "pat", "POST", "/v1/streams", {**TEXT, "search": {"index": "docs"}})
        assert began == 201, stream
        place = f"/v1/streams/{stream['id']}"
        for who, status in (("kim", 404), ("sub", 403)):
            assert by(served, who, "POST", f"{place}:append", {"text": " Refunds."})[0] == status
            assert by(served, who, "POST", f"{place}:end")[0] == status
        status, ended = by(served, "pat", "POST", f"{place}:end")
        assert (status, ended["received"]) == (200, len(TEXT["text"]))


def test_a_token_of_everybody_beside_tokens_of_each_is_refused(tmp_path: Path) -> None:
    (tmp_path / "token").write_text("a-token-of-some-length")
    given = ["serve", "--callers", str(file_of_callers(tmp_path)), "--token-file", str(tmp_path / "token")]
    found = CliRunner().invoke(group, given)
    assert found.exit_code == 2
    assert "nobody would be known" in found.output
