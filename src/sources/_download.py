"""One attempt to load a web address: turns at hosts, robots.txt (RFC 9309), redirects, limits.

Connections go only to addresses that the guard has checked. The HTTP libraries are imported at the
top of this module, which is loaded when a `Fetcher` needs it, so that `import foureyes` stays fast.
Requests are made on a pool of connections, not on a client: there are no cookies, no proxies, no
credentials and no automatic redirects to turn off.
"""

from __future__ import annotations

import errno
import math
import re
import ssl
import tempfile
from collections import defaultdict
from collections.abc import AsyncGenerator, Generator, Iterable
from contextlib import asynccontextmanager, contextmanager, suppress
from dataclasses import dataclass
from http import HTTPStatus
from pathlib import Path
from typing import TYPE_CHECKING, cast
from urllib.parse import urljoin, urlsplit

import anyio
import httpcore2
import httpx2

from ..base.call_limits import UNLIMITED, CallLimiter, LimitName, one_call
from ..base.files import storage_errors
from ..base.vocabulary import SourceState
from .addresses import WebAddress
from .failure import AddressRefused, FetchFailed, failure_of, too_large
from .guard import Guard
from .model import Snapshot
from .plain_text import decode
from .policy import FetchPolicy, PolitenessPolicy
from .reading import Answer, may_be_read, media_type_of, unsupported

if TYPE_CHECKING:
    from protego import Protego


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


@dataclass(slots=True)
class _Host:
    places: anyio.Semaphore
    interval: float
    next_start: float = 0.0


class HostTurns:
    """Hands out turns by `policy`. One object serves every request of a `Fetcher`."""

    def __init__(self, policy: PolitenessPolicy) -> None:
        self._hosts = defaultdict[str, _Host](
            lambda: _Host(anyio.Semaphore(policy.per_host), policy.interval)
        )
        self._total = anyio.Semaphore(policy.in_total)

    @asynccontextmanager
    async def turn(self, host: str) -> AsyncGenerator[None]:
        """Wait for a turn at `host`; it lasts as long as the block."""
        state = self._hosts[host]
        async with state.places:
            now = anyio.current_time()
            start = max(now, state.next_start)
            state.next_start = start + state.interval
            await anyio.sleep(start - now)
            async with self._total:
                yield

    def hold(self, host: str, seconds: float, *, always: bool = False) -> None:
        """Give no turn at `host` for `seconds`, as the host has asked.

        `always` leaves at least that time between any two starts from now on.
        """
        state = self._hosts[host]
        state.next_start = max(state.next_start, anyio.current_time() + seconds)
        if always:
            state.interval = max(state.interval, seconds)


AGENT = "foureyes"
"""The name that a site's rules may be meant for."""

_MOST_BYTES = 500 * 1024
_LONGEST_DELAY = 30.0
_NO_RULES = frozenset(
    (SourceState.DEAD, SourceState.BLOCKED, SourceState.PAYWALLED, SourceState.UNSUPPORTED_TYPE)
)
"""Where there are no rules to read, everything is allowed."""


_KEPT = ("content-type", "content-language", "date", "etag", "last-modified", "cache-control")
_ENCODINGS = frozenset(("", "identity", "gzip", "x-gzip", "deflate"))
_REDIRECTS = frozenset((301, 302, 303, 307, 308))
_PERMANENT = frozenset((301, 308))
_VALIDATORS = (("etag", "If-None-Match"), ("last-modified", "If-Modified-Since"))
_IN_MEMORY = 1024 * 1024


class _Clock:
    """The seconds that are left for an attempt; they pass only inside `running`."""

    def __init__(self, seconds: float) -> None:
        self._left = seconds

    @contextmanager
    def running(self) -> Generator[None]:
        started = anyio.current_time()
        with anyio.fail_after(self._left):
            yield
        self._left -= anyio.current_time() - started


