"""What the AWS SDK raises becomes one of the gate's errors, the same for models as for everything else."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import AbstractContextManager

import pytest
from botocore import exceptions as sdk

from gate.adapters.aws import sdk_errors as aws_errors
from gate.adapters.aws.bedrock import bedrock_errors
from gate.errors import ModelUnavailableError, SettingsError, StorageUnavailableError

Translated = Callable[[str], AbstractContextManager[None]]
BOTH = pytest.mark.parametrize("translated", [aws_errors.translated, bedrock_errors.translated])


def answered(code: str) -> sdk.ClientError:
    return sdk.ClientError({"Error": {"Code": code, "Message": "m"}}, "Operation")


@BOTH
@pytest.mark.parametrize(
    "error",
    [
        sdk.NoCredentialsError(),
        sdk.CredentialRetrievalError(provider="sso", error_msg="private"),
        sdk.TokenRetrievalError(provider="sso", error_msg="private"),
        sdk.NoRegionError(),
        sdk.InvalidRegionError(region_name="not a region"),
        sdk.ProfileNotFound(profile="nobody"),
    ],
    ids=lambda error: type(error).__name__,
)
def test_credentials_and_region_are_the_deployer_s_to_mend(translated: Translated, error: Exception) -> None:
    with pytest.raises(SettingsError) as caught, translated("thing"):
        raise error
    assert type(error).__name__ in caught.value.safe_message
    assert "private" not in caught.value.safe_message
    assert any(word in caught.value.hint for word in ("GATE_REGION", "AWS_PROFILE"))


def test_who_cannot_be_reached_is_asked_again() -> None:
    lost = sdk.EndpointConnectionError(endpoint_url="http://localhost")
    with pytest.raises(StorageUnavailableError), aws_errors.translated("bucket"):
        raise lost
    with pytest.raises(ModelUnavailableError), bedrock_errors.translated("model"):
        raise lost


@BOTH
def test_a_refusal_names_the_service_s_code_and_not_its_message(translated: Translated) -> None:
    with pytest.raises(SettingsError, match="AccessDeniedException") as caught, translated("thing"):
        raise answered("AccessDeniedException")
    assert caught.value.hint


def test_a_refusal_names_the_action_that_the_role_lacks() -> None:
    head = sdk.ClientError({"Error": {"Code": "403", "Message": "m"}}, "HeadObject")
    with pytest.raises(SettingsError) as caught, aws_errors.translated("bucket"):
        raise head
    assert "GetObject" in str(caught.value.hint)


def test_the_code_of_an_answer_without_one_is_empty() -> None:
    assert aws_errors.code_of(answered("Throttling")) == "Throttling"
    assert aws_errors.code_of(sdk.ClientError({}, "Operation")) == ""
