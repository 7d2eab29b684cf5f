"""What the AWS SDK raises about models, in the gate's words; meaning comes from classes, codes and statuses."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from botocore import exceptions as sdk
from botocore.parsers import ResponseParserError

from gate.adapters.aws.sdk_errors import SETUP, code_of, of_setup
from gate.errors import GateError, ModelThrottledError, ModelUnavailableError, RequestRefusedError, SettingsError

_THROTTLED = frozenset({"ThrottlingException", "TooManyRequestsException", "ServiceQuotaExceededException"})
_NO_ENTRY = {
    "AccessDeniedException": "allow bedrock:InvokeModel on the profile and on the model in each of its Regions",
    "ResourceNotFoundException": "is the model id right, and is the model offered in this Region?",
    "UnrecognizedClientException": "the credentials are not known to AWS",
    "ExpiredTokenException": "the credentials have expired",
    "InvalidSignatureException": "the credentials do not fit, or the clock is wrong",
}


@contextmanager
def translated(model: str) -> Iterator[None]:
    """Turn what the SDK raises inside into the gate's errors; `model` names the setting's value in messages."""
    try:
        yield
    except sdk.ClientError as error:
        raise _from_response(error, model) from None
    except SETUP as error:
        raise of_setup(error) from None
    except sdk.SSLError:
        raise SettingsError(f"the connection to {model} is not trusted", hint="AWS_CA_BUNDLE") from None
    except (sdk.HTTPClientError, sdk.ConnectionError, sdk.IncompleteReadError, ResponseParserError) as error:
        raise ModelUnavailableError(f"{model} could not be reached ({type(error).__name__})") from None


def _from_response(error: sdk.ClientError, model: str) -> GateError:
    code = code_of(error)
    status = int(error.response.get("ResponseMetadata", {}).get("HTTPStatusCode", 0))
    if code in _THROTTLED or status == 429:
        return ModelThrottledError(f"{model} is throttled ({code or status})")
    if code in _NO_ENTRY:
        return SettingsError(f"{model} may not be used ({code})", hint=_NO_ENTRY[code])
    if status == 400:
        return RequestRefusedError(
            f"{model} refused the request ({code})",
            hint="GATE_MODEL names no such model, or GATE_MODEL_ANSWERS asks for what it cannot do",
        )
    return ModelUnavailableError(f"{model} failed ({code or status})")
