"""A key in AWS KMS, which seals the trail of decisions and which nobody can read, its owner neither."""

from __future__ import annotations

from botocore.exceptions import ClientError

from gate.adapters.aws.clients import client_of
from gate.adapters.aws.sdk_errors import code_of, translated

ALGORITHM = "HMAC_SHA_256"
INVALID = "KMSInvalidMacException"


class KmsKey:
    """A `SealingKey`: an HMAC key of KMS, by its ARN.

    Raises:
        SettingsError: it may not be used. Every method does.
        StorageUnavailableError: try again later. Every method does.
    """

    def __init__(self, arn: str, region: str = "") -> None:
        self.name = arn
        self._client = client_of("kms", region, called="the key of the ledger")

    def sign(self, content: bytes) -> str:
        """See `SealingKey`."""
        with translated("the key of the ledger"):
            answer = self._client.generate_mac(KeyId=self.name, Message=content, MacAlgorithm=ALGORITHM)
        return bytes(answer["Mac"]).hex()

    def verify(self, content: bytes, code: str) -> bool:
        """See `SealingKey`."""
        try:
            mac = bytes.fromhex(code)
        except ValueError:
            return False
        if not mac or mac.hex() != code:
            return False
        with translated("the key of the ledger"):
            try:
                asked = {"KeyId": self.name, "Message": content, "MacAlgorithm": ALGORITHM}
                return bool(self._client.verify_mac(**asked, Mac=mac)["MacValid"])
            except ClientError as error:
                if code_of(error) != INVALID:
                    raise
                return False
