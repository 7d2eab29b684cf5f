"""What AWS Secrets Manager keeps."""

from __future__ import annotations

from typing import Any

from gate.adapters.aws.clients import client_of
from gate.adapters.aws.sdk_errors import translated
from gate.errors import InputError, SettingsError
from gate.text.formats import strict_json


class Secret:
    """A secret that holds a JSON object.

    Args:
        called: what errors call it.
    """

    def __init__(self, arn: str, region: str, *, called: str) -> None:
        self._arn, self._called = arn, called
        self._client = client_of("secretsmanager", region, called=called, tries=3)

    def fields(self) -> dict[str, Any]:
        """What it holds now; empty: no JSON object.

        Raises:
            SettingsError: it may not be read, or is not there.
            StorageUnavailableError: the service does not answer.
        """
        with translated(self._called):
            text = self._client.get_secret_value(SecretId=self._arn).get("SecretString")
        try:
            found = strict_json.load(str(text or ""))
        except InputError:
            return {}
        return found if isinstance(found, dict) else {}


def login(arn: str, region: str) -> tuple[str, str]:
    """User and password of a secret that holds `username` and `password`, as secrets of databases do.

    Raises:
        SettingsError: it may not be read, is not there, or holds something else; what it holds is not told.
        StorageUnavailableError: the service does not answer.
    """
    found = Secret(arn, region, called="the secret of the search").fields()
    match found.get("username"), found.get("password"):
        case (str(user), str(password)) if user and password:
            return user, password
    raise SettingsError(
        "GATE_SEARCH_SECRET: the secret holds no username and password", hint='{"username": …, "password": …}'
    )
