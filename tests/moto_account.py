"""An AWS account in this process, in moto."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

import pytest
from moto import mock_aws


@contextmanager
def an_account(monkeypatch: pytest.MonkeyPatch, region: str = "") -> Iterator[None]:
    """Have credentials of an empty account, and a region of one's own where one is given."""
    for name, value in {"ACCESS_KEY_ID": "stub", "SECRET_ACCESS_KEY": "stub", "DEFAULT_REGION": region}.items():
        if value:
            monkeypatch.setenv(f"AWS_{name}", value)
    with mock_aws():
        yield
