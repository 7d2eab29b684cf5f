"""People are told that a run waits for them: by whom can be proved, no text goes along, and the run does not depend on
it."""

from __future__ import annotations

import base64
import json
import re
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from pydantic import SecretStr

from gate import wiring
from gate.adapters.notices.webhook import Webhook, key_of, signature
from gate.errors import EventsUnavailableError, SettingsError
from gate.services.trail.proofs import story
from gate.settings import Settings
from gate.trail.review_items import ReviewItem, ReviewReason
from gate.trail.review_notices import review_notice
from tests.entrance import Entrance
from tests.local_server import ANSWER, Served, eventually, serving
from tests.stubs.receiver import Receiver, receiving

POLICY = {"contradicted": "review", "unsupported": "review", "failed_check": "review", "review_hours": 1}
SECRET = "whsec_" + base64.b64encode(bytes(range(32))).decode()
ITEM = ReviewItem(
    run="run<1>",
    tenant="red",
    since="2026-11-23T09:15:06.120+00:00",
    until="2026-11-25T09:15:06.120+00:00",
    reasons=(ReviewReason(rule="no_support", message="1 of 1 claims are unsupported."),),
    four_eyes=True,
)
DOCUMENT = Path(__file__).parents[2] / "docs" / "review.md"


@pytest.fixture
def receiver() -> Iterator[Receiver]:
    with receiving() as server:
        yield server


@pytest.fixture
def key_file(tmp_path: Path) -> str:
    path = tmp_path / "webhook.key"
    path.write_text(f"{SECRET}\n")
    return str(path)


@pytest.fixture
def served(receiver: Receiver, key_file: str, entrance: Entrance, monkeypatch: pytest.MonkeyPatch) -> Iterator[Served]:
    monkeypatch.setattr("gate.serving.local_notices.PAUSES_S", (0.02, 0.02, 0.02))
    entrance.change(ledger="local", review_webhook=SecretStr(receiver.url), review_webhook_key=key_file)
    with serving(policy=POLICY) as found:
        yield found


def asked(served: Served) -> str:
    """A run that waits for a person; its id."""
    _, started = served.value("POST", "/v1/checks", {"text": ANSWER, "search": {"index": "docs"}})
    eventually(lambda: served.value("GET", "/v1/reviews")[1]["reviews"])
    return str(started["id"])


def blocked(served: Served, run_id: str) -> bool:
    """Whether somebody can decide, and the run goes on with it."""
    served.value("POST", f"/v1/reviews/{run_id}/decide", {"outcome": "block", "reviewer": "ann"})
    found = eventually(lambda: served.value("GET", f"/v1/checks/{run_id}")[1]["outcome"])
    return bool(found == "block")


def steps(run_id: str) -> list[Any]:
    told = story(run_id)
    assert told.holds
    return [entry.facts["step"] for entry in told.entries if entry.kind == "review"]


def test_who_receives_a_notice_can_prove_it_and_reads_no_text(served: Served, receiver: Receiver) -> None:
    run_id = asked(served)
    headers, body = eventually(lambda: receiver.got)[0]
    told = json.loads(body)
    assert told["type"] == "review.requested"
    assert set(told["data"]) == {"run_id", "outcome", "since", "until", "reasons", "four_eyes", "page"}
    assert told["data"]["page"] == f"http://127.0.0.1:{served.port}/#review/{run_id}"
    assert told["data"]["until"] > told["data"]["since"] == told["timestamp"]
    assert b"parcels" not in body.lower()
    at = int(headers["webhook-timestamp"])
    assert headers["webhook-signature"] == signature(key_of(SECRET), headers["webhook-id"], at, body)
    assert blocked(served, run_id)


def test_the_lines_of_the_document_tell_a_genuine_notice_from_any_other(receiver: Receiver) -> None:
    code = re.search(r"```python\n(.*?)```", DOCUMENT.read_text(encoding="utf-8"), re.DOTALL)
    assert code is not None
    known: dict[str, Any] = {}
    exec(code[1], known)
    Webhook(receiver.url, key_of(SECRET)).send("review-1", b"{}")
    ((headers, body),) = receiver.got
    is_genuine = known["is_genuine"]
    assert is_genuine(headers, body, SECRET)
    assert is_genuine({**headers, "webhook-signature": f"v1,AAAA {headers['webhook-signature']}"}, body, SECRET)
    assert not is_genuine(headers, b"{ }", SECRET)
    assert not is_genuine({**headers, "webhook-id": "review-2"}, body, SECRET)
    assert not is_genuine(headers, body, "whsec_" + base64.b64encode(bytes(32)).decode())
    early = str(int(headers["webhook-timestamp"]) - 600)
    replayed = {
        "webhook-timestamp": early,
        "webhook-signature": signature(key_of(SECRET), "review-1", int(early), body),
    }
    assert not is_genuine({**headers, **replayed}, body, SECRET)


