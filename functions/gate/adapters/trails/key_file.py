"""A key in a file, which seals the trail of decisions on this machine."""

from __future__ import annotations

import hashlib
import hmac
import os
import secrets
from contextlib import suppress
from pathlib import Path

from gate.adapters.local_files import NEW, keep_from_git, unusable
from gate.errors import SettingsError

LEAST, MOST = 32, 4_096
"""Bytes of a key."""


class KeyFile:
    """A `SealingKey`: HMAC-SHA256 under what a file holds, blanks around it aside.

    Raises:
        SettingsError: the file is not there, or holds no key.
    """

    def __init__(self, path: Path) -> None:
        try:
            with path.open("rb") as file:
                self._key = file.read(MOST + 1).strip()
        except OSError as error:
            why = (error.strerror or type(error).__name__).lower()
            raise SettingsError(f"GATE_LEDGER_KEY: the key cannot be read: {why}") from None
        if not LEAST <= len(self._key) <= MOST:
            hint = "openssl rand -hex 32 makes one"
            raise SettingsError(f"GATE_LEDGER_KEY: a key has {LEAST} to {MOST} bytes", hint=hint)
        self.name = f"file:{hashlib.sha256(b'which key: ' + self._key).hexdigest()[:16]}"

    def sign(self, content: bytes) -> str:
        """See `SealingKey`."""
        return hmac.new(self._key, content, hashlib.sha256).hexdigest()

    def verify(self, content: bytes, code: str) -> bool:
        """See `SealingKey`."""
        return hmac.compare_digest(self.sign(content).encode(), code.encode("utf-8", "replace"))


def own_key(path: Path) -> KeyFile:
    """The key at `path`, made where there is none; of two processes that make one, the first one's counts."""
    if not path.exists():
        written = path.with_name(f".{path.name}.{secrets.token_hex(6)}")
        try:
            keep_from_git(path.parent)
            with os.fdopen(os.open(written, NEW, 0o600), "wb") as file:
                file.write(secrets.token_hex(32).encode() + b"\n")
            with suppress(FileExistsError):
                os.link(written, path)
        except OSError as error:
            raise unusable(error) from None
        finally:
            written.unlink(missing_ok=True)
    return KeyFile(path)
