"""A webhook whose address and key lie in AWS Secrets Manager."""

from __future__ import annotations

from gate.adapters.aws.secrets_manager import Secret
from gate.adapters.notices.webhook import webhook_of
from gate.errors import DependencyError, EventsUnavailableError, SettingsError

SHAPE = '{"url": "https://…", "key": "whsec_…"}'


class SecretWebhook:
    """One address that takes notices; it is read for each, so that what is put in its place counts at once.

    Args:
        secret: ARN of the secret.
        is_signed: what is sent there must be.
    """

    def __init__(self, secret: str, *, is_signed: bool, region: str = "") -> None:
        self._secret, self._is_signed = Secret(secret, region, called="the secret of the webhook"), is_signed

    def send(self, id: str, body: bytes) -> None:
        """See `NoticeChannel`."""
        url, key = self._read()
        webhook_of(url, key, is_signed=self._is_signed).send(id, body)

    def _read(self) -> tuple[str, str]:
        try:
            found = self._secret.fields()
        except DependencyError as error:
            raise EventsUnavailableError(error.safe_message, hint=error.hint) from None
        if not {*found} <= {"url", "key"} or not isinstance(found.get("url"), str):
            raise SettingsError("the secret of the webhook does not hold what it should", hint=SHAPE)
        return found["url"].strip(), str(found.get("key") or "")
