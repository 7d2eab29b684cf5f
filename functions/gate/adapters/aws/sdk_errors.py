"""What the AWS SDK raises, in the gate's words; meaning comes from classes and codes, never from messages."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from botocore import exceptions as sdk

from gate.errors import GateError, SettingsError, StorageUnavailableError

DENIED = frozenset(
    {
        "AccessDenied",
        "AccessDeniedException",
        "403",
        "InvalidAccessKeyId",
        "KmsAccessDeniedException",
        "SignatureDoesNotMatch",
    }
)
ABSENT = frozenset({"NoSuchBucket", "ResourceNotFoundException", "StateMachineDoesNotExist", "KMS.NotFoundException"})
ACTIONS = {"HeadObject": "GetObject", "ListObjectsV2": "ListBucket", "DeleteObjects": "DeleteObject"}
"""Operations that IAM calls by another name."""
_LOGIN = "aws sso login, AWS_PROFILE, or a role"
_SETUP: dict[type[sdk.BotoCoreError], tuple[str, str]] = {
    sdk.NoCredentialsError: ("there are no AWS credentials", "aws configure, AWS_PROFILE, or a role"),
    sdk.PartialCredentialsError: ("the AWS credentials are incomplete", "aws configure, AWS_PROFILE, or a role"),
    sdk.CredentialRetrievalError: ("the AWS credentials could not be had", _LOGIN),
    sdk.TokenRetrievalError: ("the AWS credentials could not be had", _LOGIN),
    sdk.ProfileNotFound: ("there is no such AWS profile", "AWS_PROFILE"),
    sdk.NoRegionError: ("no AWS region is named", "GATE_REGION, for example eu-central-1"),
    sdk.InvalidRegionError: ("there is no such AWS region", "GATE_REGION, for example eu-central-1"),
    sdk.UnknownEndpointError: ("the service is not known in this AWS region", "GATE_REGION"),
}
SETUP = tuple(_SETUP)
"""What is wrong on this side before anything was sent: credentials, profile or region."""


def of_setup(error: BaseException) -> SettingsError:
    """One of `SETUP` in the gate's words."""
    message, hint = next(words for kind, words in _SETUP.items() if isinstance(error, kind))
    return SettingsError(f"{message} ({type(error).__name__})", hint=hint)


def code_of(error: sdk.ClientError) -> str:
    """The service's own code of an error."""
    return str(error.response.get("Error", {}).get("Code", ""))


@contextmanager
def translated(what: str) -> Iterator[None]:
    """Turn what the SDK raises inside into the gate's errors; `what` names the resource in their messages.

    Raises:
        SettingsError: it may not be used, or is not there.
        StorageUnavailableError: anything else; worth another try.
    """
    try:
        yield
    except sdk.ClientError as error:
        raise _from_response(error, what) from None
    except SETUP as error:
        raise of_setup(error) from None
    except sdk.BotoCoreError as error:
        raise StorageUnavailableError(f"{what} could not be reached ({type(error).__name__})") from None


def _from_response(error: sdk.ClientError, what: str) -> GateError:
    code = code_of(error)
    if code in DENIED:
        action = ACTIONS.get(error.operation_name, error.operation_name)
        return SettingsError(f"{what} may not be used ({code})", hint=f"does the role allow {action}, and its key?")
    if code in ABSENT:
        return SettingsError(f"{what} is not there ({code})", hint="is it deployed in this account and region?")
    return StorageUnavailableError(f"{what} failed ({code})")
