"""The way onto the network: connections go only to addresses that the guard has checked.

The HTTP libraries are imported at the top of this module and of `download`; both are loaded when a
`Fetcher` is opened, so that `import foureyes` stays fast. Requests are made on the transport, not
on a client: there are no cookies, no proxies, no credentials and no automatic redirects to turn
off.
"""

from __future__ import annotations

import errno
import ssl
from collections.abc import AsyncGenerator, Generator, Iterable
from contextlib import contextmanager, suppress
from typing import cast

import httpcore2
import httpx2

from ..base.vocabulary import SourceState
from .failure import FetchFailed
from .guard import Guard
from .policy import PolitenessPolicy


class CheckedBackend(httpcore2.AsyncNetworkBackend):
    """Connects to the addresses that `guard` gives for a name, and to nothing else.

    The name itself stays in the Host header and in the TLS handshake.
    """

    def __init__(self, guard: Guard, inner: httpcore2.AsyncNetworkBackend | None = None) -> None:
        self._guard = guard
        # httpcore2 also has a stand-in of this name for machines without anyio.
        self._inner = inner or cast("httpcore2.AsyncNetworkBackend", httpcore2.AnyIOBackend())

    async def connect_tcp(
        self,
        host: str,
        port: int,
        timeout: float | None = None,  # noqa: ASYNC109 - the signature is httpcore's
        local_address: str | None = None,
        socket_options: Iterable[httpcore2.SOCKET_OPTION] | None = None,
    ) -> httpcore2.AsyncNetworkStream:
        """Look `host` up, check every answer, and connect to the first that accepts.

        Raises:
            FetchFailed: The guard's, see `Guard.checked_addresses`.
            httpcore2.ConnectError, httpcore2.ConnectTimeout: None accepted.
        """
        *others, last = await self._guard.checked_addresses(host, port)
        connect, rest = self._inner.connect_tcp, (port, timeout, local_address, socket_options)
        for address in others:
            with suppress(httpcore2.ConnectError, httpcore2.ConnectTimeout):
                return await connect(address, *rest)
        return await connect(last, *rest)

    async def sleep(self, seconds: float) -> None:
        """Wait, as httpcore asks for it between its own attempts."""
        await self._inner.sleep(seconds)


class _Body(httpx2.AsyncByteStream):
    """An answer's body as httpx2 reads it."""

    def __init__(self, response: httpcore2.Response) -> None:
        self._response = response

    async def __aiter__(self) -> AsyncGenerator[bytes, None]:
        async for piece in self._response.aiter_stream():
            yield piece

    async def aclose(self) -> None:
        await self._response.aclose()


class GuardedTransport(httpx2.AsyncBaseTransport):
    """An HTTP/1.1 transport whose connections the guard checks.

    Args:
        guard: Judges every connection.
        politeness: Sizes the connection pool.
        tls: Trusted certificates; the operating system's when None.
        network: Makes the connections; the machine's network when None.
    """

    def __init__(
        self,
        guard: Guard,
        politeness: PolitenessPolicy,
        tls: ssl.SSLContext | None = None,
        network: httpcore2.AsyncNetworkBackend | None = None,
    ) -> None:
        self._pool = httpcore2.AsyncConnectionPool(
            ssl_context=tls or httpx2.create_ssl_context(trust_env=False),
            max_connections=politeness.in_total,
            max_keepalive_connections=politeness.in_total,
            keepalive_expiry=5.0,
            network_backend=CheckedBackend(guard, network),
        )

    async def handle_async_request(self, request: httpx2.Request) -> httpx2.Response:
        """Send `request`; the body of the answer is read later, piece by piece.

        Raises:
            FetchFailed: The guard's.
            httpcore2 errors: The connection or the exchange failed.
        """
        url = request.url
        response = await self._pool.handle_async_request(
            httpcore2.Request(
                method=request.method,
                url=httpcore2.URL(
                    scheme=url.raw_scheme, host=url.raw_host, port=url.port, target=url.raw_path
                ),
                headers=request.headers.raw,
                content=b"",
                extensions=request.extensions,
            )
        )
        return httpx2.Response(
            response.status, headers=response.headers, stream=_Body(response), request=request
        )

    async def aclose(self) -> None:
        """Close every connection."""
        await self._pool.aclose()


_NO_WAY = frozenset((errno.ENETUNREACH, errno.ENETDOWN, errno.EHOSTUNREACH))


@contextmanager
def translate_faults(host: str) -> Generator[None]:
    """Translate errors of the network and the HTTP libraries into source states."""
    try:
        yield
    except TimeoutError as error:
        reason = f"{host} did not answer in full in time"
        raise FetchFailed(SourceState.TIMEOUT, reason, True) from error
    except httpcore2.ConnectTimeout as error:
        reason = f"{host} could not be reached in time"
        raise FetchFailed(SourceState.TIMEOUT, reason, True) from error
    except httpcore2.TimeoutException as error:
        raise FetchFailed(SourceState.TIMEOUT, f"{host} fell silent", True) from error
    except httpcore2.ConnectError as error:
        raise _connect_failure(host, error) from error
    except (httpcore2.NetworkError, httpcore2.ProtocolError) as error:
        said = " ".join(str(error).split())[:120]
        reason = f"{host} broke off or broke the protocol: {said}"
        raise FetchFailed(SourceState.SERVER_ERROR, reason, True) from error
    except httpx2.DecodingError as error:
        reason = f"{host} sent damaged compressed data"
        raise FetchFailed(SourceState.SERVER_ERROR, reason, True) from error


def _connect_failure(host: str, error: httpcore2.ConnectError) -> FetchFailed:
    cause: BaseException | None = error
    while cause is not None:
        if isinstance(cause, ssl.SSLCertVerificationError):
            reason = f"the certificate of {host} is not valid: {cause.verify_message}"
            return FetchFailed(SourceState.TLS_ERROR, reason)
        if isinstance(cause, ssl.SSLError):
            reason = f"no secure connection to {host}: {cause.reason or 'TLS failed'}"
            return FetchFailed(SourceState.TLS_ERROR, reason)
        if isinstance(cause, OSError) and cause.errno in _NO_WAY:
            return FetchFailed(SourceState.NOT_FETCHED, f"there is no network towards {host}")
        if isinstance(cause, ConnectionRefusedError):
            return FetchFailed(SourceState.SERVER_ERROR, f"{host} refuses connections", True)
        # The connection pool raises the error anew, without its cause.
        cause = cause.__cause__ or cause.__context__
    return FetchFailed(SourceState.SERVER_ERROR, f"{host} cannot be connected to", True)
