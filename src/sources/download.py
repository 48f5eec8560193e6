"""One attempt to load a web address: redirects, limits, and what each failure is called."""

from __future__ import annotations

import math
import re
import tempfile
from collections import defaultdict
from collections.abc import Generator
from contextlib import contextmanager
from http import HTTPStatus
from pathlib import Path
from urllib.parse import urljoin, urlsplit

import anyio
import httpx2

from ..base.call_limits import UNLIMITED, CallLimiter, LimitName, one_call
from ..base.files import storage_errors
from ..base.vocabulary import SourceState
from .addresses import WebAddress
from .answers import content_type_of, failure_of, translate_faults
from .failure import AddressRefused, FetchFailed
from .guard import Guard
from .kinds import may_be_read, unsupported
from .model import Snapshot
from .policy import FetchPolicy
from .politeness import HostTurns
from .reading import Answer
from .robots import Robots
from .transport import GuardedTransport

_KEPT_HEADERS = (
    "content-type",
    "content-language",
    "date",
    "etag",
    "last-modified",
    "cache-control",
)
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
    every request: a redirect, a retry and robots.txt are requests, too.
    """

    def __init__(
        self,
        transport: GuardedTransport,
        guard: Guard,
        policy: FetchPolicy,
        *,
        robots: bool = False,
        limiter: CallLimiter = UNLIMITED,
    ) -> None:
        self._transport = transport
        self._guard = guard
        self._policy = policy
        self._limiter = limiter
        self._turns = HostTurns(policy.politeness)
        self._wasted = defaultdict[str, float](float)
        self._robots = Robots(self._load, self._turns) if robots else None

    async def load(
        self, url: str, known: Snapshot | None = None, *, seconds: float = math.inf
    ) -> Answer:
        """Load `url`, following redirects. Nothing is remembered between two calls.

        Args:
            url: An http or https address.
            known: A copy at hand; a server that vouches for it need not send it again.
            seconds: How long it may take, if that is less than an attempt may.

        Raises:
            FetchFailed: With the state of the source.
        """
        return await self._load(url, known, self._robots, seconds)

    async def _load(
        self,
        url: str,
        known: Snapshot | None = None,
        robots: Robots | None = None,
        seconds: float = math.inf,
    ) -> Answer:
        clock = _Clock(min(seconds, self._policy.timeouts.attempt))
        address = self._guard.require(url)
        chain = [address.url]
        moved = False
        for _ in range(self._policy.limits.redirects + 1):
            if robots is not None:
                await robots.require(address)
            answer = await self._request(address, clock, known)
            if isinstance(answer, httpx2.Response):
                target = self._redirect_target(address, answer)
                if target.url in chain:
                    raise FetchFailed(SourceState.REDIRECT_LOOP, "its redirects go in a circle")
                moved = moved or (answer.status_code in _PERMANENT and _is_move(address, target))
                chain.append(target.url)
                address = target
                continue
            response, body = answer
            return _answer(response, body, tuple(chain), moved)
        limit = self._policy.limits.redirects
        raise FetchFailed(SourceState.REDIRECT_LOOP, f"more than {limit} redirects")

    async def _request(
        self, address: WebAddress, clock: _Clock, known: Snapshot | None
    ) -> httpx2.Response | tuple[httpx2.Response, bytes]:
        """The answer with its body, or a redirect without."""
        asked = _validators(known, address)
        request = self._build_request(address, asked)
        async with self._turns.turn(address.host), one_call(self._limiter, LimitName.FETCH):
            with (
                self._patience(address.host),
                translate_faults(address.host),
                # Others of its requests may have run out of time since this one was let in.
                anyio.fail_after(self._policy.timeouts.host - self._wasted[address.host]),
                clock.running(),
            ):
                response = await self._transport.handle_async_request(request)
                try:
                    if response.status_code in _REDIRECTS and "location" in response.headers:
                        return response
                    if asked and response.status_code == HTTPStatus.NOT_MODIFIED:
                        return response, b""
                    self._check_head(response, address.host)
                    return response, await self._read(response)
                finally:
                    with anyio.move_on_after(1, shield=True):
                        await response.aclose()

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

    def _build_request(self, address: WebAddress, asked: dict[str, str]) -> httpx2.Request:
        policy = self._policy
        headers = {
            "User-Agent": policy.user_agent,
            "Accept": "text/html, application/pdf;q=0.9, text/*;q=0.8, */*;q=0.5",
            "Accept-Language": policy.accept_language,
            "Accept-Encoding": "gzip, deflate",
            **asked,
        }
        phases = {
            "connect": policy.timeouts.connect,
            "read": policy.timeouts.read,
            "write": policy.timeouts.read,
        }
        try:
            return httpx2.Request(
                "GET", address.url, headers=headers, extensions={"timeout": phases}
            )
        except httpx2.InvalidURL as error:
            raise AddressRefused(f"the address cannot be requested: {error}") from error

    def _redirect_target(self, address: WebAddress, answer: httpx2.Response) -> WebAddress:
        location = answer.headers["location"]
        try:
            return self._guard.require(urljoin(address.url, location))
        except ValueError as error:
            raise FetchFailed(
                SourceState.SERVER_ERROR, "it redirects to an address that cannot be read"
            ) from error
        except AddressRefused as refusal:
            raise AddressRefused(f"it redirects to {location[:200]!r}: {refusal.reason}") from None

    def _check_head(self, response: httpx2.Response, host: str) -> None:
        """Raise if the response can be refused without its body."""
        if failure := failure_of(response, self._policy.retries.retry_after_cap):
            if failure.transient and failure.retry_after:
                self._turns.hold(host, failure.retry_after)
            raise failure
        media_type, _ = content_type_of(response)
        if not may_be_read(media_type, self._policy):
            raise unsupported(media_type)
        encoding = response.headers.get("content-encoding", "").lower()
        if not {part.strip() for part in encoding.split(",")} <= _ENCODINGS:
            raise FetchFailed(
                SourceState.UNSUPPORTED_TYPE, f"it is compressed as {encoding[:50]!r}, unasked"
            )
        length = response.headers.get("content-length", "")
        if re.fullmatch(r"[0-9]+", length) and int(length[:20]) > self._policy.limits.sent_bytes:
            raise _too_large(self._policy.limits.sent_bytes)

    async def _read(self, response: httpx2.Response) -> bytes:
        limits = self._policy.limits
        # What grows beyond a page waits on the disk: many hosts may send large answers at a time.
        with tempfile.SpooledTemporaryFile(_IN_MEMORY) as body:
            async for piece in response.aiter_bytes():
                with storage_errors(Path(tempfile.gettempdir()), "write to"):
                    body.write(piece)
                if response.num_bytes_downloaded > limits.sent_bytes:
                    raise _too_large(limits.sent_bytes)
                if body.tell() > limits.decoded_bytes:
                    raise _too_large(limits.decoded_bytes)
            body.seek(0)
            return body.read()


def _validators(known: Snapshot | None, address: WebAddress) -> dict[str, str]:
    """The conditional request headers for `known`, if it came from this very address."""
    if known is None or known.url_chain[-1] != address.url:
        return {}
    kept = dict(known.headers)
    return {asks: kept[name] for name, asks in _VALIDATORS if name in kept}


def _answer(response: httpx2.Response, body: bytes, chain: tuple[str, ...], moved: bool) -> Answer:
    media_type, charset = content_type_of(response)
    kept = tuple(
        (name, response.headers[name]) for name in _KEPT_HEADERS if name in response.headers
    )
    return Answer(
        chain,
        response.status_code,
        body,
        media_type=media_type,
        charset=charset,
        headers=kept,
        moved=moved,
        unchanged=response.status_code == HTTPStatus.NOT_MODIFIED,
    )


def _too_large(limit: int) -> FetchFailed:
    return FetchFailed(SourceState.TOO_LARGE, f"it is larger than {limit:,} bytes")


def _is_move(old: WebAddress, new: WebAddress) -> bool:
    def place(address: WebAddress) -> tuple[str, str]:
        path = urlsplit(address.url).path
        return address.host.removeprefix("www."), path.removesuffix("/")

    return place(old) != place(new)
