"""Connections of the AWS SDK that can be cut from another thread."""

from __future__ import annotations

from typing import Any

from botocore.awsrequest import AWSHTTPConnection, AWSHTTPConnectionPool, AWSHTTPSConnection, AWSHTTPSConnectionPool

from gate.adapters.call_deadlines import Watched


class _Connection(Watched, AWSHTTPConnection):  # type: ignore[misc]
    pass


class _TLSConnection(Watched, AWSHTTPSConnection):  # type: ignore[misc]
    pass


class _Pool(AWSHTTPConnectionPool):
    ConnectionCls = _Connection


class _TLSPool(AWSHTTPSConnectionPool):
    ConnectionCls = _TLSConnection


def cuttable(session: Any) -> None:
    """Have the connections of an SDK's session tell the call under way which socket they go through."""
    session._pool_classes_by_scheme.update(http=_Pool, https=_TLSPool)  # the SDK has no public way to do it
