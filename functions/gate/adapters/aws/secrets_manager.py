"""A login that AWS Secrets Manager keeps."""

from __future__ import annotations

import json

from gate.adapters.aws.clients import client_of
from gate.adapters.aws.sdk_errors import translated
from gate.errors import SettingsError


def login(arn: str, region: str) -> tuple[str, str]:
    """User and password of a secret that holds `username` and `password`, as secrets of databases do.

    Raises:
        SettingsError: it may not be read, is not there, or holds something else; what it holds is not told.
        StorageUnavailableError: the service does not answer.
    """
    client = client_of("secretsmanager", region, called="the secret of the search")
    with translated("the secret of the search"):
        text = client.get_secret_value(SecretId=arn).get("SecretString", "")
    try:
        found = json.loads(text)
    except ValueError:
        found = None
    pair = (found.get("username"), found.get("password")) if isinstance(found, dict) else ()
    match pair:
        case (str(user), str(password)) if user and password:
            return user, password
    raise SettingsError(
        "GATE_SEARCH_SECRET: the secret holds no username and password", hint='{"username": …, "password": …}'
    )
