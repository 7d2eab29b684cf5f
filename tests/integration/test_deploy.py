"""A real `cdk bootstrap` and `cdk deploy` into AWS on loopback, and checks by the code and the definitions deployed.

What moto does not know (`Skipped.kinds`) is covered by the template tests alone: the list below says which.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest

from tests.aws_events import a_request
from tests.iam import own_calls
from tests.quality.outages import all_waits, most_unchecked, unchecked_share
from tests.stubs import api, aws
from tests.stubs.cdk_cli import cdk
from tests.stubs.clock import FastClock
from tests.stubs.deployed import Deployed, deployment
from tests.stubs.telling import telling

pytestmark = [pytest.mark.slow, pytest.mark.timeout(600)]

ONLY_IN_TEMPLATES = {
    "AWS::ApiGateway::Account",
    "AWS::ApiGateway::RequestValidator",
    "AWS::ApiGateway::Stage",
    "AWS::CloudWatch::Alarm",
    "AWS::CloudWatch::CompositeAlarm",
    "AWS::Lambda::EventInvokeConfig",
    "AWS::S3::BucketPolicy",
    "AWS::SNS::TopicPolicy",
    "AWS::SQS::QueuePolicy",
}
SPEED = 10
FACTS = [f"Item {number} weighs {number * 3} grams." for number in range(1, 6)]


def node_url(request: pytest.FixtureRequest) -> str | None:
    """A real OpenSearch; None where there is none to be had."""
    try:
        url: str = request.getfixturevalue("opensearch_url")
    except pytest.skip.Exception:
        return None
    return url


@pytest.fixture(scope="module")
def deployed(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Deployed]:
    """Deployed once; the corpus is in, through the function that takes it in."""
    with deployment(tmp_path_factory.mktemp("deploy"), lambda: node_url(request)) as made:
        corpus = "".join(json.dumps({"id": f"d{n}", "content": fact}) + "\n" for n, fact in enumerate(FACTS))
        taken = made.call("ingest_corpus", made.upload("corpora/trusted_docs/items.jsonl", corpus))
        assert taken["indexed"] == len(FACTS), taken
        yield made


def test_an_uploaded_answer_is_checked_by_the_deployed_code(deployed: Deployed) -> None:
    event = deployed.upload("transcripts/answer.md", " ".join(FACTS[:3]))
    started = deployed.call("start_check", event)
    assert deployed.ended("MachineArn", started["run_id"])["status"] == "SUCCEEDED"
    report = deployed.report(started["run_id"])
    assert report["outcome"] == "pass", report
    assert len(report["claims"]) == 3
    assert report["corpus"]["retrieval"] == "keywords and vectors"
    assert report["corpus"]["engine"] == ("opensearch" if deployed.line else "embedded")
    assert report["claims"][0]["deciding"], "the evidence was not found"


def test_a_search_that_is_down_for_thirty_seconds_and_comes_back_loses_no_claim(
    deployed: Deployed, monkeypatch: pytest.MonkeyPatch
) -> None:
    if deployed.line is None:
        pytest.skip("there is no OpenSearch node to cut off")
    FastClock(SPEED).drive(monkeypatch)
    deployed.line.cut()
    mending = threading.Timer(30 / SPEED, deployed.line.mend)
    mending.start()
    started = deployed.call("start_check", deployed.upload("transcripts/outage.md", " ".join(FACTS)))
    assert deployed.ended("MachineArn", started["run_id"])["status"] == "SUCCEEDED"
    mending.join()
    report = deployed.report(started["run_id"])
    given_up = report["accounting"]["unchecked"]
    assert report["accounting"]["verdicts"] + given_up == len(FACTS)
    assert given_up <= most_unchecked(len(FACTS), unchecked_share(30, all_waits()))
    assert report["outcome"] == ("review" if given_up else "pass")
    assert deployed.line.refused > len(FACTS)


def test_a_hundred_of_the_same_event_start_one_run(deployed: Deployed) -> None:
    event = deployed.upload("transcripts/again-and-again.md", FACTS[0])
    before = deployed.workers.invoked.count("load_transcript")
    with ThreadPoolExecutor(8) as pool:
        answers = list(pool.map(lambda _: deployed.call("start_check", event), range(100)))
    (run_id,) = {answer["run_id"] for answer in answers}
    assert deployed.ended("MachineArn", run_id)["status"] == "SUCCEEDED"
    assert deployed.workers.invoked.count("load_transcript") == before + 1
    assert deployed.report(run_id)["outcome"] == "pass"


def test_an_upload_that_is_too_large_starts_no_run_and_is_told(deployed: Deployed) -> None:
    answer = deployed.call("start_check", deployed.upload("transcripts/large.md", "x" * 10_000_001))
    assert answer["rejected"] == "InputError"
    runs = deployed.states.list_executions(stateMachineArn=deployed.outputs["MachineArn"])["executions"]
    assert answer["run_id"] not in [run["name"] for run in runs]
    status = json.loads(deployed.call("api", a_request("GET", f"/v1/checks/{answer['run_id']}"))["body"])
    assert (status["outcome"], status["error"]) == ("error", "InputError")
    assert "larger than 10000000 bytes" in status["message"]


def test_who_subscribes_hears_of_a_finished_check(deployed: Deployed) -> None:
    sqs, events = aws.client("sqs", deployed.url), aws.client("events", deployed.url)
    queue = sqs.create_queue(QueueName="heard")["QueueUrl"]
    arn = sqs.get_queue_attributes(QueueUrl=queue, AttributeNames=["QueueArn"])["Attributes"]["QueueArn"]
    events.put_rule(Name="heard", EventPattern='{"source": ["reliability-gate"]}')
    events.put_targets(Rule="heard", Targets=[{"Id": "queue", "Arn": arn}])
    started = deployed.call("start_check", deployed.upload("transcripts/told.md", FACTS[1]))
    deployed.ended("MachineArn", started["run_id"])
    (message,) = sqs.receive_message(QueueUrl=queue, MaxNumberOfMessages=10)["Messages"]
    heard = json.loads(message["Body"])
    events.remove_targets(Rule="heard", Ids=["queue"])
    assert (heard["detail-type"], heard["detail"]["run_id"]) == ("CheckCompleted", started["run_id"])
    key = heard["detail"]["report"]["json"].removeprefix(f"s3://{deployed.outputs['BlobsBucket']}/")
    assert json.loads(deployed.s3.get_object(Bucket=deployed.outputs["BlobsBucket"], Key=key)["Body"].read())


def test_a_check_is_run_again_under_a_new_id(deployed: Deployed) -> None:
    first = json.loads(deployed.call("api", a_request("POST", "/v1/checks?wait=20", {"text": FACTS[2]}))["body"])
    path = f"/v1/checks/{first['id']}/rerun?wait=20"
    again = json.loads(deployed.call("api", a_request("POST", path, {}))["body"])
    assert again["id"] != first["id"]
    assert again["outcome"] == first["outcome"] == "pass"


def test_a_false_answer_is_blocked(deployed: Deployed) -> None:
    started = deployed.call("start_check", deployed.upload("transcripts/false.md", "Item 1 weighs 900 tonnes."))
    deployed.ended("MachineArn", started["run_id"])
    assert deployed.report(started["run_id"])["outcome"] == "block"


def test_every_line_of_a_batch_of_several_parts_ends_in_a_report(deployed: Deployed) -> None:
    deployed.workers.environment["GATE_BATCH_PART"] = "2"
    lines = [json.dumps({"turns": [{"role": "assistant", "content": fact}]}) for fact in FACTS[:3]]
    event = deployed.upload("transcripts/many.jsonl", "\n".join([*lines, "not json", '{"turns": []}']))
    started = deployed.call("start_check", event)
    assert deployed.ended("BatchMachineArn", started["run_id"])["status"] == "SUCCEEDED"
    summary = deployed.report(started["run_id"], "batch.json")
    assert summary["outcomes"] == {"error": 2, "pass": 3}
    assert summary["claims"]["supported"] == 3
    blobs = deployed.outputs["BlobsBucket"]
    results = [deployed.s3.get_object(Bucket=blobs, Key=key)["Body"].read() for key in summary["results"]]
    rows = [json.loads(line) for data in results for line in data.splitlines()]
    assert [len(data.splitlines()) for data in results] == [2, 2, 1]
    assert [(row["record"], row["outcome"]) for row in rows] == [*enumerate(["pass"] * 3 + ["error"] * 2, start=1)]


def test_the_api_takes_a_check_and_tells_its_outcome(deployed: Deployed) -> None:
    answer = deployed.call("api", a_request("POST", "/v1/checks?wait=20", {"text": FACTS[0]}))
    body = json.loads(answer["body"])
    assert (answer["statusCode"], body["outcome"]) == (200, "pass"), body
    report = deployed.call("api", a_request("GET", f"/v1/checks/{body['id']}/report", Accept="text/html"))
    assert "<html" in report["body"]


def check_now(deployed: Deployed, text: str, **headers: Any) -> tuple[int, dict[str, Any]]:
    answer = deployed.call("check_now", a_request("POST", "/v1/checks:now", {"text": text}, **headers))
    return answer["statusCode"], json.loads(answer["body"])


def test_a_check_in_the_request_is_answered_with_the_report_that_is_kept_and_starts_no_run(deployed: Deployed) -> None:
    arn = deployed.outputs["MachineArn"]
    before = len(deployed.states.list_executions(stateMachineArn=arn)["executions"])
    (status, report), again = (check_now(deployed, " ".join(FACTS[:3]), Idempotency_Key="k") for _ in range(2))
    assert (status, report["outcome"], len(report["claims"])) == (200, "pass", 3), report
    assert again == (status, report)
    assert deployed.report(report["run_id"]) == report
    found = json.loads(deployed.call("api", a_request("GET", f"/v1/checks/{report['run_id']}"))["body"])
    assert (found["status"], found["outcome"]) == ("SUCCEEDED", "pass")
    assert len(deployed.states.list_executions(stateMachineArn=arn)["executions"]) == before
    rerun = deployed.call("api", a_request("POST", f"/v1/checks/{report['run_id']}/rerun?wait=20", {}))
    assert json.loads(rerun["body"])["outcome"] == "pass"


def test_ten_claims_in_the_request_are_embedded_at_once_and_judged_at_once(deployed: Deployed) -> None:
    check_now(deployed, FACTS[0])
    model, text = deployed.model, " ".join(f"Item {number % 5 + 1} weighs 7{number} tonnes." for number in range(10))
    model.delay_s, model.peak, model.seen = 1.0, 0, []
    began = time.perf_counter()
    status, report = check_now(deployed, text)
    took, model.delay_s = time.perf_counter() - began, 0.0
    assert (status, report["outcome"], len(report["claims"])) == (200, "block", 10)
    assert len(model.seen) == 20
    assert model.peak == 10
    assert took < 4 * 1.0, "each claim waits for two calls; docs/benchmarks.md has what is added"


def test_a_run_that_fails_is_told_and_never_a_pass(deployed: Deployed) -> None:
    started = deployed.call("start_check", deployed.upload("transcripts/broken.json", '{"neither": 1}'))
    ended = deployed.ended("MachineArn", started["run_id"])
    assert (ended["status"], ended["error"]) == ("FAILED", "InputError")
    detail = {"name": started["run_id"], "status": "FAILED", "error": ended["error"], "cause": ended["cause"]}
    change = {"detail-type": "Step Functions Execution Status Change", "source": "aws.states", "detail": detail}
    deployed.call("publish_failure", change)
    assert deployed.report(started["run_id"])["outcome"] == "error"
    status = json.loads(deployed.call("api", a_request("GET", f"/v1/checks/{started['run_id']}"))["body"])
    assert (status["status"], status["outcome"]) == ("FAILED", "error")


WAITING = {"unsupported": "review", "contradicted": "review", "failed_check": "review"}
FALSE = "Item 1 weighs 900 tonnes."
ANN, BOB = ({"sub": name, "cognito:groups": "reviewers"} for name in ("ann", "bob"))


@pytest.fixture
def asking(deployed: Deployed) -> Iterator[Callable[..., str]]:
    """Have what is false wait for a person under a policy; gives the id of a run that waits."""
    bucket, key = deployed.outputs["UploadsBucket"], "config/policy.json"

    def ask(**policy: Any) -> str:
        deployed.s3.put_object(Bucket=bucket, Key=key, Body=json.dumps(WAITING | policy).encode())
        run_id = str(json.loads(deployed.call("api", a_request("POST", "/v1/checks", {"text": FALSE}))["body"])["id"])
        until = time.monotonic() + 60
        while run_id not in [one["id"] for one in reviewed(deployed, "GET", "", ANN)[1]["reviews"]]:
            assert time.monotonic() < until, "nobody is asked"
            time.sleep(0.3)
        return run_id

    yield ask
    deployed.s3.delete_object(Bucket=bucket, Key=key)


def reviewed(
    deployed: Deployed, method: str, path: str, claims: dict[str, str], body: Any = None
) -> tuple[int, dict[str, Any]]:
    answer = deployed.call("api", a_request(method, f"/v1/reviews{path}", body, claims=claims))
    return answer["statusCode"], json.loads(answer["body"])


def test_a_run_waits_for_a_person_who_reads_its_report_and_overrules_the_gate(
    deployed: Deployed, asking: Callable[..., str]
) -> None:
    run_id = asking(review_hours=1)
    assert deployed.report(run_id)["review"]["state"] == "waiting"
    path, fine = f"/{run_id}/decide", {"outcome": "pass", "comment": "Rounded.", "marks": {"c0001": "supported"}}
    assert reviewed(deployed, "POST", path, {"sub": "eve"}, fine)[0] == 403
    assert reviewed(deployed, "POST", path, ANN, {"outcome": "pass"})[0] == 400
    status, done = reviewed(deployed, "POST", path, ANN, fine)
    assert (status, done["outcome"], done["goes_on"]) == (200, "pass", True), done
    assert deployed.ended("MachineArn", run_id)["status"] == "SUCCEEDED"
    report = deployed.report(run_id)
    assert (report["outcome"], report["review"]["gate"]) == ("pass", "review")
    assert report["review"]["decisions"][0]["reviewer"] == "ann"
    assert report["marks"] == {"c0001": "supported"}
    key = f"reports/{run_id}/labels.jsonl"
    labels = deployed.s3.get_object(Bucket=deployed.outputs["BlobsBucket"], Key=key)["Body"].read()
    assert json.loads(labels)["reviewer"] == "ann"
    assert reviewed(deployed, "POST", path, BOB, {"outcome": "block"})[0] == 410
    deployed.call("api", a_request("DELETE", f"/v1/checks/{run_id}"))
    assert reviewed(deployed, "GET", f"/{run_id}", ANN)[0] == 404


def test_a_run_that_nobody_decides_does_not_pass_and_an_answer_after_the_limit_changes_nothing(
    deployed: Deployed, asking: Callable[..., str]
) -> None:
    run_id = asking(review_hours=0.002, review_fallback="block")
    assert deployed.ended("MachineArn", run_id)["status"] == "SUCCEEDED"
    before = deployed.report(run_id)
    assert (before["outcome"], before["review"]["state"]) == ("block", "timed_out")
    status, body = reviewed(deployed, "POST", f"/{run_id}/decide", ANN, {"outcome": "pass", "comment": "Late."})
    assert (status, body["code"]) == (410, "ExpiredError")
    assert deployed.report(run_id) == before


def test_a_webhook_hears_of_a_run_that_waits_by_what_lies_in_its_secret(
    deployed: Deployed, asking: Callable[..., str]
) -> None:
    run_id = asking(review_hours=1)
    event = {"detail-type": "ReviewRequested", "source": "reliability-gate", "detail": {"run_id": run_id}}
    assert deployed.call("tell_reviewers", event)["told"] is True
    ((headers, body),) = deployed.receiver.got
    assert json.loads(body)["data"]["page"].endswith(f"/v1/reviews/{run_id}")
    assert headers["webhook-signature"].startswith("v1,")
    reviewed(deployed, "POST", f"/{run_id}/decide", ANN, {"outcome": "block"})
    assert deployed.call("tell_reviewers", event)["told"] is False
    assert deployed.ended("MachineArn", run_id)["status"] == "SUCCEEDED"


def test_two_people_must_agree_where_the_policy_wants_four_eyes(deployed: Deployed, asking: Callable[..., str]) -> None:
    run_id = asking(review_hours=1, four_eyes=True)
    path, fine = f"/{run_id}/decide", {"outcome": "pass", "comment": "Rounded."}
    assert reviewed(deployed, "POST", path, ANN, fine)[1]["state"] == "waiting"
    assert reviewed(deployed, "POST", path, ANN, fine)[0] == 409
    assert reviewed(deployed, "POST", path, BOB, {"outcome": "block"})[1]["outcome"] == "block"
    deployed.ended("MachineArn", run_id)
    assert deployed.report(run_id)["outcome"] == "block"


def test_a_decision_of_a_run_whose_token_is_gone_is_kept_and_counts(
    deployed: Deployed, asking: Callable[..., str]
) -> None:
    """As where a run was stopped: moto ends no execution that waits, and knows no redrive."""
    run_id = asking(review_hours=0.01)
    again = {"run_id": run_id, "task_token": "another", "state": the_state(deployed, run_id)}
    deployed.call("request_review", again)
    status, done = reviewed(deployed, "POST", f"/{run_id}/decide", ANN, {"outcome": "block"})
    assert (status, done["outcome"], done["goes_on"]) == (200, "block", False)
    answer = deployed.functions.invoke(FunctionName=deployed.name("request_review"), Payload=json.dumps(again))
    assert json.loads(answer["Payload"].read())["errorType"] == "ReviewOverError", "a redriven run goes on at once"
    assert deployed.ended("MachineArn", run_id)["status"] == "SUCCEEDED"
    assert deployed.report(run_id)["outcome"] == "block"
    assert deployed.report(run_id)["review"]["state"] == "decided"


def the_state(deployed: Deployed, run_id: str) -> dict[str, Any]:
    """What the judge handed on, out of the history, as a redrive has it."""
    arn = f"{deployed.outputs['MachineArn'].replace(':stateMachine:', ':execution:')}:{run_id}"
    events = deployed.states.get_execution_history(executionArn=arn, maxResults=1000)["events"]
    left = [one["stateExitedEventDetails"] for one in events if "stateExitedEventDetails" in one]
    state: dict[str, Any] = json.loads(next(one["output"] for one in left if one["name"] == "Judge"))
    return state


def smoke(deployed: Deployed, *options: str) -> subprocess.CompletedProcess[str]:
    """The command as its user has it, against the API by HTTP; what AWS tells functions by itself, they are told."""

    def answer(method: str, path: str, headers: dict[str, str], body: bytes) -> tuple[int, bytes, dict[str, str]]:
        event = a_request(method, path)
        event |= {"body": body.decode() or None, "headers": headers}
        event["multiValueHeaders"] = {name: [value] for name, value in headers.items()}
        answered = deployed.call("api", event)
        return int(answered["statusCode"]), str(answered["body"]).encode(), {}

    with api.running() as served, telling(deployed.s3, deployed.states, deployed.outputs, deployed.call):
        served.answer = answer  # type: ignore[method-assign]
        parameter = {"Name": "/reliability-gate/ReliabilityGate/ApiUrl", "Value": served.url, "Type": "String"}
        aws.client("ssm", deployed.url).put_parameter(**parameter, Overwrite=True)
        command = [sys.executable, "-m", "gate", "smoke", "--remote", "ReliabilityGate", *options]
        kept = {name: value for name, value in os.environ.items() if not name.startswith(("AWS_", "GATE_"))}
        there = {"AWS_ENDPOINT_URL": deployed.url, "AWS_REGION": aws.REGION, "AWS_DEFAULT_REGION": aws.REGION}
        home = {"GATE_HOME": str(deployed.folder / "smoke"), "GATE_REGION": aws.REGION}
        return subprocess.run(
            command, env=kept | there | home | aws.CREDENTIALS, capture_output=True, text=True, check=False, timeout=280
        )


def test_a_deployed_gate_is_tried_from_end_to_end_and_nothing_is_left(deployed: Deployed) -> None:
    done = smoke(deployed)
    assert done.returncode == 0, done.stdout + done.stderr
    lines = done.stdout.splitlines()
    steps = [
        "bootstrap",
        "corpus",
        "citation",
        "pass",
        "review",
        "block",
        "rerun",
        "form",
        "upload",
        "batch",
        "failure",
    ]
    assert [line.split()[1] for line in lines] == [*steps, "delete", "clean-up"], done.stdout
    listed = deployed.s3.list_objects_v2(Bucket=deployed.outputs["UploadsBucket"]).get("Contents", ())
    assert not [one["Key"] for one in listed if "smoke" in one["Key"]]


def test_every_call_of_the_deployed_code_is_one_that_policies_are_asked_about(deployed: Deployed) -> None:
    deployed.call("reconcile_corpus", {})
    segment = {"segment": {"use_case": "weights", "reasons": ["interested in: weights"]}}
    for request in (
        a_request("POST", "/v1/citations", segment),
        a_request("DELETE", "/v1/checks/nothing-of-that-name"),
    ):
        deployed.call("api", request)
    called = set((deployed.folder / "calls").read_text().splitlines())
    assert len(called) > 50
    assert sorted(called - set(own_calls.LINES)) == []


def test_what_moto_skips_is_what_the_template_tests_cover(deployed: Deployed) -> None:
    assert aws.Skipped.kinds - {"AWS::CDK::Metadata"} == ONLY_IN_TEMPLATES


def test_a_change_of_search_loses_no_run_that_is_under_way_and_no_document(
    deployed: Deployed, asking: Callable[..., str]
) -> None:
    run_id = asking(review_hours=1)
    other = ("gate:search=https://other.internal", "gate:search_arn=arn:aws:es:us-east-1:123456789012:domain/other")
    # moto forgets the parameters that a template has by default.
    deployed.deploy("--no-previous-parameters", *(part for one in other for part in ("-c", one)))
    told = deployed.functions.get_function_configuration(FunctionName=deployed.name("retrieve_evidence"))
    assert told["Environment"]["Variables"]["GATE_SEARCH"] == "https://other.internal"
    kept = deployed.workers.environment.pop("GATE_SEARCH")
    deployed.workers.restart()
    found = deployed.call("reconcile_corpus", {})["trusted_docs"]
    assert found["behind"] == found["documents"] >= 1, "the new search holds nothing yet: all of it is taken in"
    deployed.workers.environment["GATE_SEARCH"] = kept
    deployed.workers.restart()
    assert deployed.call("reconcile_corpus", {})["trusted_docs"]["behind"] < found["behind"]
    fine = {"outcome": "pass", "comment": "Rounded."}
    status, done = reviewed(deployed, "POST", f"/{run_id}/decide", ANN, fine)
    assert (status, done["goes_on"]) == (200, True), done
    assert deployed.ended("MachineArn", run_id)["status"] == "SUCCEEDED"
    assert deployed.report(run_id)["outcome"] == "pass"


def test_a_second_deploy_updates_and_destroy_leaves_nothing(deployed: Deployed) -> None:
    # moto forgets the parameters that a template has by default.
    deployed.deploy("--no-previous-parameters", "-c", "gate:max_concurrency=7")
    machine = deployed.states.describe_state_machine(stateMachineArn=deployed.outputs["MachineArn"])
    assert '"MaxConcurrency":7' in machine["definition"].replace(" ", "")
    deployed.workers.restart()
    started = deployed.call("start_check", deployed.upload("transcripts/again.md", FACTS[4]))
    assert deployed.ended("MachineArn", started["run_id"])["status"] == "SUCCEEDED"
    cdk("destroy", "--all", "--force", *deployed.context, url=deployed.url, outdir=deployed.folder / "destroy")
    left = aws.client("cloudformation", deployed.url).describe_stacks()["Stacks"]
    assert [stack["StackName"] for stack in left] == ["CDKToolkit"]
