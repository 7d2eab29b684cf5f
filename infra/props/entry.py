"""What stands between callers and the API."""

from __future__ import annotations

import re
from dataclasses import dataclass

MANAGED = "managed"
"""A web ACL that is made here, of rules that AWS keeps."""
ORIGIN = re.compile(r"https?://[\w.-]+(:\d{1,5})?")
"""What a browser says of the page that asks: no path, no wildcard."""
DOMAIN_NAME = re.compile(r"([a-z0-9]([a-z0-9-]*[a-z0-9])?\.)+[a-z]{2,}")


@dataclass(frozen=True)
class UsagePlan:
    """What the callers who bring one key may ask for.

    Attributes:
        rate, burst: requests a second.
        day: requests a day; 0: no limit.
    """

    rate: int
    burst: int
    day: int = 0