def test_the_signature_is_that_of_the_specification_s_own_example() -> None:
    key = key_of("whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw")
    found = signature(key, "msg_p5jXN8AQM9LWM0D4loKWxJek", 1_614_265_330, b'{"test": 2432232314}')
    assert found == "v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE="


def test_a_notice_that_was_not_taken_is_sent_again_under_its_id(served: Served, receiver: Receiver) -> None:
    receiver.statuses = [503, 429, 200]
    run_id = asked(served)
    eventually(lambda: len(receiver.got) == 3)
    assert len({(headers["webhook-id"], body) for headers, body in receiver.got}) == 1
    assert blocked(served, run_id)
    assert steps(run_id) == ["requested", "blocked"]


@pytest.mark.parametrize(("status", "attempts"), [(500, 4), (404, 1), (307, 1)])
def test_a_lost_notice_is_told_and_written_down_and_the_run_waits_all_the_same(
    served: Served, receiver: Receiver, capsys: pytest.CaptureFixture[str], status: int, attempts: int
) -> None:
    receiver.statuses = [status]
    run_id = asked(served)
    eventually(lambda: "unannounced" in steps(run_id))
    assert f"gate: nobody was told that run {run_id} waits for a person: the webhook" in capsys.readouterr().err
    assert len(receiver.got) == attempts
    assert blocked(served, run_id)
    assert steps(run_id) == ["requested", "unannounced", "blocked"]


def test_what_is_decided_meanwhile_is_not_told_any_more(
    served: Served, receiver: Receiver, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("gate.serving.local_notices.PAUSES_S", (0.5,) * 3)
    receiver.statuses = [503]
    run_id = asked(served)
    assert blocked(served, run_id)
    time.sleep(0.7)
    assert len(receiver.got) == 1
    assert steps(run_id) == ["requested", "blocked"]


def test_a_receiver_that_does_not_come_to_an_end_is_cut_off(
    receiver: Receiver, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("gate.adapters.notices.webhook.DEADLINE_S", 0.3)
    receiver.drips = True
    began = time.monotonic()
    with pytest.raises(EventsUnavailableError):
        Webhook(receiver.url, b"").send("review-1", b"{}")
    assert time.monotonic() - began < 2


def test_nobody_at_the_address_is_something_to_try_again(receiver: Receiver) -> None:
    url = receiver.url
    receiver.server_close()
    with pytest.raises(EventsUnavailableError, match="could not be reached"):
        Webhook(url, b"").send("review-1", b"{}")


def test_a_chat_gets_a_message_whose_ids_control_nothing() -> None:
    told = json.loads(review_notice(ITEM, "https://gate.example/#review/{run}", "slack").body)
    assert told["text"] == "An answer waits for a person until 2026-11-25 09:15 UTC: run run&lt;1&gt;"
    (block,) = told["blocks"]
    assert block["text"]["text"].splitlines()[1:] == [
        "run `run&lt;1&gt;`",
        "why: no_support",
        "two people must agree",
        "<https://gate.example/#review/run&lt;1&gt;|Read and decide>",
    ]


def test_a_review_has_one_id_however_often_it_is_told_and_another_one_another() -> None:
    first = review_notice(ITEM, "", "json")
    assert json.loads(first.body)["data"]["page"] is None
    assert not {"red", "unsupported"} & set(first.body.decode().replace('"', " ").split()), "whose it is is not told"
    assert first.id == review_notice(ITEM.model_copy(update={"four_eyes": False}), "x", "slack").id
    assert first.id != review_notice(ITEM.model_copy(update={"run": "run2"}), "", "json").id


@pytest.mark.parametrize(
    ("settings", "said"),
    [
        ({"review_webhook": "http://hooks.example/x"}, "is no address of a webhook"),
        ({"review_webhook": "https://user:word@hooks.example/x"}, "is no address of a webhook"),
        ({"review_webhook": "ftp://127.0.0.1/x"}, "is no address of a webhook"),
        ({"review_webhook": "https://hooks.example\r\nx: y"}, "is no address of a webhook"),
        ({"review_webhook_key": ""}, "nobody could tell who posts there without it"),
        ({"review_webhook_key": "/nowhere"}, "GATE_REVIEW_WEBHOOK_KEY: No such file"),
        ({"review_webhook_key": __file__}, "GATE_REVIEW_WEBHOOK_KEY"),
    ],
)
def test_an_address_or_a_key_that_cannot_be_used_is_refused(
    entrance: Entrance, key_file: str, settings: dict[str, Any], said: str
) -> None:
    given = {"review_webhook": "https://hooks.example/x", "review_webhook_key": key_file, **settings}
    entrance.use(Settings.model_validate(given))
    with pytest.raises(SettingsError, match=re.escape(said)):
        wiring.current().webhook()
