"""IP addresses that may lead to a person; loopback, unspecified and version numbers stay."""

from __future__ import annotations

import ipaddress
import re

from gate.privacy.patterns import Rule

IPV4 = re.compile(r"(?<![\w.-])\d{1,3}(?:\.\d{1,3}){3}(?![\w-]|\.\d)")
IPV6 = re.compile(r"(?<![\w:.])(?=[0-9A-Fa-f]{0,4}:[0-9A-Fa-f:])[0-9A-Fa-f:]{6,39}(?:\.\d{1,3}){0,3}(?![\w:])")
_RELEASE = re.compile(
    r"(?:\bv|version|release|build|firmware|driver|chrome/|section|§|rev\.?)[\s:=/]{0,2}\Z", re.IGNORECASE
)


def is_ipv4(text: str, start: int, end: int) -> bool:
    """Whether it is an address of a machine, and not a version with four parts."""
    parts = text[start:end].split(".")
    return (
        all(int(part) < 256 for part in parts)
        and parts[0] not in ("0", "127")
        and not _RELEASE.search(text, max(0, start - 12), start)
    )


def is_ipv6(text: str, start: int, end: int) -> bool:
    """Whether it is an address, and neither a time nor a name with colons, such as `Dead::Beef`."""
    value = text[start:end]
    if value.count(":") < 3 or not any(character.isdigit() for character in value):
        return False
    try:
        address = ipaddress.IPv6Address(value)
    except ValueError:
        return False
    return not (address.is_loopback or address.is_unspecified)


IPS: tuple[Rule, ...] = (Rule("IP", "ipv4", IPV4, is_ipv4), Rule("IP", "ipv6", IPV6, is_ipv6))
