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
ABSENT = frozenset({"NoSuchBucket", "StateMachineDoesNotExist", "KMS.NotFoundException"})
ACTIONS = {"HeadObject": "GetObject", "ListObjectsV2": "ListBucket", "DeleteObjects": "DeleteObject"}
"""Operations that IAM calls by another name."""
SETUP = (
    sdk.NoCredentialsError,
    sdk.PartialCredentialsError,
    sdk.CredentialRetrievalError,
    sdk.NoRegionError,
    sdk.ProfileNotFound,
    sdk.InvalidRegionError,
    sdk.UnknownEndpointError,
    sdk.TokenRetrievalError,
)
"""What is wrong on this side before anything was sent: credentials, profile or region."""


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
        raise SettingsError(
            f"AWS credentials or region: {type(error).__name__}", hint="GATE_REGION, AWS_PROFILE"
        ) from None
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
