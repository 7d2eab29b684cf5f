"""Connections to a service outside of AWS, each call of which has a deadline."""

from __future__ import annotations

import ssl
import urllib.request
from typing import Any
from urllib.parse import urlsplit

import urllib3
from urllib3.connection import HTTPConnection, HTTPSConnection

from gate.adapters.call_deadlines import Watched

LOOPBACK = ("localhost", "127.0.0.1", "::1")
"""Hosts that may be spoken to in clear text."""


class _Connection(Watched, HTTPConnection):
    pass


class _TLSConnection(Watched, HTTPSConnection):
    pass


class _Pool(urllib3.HTTPConnectionPool):
    ConnectionCls = _Connection


class _TLSPool(urllib3.HTTPSConnectionPool):
    ConnectionCls = _TLSConnection


def pool_manager(url: str, connections: int) -> urllib3.PoolManager:
    """Connections to where a URL points, through the proxy that the environment names for it.

    Args:
        connections: kept open; more are made where more calls are under way.
    """
    parts = urlsplit(url)
    proxy = urllib.request.getproxies().get(parts.scheme)
    how: dict[str, Any] = {"maxsize": connections}
    if parts.scheme == "https":
        how["ssl_context"] = ssl.create_default_context()
    if proxy and not urllib.request.proxy_bypass(parts.hostname or ""):
        manager: urllib3.PoolManager = urllib3.ProxyManager(proxy, **how)
    else:
        manager = urllib3.PoolManager(**how)
    manager.pool_classes_by_scheme = {"http": _Pool, "https": _TLSPool}
    return manager