class Downloader:
    """Loads web addresses through the guard, politely and within the limits of `policy`.

    With `robots`, nothing is loaded that a host's robots.txt forbids. `limiter` is asked before
    every request: a redirect, a retry and robots.txt are requests, too. `tls` are the trusted
    certificates, the operating system's when None; `network` makes the connections.
    """

    def __init__(
        self,
        guard: Guard,
        policy: FetchPolicy,
        tls: ssl.SSLContext | None = None,
        *,
        network: httpcore2.AsyncNetworkBackend | None = None,
        robots: bool = False,
        limiter: CallLimiter = UNLIMITED,
    ) -> None:
        most = policy.politeness.in_total
        self._pool = httpcore2.AsyncConnectionPool(
            ssl_context=tls or httpx2.create_ssl_context(trust_env=False),
            max_connections=most,
            max_keepalive_connections=most,
            keepalive_expiry=5.0,
            network_backend=CheckedBackend(guard, network),
        )
        self._guard = guard
        self._policy = policy
        self._obeys = robots
        self._limiter = limiter
        self._turns = HostTurns(policy.politeness)
        self._wasted = defaultdict[str, float](float)
        self._robots_locks = defaultdict[str, anyio.Lock](anyio.Lock)
        self._robots: dict[str, Protego | FetchFailed | None] = {}

    async def aclose(self) -> None:
        """Close every connection."""
        await self._pool.aclose()

    async def load(
        self,
        url: str,
        known: Snapshot | None = None,
        *,
        seconds: float = math.inf,
        obey: bool = True,
    ) -> Answer:
        """Load `url`, following redirects. Nothing is remembered between two calls.

        Args:
            url: An http or https address.
            known: A copy at hand; a server that vouches for it need not send it again.
            seconds: How long it may take, if that is less than an attempt may.
            obey: Whether the rules of robots.txt count, where they are asked for.

        Raises:
            FetchFailed: With the state of the source.
        """
        clock = _Clock(min(seconds, self._policy.timeouts.attempt))
        address = self._guard.require(url)
        chain = [address.url]
        moved = False
        for _ in range(self._policy.limits.redirects + 1):
            if obey and self._obeys:
                await self._require_allowed(address)
            response, body = await self._request(address, clock, known)
            sent, status = response.headers, response.status_code
            if body is not None:
                kept = tuple((name, sent[name]) for name in _KEPT if name in sent)
                return Answer(tuple(chain), status, body, headers=kept, moved=moved)
            target = self._redirect_target(address, sent["location"])
            if target.url in chain:
                raise FetchFailed(SourceState.REDIRECT_LOOP, "its redirects go in a circle")
            moved = moved or (status in _PERMANENT and _place(address) != _place(target))
            chain.append(target.url)
            address = target
        limit = self._policy.limits.redirects
        raise FetchFailed(SourceState.REDIRECT_LOOP, f"more than {limit} redirects")

    async def _require_allowed(self, address: WebAddress) -> None:
        """Let `address` pass if the robots.txt of its host does, which is read once.

        Raises:
            AddressRefused: It does not.
            FetchFailed: `not_fetched`: it could not be read, and may forbid it.
        """
        origin = address.url[: address.url.index("/", len(address.scheme) + 3)]
        async with self._robots_locks[origin]:
            if origin not in self._robots:
                self._robots[origin] = await self._read_robots(origin, address.host)
        rules = self._robots[origin]
        if isinstance(rules, FetchFailed):
            raise rules
        if rules is not None and not rules.can_fetch(address.url, AGENT):
            raise AddressRefused(f"robots.txt of {address.host} does not allow it")

    async def _read_robots(self, origin: str, name: str) -> Protego | FetchFailed | None:
        from protego import Protego

        try:
            answer = await self.load(f"{origin}/robots.txt", obey=False)
        except FetchFailed as failure:
            if failure.state in _NO_RULES:
                return None
            reason = f"robots.txt of {name} could not be read: {failure.reason}"
            return FetchFailed(SourceState.NOT_FETCHED, reason)
        rules = Protego.parse(decode(answer.body[:_MOST_BYTES]))
        delay = rules.crawl_delay(AGENT)
        if delay is not None:
            self._turns.hold(name, min(delay, _LONGEST_DELAY), always=True)
        return rules

    async def _request(
        self, address: WebAddress, clock: _Clock, known: Snapshot | None
    ) -> tuple[httpx2.Response, bytes | None]:
        """The answer with its body; a redirect has None."""
        asked: dict[str, str] = {}
        if known is not None and known.url_chain[-1] == address.url:
            kept = dict(known.headers)
            asked = {asks: kept[name] for name, asks in _VALIDATORS if name in kept}
        request = self._build_request(address, asked)
        async with self._turns.turn(address.host), one_call(self._limiter, LimitName.FETCH):
            with (
                self._patience(address.host),
                translate_faults(address.host),
                # Others of its requests may have run out of time since this one was let in.
                anyio.fail_after(self._policy.timeouts.host - self._wasted[address.host]),
                clock.running(),
            ):
                answered = await self._pool.handle_async_request(request)
                try:
                    response = httpx2.Response(
                        answered.status, headers=answered.headers, content=answered.aiter_stream()
                    )
                    if response.status_code in _REDIRECTS and "location" in response.headers:
                        return response, None
                    if asked and response.status_code == HTTPStatus.NOT_MODIFIED:
                        return response, b""
                    self._check_head(response, address.host)
                    return response, await self._read(response)
                finally:
                    with anyio.move_on_after(1, shield=True):
                        await answered.aclose()

    @contextmanager
    def _patience(self, host: str) -> Generator[None]:
        """Count what requests to `host` waste, and ask it no more once that is too much."""
        most = self._policy.timeouts.host
        if self._wasted[host] >= most:
            reason = f"{host} has let requests run out of time for {self._wasted[host]:.0f} s"
            raise FetchFailed(SourceState.TIMEOUT, reason)
        begun = anyio.current_time()
        try:
            yield
        except FetchFailed as failure:
            if failure.state is SourceState.TIMEOUT:
                self._wasted[host] += anyio.current_time() - begun
            raise

    def _build_request(self, address: WebAddress, asked: dict[str, str]) -> httpcore2.Request:
        times = self._policy.timeouts
        try:
            url = httpx2.URL(address.url)
        except httpx2.InvalidURL as error:
            raise AddressRefused(f"the address cannot be requested: {error}") from error
        headers = {
            "Host": url.netloc.decode("ascii"),
            "User-Agent": self._policy.user_agent,
            "Accept": "text/html, application/pdf;q=0.9, text/*;q=0.8, */*;q=0.5",
            "Accept-Language": self._policy.accept_language,
            "Accept-Encoding": "gzip, deflate",
            **asked,
        }
        phases = {"connect": times.connect, "read": times.read, "write": times.read}
        target = httpcore2.URL(
            scheme=url.raw_scheme, host=url.raw_host, port=url.port, target=url.raw_path
        )
        sent = list(headers.items())
        return httpcore2.Request("GET", target, headers=sent, extensions={"timeout": phases})

    def _redirect_target(self, address: WebAddress, location: str) -> WebAddress:
        try:
            return self._guard.require(urljoin(address.url, location))
        except ValueError as error:
            reason = "it redirects to an address that cannot be read"
            raise FetchFailed(SourceState.SERVER_ERROR, reason) from error
        except AddressRefused as refusal:
            raise AddressRefused(f"it redirects to {location[:200]!r}: {refusal.reason}") from None

    def _check_head(self, response: httpx2.Response, host: str) -> None:
        """Raise if the response can be refused without its body."""
        if failure := failure_of(response, self._policy.retries.retry_after_cap):
            if failure.transient and failure.retry_after:
                self._turns.hold(host, failure.retry_after)
            raise failure
        media_type = media_type_of(response.headers.get("content-type", ""))
        if not may_be_read(media_type, self._policy):
            raise unsupported(media_type)
        encoding = response.headers.get("content-encoding", "").lower()
        if not {part.strip() for part in encoding.split(",")} <= _ENCODINGS:
            reason = f"it is compressed as {encoding[:50]!r}, unasked"
            raise FetchFailed(SourceState.UNSUPPORTED_TYPE, reason)
        length = response.headers.get("content-length", "")
        if re.fullmatch(r"[0-9]+", length) and int(length[:20]) > self._policy.limits.sent_bytes:
            raise too_large(self._policy.limits.sent_bytes)

    async def _read(self, response: httpx2.Response) -> bytes:
        limits = self._policy.limits
        # What grows beyond a page waits on the disk: many hosts may send large answers at a time.
        with tempfile.SpooledTemporaryFile(_IN_MEMORY) as body:
            async for piece in response.aiter_bytes():
                with storage_errors(Path(tempfile.gettempdir()), "write to"):
                    body.write(piece)
                if response.num_bytes_downloaded > limits.sent_bytes:
                    raise too_large(limits.sent_bytes)
                if body.tell() > limits.decoded_bytes:
                    raise too_large(limits.decoded_bytes)
            body.seek(0)
            return body.read()


def _place(address: WebAddress) -> tuple[str, str]:
    """Host and path, without what may differ where a page has not moved."""
    path = urlsplit(address.url).path
    return address.host.removeprefix("www."), path.removesuffix("/")
