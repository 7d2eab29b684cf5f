"""`gate doctor` against AWS on loopback: what can be used, what cannot, and what to do about it."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import aws_cdk as cdk
import pytest
from click.testing import CliRunner

from gate import cli
from gate.adapters.aws.account import quota_of_model, words_of_model
from gate.settings import Settings
from infra.app import props_from, remembered
from tests.entrance import Entrance
from tests.stubs import services

pytestmark = pytest.mark.integration

MODEL = "us.anthropic.claude-haiku-5-5"
MACHINE = "arn:aws:states:us-east-1:123456789012:stateMachine:gate"
TOKENS = "Cross-region model inference tokens per minute for Anthropic Claude Haiku 5.5"
REQUESTS = "Cross-region model inference requests per minute for Anthropic Claude Haiku 5.5"
Doctor = Callable[..., tuple[int, dict[str, str]]]


class Account:
    """What the account answers; a number in place of an answer is the status of a refusal."""

    def __init__(self) -> None:
        self.quotas: dict[str, float] | int = {TOKENS: 10_000_000, REQUESTS: 10_000}
        self.profile: dict[str, Any] | int = {
            "models": [
                {"modelArn": f"arn:aws:bedrock:{region}::foundation-model/m"} for region in ("us-east-1", "us-west-2")
            ]
        }
        self.converse: dict[str, Any] | int = services.CONVERSED
        self.executions: dict[str, Any] | int = {"AccountLimit": {"UnreservedConcurrentExecutions": 1_000}}
        self.api_log_role = ""
        self.bootstrap = "21"
        self.asked: list[bytes] = []

    def answer(self, method: str, path: str, body: bytes) -> tuple[int, Any] | None:
        if path.startswith("/inference-profiles/"):
            return _given(self.profile)
        if path.endswith("/account-settings/") or path.endswith("/account-settings"):
            return _given(self.executions)
        if b"ServiceCode" in body:
            if isinstance(self.quotas, int):
                return _given(self.quotas)
            states = b'"states"' in body
            found = {"StateTransition throttle token refill rate per second": 800.0} if states else self.quotas
            return 200, {"Quotas": [{"QuotaName": name, "Value": value} for name, value in found.items()]}
        if method == "GET" and path == "/account":
            return 200, {"cloudwatchRoleArn": self.api_log_role} if self.api_log_role else {}
        if b"/cdk-bootstrap/" in body:
            missing = {"__type": "ParameterNotFound", "message": "private text"}
            return (200, {"Parameter": {"Value": self.bootstrap}}) if self.bootstrap else (400, missing)
        if path.endswith("/converse"):
            self.asked.append(body)
            return _given(self.converse)
        return None


def _given(answer: Any) -> tuple[int, Any]:
    if isinstance(answer, int):
        return answer, {"__type": "AccessDeniedException", "message": "private text"}
    return 200, answer


@pytest.fixture
def account() -> Account:
    return Account()


@pytest.fixture
def doctor(entrance: Entrance, account: Account, monkeypatch: pytest.MonkeyPatch) -> Iterator[Doctor]:
    """Run the command against the account; exit code, and each line by the name of its check."""
    for name, value in {"ACCESS_KEY_ID": "x", "SECRET_ACCESS_KEY": "x", "DEFAULT_REGION": "us-east-1"}.items():
        monkeypatch.setenv(f"AWS_{name}", value)
    with services.running(answer=account.answer) as url:
        monkeypatch.setenv("AWS_ENDPOINT_URL", url)

        def run(*arguments: str, **changed: Any) -> tuple[int, dict[str, str]]:
            settings: dict[str, Any] = {
                "model": f"bedrock:{MODEL}", "embedder": "bedrock:amazon.titan-embed-text-v2:0", "search": url,
                "blobs": "s3://blobs", "machine": MACHINE, "region": "us-east-1",
            }  # fmt: skip
            entrance.use(Settings(**{**settings, **changed}))
            result = CliRunner().invoke(cli.group, ["doctor", *arguments], prog_name="gate")
            assert "private text" not in result.output
            return result.exit_code, {line.split()[1]: line for line in result.output.splitlines()}

        yield run


def test_an_account_in_order_has_nothing_to_mend(doctor: Doctor) -> None:
    code, said = doctor()
    assert code == 0, list(said.values())
    assert {line.split()[0] for line in said.values()} == {"ok"}, said
    assert "us-east-1, us-west-2" in said["residency"]


def test_the_model_is_asked_for_one_token_and_nothing_of_ours(doctor: Doctor, account: Account) -> None:
    doctor()
    (asked,) = (json.loads(body) for body in account.asked)
    assert asked["inferenceConfig"] == {"maxTokens": 1}
    assert asked["messages"][0]["content"] == [{"text": "ready?"}]


def test_a_model_that_may_not_be_used_fails_and_names_the_action(doctor: Doctor, account: Account) -> None:
    account.converse = 403
    code, said = doctor()
    assert code == 2
    assert said["model"].startswith("failed")
    assert "bedrock:InvokeModel" in said["model"]


def test_a_quota_too_small_says_how_many_branches_it_carries(doctor: Doctor, account: Account) -> None:
    account.quotas = {TOKENS: 700_000, REQUESTS: 10_000}
    code, said = doctor()
    assert code == 0
    assert said["quotas"].startswith("note")
    assert "carry 10 branches, not 40: deploy with max_concurrency 10" in said["quotas"]
    assert doctor("--max-concurrency", "10")[1]["quotas"].startswith("ok")


def test_quotas_are_kept_where_a_deployment_takes_them_from(doctor: Doctor, account: Account, tmp_path: Path) -> None:
    file = tmp_path / "cdk.context.json"
    file.write_text('{"gate:name": "Ours", "gate:model_requests": 1}')
    account.quotas = {TOKENS: 700_000.0, REQUESTS: 1_200.0}
    code, said = doctor("--before-deploy", "--keep-quotas", str(file))
    assert code == 0, list(said.values())
    assert "model_requests 1,200, model_tokens 700,000" in said["kept"]
    props = props_from(cdk.App(context=remembered(file)).node)
    assert (props.model_requests, props.model_tokens) == (1_200, 700_000)
    assert json.loads(file.read_text())["gate:name"] == "Ours"


@pytest.mark.parametrize("quotas", [{}, {TOKENS: 0.0, REQUESTS: 0.0}, 400])
def test_where_no_quota_is_known_none_is_kept_and_the_file_stays(
    doctor: Doctor, account: Account, tmp_path: Path, quotas: dict[str, float] | int
) -> None:
    file = tmp_path / "cdk.context.json"
    file.write_text('{"gate:model_requests": 1}')
    account.quotas = quotas
    code, said = doctor("--keep-quotas", str(file))
    assert code == 2
    assert said["kept"].startswith("failed")
    assert json.loads(file.read_text()) == {"gate:model_requests": 1}


@pytest.mark.parametrize("text", ["[]", "{"])
def test_quotas_are_not_kept_in_a_file_that_is_no_context(doctor: Doctor, tmp_path: Path, text: str) -> None:
    file = tmp_path / "cdk.context.json"
    file.write_text(text)
    code, said = doctor("--keep-quotas", str(file))
    assert (code, file.read_text()) == (2, text)
    assert "should be a JSON object" in said["kept"]


def test_quotas_that_may_not_be_read_are_a_note(doctor: Doctor, account: Account) -> None:
    account.quotas = account.executions = account.profile = 400
    code, said = doctor()
    assert code == 0
    assert "servicequotas:ListServiceQuotas" in said["quotas"]
    assert "lambda:GetAccountSettings" in said["quotas"]
    assert "bedrock:GetInferenceProfile" in said["residency"]


def test_a_profile_that_leaves_its_geography_is_noted(doctor: Doctor) -> None:
    _, said = doctor(model="bedrock:global.anthropic.claude-haiku-5-5")
    assert said["residency"].startswith("note")
    assert "leaves its geography" in said["residency"]


def test_a_model_of_the_region_itself_keeps_claims_there(doctor: Doctor) -> None:
    assert "stay in us-east-1" in doctor(model="bedrock:amazon.nova-lite-v1:0")[1]["residency"]


def test_before_a_deployment_the_account_is_asked_and_nothing_that_is_not_there_yet(doctor: Doctor) -> None:
    code, said = doctor("--before-deploy", search="", blobs="", machine="")
    assert code == 0
    assert set(said) == {"region", "model", "residency", "quotas", "bootstrap", "api-logs"}
    assert "api_log_role" in said["api-logs"]
    assert said["bootstrap"].endswith("version 21")


def test_an_api_log_role_that_is_there_is_noted_before_a_deployment_replaces_it(
    doctor: Doctor, account: Account
) -> None:
    account.api_log_role = "arn:aws:iam::123456789012:role/logs"
    _, said = doctor("--before-deploy")
    assert said["api-logs"].startswith("note")
    assert "role/logs" in said["api-logs"]
    assert "gate:api_log_role=false" in said["api-logs"]


@pytest.mark.parametrize(("version", "message"), [("", "have none"), ("5", "version 5 is too old")])
def test_an_account_without_a_bootstrap_is_told_the_command(
    doctor: Doctor, account: Account, version: str, message: str
) -> None:
    account.bootstrap = version
    code, said = doctor("--before-deploy")
    assert code == 2
    assert message in said["bootstrap"]
    assert "cdk bootstrap" in said["bootstrap"]


def test_an_index_of_other_vectors_than_the_embedder_s_fails(doctor: Doctor, monkeypatch: pytest.MonkeyPatch) -> None:
    other = {**services.MAPPINGS, "properties": {"vector": {"type": "knn_vector", "dimension": 8}}}
    monkeypatch.setattr(services, "MAPPINGS", other)
    code, said = doctor()
    assert code == 2
    assert "holds vectors of 8 numbers, not 1024" in said["search"]


def test_without_a_region_that_is_what_to_mend(doctor: Doctor, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("AWS_DEFAULT_REGION")
    monkeypatch.setenv("AWS_CONFIG_FILE", "/nowhere")
    code, said = doctor(region="")
    assert code == 2
    assert "GATE_REGION" in said["region"]


@pytest.mark.parametrize(
    ("model", "words"),
    [
        ("anthropic.claude-haiku-5-5", {"anthropic", "claude", "haiku", "5.5"}),
        ("anthropic.claude-haiku-4-5-20251001-v1:0", {"anthropic", "claude", "haiku", "4.5"}),
        ("amazon.nova-lite-v1:0", {"amazon", "nova", "lite"}),
        ("amazon.nova-2-lite-v1:0", {"amazon", "nova", "2", "lite"}),
    ],
)
def test_a_model_is_known_by_the_words_of_its_quota(model: str, words: set[str]) -> None:
    assert words_of_model(model) == words


def test_a_quota_is_that_of_the_way_the_model_is_called() -> None:
    found = {TOKENS: 1.0, TOKENS.replace("Cross-region", "On-demand"): 2.0, f"Global c{TOKENS[1:]}": 3.0}
    bare = MODEL.partition(".")[2]
    assert [quota_of_model(found, model, "tokens") for model in (MODEL, bare, f"global.{bare}")] == [1.0, 2.0, 3.0]
    assert quota_of_model(found, "us.anthropic.claude-sonnet-5-5", "tokens") is None
