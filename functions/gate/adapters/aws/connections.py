"""Connections of the AWS SDK that can be cut from another thread, and of whose replies no more is read than is kept."""

from __future__ import annotations

from io import BytesIO
from typing import Any

from botocore.awsrequest import AWSHTTPConnection, AWSHTTPConnectionPool, AWSHTTPSConnection, AWSHTTPSConnectionPool
from botocore.exceptions import HTTPClientError
from urllib3.exceptions import HTTPError

from gate.adapters.call_deadlines import Watched
from gate.errors import ModelUnavailableError


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


class ShortReplies:
    """An SDK's session of whose replies so many bytes are read, at once: the SDK's own reads what comes, or leaves a
    body to be read when the call's deadline is over.

    Args:
        name: of the service, in messages.
    """

    def __init__(self, session: Any, name: str, most_bytes: int) -> None:
        self._session, self._name, self._most = session, name, most_bytes

    def send(self, request: Any) -> Any:
        """Return the response, whatever its status.

        Raises:
            ModelUnavailableError: it is longer.
            HTTPClientError: it broke off.
        """
        request.stream_output = True  # else the SDK reads it
        response = self._session.send(request)
        received = response.raw
        try:
            content = received.read(self._most + 1)
            if len(content) > self._most:
                received.close()
                raise ModelUnavailableError(f"{self._name} answered with more than {self._most:,} bytes")
        except (HTTPError, OSError) as error:
            raise HTTPClientError(error=error) from None
        finally:
            received.release_conn()
        response.raw, response._content = BytesIO(content), content  # the SDK has no public way to give it one
        return response
